# ruff: noqa: E501
"""Which memories a request to forget means, and which passages say what is to be forgotten."""

from __future__ import annotations

import re

from claude.standin.choosing import has_attribute
from claude.standin.frames import frame, topic
from claude.standin.meaning import Meaning, fold, is_chinese, meaning
from claude.standin.names import names
from claude.standin.questions import understand
from claude.standin.requests import Block, MemoryLine, Said

_ASKS = re.compile(
    r"\b(?:please|forget|delete|remove|erase|everything|anything|all|about|you|remember|know|memory|memories|that|what|the|stored|saved|have)\b"
    r"|请|把|你|记得|的|全部|都|删掉|删除|忘掉|忘记|忘了|关于|所有|一切|清除|抹掉|记忆|知道|有关|不要再记|这件事情?|那件事情?|的事情?$|的事情?(?=[,。!?])|这些事|吧"
)
# Over folded text, so that one pattern holds in both scripts.
_WHAT_ZH = r"(?:关于|有关|所有|一切|全部|掉|跟|和|与)*(?:我|咱|这|那|你|刚|上面|m\d|记忆)"
_REQUEST = re.compile(
    r"\b(?:forget|delete|erase|remove) (?:everything|all|anything|what|where|who|when|how|about|that|my|i|the|m\d)\b"
    rf"|(?:^|[,。!?;:\s]|请|你|您|帮我|麻烦|希望|想要?|要|把它?|能|可以|就|都|全部|直接|现在)(?:忘记|忘掉|忘了|忘却|抹掉|抹去|删掉|删除|删去|清除){_WHAT_ZH}"
    r"|\b(?:stop remembering|do not remember|don't remember) (?:that |what |where |who |how |anything |everything )?(?:about )?(?:my|i|me)\b"
    r"|(?:别|不要|不想要?你|不希望你|请勿)(?:再|继续)?(?:帮我)?(?:记得|记住|记着|记下)(?:我|咱|这|那)|(?:我|这|那).{1,20}(?:都|全部|全)?(?:忘了|删了|删掉|忘掉)吧"
    r"|(?:把|将).{0,20}(?:我|咱|这件|那件|这些|你记|记忆|m\d).{0,40}(?:忘|删|清除|抹)"
)
_NOT_REQUEST = re.compile(
    r"(?:don't|do not|never|won't|didn't|not) forget|\bforget (?:about )?(?:it|that)\W*$|\bi (?:don't|do not|can't|didn't) remember\b|(?:^|[,。!])忘了(?:跟|告诉|说|问|提)|\bi(?:'ll)? (?:\w+ )?(?:forget|delete|remove|erase)\b"
    r"|(?:别|不要|不会|不能|不想|没有?|怕|常|老是|总是|差点|又|我|他|她)(?:忘)(?!.*(?:请|你)(?:忘|删))|忘了?我?.*(?:怎么办|怎么)"
    r"|\b(?:file|line|row|paragraph|sentence|word|code)s?\b|(?:这|那|第|最后|上|下)(?:.)?(?:行|段|句|页|列|字)|档案|文件|程式|代码"
)
_POLITE = re.compile(
    r"\b(?:can|could|would|will) you (?:please )?(?:forget|delete|erase|remove)\b|\bplease\b|请|麻烦|帮我|可以|能不能|好吗|可不可以"
)


def is_request(text: str) -> bool:
    folded = fold(text[:2000])
    if not _REQUEST.search(folded) or _NOT_REQUEST.search(folded):
        return False
    return "?" not in folded or bool(_POLITE.search(folded))


def targets(request: str, lines: list[MemoryLine]) -> Block:
    """The memories meant; ambiguous when nothing or nearly everything fits."""
    ids = set(re.findall(r"\bm\d+\b", request))
    question = understand(request)
    about = meaning(_ASKS.sub(" ", fold(request)))
    wanted = (about.concepts - {"own", "use", "stop", "plan", "kin"}) | about.words
    chosen = [line for line in lines if line.id in ids]
    reasoning = "named by its number" if chosen else ""
    if not chosen:
        attributes = [one for one in question.attributes if one != "weekday"]
        attributes += ["taste.yes"] if any(one.startswith("favourite") for one in attributes) else []
        chosen = [
            line
            for line in lines
            if any(has_attribute(one, frame(line.statement)) for one in attributes) and _whose(question.subject, line)
        ]
        if any(one.startswith("taste") for one in attributes):
            chosen = _of_that_kind(wanted, chosen)
        reasoning = "the same attribute" if chosen else ""
    if not chosen and wanted:
        scored = [(_share(wanted, meaning(line.statement)), line) for line in lines]
        best = max((share for share, _ in scored), default=0.0)
        chosen = [line for share, line in scored if share >= max(0.5, best - 0.2)]
        reasoning = "it speaks of what the request names" if chosen else ""
    chosen = _with_names(chosen, lines)
    return {
        "reasoning": reasoning or "no memory speaks of it",
        "memories": [line.id for line in lines if line in chosen],
        "ambiguous": not chosen,
    }


def judge(lines: list[MemoryLine], passages: list[Said]) -> list[Block]:
    """One verdict a passage, with the smallest run of its words that says what is to be forgotten."""
    found = names(lines)
    return [_judge(passage, lines, found) for passage in passages]


def _judge(passage: Said, lines: list[MemoryLine], names: frozenset[str]) -> Block:
    weighed = [(_weigh(passage.text[start:end], lines, names), start, end) for start, end in _spans(passage.text)]
    for verdict, reasoning in (("says_it", "it says the same or names the same"), ("doubtful", "it is near it")):
        places = [(start, end) for found, start, end in weighed if found == verdict]
        if places:
            quote = passage.text[places[0][0] : places[-1][1]]
            return {"passage": passage.id, "quote": quote, "reasoning": reasoning, "verdict": verdict}
    return {"passage": passage.id, "quote": "", "reasoning": "it tells nothing of them", "verdict": "unrelated"}


def _weigh(quote: str, lines: list[MemoryLine], names: frozenset[str]) -> str:
    folded = fold(quote)
    if any(name in folded for name in names):
        return "says_it"
    said = meaning(quote)
    best = max((_share(_core(line), said) for line in lines), default=0.0)
    return "says_it" if best >= 0.75 else "doubtful" if best >= 0.5 else ""


def _core(line: MemoryLine) -> frozenset[str]:
    about = topic(frame(line.statement))
    return about.concepts | about.words


def _with_names(chosen: list[MemoryLine], lines: list[MemoryLine]) -> list[MemoryLine]:
    """Memories that name the same person or place go with them."""
    found = names(chosen)
    if not found:
        return chosen
    return [line for line in lines if line in chosen or any(name in fold(line.statement) for name in found)]


def _whose(subject: str, line: MemoryLine) -> bool:
    return frame(line.statement).subject == subject


def _of_that_kind(wanted: frozenset[str], chosen: list[MemoryLine]) -> list[MemoryLine]:
    """A favourite colour is not all that is liked: those that speak of what is named, where any do."""
    named = frozenset(one for one in wanted if not one.startswith(("taste", "food")))
    return [line for line in chosen if named and _share(named, meaning(line.statement)) > 0] or chosen


def _share(wanted: frozenset[str], about: Meaning) -> float:
    have = about.concepts | about.words
    covered = sum(1 for one in wanted if one in have or any(each.startswith(one + ".") for each in have))
    return covered / len(wanted) if wanted else 0.0


def _spans(text: str) -> list[tuple[int, int]]:
    """Clauses in Chinese, sentences in English, with their places."""
    pattern = r"[^，。！？,!?;；\n]+" if is_chinese(text) else r"[^.!?\n]+[.!?]*"
    spans = []
    for found in re.finditer(pattern, text[:50_000]):
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        if found[0].strip():
            spans.append((start, found.start() + len(found[0].rstrip())))
    return spans
