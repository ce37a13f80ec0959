"""Prompts are files, rendered strictly; what people said goes into them as fenced data that cannot leave its fence."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from claude.request import clean

# Every fence there is. The stand-in reads them; nothing that is not ours can open or close one.
FENCES = (
    "memories",
    "recalled",
    "summary",
    "now",
    "pasted",
    "file",
    "tool",
    "transcript",
    "turn",
    "candidates",
    "candidate",
    "nearest",
    "lines",
    "passages",
    "passage",
    "request",
)
# Invisible characters, which a tag may be broken up with.
_INVISIBLE = (
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    r"\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]*"
)
_SPELT = "|".join(_INVISIBLE.join(tag) for tag in FENCES)
_OPENING = re.compile(rf"<(?=(?:{_INVISIBLE}[\s/])*{_INVISIBLE}(?:{_SPELT}))", re.IGNORECASE)
# Its full-width twin: reads the same, and quotes are compared with the two folded together.
_NEUTRAL = "＜"


class PromptError(Exception):
    """A prompt's file and the values given to it do not match."""


class Fenced(str):
    """Text that stands in its fence already."""

    __slots__ = ()


@dataclass(frozen=True)
class Fence:
    """A fence as it is read back."""

    tag: str
    attributes: dict[str, str]
    text: str
    start: int
    end: int


def render(file: Path, /, **values: str) -> str:
    """The prompt with its `${name}`s replaced: every one of them, and by nothing that it does not ask for."""
    template = _template(file)
    names = set(template.get_identifiers())
    if not template.is_valid():
        raise PromptError(f"{file.name} has a stray $.")
    if missing := names - values.keys():
        raise PromptError(f"{file.name} lacks {', '.join(sorted(missing))}.")
    if unused := values.keys() - names:
        raise PromptError(f"{file.name} does not use {', '.join(sorted(unused))}.")
    return template.substitute(values)


def fence(tag: str, *texts: str, **attributes: str) -> Fenced:
    """`<tag a="b">`, the texts a line each, `</tag>`. A text that is itself a fence stays one; in any other, nothing
    that looks like a fence of ours does."""
    if tag not in FENCES:
        raise PromptError(f"There is no fence {tag}.")
    opening = "".join(f' {name}="{_attribute(value)}"' for name, value in attributes.items())
    inner = "\n".join(text if isinstance(text, Fenced) else neutral(text) for text in texts)
    return Fenced(f"<{tag}{opening}>\n{inner}\n</{tag}>")


def neutral(text: str) -> str:
    """The text with whatever looks like one of our fences made harmless, and without NUL and lone surrogates."""
    return _OPENING.sub(_NEUTRAL, clean(text))


def fences(text: str, *tags: str) -> list[Fence]:
    """The fences of these tags in a prompt, in order; of any tag when none is named. Those inside another are found by
    reading the other's text."""
    found: list[Fence] = []
    position = 0
    pattern = _reading(tags or FENCES)
    while opened := pattern.search(text, position):
        tag = opened[1]
        closing = text.find(f"\n</{tag}>", opened.end() - 1)
        if closing < 0:
            position = opened.end()
            continue
        end = closing + len(f"\n</{tag}>")
        attributes = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(opened[2])}
        found.append(Fence(tag, attributes, text[opened.end() : closing], opened.start(), end))
        position = end
    return found


_ATTRIBUTE = re.compile(r'([a-z_]+)="([^"<>\n]*)"')


@cache
def _reading(tags: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(r"<(" + "|".join(tags) + r')((?: [a-z_]+="[^"<>\n]*")*)>\n')


@cache
def _template(file: Path) -> Template:
    return Template(file.read_text(encoding="utf-8"))


def _attribute(value: str) -> str:
    return html.escape(" ".join(clean(value).split()), quote=True)
