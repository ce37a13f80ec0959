"""What the stand-in says to a request."""

from __future__ import annotations

import json
from typing import Any

from claude.standin.generic import instance

type Block = dict[str, Any]


def answer(request: dict[str, Any]) -> list[Block]:
    """The content blocks of the answer: text, uses of tools, or the JSON that a schema asks for."""
    wanted = (request.get("output_config") or {}).get("format")
    if wanted:
        return [{"type": "text", "text": json.dumps(instance(wanted["schema"]), ensure_ascii=False)}]
    return [{"type": "text", "text": "I am the offline stand-in."}]
