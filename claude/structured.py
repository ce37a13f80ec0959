"""Answers that must have a shape: a pydantic model says which, and one retry tells the model what was wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from pydantic import BaseModel, ValidationError

from claude.asking import ask, open_booking
from claude.errors import Malformed
from claude.purposes import Purpose
from claude.request import Block, build_request, clean

_ATTEMPTS = 2
_PROBLEMS_TOLD = 8


def fill[T: BaseModel](
    purpose: Purpose,
    schema: type[T],
    *,
    system: str,
    messages: Sequence[Block],
    person: AbstractBaseUser | None,
    run: str = "",
    max_tokens: int = 8192,
) -> T:
    """An instance of `schema` as the model fills it. Raises Malformed when it does not fit twice, Truncated when it was
    cut off, Refused when the model declined; nothing half-read is ever returned."""
    asked = list(messages)
    for _ in range(_ATTEMPTS):
        request = build_request(purpose, system=system, messages=asked, max_tokens=max_tokens, schema=schema)
        text = ask(request, open_booking(purpose, request, person, run), whole=True).text
        read = read_into(schema, text)
        if isinstance(read, schema):
            return read
        asked = [*messages, *_correction(text, str(read))]
    raise Malformed


def read_into[T: BaseModel](schema: type[T], text: str) -> T | str:
    """The instance, or what is wrong with it: said to the model, never raised, since it may quote what people said."""
    try:
        data = clean(json.loads(_object_in(text), strict=False))
    except ValueError:
        return "It was not JSON."
    try:
        return schema.model_validate(data)
    except ValidationError as invalid:
        mended, problem = _mend_case(data, invalid), _describe(invalid)
    if mended:
        try:
            return schema.model_validate(data)
        except ValidationError as invalid:
            problem = _describe(invalid)
    return problem


def _object_in(text: str) -> str:
    """Servers that ignore the schema wrap the object in prose or a code fence."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def _mend_case(data: Any, invalid: ValidationError) -> bool:
    """The service may capitalise the values of an enum as it likes."""
    mended = False
    for error in invalid.errors(include_url=False):
        if error["type"] not in {"enum", "literal_error"} or not isinstance(error["input"], str):
            continue
        *path, last = error["loc"]
        holder = data
        try:
            for step in path:
                holder = holder[step]
            if holder[last] != error["input"].strip().lower():
                holder[last] = error["input"].strip().lower()
                mended = True
        except (LookupError, TypeError):
            continue
    return mended


def _describe(invalid: ValidationError) -> str:
    errors = invalid.errors(include_url=False, include_input=False, include_context=False)[:_PROBLEMS_TOLD]
    return "; ".join(f"{'.'.join(str(step) for step in error['loc']) or 'It'}: {error['msg']}" for error in errors)


def _correction(text: str, problem: str) -> list[Block]:
    said = (
        f"That could not be used. {problem} Answer again with one JSON object that follows the schema, and only that."
    )
    request: Block = {"role": "user", "content": [{"type": "text", "text": said}]}
    return [{"role": "assistant", "content": [{"type": "text", "text": text}]}, request] if text.strip() else [request]
