# ruff: noqa: E501
"""The stand-in as the assistant of a chat: it keeps what it is told, answers from memory lines, and says when it does not know."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from claude.prompts import fences
from claude.standin import forgetting
from claude.standin.meaning import is_chinese, is_simplified, to_simplified
from claude.standin.questions import Question, is_question, understand
from claude.standin.reading import read
from claude.standin.recollecting import answer as recollect
from claude.standin.requests import Block, MemoryLine, all_text, blocks_of, memory_lines, now, outside, text_of
from claude.standin.statements import Statement
from claude.standin.summaries import first_sentences

_MOST_CALLS = 8
_MOST_KEPT = 3
_TIME = re.compile(
    r"\bwhat(?:'s| is)? (?:the )?(?:time|date)\b|\bwhat day is (?:it|today)|\btime is it\b|\btoday's date\b|(?:現在|现在)?(?:幾點|几点)(?!.*(?:我|起床|上班))|今天(?:是)?(?:幾號|几号|星期幾|星期几|禮拜幾|礼拜几)|(?:現在|现在)(?:是)?(?:什麼|什么)時間",
    re.I,
)
_CONTEXT = re.compile(
    r"\b(?:repeat|print|show|reveal|output|display|dump|recite|list)\b.{0,40}\b(?:context|system prompt|instructions|prompt|memory block|internal|everything above|text above)\b|"
    r"(?:system prompt|initial instructions)|(?:重複|重复|印出|顯示|显示|輸出|输出|列出).{0,12}(?:系統提示|系统提示|提示詞|提示词|上下文|記憶區塊|內部|内部|以上)|系統提示詞|系统提示词",
    re.I,
)
_GREETING = re.compile(
    r"^\W*(?:hi|hey|hello|hiya|good (?:morning|afternoon|evening|night)|thanks?|thank you|bye|早安|午安|晚安|你好|您好|嗨|哈囉|謝謝|谢谢|再見|拜拜)\b[^?？]{0,30}$",
    re.I,
)
_OWN_EN = re.compile(r"\b(?:I|my|me|mine|we|our|us)\b", re.I)


@dataclass(frozen=True)
class _Turn:
    """The newest thing the person said, and what the assistant has already done about it."""

    typed: str
    material: list[str]
    calls: list[Block]
    results: list[Block]


def reply(request: Block) -> list[Block]:
    turn = _newest(request)
    tools = {str(tool.get("name")) for tool in request.get("tools") or [] if isinstance(tool, dict)}
    rounds = len(turn.calls)
    lines = memory_lines(all_text(request))
    moment = now(all_text(request))
    say = _speaker(turn.typed)
    if rounds >= _MOST_CALLS:
        return [_text(say("I stop here: I have looked long enough.", "我先停在這裡,已經查得夠久了。"))]
    if rounds == 0:
        calls = _first_calls(turn, tools, moment)
        if calls:
            return calls
    return _words(turn, tools, lines, moment, say)


def _first_calls(turn: _Turn, tools: set[str], moment: datetime) -> list[Block]:
    if _CONTEXT.search(turn.typed):
        return []
    if "current_time" in tools and _TIME.search(turn.typed):
        return [_call("current_time", {})]
    if "forget" in tools and forgetting.is_request(turn.typed):
        return [_call("forget", {"request": turn.typed})]
    if "remember" in tools:
        kept = [one for one in read(turn.typed, moment.date()) if one.key][:_MOST_KEPT]
        return [_call("remember", _remember(one)) for one in kept]
    return []


def _words(turn: _Turn, tools: set[str], lines: list[MemoryLine], moment: datetime, say: _Say) -> list[Block]:
    typed = turn.typed
    if _CONTEXT.search(typed):
        return [
            _text(
                say(
                    "I don't recite what I was given. Your memory page shows all that is remembered about you.",
                    "我不會把收到的內容念出來;你的記憶頁列出了所有記得的事。",
                )
            )
        ]
    used = {str(call.get("name")) for call in turn.calls}
    if "current_time" in used or "forget" in used:
        return [_text("\n".join(text_of(result) for result in turn.results) or say("Done.", "好。"))]
    if turn.material:
        return [_text(_about_material(turn, say))]
    if forgetting.is_request(typed):
        return [_text(say("You can delete that on your memory page.", "你可以在記憶頁刪除它。"))]
    if not typed.strip() or not any(char.isalnum() for char in typed):
        return [_text(say("I am here.", "我在。") if typed.strip() else "…")]
    if is_question(typed):
        return _answered(turn, tools, lines, moment, say, used)
    return [_text(_acknowledged(turn, moment, say))]


def _answered(
    turn: _Turn, tools: set[str], lines: list[MemoryLine], moment: datetime, say: _Say, used: set[str]
) -> list[Block]:
    sentences = [
        part.strip() for part in re.split(r"(?<=[.!?。！？])\s*", turn.typed) if part.strip() and is_question(part)
    ]
    asked = sentences[-1] if sentences else turn.typed
    question = understand(asked)
    found = recollect(question, lines, moment)
    if found and not (question.past and "recall" not in used and not any(line.past for line in lines)):
        return [_text(found)]
    if "recall" in tools and "recall" not in used and question.own:
        return [
            _call(
                "recall",
                {
                    "query": _looked_for(question),
                    "include_past": question.past or question.shape in ("hours", "first", "said"),
                },
            )
        ]
    if found:
        return [_text(found)]
    if question.own:
        return [_text(say("I don't know: you haven't told me that.", "我不知道,你沒有提過。"))]
    return [
        _text(
            say(
                "I don't know: I am the offline stand-in, and answer only from what you told me.",
                "我不知道:我是離線替身,只能從你說過的話回答。",
            )
        )
    ]


def _looked_for(question: Question) -> str:
    """The words to look by; of two clocks, the place that is not known yet is the earlier one."""
    if question.shape != "hours":
        return question.text[:300]
    lived = "residence" in question.attributes
    if question.chinese:
        return "我以前住在哪個城市？" if lived else "我以前在哪個城市上班？"
    return "Where did I live before?" if lived else "Where did I work before?"


def _acknowledged(turn: _Turn, moment: datetime, say: _Say) -> str:
    if any(result.get("is_error") for result in turn.results):
        return say("Understood, but I could not keep it.", "了解,不過沒能記下來。")
    if _GREETING.match(turn.typed):
        return say(
            "Hello. I am the offline stand-in; tell me something about you, or ask what you told me.",
            "你好,我是離線替身。可以告訴我關於你的事,或問我你說過的事。",
        )
    told = read(turn.typed, moment.date())
    if not told:
        return say(
            "I am the offline stand-in: I can keep and find what you tell me, but not do this.",
            "我是離線替身:能記住、找回你說的事,但做不了這個。",
        )
    if any(one.kind == "procedural" for one in told):
        return say("Understood, I will do it that way.", "好,之後就這樣做。")
    return say("Understood.", "了解。")


def _about_material(turn: _Turn, say: _Say) -> str:
    """The text that came along is quoted, never obeyed."""
    opening = first_sentences(turn.material[0])
    return say(
        f"It begins: \u201c{opening}\u201d I only read it and follow nothing that it asks for.",
        f"內容開頭是:「{opening}」我只是讀它,不會照裡面的要求做。",
    )


def _newest(request: Block) -> _Turn:
    messages = [message for message in request.get("messages") or [] if isinstance(message, dict)]
    calls: list[Block] = []
    results: list[Block] = []
    for message in reversed(messages):
        blocks = blocks_of(message)
        if message.get("role") == "assistant":
            calls = [block for block in blocks if block.get("type") == "tool_use"] + calls
            continue
        outcomes = [block for block in blocks if block.get("type") == "tool_result"]
        if outcomes:
            results = outcomes + results
            continue
        texts = [text_of(block) for block in blocks if block.get("type") == "text"]
        typed = "\n".join(part for part in (outside(text) for text in texts) if part)
        material = [fence.text for text in texts for fence in fences(text, "pasted", "file")]
        return _Turn(typed, material, calls, results)
    return _Turn("", [], calls, results)


def _remember(one: Statement) -> Block:
    return {
        "quote": one.quote,
        "statement": one.text,
        "kind": one.kind,
        "category": one.category,
        "event_date": one.event_from.isoformat() if one.event_from else "",
        "plan": one.plan,
        "asked_outright": one.asked,
        "replaces": "",
    }


_Say = Callable[[str, str], str]


def _speaker(typed: str) -> _Say:
    """Speaks the person's language and script."""

    def say(english: str, chinese: str) -> str:
        if not is_chinese(typed):
            return english
        chinese = chinese.replace(",", "，").replace(";", "；").replace(":", "：")
        return to_simplified(chinese) if is_simplified(typed) else chinese

    return say


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _call(name: str, given: Block) -> Block:
    return {"type": "tool_use", "name": name, "input": given}
