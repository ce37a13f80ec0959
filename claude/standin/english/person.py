# ruff: noqa: E501
"""Turning "I" into "the user" and back into "you", with the verbs that follow."""

from __future__ import annotations

import re

from claude.standin.words import words

ADVERB = r"(?:no longer|last|really|just|always|usually|also|never|still|now|only|often|actually|currently|mostly|sometimes|even|already|recently|absolutely|simply|generally|normally|rarely|hardly|totally|truly|finally|once|both|almost|mainly|definitely|[a-z]{3,}ly)"
_PAST = words("past")
_BASE_ED = frozenset(
    [
        "need",
        "feed",
        "speed",
        "bleed",
        "breed",
        "heed",
        "seed",
        "weed",
        "proceed",
        "succeed",
        "exceed",
        "embed",
        "shed",
        "wed",
    ]
)
_ES = ("ch", "sh", "ss", "x", "z", "o")
_IRREGULAR = {
    "am": "is", "'m": "is", "are": "is", "have": "has", "'ve": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't", "was": "was",
    "were": "was", "aren't": "isn't", "'re": "is", "'ll": "will", "'d": "would", "weren't": "wasn't",
}  # fmt: skip
_BACK = {
    "is": "are", "has": "have", "does": "do", "doesn't": "don't", "hasn't": "haven't", "was": "were", "isn't": "aren't",
    "wasn't": "weren't",
}  # fmt: skip
_NOT_A_VERB_S = frozenset(["this", "its", "his", "always", "perhaps", "yes", "plus"])
_SUBJECT = re.compile(rf"\b(I|[Ww]e)(?:('m|'ve|'d|'ll|'re)\b|\b)((?:\s+{ADVERB})*)(?:\s+([A-Za-z']+))?")
_PRONOUNS = (
    (re.compile(r"\b(?:my|our)\b", re.I), "the user's"),
    (re.compile(r"\b(?:mine|ours)\b", re.I), "the user's"),
    (re.compile(r"\b(?:myself|ourselves)\b", re.I), "themselves"),
    (re.compile(r"\b(?:me|us)\b"), "the user"),
    (re.compile(r"\bI\b"), "the user"),
    (re.compile(r"\b(?:yours|your)\b", re.I), "the assistant's"),
    (re.compile(r"\byou(?:'re| are)\b", re.I), "the assistant is"),
    (re.compile(r"\byou\b", re.I), "the assistant"),
)


def third_person(clause: str, *, together: bool = False) -> str:
    """A clause of the person's, told about them. `together`: "we" is the person with the assistant."""
    text = _SUBJECT.sub(lambda found: _subject(found, together=together), clause)
    for pattern, word in _PRONOUNS:
        text = pattern.sub(word, text)
    text = re.sub(
        r"^([Tt]he user's (?:[\w-]+ ){0,4}?[\w-]+)'s (?=called|named|an? |the |from|in |at |allergic)", r"\1 is ", text
    )
    return sentence(text)


def second_person(statement: str) -> str:
    """A memory's statement, told to the person."""
    text = re.sub(r"\bwants the assistant\b", "wants me", statement)
    text = re.sub(r"\b(when|whenever|if) (?:it|the assistant) ([a-z']+)", lambda f: f"{f[1]} I {plain(f[2])}", text)
    text = re.sub(r"\b[Tt]he user and (?:the assistant|I)\b", "you and I", text)
    text = re.sub(r"\b[Tt]he assistant's\b", "my", text)
    text = re.sub(r"\b[Tt]he assistant\b", "I", text)
    text = re.sub(r"\b[Tt]he user's\b", "your", text)
    text = re.sub(
        rf"\b[Tt]he user((?:\s+{ADVERB})*)(?:\s+([A-Za-z']+))?",
        lambda f: f"you{f[1]}" + (f" {plain(f[2]) if _subject_place(f) else f[2]}" if f[2] else ""),
        text,
    )
    text = re.sub(r"\bthemselves\b", "yourself", text)
    text = re.sub(r"\byou (\w+) and ([a-z]+s)\b", lambda f: f"you {f[1]} and {plain(f[2])}", text)
    return sentence(text)


def sentence(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip(" ,;:-\u2013\u2014")
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else text + "."


def conjugated(verb: str) -> str:
    """The third person singular of a present verb; past forms and auxiliaries stay."""
    low = verb.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low in _PAST or (low.endswith("ed") and low not in _BASE_ED) or low.endswith("n't"):
        return verb
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if low.endswith(_ES) else "s")


def plain(verb: str) -> str:
    """The form that follows "you"."""
    low = verb.lower()
    if low in _BACK:
        return _BACK[low]
    if low in _NOT_A_VERB_S or not low.endswith("s") or low.endswith("ss") or "'" in low:
        return verb
    if low.endswith("ies") and len(low) > 4:
        return verb[:-3] + "y"
    if low.endswith(("ches", "shes", "sses", "xes", "zes", "goes", "does")):
        return verb[:-2]
    return verb[:-1]


def _subject(found: re.Match[str], *, together: bool) -> str:
    pronoun, short, adverbs, verb = found[1], found[2], found[3] or "", found[4]
    who = "the user and the assistant" if together and pronoun.lower() == "we" else "the user"
    if short:
        return f"{who} {_short(short, verb)}{adverbs}" + (f" {verb}" if verb else "")
    if not verb:
        return f"{who}{adverbs}"
    if together and pronoun.lower() == "we":
        return f"{who}{adverbs} {verb}"
    if verb.lower() in ("and", "or", "to", "in", "at", "with", "from", "for", "on"):
        return f"{who}{adverbs} {verb}"
    return f"{who}{adverbs} {conjugated(verb)}"


def _short(short: str, verb: str | None) -> str:
    if short == "'d" and verb and (verb.lower() in ("been", "had", "never") or verb.lower().endswith("ed")):
        return "had"
    return _IRREGULAR[short]


def _subject_place(found: re.Match[str]) -> bool:
    """Whether the word after "the user" is its verb: not when the user is an object before a clause of its own."""
    before = found.string[: found.start()].rstrip()
    return not before or before[-1] in ",.;:" or before.split()[-1].lower() in _OPENERS


_OPENERS = words("openers")
