"""What the offline stand-in answers: it is told by the request only, and reads nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable

from claude.prompts import fences
from claude.standin import chatting, extracting, forgetting, pages, reconcile, requests, summaries
from claude.standin.generic import instance
from claude.standin.requests import Block


def answer(request: Block) -> list[Block]:
    """The content blocks that answer a `POST /v1/messages` body."""
    schema = _schema(request)
    if schema is not None:
        return [_text(json.dumps(_fill(schema, requests.all_text(request)), ensure_ascii=False))]
    if request.get("tools"):
        return chatting.reply(request)
    text = requests.all_text(request)
    if "<transcript" in text and (purpose := _purpose(request)):
        return [_text(purpose(text))]
    return chatting.reply(request)


def _fill(schema: Block, text: str) -> Block:
    names = frozenset(schema.get("properties") or {})
    if "candidates" in names and "<transcript" in text:
        return {"candidates": extracting.extract(text)}
    if "lines" in names and "<memories" in text:
        return {"lines": pages.page_lines(requests.memory_lines(text))}
    if {"memories", "ambiguous"} <= names:
        return _ordered(names, forgetting.targets(_request(text), requests.memory_lines(text)))
    if "verdicts" in names and "<candidate" in text:
        return {"verdicts": reconcile.reconcile(requests.proposed(text))}
    if "verdicts" in names and "<passage" in text:
        lines = [line for fence in fences(text, "memories") for line in requests.memory_lines(fence.text)]
        return {"verdicts": forgetting.judge(lines, requests.transcript(text))}
    return dict(instance(schema))


def _ordered(names: frozenset[str], filled: Block) -> Block:
    return {name: value for name, value in filled.items() if name in names}


def _purpose(request: Block) -> Callable[[str], str] | None:
    """A summary or a title, by what the prompt calls it."""
    system = request.get("system")
    said = system if isinstance(system, str) else json.dumps(system or "", ensure_ascii=False)
    around = requests.outside(requests.all_text(request))
    for told in (said, around):
        low = told.lower()
        if "title" in low or "標題" in told:
            return lambda text: summaries.title(requests.transcript(text), requests.outside(text))
        if "summar" in low or "摘要" in told:
            return _summary
    return _summary


def _summary(text: str) -> str:
    earlier = next((fence.text for fence in fences(text, "summary")), "")
    return summaries.summary(requests.transcript(text), earlier)


def _request(text: str) -> str:
    return next((fence.text for fence in fences(text, "request")), "") or requests.outside(text)


def _schema(request: Block) -> Block | None:
    config = request.get("output_config")
    form = config.get("format") if isinstance(config, dict) else None
    schema = form.get("schema") if isinstance(form, dict) and form.get("type") == "json_schema" else None
    return schema if isinstance(schema, dict) else None


def _text(text: str) -> Block:
    return {"type": "text", "text": text}
