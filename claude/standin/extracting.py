"""The night's first step: candidates from the typed passages of a transcript."""

from __future__ import annotations

from claude.standin.material import asks_to_be_kept
from claude.standin.reading import read
from claude.standin.requests import Block, transcript
from claude.standin.statements import Known, Statement


def extract(text: str) -> list[Block]:
    known = Known()
    candidates: list[Block] = []
    seen: set[str] = set()
    for passage in transcript(text):
        if passage.role != "user":
            continue
        own = passage.origin == "typed"
        found = read(passage.text, passage.at.date(), known) if own else asks_to_be_kept(passage.text)
        for statement in found:
            if statement.text not in seen and not passage.read:
                seen.add(statement.text)
                candidates.append(_block(passage.id, statement))
    return candidates


def _block(passage: str, statement: Statement) -> Block:
    return {
        "reasoning": statement.why,
        "passage": passage,
        "quote": statement.quote,
        "statement": statement.text,
        "kind": statement.kind,
        "category": statement.category,
        "confidence": statement.confidence,
        "plan": statement.plan,
        "lasting": statement.lasting,
        "event_from": statement.event_from.isoformat() if statement.event_from else "",
        "event_until": statement.event_until.isoformat() if statement.event_until else "",
    }
