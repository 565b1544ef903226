"""Background work that fails the same way three times ends, and people and figures tell of it."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.desk import Curator
from tests.webapp.visitors import SetClock
from webapp.bank import bank
from webapp.curation.puzzles import imports, orders, worker
from webapp.curation.puzzles.tables import JobState
from webapp.identity import failures
from webapp.models import Failure, Puzzle
from webapp.process.clock import Watch
from webapp.process.database import Busy, db, write_tx
from webapp.process.jobs import DAILY, Job
from webapp.site.jobs import schedules

pytestmark = pytest.mark.both_databases


class Steps:
    """Takes the steps that a module registers with DBOS, to be called without it."""

    def __init__(self) -> None:
        self.named: dict[str, Any] = {}

    def step(self, name: str) -> Any:
        return lambda work: self.named.setdefault(name, work)

    workflow = step


@pytest.fixture
def steps(app: Flask, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    taken = Steps()
    app.extensions["stopping"] = type("Never", (), {"is_set": staticmethod(lambda: False)})
    monkeypatch.setattr(worker, "DBOS", taken)
    worker.register(app)
    return taken.named


def broken(*_: Any, **_more: Any) -> Any:
    raise RecursionError("too deep")


@pytest.mark.parametrize("kind", ["import", "order"])
def test_a_job_that_fails_three_times_ends_failed(
    app: Flask, steps: dict[str, Any], monkeypatch: pytest.MonkeyPatch, clock: SetClock, kind: str
) -> None:
    monkeypatch.setattr(imports, "with_forms", broken)
    monkeypatch.setattr(bank, "new", broken)
    with app.app_context():
        if kind == "import":
            number = imports.accept(EASY.encode(), "deep.json", None, clock(), ask=False)
        else:
            number = orders.place(None, {"level": 1}, 1, clock())
        worker._begin(kind)
        assert [steps["desk_turn"](kind, number) for _ in range(3)] == [False, False, True]
        ended = db.session.get_one(worker.KINDS[kind][0], number, populate_existing=True)
        assert (ended.state, ended.message) == (JobState.FAILED, failures.message())
        assert failures.counts() == {kind: 1}


def test_a_puzzle_that_cannot_be_rated_keeps_no_other_waiting(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rating_columns(grid: Any) -> dict[str, Any]:
        return (
            broken()
            if str(grid) == first.givens
            else {"level": 1, "expected_seconds": 300, "rating_version": bank.RATED, "breakdown": "{}"}
        )

    monkeypatch.setattr(bank, "rating_columns", rating_columns)
    with app.app_context():
        with write_tx():
            db.session.execute(sa.update(Puzzle).values(rating_version="old"))
        first = db.session.scalars(sa.select(Puzzle).order_by(Puzzle.id)).first()
        for _ in range(4):
            list(bank.rate_anew())
        old = sa.select(sa.func.count()).where(Puzzle.rating_version != bank.RATED)
        assert db.session.scalar(old) == 1
        assert failures.given_up("rating") == [str(first.id)]
        assert db.session.get_one(Failure, ("rating", str(first.id))).count == failures.MOST


def test_a_scheduled_job_that_keeps_failing_rests_for_an_hour(app: Flask, clock: SetClock) -> None:
    tried = []

    def work(_now: Any) -> int:
        tried.append(clock())
        if len(tried) < 4:
            broken()
        return 1

    with app.app_context():
        step = schedules.step(app, Job("sweep_floors", DAILY, work), Watch())
    for _ in range(5):
        step()
    with app.app_context():
        assert (len(tried), failures.counts()) == (3, {"sweep_floors": 1})
    clock.advance(hours=1)
    assert step() == 1
    with app.app_context():
        assert failures.counts() == {}


@pytest.mark.usefixtures("inside")
def test_what_waiting_mends_or_differs_is_no_failure() -> None:
    with pytest.raises(Busy), failures.counted("mail", 1):
        raise Busy("busy")
    for error in (ValueError(), TypeError(), ValueError(), TypeError()):
        assert not failures.note("mail", 1, error)


def test_desk_and_figures_tell_of_it(app: Flask, cora: Curator) -> None:
    with app.app_context():
        for _ in range(failures.MOST):
            failures.note("import", 7, ValueError())
    assert "failed three times: import" in cora.get("/admin/").text
    assert 'ninefold_failed{job="import"} 1.0' in cora.get("/metrics").text
