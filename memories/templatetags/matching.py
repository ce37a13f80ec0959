"""Why a memory stands among the results of a search."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from memories import search
from memories.models import Memory

register = template.Library()


@register.filter
def matched(memory: Memory, query: str) -> list[str]:
    """The words of the statement that were asked for, each once."""
    spans = search.matched(memory.statement, query) if query else []
    return list(dict.fromkeys(memory.statement[start:end] for start, end in spans))


@register.filter
def besides(memory: Memory, query: str) -> str:
    """What else than the words of the statement was asked for."""
    if search.is_number(query):
        return _("Its number was asked for")
    return _("Its day or what it is about was asked for")
