"""Why a statement is never kept, or waits for the person: in Chinese and English, by what stands in the words.

These rules read the statement, the quoted words and what the person typed around them. They err on the side of asking.
"""

from memories.policy.asking import asks_outright
from memories.policy.credentials import is_credential
from memories.policy.outward import is_outward
from memories.policy.sensitive import is_sensitive
from memories.policy.speaking import is_spoken_by_another

__all__ = ["asks_outright", "is_credential", "is_outward", "is_sensitive", "is_spoken_by_another"]
