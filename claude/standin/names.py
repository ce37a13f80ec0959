"""Names of persons, animals and places in statements."""

from __future__ import annotations

import re

from claude.standin.chinese.person import ANIMALS, BEGINS, KIN, NAME
from claude.standin.meaning import fold, is_chinese, meaning, to_simplified
from claude.standin.requests import MemoryLine
from claude.standin.words import words

_NAME = re.compile(r"\b[A-Z][\w'-]+")
_NOT_NAMES = words("not_names")


def names(lines: list[MemoryLine]) -> frozenset[str]:
    """Names of persons, animals and places that the memories tell: what gives them away anywhere."""
    found: set[str] = set()
    for line in lines:
        if is_chinese(line.statement):
            found.update(_names_zh(fold(line.statement)))
        else:
            words = [word for word in _NAME.findall(line.statement) if word not in _NOT_NAMES]
            found.update(fold(word.removesuffix("'s")) for word in words)
    return frozenset(found)


def kin_named(statement: str, called: str) -> bool:
    """Whether a statement names `called` as somebody of the person's: "the user's sister Ana", 使用者的姊姊小安."""
    text = fold(statement)
    if found := re.search(rf"the user's ([a-z -]{{2,24}}?),? (?:called |named )?{re.escape(called)}\b", text):
        return meaning(found[1]).has("kin", "animal")
    return bool(_OF_KIN.search(text)) and called in text


def _names_zh(text: str) -> set[str]:
    found = set(re.findall(r"叫(?:做)?([\u4e00-\u9fff]{1,6})", text))
    found |= set(
        re.findall(
            r"((?<![\u4e00-\u9fff])阿[\u4e00-\u9fff]|阿(?![姨嬤公伯])[\u4e00-\u9fff]|小(?![孩时店说学组心吃狗猫提])[\u4e00-\u9fff])",
            text,
        )
    )
    found |= {one[1] for one in _OF_KIN.finditer(text) if one[1]}
    for place in re.findall(
        r"(?:在|到|去|往|回)([\u4e00-\u9fff]{2,6}?)(?:的|上班|工作|住|定居|了|出差|读|念|。|，|$)", text
    ):
        found.add(place)
    return set(filter(lambda name: len(name) > 1, found))


_OF_KIN = re.compile(f"(?:{fold(KIN)}|{fold(ANIMALS)})({to_simplified(NAME)})?(?=[{to_simplified(BEGINS)}0-9])")
