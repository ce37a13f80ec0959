"""Topics about which enough memories gather for a page of their own: names or terms that they share, found by the
words alone. Only what is new is looked through."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from django.conf import settings
from django.utils.text import slugify

from memories import index
from memories.models import PREFERENCES, Memory, Page, Person
from memories.words import fold

_NAME = re.compile(r"(?<![\w'’])[A-Z][\w]*(?:[-'’][A-Z]\w*)*(?: [A-Z]\w+)?")
_OPENS = re.compile(r"(?:^|[.!?。!?;;:\n]\s*|[\"“「『(]\s*)$")
_QUOTED = re.compile(r"[「『《“]([^「」『』《》“”]{2,24})[」』》”]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]{2,}")
_NAMES_NOTHING = re.compile(
    r"I|The|User|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
    r"|January|February|March|April|May|June|July|August|September|October|November|December"
)
# Characters of grammar and the commonest words: no topic has one.
_GRAMMAR = frozenset(
    "使用者的了著过過吗嗎呢吧啊我你您他她它們们是在有和跟與与或也都就還还又很太更最不沒没別别被把讓让給给對对從从到向往為为"
    "以於于之其這这那此每個个只想要會会能可說说叫去來来做吃喝用寫写買买賣卖住時时年月日天週周上下午早晚中先再後后一二三四五"
    "六七八九十兩两些希望喜歡欢習慣惯常已經经現现因所如果什麼么怎自己大家可能正計划劃"
)


def names_in(statement: str) -> set[str]:
    """Names, quoted terms, and pairs of Chinese characters that may be part of one."""
    found = {quoted.strip() for quoted in _QUOTED.findall(statement)}
    for name in _NAME.finditer(statement):
        word = re.sub(r"['’]s$", "", name[0])
        if not _NAMES_NOTHING.fullmatch(word) and len(word) > 1 and not _OPENS.search(statement[: name.start()]):
            found.add(word)
    for run in _HAN.findall(statement):
        found |= {run[at : at + 2] for at in range(len(run) - 1) if not set(run[at : at + 2]) & _GRAMMAR}
    return found


def members(person: Person, name: str) -> list[Memory]:
    """The current memories that name it, by the index."""
    terms = index.terms(person.pk, name)
    if not terms:
        return []
    near = Memory.objects.of(person).active().filter(search_row__person=person, search_row__terms__contains=terms)
    said = _edged(fold(name))
    return [
        memory for memory in near.order_by("number")[: settings.NIGHT_TOPIC_MOST] if said.search(fold(memory.statement))
    ]


def gathering(person: Person, *, since: datetime | None) -> Iterator[str]:
    """Names from memories that are new since then, about which enough gather and which have no page yet."""
    new = Memory.objects.of(person).active()
    if since is not None:
        new = new.filter(created_at__gt=since)
    statements = list(new.order_by("-created_at").values_list("statement", flat=True)[: settings.NIGHT_TOPIC_MOST])
    if not statements:
        return
    most = Memory.objects.of(person).active().count() / 2
    pages = Page.objects.of(person).exclude(slug=PREFERENCES)
    known = [fold(title) for title in pages.values_list("title", flat=True)]
    room = settings.NIGHT_TOPIC_PAGES - len(known)
    for name in sorted(set().union(*map(names_in, statements)), key=lambda name: (-len(name), name)):
        if room <= 0:
            return
        if any(fold(name) in title or title in fold(name) for title in known):
            continue
        about = members(person, name)
        if settings.NIGHT_TOPIC_MEMORIES <= len(about) <= most and slug_of(name) != PREFERENCES and slug_of(name):
            name = _grown(name, [memory.statement for memory in about])
            known.append(fold(name))
            room -= 1
            yield name


def slug_of(name: str) -> str:
    return slugify(name, allow_unicode=True)[:60]


def _grown(name: str, statements: Iterable[str]) -> str:
    """Two characters of Chinese are grown to the whole term that the statements share."""
    if not _HAN.fullmatch(name):
        return name
    statements = list(statements)
    grown = True
    while grown and len(name) < 12:
        grown = False
        for statement in statements[:1]:
            at = statement.find(name)
            for longer in (statement[max(0, at - 1) : at + len(name)], statement[at : at + len(name) + 1]):
                rest = longer.replace(name, "", 1)
                if (
                    len(rest) == 1
                    and _HAN.fullmatch(longer)
                    and rest not in _GRAMMAR
                    and all(longer in s for s in statements)
                ):
                    name, grown = longer, True
                    break
    return name


def _edged(folded: str) -> re.Pattern[str]:
    """Latin words are matched whole, Chinese anywhere."""
    edge = r"\b" if folded.isascii() else ""
    return re.compile(edge + re.escape(folded) + edge)
