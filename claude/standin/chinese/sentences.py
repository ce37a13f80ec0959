"""Cutting Chinese into sentences and clauses, each with its place in the passage."""

from __future__ import annotations

import re
from dataclasses import dataclass

_END = re.compile(r"[。！？!?；;\n…]+[」』”\"')）]*|\.(?=\s|$)")
_COMMA = re.compile(r"[，,]|\s{2,3}|——|——")
_LEAD = re.compile(
    r"^(?:\s|早安|晚安|午安|早上好|你好啊?|妳好|您好|哈囉|嗨|嘿|對了|对了|其實|其实|(?:那個|那个|對|对|好的?)(?=[，,、！!])|嗯+|喔|哦|啊|哈哈+|不過|不过|然後|然后|而且|所以|因為|因为|另外|還有|还有|"
    r"順便說|顺便说|順帶一提|顺带一提|謝謝你?|谢谢你?|沒錯|没错|是的|對啊|对啊|對呀|可是|但是|但|說到這個|说到这个|話說|话说|欸|诶|誒|唉|哎|嘻嘻|AI伴侶|老實說|老实说|坦白說|"
    r"[，,、!！~～:：])+"
)
_QUESTION = re.compile(
    r"[嗎吗]$|呢$|什麼|什么|甚麼|哪[裡里個个一些家種种]|誰|谁|怎麼|怎么|怎樣|怎样|為何|为何|如何|幾[個個點歲次天]|多少|是不是|有沒有|有没有|能不能|可不可以|要不要|好不好|會不會|该不该|該不該|可以嗎|可以吗|對嗎"
)


_LONGEST = 800  # of a sentence; what is longer is no sentence of a person's


@dataclass(frozen=True)
class Piece:
    text: str
    start: int
    end: int
    asks: bool = False


def sentences(text: str) -> list[Piece]:
    pieces, begin = [], 0
    for found in _END.finditer(text):
        pieces.append(_piece(text, begin, found.start(), asks="?" in found[0] or "？" in found[0]))
        begin = found.end()
    pieces.append(_piece(text, begin, len(text), asks=False))
    return [piece for piece in pieces if piece.text]


def clauses(sentence: Piece) -> list[Piece]:
    cuts, begin = [], 0
    for found in _COMMA.finditer(sentence.text[:_LONGEST]):
        if _inside(sentence.text, found.start()):
            continue
        cuts.append((begin, found.start()))
        begin = found.end()
    cuts.append((begin, min(len(sentence.text), _LONGEST)))
    last = len(cuts) - 1
    pieces = []
    for index, (a, b) in enumerate(cuts):
        raw = sentence.text[a:b]
        asks = bool(_QUESTION.search(raw.strip())) or (sentence.asks and index == last)
        piece = _piece(raw, 0, len(raw), asks=asks)
        if piece.text:
            shift = sentence.start + a
            pieces.append(Piece(piece.text, shift + piece.start, shift + piece.end, asks))
    return pieces


def _inside(text: str, place: int) -> bool:
    before = text[:place]
    return any(before.count(a) > before.count(b) for a, b in ("「」", "『』", "《》", "（）", "“”"))


def _piece(text: str, begin: int, end: int, *, asks: bool) -> Piece:
    raw = text[begin:end]
    lead = _LEAD.match(raw)
    start = lead.end() if lead else 0
    body = raw[start:]
    start += len(body) - len(body.lstrip())
    body = body.strip()
    return Piece(body, begin + start, begin + start + len(body), asks)
