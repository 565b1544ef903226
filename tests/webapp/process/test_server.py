"""How a worker of the web server ends."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from webapp.process import server
from webapp.process.commands import ending


class Left(Exception):
    """The worker left at once."""


def exits(monkeypatch: pytest.MonkeyPatch, error: BaseException, **worker: object) -> None:
    """What gunicorn does when a worker ends by `error`: its hook is called on the way out."""

    def leave(_app: object) -> None:
        raise Left

    monkeypatch.setattr(ending, "leave", leave)
    usual = {"booted": True, "nr_conns": 0, "keepalived_conns": [], "wsgi": None}
    try:
        raise error
    finally:
        server.worker_exit(None, SimpleNamespace(**usual | worker))


def test_a_worker_with_nothing_to_answer_leaves_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Left):
        exits(monkeypatch, SystemExit(0))


def test_connections_without_a_request_keep_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Left):
        exits(monkeypatch, SystemExit(0), nr_conns=2, keepalived_conns=["one", "other"])


def test_a_worker_that_is_answering_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit):
        exits(monkeypatch, SystemExit(0), nr_conns=2, keepalived_conns=["one"])


def test_a_worker_that_failed_keeps_its_status(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit) as ended:
        exits(monkeypatch, SystemExit(-1))
    assert ended.value.code == -1


def test_a_worker_that_has_not_begun_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit):
        exits(monkeypatch, SystemExit(0), booted=False)
