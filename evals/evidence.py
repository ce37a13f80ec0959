"""Does a piece of evidence lead to the words that it was made from?"""

from __future__ import annotations

from memories.models import Evidence
from memories.reading import readable


def leads_to_its_words(evidence: Evidence) -> bool:
    """A span that says something and can still be read, in the passage it names."""
    if evidence.passage is None:
        return False
    said = evidence.passage.text[slice(*evidence.span)].strip()
    return bool(said) and said in readable(evidence.passage)
