"""A memory line told to the person, in the script of their question."""

from __future__ import annotations

from claude.standin.chinese.person import second_person as second_zh
from claude.standin.english.person import second_person as second_en
from claude.standin.meaning import is_chinese, is_simplified, to_simplified
from claude.standin.questions import Question
from claude.standin.requests import MemoryLine


def say(line: MemoryLine) -> str:
    """A line told to the person, with its mark."""
    told = (second_zh if is_chinese(line.statement) else second_en)(line.statement)
    return f"{told} [{line.id}]"


def in_script(question: Question, text: str) -> str:
    return to_simplified(text) if question.chinese and is_simplified(question.text) else text
