"""What the forget door does, part by part. Come in by `memories.forget`."""
