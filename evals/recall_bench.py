"""Does recall find the evidence? Ours, through PostgreSQL as the product uses it, beside bm25s in the same run."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from itertools import pairwise

import snowballstemmer
from django.db import transaction

from evals.recall_files import Life
from memories import vectors
from memories.models import Conversation, Origin, Person, Role
from memories.passages import search_passages
from memories.transcript import Part, say

DEPTHS = (5, 10, 20)

type Search = Callable[[str], Sequence[str]]


@dataclass
class Measured:
    """Sums over questions; `line` gives the means in per cent."""

    recall: dict[int, float] = field(default_factory=lambda: dict.fromkeys(DEPTHS, 0.0))
    all_at_10: float = 0.0
    reciprocal: float = 0.0
    questions: int = 0

    def add(self, found: Sequence[str], evidence: frozenset[str]) -> None:
        self.questions += 1
        for depth in DEPTHS:
            self.recall[depth] += len(evidence & set(found[:depth])) / len(evidence)
        self.all_at_10 += evidence <= set(found[:10])
        self.reciprocal += next((1 / rank for rank, unit in enumerate(found, start=1) if unit in evidence), 0.0)

    def line(self) -> list[float]:
        sums = [*self.recall.values(), self.all_at_10, self.reciprocal]
        return [100 * total / max(self.questions, 1) for total in sums]


@contextmanager
def played(life: Life) -> Iterator[tuple[Person, dict[int, str]]]:
    """The life as a person's transcript, with vectors; and nothing of it left afterwards."""
    with transaction.atomic():
        person = Person.objects.create(username=f"recall bench {life.name}", is_active=False)
        conversations: dict[str, Conversation] = {}
        names: dict[int, str] = {}
        for unit in life.units:
            conversation = conversations.get(unit.conversation) or Conversation.objects.create(
                person=person, started_at=unit.said_at, last_said_at=unit.said_at
            )
            conversations[unit.conversation] = conversation
            message = say(conversation, Role.USER, [Part(Origin.TYPED, unit.person)], now=unit.said_at)
            if unit.assistant:
                say(conversation, Role.ASSISTANT, [Part(Origin.ASSISTANT, unit.assistant)], now=unit.said_at)
            names[message.pk] = unit.id
        vectors.fill(person.pk)
        yield person, names
        transaction.set_rollback(True)


def ours(person: Person, names: dict[int, str], life: Life, *, with_vectors: bool = True) -> Search:
    """Asked a day after the last word."""
    now = max(unit.said_at for unit in life.units) + timedelta(days=1)

    def search(question: str) -> list[str]:
        found = search_passages(person, question, now=now, limit=max(DEPTHS), vectors=with_vectors)
        return [names[one.exchange[0].message_id] for one in found]

    return search


def bm25s(life: Life) -> Search:
    """The lexical engine that people would take: stems and stop words, Chinese characters and pairs, dated text."""

    import bm25s as engine

    # It sets its own level as it is imported.
    logging.getLogger("bm25s").setLevel(logging.WARNING)

    corpus = [_words(unit.dated_text()) for unit in life.units]
    retriever = engine.BM25()
    retriever.index(corpus, show_progress=False)

    def search(question: str) -> list[str]:
        asked = [word for word in _words(question) if word in retriever.vocab_dict]
        if not asked:
            return []
        places, _ = retriever.retrieve([asked], k=min(max(DEPTHS), len(corpus)), show_progress=False)
        return [life.units[int(place)].id for place in places[0]]

    return search


@cache
def _stem(word: str) -> str:
    stemmed: str = snowballstemmer.stemmer("english").stemWord(word)
    return stemmed


def _words(text: str) -> list[str]:
    from bm25s.stopwords import STOPWORDS_EN

    words: list[str] = []
    for word, run in re.findall(r"([a-z0-9]+)|([\u3400-\u9fff]+)", text.lower()):
        if word and word not in STOPWORDS_EN:
            words.append(_stem(word))
        words += [*run, *("".join(pair) for pair in pairwise(run))]
    return words
