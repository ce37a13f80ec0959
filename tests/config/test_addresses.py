from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.services import broker_url, database_settings, redis_url


def test_a_database_url_may_name_a_socket_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql:///reverie?host=/run/postgresql&user=alice")
    settings = database_settings()
    assert (settings["NAME"], settings["HOST"], settings["USER"]) == ("reverie", "/run/postgresql", "alice")


def test_what_django_does_not_know_goes_to_psycopg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://alice:p%40ss@db.example.org:5433/reverie?sslmode=require")
    settings = database_settings()
    assert (settings["PASSWORD"], settings["HOST"], settings["PORT"]) == ("p@ss", "db.example.org", "5433")
    assert settings["OPTIONS"]["sslmode"] == "require"
    assert settings["OPTIONS"]["pool"]["max_size"] == 20


@pytest.mark.parametrize("url", ["postgresql://u:geheim@host", "postgresql://u:geheim@host/db?nonsense=1", "geheim"])
def test_a_bad_database_url_is_refused_without_repeating_its_password(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(ImproperlyConfigured) as refused:
        database_settings()
    assert "geheim" not in str(refused.value)


def test_embedded_addresses_need_nothing_running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)
    monkeypatch.setenv("REVERIE_VAR", "/nowhere/reverie")
    assert database_settings()["HOST"] == "/nowhere/reverie/run"
    assert redis_url() == "unix:///nowhere/reverie/run/valkey.sock?db=0"


def test_celery_writes_the_same_address_its_own_way() -> None:
    assert broker_url("unix:///run/valkey.sock?db=3") == "redis+socket:///run/valkey.sock?virtual_host=3"
    assert broker_url("redis://127.0.0.1:6379/1") == "redis://127.0.0.1:6379/1"
    assert broker_url("rediss://user:secret@host/1") == "rediss://user:secret@host/1"
