# ruff: noqa: E501
"""The stand-in as the assistant of a chat: it keeps what it is told, answers from memory lines, and says when it does not know."""

from __future__ import annotations

import re
from datetime import datetime

from claude.standin import forgetting
from claude.standin.choosing import other_words
from claude.standin.questions import Question, is_question, understand
from claude.standin.quoting import answer_from, is_of_conversations, quote
from claude.standin.reading import read
from claude.standin.recollecting import answer as recollect
from claude.standin.requests import Block, MemoryLine, all_text, memory_lines, now, text_of
from claude.standin.speaking import Say, about_forgetting, about_material, formed, speaker
from claude.standin.statements import Statement
from claude.standin.turns import UNMARKED, Turn, newest, told_here

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
    r"^\W*(?:hi|hey|hello|hiya|good (?:morning|afternoon|evening|night)|bye|早安|午安|晚安|你好|您好|嗨|哈囉|再見|拜拜)\b[^?？]{0,30}$",
    re.I,
)
_THANKS = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|great|perfect|super|cool|wow|oh|many|no)\b\W*)?(?:thanks|thank you|thx)\b[^?？]{0,80}$"
    r"|^\W*(?:好的?|太好了|太棒了|嗯|哇|非常|真的?|很)?\W*(?:謝謝|谢谢|感謝|感谢|多謝|多谢|謝啦|谢啦)[^?？]{0,40}$",
    re.I,
)
_ADVICE = re.compile(
    r"\b(?:what|how|where|which|when|who)\b.{0,20}\b(?:should|could|can|would) (?:I|we|you (?:suggest|recommend))\b(?! (?:have|live|work|like))|\b(?:what|how|where|which)\b.{0,20}\bdo (?:I|we) (?:need|get to|fix|write|start|cook|say|tell|wear|handle|deal|make|clean|remove)\b|\bshould (?:I|we)\b"
    r"|\bany (?:tips|advice|ideas?|suggestions?|recommendations?)\b|\b(?:recommend|suggest|help me|advise)\b"
    r"|[該该](?:怎|如何|不[該该]|[帶带買买準准穿吃去做選选說说寫写送看])|要(?:[帶带]|[準准][備备]|注意)[些]?什[麼么]|有什[麼么].{0,4}(?:建[議议]|推[薦荐])|推[薦荐]|建[議议]|怎[麼么][辦办]|[幫帮]我",
    re.I,
)


def reply(request: Block) -> list[Block]:
    turn = newest(request)
    tools = {str(tool.get("name")) for tool in request.get("tools") or [] if isinstance(tool, dict)}
    rounds = len(turn.calls)
    moment = now(all_text(request))
    lines = memory_lines(all_text(request))
    say = speaker(turn.typed, lines)
    if rounds >= _MOST_CALLS:
        return [_text(say("I stop here: I have looked long enough.", "我先停在這裡,已經查得夠久了。"))]
    if rounds == 0:
        calls = _first_calls(turn, tools, moment)
        if calls:
            return calls
    return _words(turn, tools, lines, told_here(request, lines, moment), moment, say)


def _first_calls(turn: Turn, tools: set[str], moment: datetime) -> list[Block]:
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


def _words(
    turn: Turn, tools: set[str], lines: list[MemoryLine], told: list[MemoryLine], moment: datetime, say: Say
) -> list[Block]:
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
    if "forget" in used:
        return [_text(about_forgetting(turn, say))]
    if "current_time" in used:
        return [_text("\n".join(text_of(result) for result in turn.results) or say("Done.", "好。"))]
    if turn.material:
        return [_text(about_material(turn, say))]
    if forgetting.is_request(typed):
        return [_text(say("You can delete that on your memory page.", "你可以在記憶頁刪除它。"))]
    if not typed.strip() or not any(char.isalnum() for char in typed):
        return [_text(say("I am here.", "我在。") if typed.strip() else "…")]
    if is_question(typed):
        return _answered(turn, tools, lines, told, moment, say, used)
    return [_text(_acknowledged(turn, moment, say))]


def _answered(
    turn: Turn,
    tools: set[str],
    lines: list[MemoryLine],
    told: list[MemoryLine],
    moment: datetime,
    say: Say,
    used: set[str],
) -> list[Block]:
    sentences = [
        part.strip() for part in re.split(r"(?<=[.!?。！？])\s*", turn.typed) if part.strip() and is_question(part)
    ]
    asked = sentences[-1] if sentences else turn.typed
    question = understand(asked)
    advice = bool(_ADVICE.search(asked)) and not question.attributes
    found = recollect(question, lines, moment)
    if told and not advice and question.shape not in ("said", "first"):
        found = UNMARKED.sub("", recollect(question, [*lines, *told], moment)) or found
    if advice and _states(turn, moment):
        return [_text(_cannot(say))]
    if found and not (question.past and "recall" not in used and not any(line.past for line in lines)):
        return [_text(formed(found, lines))]
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
        return [_text(formed(found, lines))]
    if advice:
        return [_text(_cannot(say))]
    if "search_conversations" in tools and "search_conversations" not in used and question.own:
        return [_call("search_conversations", {"query": other_words(question) or _looked_for(question)})]
    if is_of_conversations(asked) and (quoted := quote(question, turn.results)):
        return [_text(say(*quoted))]
    if searched := answer_from(question, turn.results, lines, moment):
        return [_text(formed(searched, lines))]
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


def _acknowledged(turn: Turn, moment: datetime, say: Say) -> str:
    if any(result.get("is_error") for result in turn.results):
        return say("Understood, but I could not keep it.", "了解,不過沒能記下來。")
    told = read(turn.typed, moment.date())
    if not told and _THANKS.match(turn.typed):
        return say("You're welcome.", "不客氣。")
    if _GREETING.match(turn.typed):
        return say(
            "Hello. I am the offline stand-in; tell me something about you, or ask what you told me.",
            "你好,我是離線替身。可以告訴我關於你的事,或問我你說過的事。",
        )
    if not told:
        return _cannot(say)
    if any(one.kind == "procedural" for one in told):
        return say("Understood, I will do it that way.", "好,之後就這樣做。")
    return say("Understood.", "了解。")


def _cannot(say: Say) -> str:
    return say(
        "I am the offline stand-in: I can keep and find what you tell me, but not do this.",
        "我是離線替身:能記住、找回你說的事,但做不了這個。",
    )


def _states(turn: Turn, moment: datetime) -> bool:
    return bool(read(turn.typed, moment.date()))


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


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _call(name: str, given: Block) -> Block:
    return {"type": "tool_use", "name": name, "input": given}
