# ruff: noqa: E501
"""Cutting English into sentences and clauses, each with its place in the passage."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ABBREVIATIONS = ("mr", "mrs", "ms", "dr", "st", "e.g", "i.e", "etc", "vs", "prof", "no", "approx", "a.m", "p.m")
_END = re.compile(r"[.!?\u2026]+[\"')\]\u201d\u2019]*(?=\s|$)|\n+")
_LEAD = re.compile(
    r"^(?:(?:(?:hi|hey|hello|thanks|thank you|wow|yeah|cool|great) (?-i:[A-Z]\w+)|(?-i:[A-Z][a-z]+)(?=, I\b)|hi|hey|hello|hiya|well|oh|ah|wow|yes|yeah|yep|no|nope|ok|okay|so|and|but|also|actually|anyway|btw|by the way|thanks|thank you|"
    r"cool|great|haha|lol|right|sure|honestly|look|listen|for the record|just so you know|fyi|good morning|good evening|morning|"
    r"oh well|to be honest|in fact|as for me|for what it's worth|plus|then|speaking of which|speaking of that|one more thing"
    r")\b[,!:\u2014\u2013-]*\s+)+",
    re.I,
)
_CUT = re.compile(
    r"(?: {0,2}[;\u2014\u2013] {0,2}| {1,2}- {1,2}|,? {1,2}(?:and|but|so|though|although|because|plus) {1,2}|, {0,2}(?:and {1,2}|but {1,2}|so {1,2})?)"
    r"(?=(?:I|we|my|our|she|he|they)(?:'m|'ve|'d|'ll|'re|'s)? {1,2}\w)",
)
_OPENS = re.compile(
    r"^(?:when|whenever|if|while|since|after|before|because|as|although|though|once|until|unless|in|on|at|for|during|every|each|"
    r"last|next|this|these|from|with|by|about|to|until|yesterday|today|tomorrow|now|nowadays|currently|usually|sometimes|lately|"
    r"recently|then|also|later|remember|please|note|don't forget|keep in mind)\b",
    re.I,
)
_TAG = re.compile(
    r",\s*(?:remember|right|you know|isn't it|aren't I|don't I|didn't we|didn't I|okay|ok|eh|huh|no|yeah|haven't I|wasn't it)\s*\?+\s*$",
    re.I,
)


@dataclass(frozen=True)
class Piece:
    text: str
    start: int
    end: int
    asks: bool = False


def sentences(text: str) -> list[Piece]:
    pieces, begin = [], 0
    for found in _END.finditer(text):
        before = text[begin : found.start()].rsplit(None, 1)
        if found[0] == "." and before and before[-1].lower().lstrip("(") in _ABBREVIATIONS:
            continue
        pieces.append(_piece(text, begin, found.end()))
        begin = found.end()
    pieces.append(_piece(text, begin, len(text)))
    return [piece for piece in pieces if any(char.isalpha() for char in piece.text)]


def clauses(sentence: Piece) -> list[Piece]:
    """The coordinate clauses of a sentence; a subordinate opening stays with what it opens."""
    cuts = []
    begin = 0
    for found in _CUT.finditer(sentence.text):
        left = without_lead(sentence.text[begin : found.start()])
        if not left.strip() or _OPENS.match(left) or len(left.split()) < 2:
            continue
        cuts.append((begin, found.start()))
        begin = found.end()
    cuts.append((begin, len(sentence.text)))
    found_pieces = (_piece(sentence.text, a, b, shift=sentence.start) for a, b in cuts)
    return [piece for piece in found_pieces if piece.text]


def without_lead(text: str) -> str:
    """Without greetings and interjections at its head."""
    return _LEAD.sub("", text + " ").rstrip() if text else text


def _piece(text: str, begin: int, end: int, *, shift: int = 0) -> Piece:
    raw = text[begin:end]
    asks = raw.rstrip(" \"')\n").endswith("?")
    tagged = _TAG.search(raw)
    if tagged:
        raw, asks = raw[: tagged.start()], False
    start = begin + len(raw) - len(raw.lstrip())
    body = raw.strip()
    bare = body.rstrip(".!?\u2026 ") if not asks else body
    return Piece(bare, shift + start, shift + start + len(bare), asks)
