"""Bank health: stock against consumption, automatic orders, agreement of times, other levels."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import bank_puzzle
from tests.webapp.desk import Curator
from tests.webapp.processes import wait_until
from tests.webapp.visitors import SetClock
from webapp.bank import bank
from webapp.competition import statistics
from webapp.curation.orders import figures, stock
from webapp.models import Attempt, AuditEntry, Order, Player, Puzzle
from webapp.process.database import db, write_tx

pytestmark = pytest.mark.both_databases

NOW = SetClock.time


def started(app: Flask, level: int, times: int, ago: timedelta = timedelta(days=1)) -> None:
    """Add that many started puzzles of a level."""
    with app.app_context(), write_tx():
        for number in range(times):
            puzzle = bank_puzzle(level)
            digits = list(puzzle.givens)
            digits[0], digits[-1 - number] = str(number % 9 + 1), str(level)
            puzzle.givens = "".join(digits)[:76] + f"{level}{number:04}"
            puzzle.first_started_at = NOW - ago
            db.session.add(puzzle)


def a_puzzle(app: Flask, level: int) -> Puzzle:
    with app.app_context():
        return db.session.scalars(
            sa.select(Puzzle).where(Puzzle.level == level, Puzzle.first_started_at.is_(None))
        ).one()


def test_it_works(app: Flask, cora: Curator) -> None:
    with app.app_context():
        list(bank.rate_anew())
    assert cora.get("/admin/health").status_code == 200
    by_er, by_technique = (
        [int(bar["value"]) for bar in table.find_all("progress")] for table in cora.page.select(".bars")
    )
    assert sum(by_er) == sum(by_technique) == 5


def test_an_empty_bank_has_a_page_too(app: Flask, cora: Curator) -> None:
    with app.app_context(), write_tx():
        db.session.execute(sa.delete(Puzzle))
    assert cora.get("/admin/health").status_code == 200


def test_days_until_empty_come_from_the_last_fortnight(app: Flask) -> None:
    started(app, 2, 28)
    started(app, 3, 28, ago=timedelta(days=15))
    with app.app_context():
        by_level = {one.level: one for one in stock.levels(NOW)}
    assert (by_level[2].fresh, by_level[2].a_day, by_level[2].days) == (1, 2.0, 0.5)
    assert (by_level[3].a_day, by_level[3].days) == (0.0, None)


def test_what_runs_low_is_ordered_once(app: Flask) -> None:
    started(app, 2, 28)
    with app.app_context():
        (number,) = stock.order_ahead(14, NOW)
        order = db.session.get(Order, number)
        assert order is not None
        assert (order.recipe, order.count, order.curator_id) == ('{"level": 2, "symmetry": "any"}', 27, None)
        assert stock.order_ahead(14, NOW) == []
        assert db.session.scalars(sa.select(AuditEntry.curator_name)).all() == ["Ninefold"]


def test_candidates_that_wait_are_not_ordered_again(app: Flask) -> None:
    started(app, 2, 14)
    with app.app_context():
        with write_tx():
            db.session.execute(sa.update(Puzzle).where(Puzzle.level != 2).values(level=2, status="candidate"))
        assert stock.order_ahead(5, NOW) == []


def solved(app: Flask, puzzle_id: int, ratios: list[float], expected: float = 100.0) -> None:
    """Add unassisted solves of a puzzle, in multiples of the expected time."""
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Puzzle).where(Puzzle.id == puzzle_id).values(expected_seconds=expected))
        for number, ratio in enumerate(ratios):
            player = Player(key=f"k{puzzle_id}-{number}".ljust(22, "x"), created_at=NOW)
            db.session.add(player)
            db.session.flush()
            db.session.add(
                Attempt(
                    id=f"a{puzzle_id}-{number}".ljust(22, "x"),
                    player_id=player.id,
                    puzzle_id=puzzle_id,
                    level=1,
                    started_at=NOW,
                    updated_at=NOW,
                    finished_at=NOW,
                    elapsed_ms=round(1000 * expected * ratio),
                    assisted=False,
                )
            )


def test_the_puzzles_that_deviate_most_come_first(app: Flask, cora: Curator) -> None:
    quick, slow, fair, few = (a_puzzle(app, level).id for level in (1, 2, 3, 4))
    solved(app, quick, [0.25] * 5)
    solved(app, slow, [2.0, 2.0, 3.0, 1.0, 2.0], expected=300)
    solved(app, fair, [1.1] * 5, expected=50)
    solved(app, few, [9.0] * 4)
    with app.app_context():
        found = statistics.agreement()
    assert [one.puzzle_id for one in found.furthest] == [quick, slow, fair]
    assert [one.ratio for one in found.furthest] == [0.25, 2.0, 1.1]
    assert (found.puzzles, found.ratio, found.near) == (3, 1.1, pytest.approx(1 / 3))
    assert found.correlation is not None
    cora.get("/admin/health")
    rows = [row["id"] for row in cora.page.find_all("tr", id=True)]
    assert rows == [f"puzzle-{quick}", f"puzzle-{slow}", f"puzzle-{fair}"]


def test_a_puzzle_is_relabelled_and_stays_so(app: Flask, cora: Curator) -> None:
    puzzle = a_puzzle(app, 5)
    answer = cora.post(f"/admin/puzzles/{puzzle.id}/level", {"level": "3", "version": "0", "note": "quick"})
    assert answer.status_code == 303
    with app.app_context():
        list(bank.rate_anew())  # which computes level 1
        found = db.session.get(Puzzle, puzzle.id)
        assert found is not None
        assert (found.level, found.relabelled, found.version, found.rating_version) == (
            3,
            True,
            1,
            bank.RATED,
        )
        entry = db.session.scalars(sa.select(AuditEntry).where(AuditEntry.action == "relabel")).one()
        assert (entry.curator_name, entry.note, entry.subject_id) == ("Cora", "quick", str(puzzle.id))


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"level": "6", "version": "0"}, 422),
        ({"level": "x", "version": "0"}, 422),
        ({"version": "0"}, 422),
        ({"level": "3"}, 422),
        ({"level": "3", "version": "0", "note": "x" * 201}, 422),
        ({"level": "3", "version": "0", "note": "hard\u202e"}, 422),
        ({"level": "3", "version": "7"}, 409),
    ],
)
def test_a_level_that_cannot_be_is_refused(
    app: Flask, cora: Curator, form: dict[str, str], status: int
) -> None:
    puzzle = a_puzzle(app, 5)
    assert cora.post(f"/admin/puzzles/{puzzle.id}/level", form).status_code == status
    assert a_puzzle(app, 5).version == 0


def test_a_daily_keeps_the_level_that_players_have_seen(app: Flask, cora: Curator) -> None:
    puzzle = a_puzzle(app, 5)
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Puzzle).where(Puzzle.id == puzzle.id).values(status="daily"))
    form = {"level": "3", "version": "0"}
    assert cora.post(f"/admin/puzzles/{puzzle.id}/level", form).status_code == 409
    assert cora.post("/admin/puzzles/99999/level", form).status_code == 404


def test_a_large_bank_is_counted_aside(app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages show the latest count, which lasts a minute."""
    monkeypatch.setattr(figures, "LARGE", 0)
    monkeypatch.delitem(app.extensions, "bank_figures", raising=False)
    with app.app_context():
        wait_until(lambda: figures.figures(NOW) is not None)
        before = figures.figures(NOW)
        started(app, 3, 1)
        assert figures.figures(NOW + timedelta(seconds=59)) == before
        wait_until(lambda: figures.figures(NOW + timedelta(minutes=1)) != before)
    assert cora.get("/admin/health").status_code == 200
    assert len(cora.page.select(".bars")) == 0  # nothing is rated here
    monkeypatch.delitem(app.extensions, "bank_figures")


def test_a_page_does_not_wait_for_the_count(
    app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "LARGE", 0)
    monkeypatch.setattr(figures.Counter, "latest", lambda _counter, _now: None)
    assert cora.get("/admin/health").status_code == 200
    assert "still counting" in cora.page.text
    monkeypatch.delitem(app.extensions, "bank_figures")
