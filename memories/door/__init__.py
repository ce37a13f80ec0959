"""What the write door asks of a proposal before a memory is born of it; `memories.remember` is the door."""
