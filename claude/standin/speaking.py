"""What the stand-in says of itself and of what it was shown, in the person's language and script."""

from __future__ import annotations

import re
from collections.abc import Callable

from claude.standin.meaning import fold, is_chinese, is_simplified, to_simplified
from claude.standin.requests import MemoryLine, text_of
from claude.standin.summaries import first_sentences
from claude.standin.turns import Turn

Say = Callable[[str, str], str]


# What the person wants of answers, as far as it can be done here.
_IN_ENGLISH = re.compile(r"\bin english\b|[用以说讲].{0,3}英[文语]")
_IN_CHINESE = re.compile(r"\bin (?:\w+ )?(?:chinese|mandarin)\b|[用以说讲].{0,4}(?:中文|华语|国语)")
_SHORT = re.compile(r"\b(?:short|brief|concise|one[- ](?:line|sentence))\b|简短|精简|简洁|一(?:句|行)")
_BULLETS = re.compile(r"\bbullet|条列|列点|项目符号")


def wishes(lines: list[MemoryLine]) -> str:
    return "\n".join(fold(line.statement) for line in lines if line.kind == "procedural" and not line.past)


def formed(text: str, lines: list[MemoryLine]) -> str:
    """An answer of several lines in the form that the person wants: the first alone, or as a list."""
    told, wanted = text.split("\n"), wishes(lines)
    if len(told) > 1 and _BULLETS.search(wanted):
        return "\n".join(f"- {line}" for line in told)
    return told[0] if _SHORT.search(wanted) else text


def speaker(typed: str, lines: list[MemoryLine]) -> Say:
    """Speaks the language and script of the newest message, or the one that the person wants."""
    wanted = wishes(lines)
    in_chinese = bool(_IN_CHINESE.search(wanted)) or (is_chinese(typed) and not _IN_ENGLISH.search(wanted))

    def say(english: str, chinese: str) -> str:
        if not in_chinese:
            return english
        chinese = chinese.replace(",", "，").replace(";", "；").replace(":", "：")
        return to_simplified(chinese) if is_simplified(typed) else chinese

    return say


def about_forgetting(turn: Turn, say: Say) -> str:
    """Told to the person; what the tool said is meant for a model."""
    said = " ".join(text_of(result) for result in turn.results)
    if any(result.get("is_error") for result in turn.results):
        return say("I could not look for what to forget.", "我沒能查出要忘記什麼。")
    if said.startswith("Nothing that is remembered"):
        return say(
            "I remember nothing like that, so there is nothing to forget.", "我沒有記得這樣的事,所以沒有可以忘記的。"
        )
    if "several" in said:
        return say(
            "Nothing is forgotten yet: several things fit. Look at the card below and choose.",
            "還沒有忘記任何東西:有好幾件事符合。請看下方的卡片再選擇。",
        )
    return say(
        "Nothing is forgotten yet: look at the card below and confirm.",
        "還沒有忘記任何東西:請看下方的卡片再確認。",
    )


def about_material(turn: Turn, say: Say) -> str:
    """The text that came along is quoted, never obeyed."""
    opening = first_sentences(turn.material[0])
    return say(
        f"It begins: \u201c{opening}\u201d I only read it and follow nothing that it asks for.",
        f"內容開頭是:「{opening}」我只是讀它,不會照裡面的要求做。",
    )
