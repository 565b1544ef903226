"""Withdrawing a daily that is out: reason, times, points, ratings and streaks; replacement; undo."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from werkzeug.test import TestResponse

from tests.webapp.competition.test_leaderboard import BOARD, lines, play
from tests.webapp.competition.test_schedule import stored
from tests.webapp.curation.test_calendar import new as fresh
from tests.webapp.desk import Curator, entries
from tests.webapp.solves import DAY, add_daily, add_player, add_solve, at, board_of, close, points_of
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition.daily import closing, streaks
from webapp.models import Attempt, Daily, Puzzle, Score, Status
from webapp.process.database import db
from webapp.site.storage.verify import verify

HERE = f"/admin/withdrawals/{DAY}/2"
REASON = "It has two solutions."


@pytest.fixture
def daily(app: Flask) -> int:
    """The id of today's only daily."""
    with app.app_context():
        return add_daily()


def puzzle_of(app: Flask, daily: int) -> int:
    with app.app_context():
        return db.session.get_one(Daily, daily).puzzle_id


def withdraw(app: Flask, curator: Curator, daily: int, **fields: Any) -> TestResponse:
    sent = {"seen": puzzle_of(app, daily), "reason": REASON, "replacement": "", "other": "", **fields}
    return curator.post(HERE, sent)


def undo(app: Flask, curator: Curator, daily: int) -> TestResponse:
    return curator.post(f"{HERE}/undo", {"seen": puzzle_of(app, daily)})


def sign_in(curator: Curator) -> None:
    """Return to the desk after so long that the session has ended."""
    assert curator.sign_in("Cora").status_code == 303
    assert curator.prove().status_code == 303


def settle(app: Flask) -> None:
    """Let the worker go through the players."""
    with app.app_context():
        list(closing.settle())


@pytest.mark.both_databases
def test_it_works(
    app: Flask, cora: Curator, ada: Visitor, guest: Visitor, daily: int, clock: SetClock
) -> None:
    """Players read the reason, the time leaves the leaderboard, and no one can start the puzzle any more."""
    address = play(ada, clock)
    assert cora.get(HERE).status_code == 200
    answer = withdraw(app, cora, daily)
    assert answer.status_code == 303
    cora.get(answer.location)
    assert "Withdrawn. Players can see why." in cora.page.select_one(".toast").text
    settle(app)
    for page in (f"/daily/{DAY}", BOARD, address, f"/puzzles/{puzzle_of(app, daily)}"):
        assert ada.get(page).status_code == 200
        assert REASON in ada.page.select_one(".withdrawal").text
    ada.get(BOARD)
    assert not lines(ada)
    guest.get("/daily")
    assert "Withdrawn" in guest.page.find(id="daily-card-2").text
    assert guest.get(f"/daily/{DAY}/2").status_code == 303
    assert guest.post("/attempts", {"daily": str(DAY), "level": "2", "ranked": "1"}).status_code == 409
    (entry,) = entries(app, "puzzle")
    assert (entry.action, entry.curator_name, entry.note) == ("withdraw", "Cora", REASON)
    cora.get("/admin/audit")
    assert f"Withdrew #{puzzle_of(app, daily)} from Sun, Mar 1, 2026, Easy." in cora.page.text


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"reason": ""}, 422),
        ({"reason": "x" * 201}, 422),
        ({"replacement": "x"}, 422),
        ({"other": "999999"}, 422),
        ({"seen": "999999"}, 409),
    ],
)
def test_bad_input_changes_nothing(
    app: Flask, cora: Curator, daily: int, fields: dict[str, str], status: int
) -> None:
    assert withdraw(app, cora, daily, **fields).status_code == status
    assert cora.page.find(id="wrong") is not None
    with app.app_context():
        assert not db.session.get_one(Daily, daily).withdrawn
    assert not entries(app, "puzzle")


@pytest.mark.parametrize("address", ["2026-03-02/2", f"{DAY}/3", "soon/2", "2025-12-31/2"])
def test_only_a_released_daily_can_be_withdrawn(app: Flask, cora: Curator, daily: int, address: str) -> None:
    with app.app_context():
        add_daily(DAY + timedelta(days=1))
    assert cora.get(f"/admin/withdrawals/{address}").status_code == 404
    sent = {"seen": puzzle_of(app, daily), "reason": REASON}
    assert cora.post(f"/admin/withdrawals/{address}", sent).status_code == 404


@pytest.mark.both_databases
def test_a_replacement_is_ranked_while_the_day_is_open(
    app: Flask, cora: Curator, ada: Visitor, daily: int, clock: SetClock
) -> None:
    """Everyone can play it ranked, those who had solved the withdrawn puzzle too."""
    first = play(ada, clock)
    old, new = puzzle_of(app, daily), fresh(app)
    assert withdraw(app, cora, daily, other=f"#{new}").status_code == 303
    settle(app)
    assert puzzle_of(app, daily) == new
    ada.get(f"/daily/{DAY}")
    assert "Easy was withdrawn and replaced." in ada.page.select_one(".withdrawal").text
    second = ada.post("/attempts", {"daily": str(DAY), "level": "2", "ranked": "1"})
    assert second.status_code == 303 and second.location != first
    with app.app_context():
        statuses = dict(db.session.execute(sa.select(Puzzle.id, Puzzle.status)).all())
        ranked = db.session.scalars(sa.select(Attempt.puzzle_id).where(Attempt.ranked)).all()
    assert (statuses[old], statuses[new]) == (Status.WITHDRAWN, Status.DAILY)
    assert sorted(ranked) == sorted([old, new])


def test_a_withdrawn_daily_gets_its_replacement_later(app: Flask, cora: Curator, daily: int) -> None:
    assert withdraw(app, cora, daily).status_code == 303
    assert withdraw(app, cora, daily).status_code == 422
    new = fresh(app)
    assert withdraw(app, cora, daily, other=str(new)).status_code == 303
    assert puzzle_of(app, daily) == new


@pytest.mark.parametrize("columns", [{"first_started_at": at()}, {"status": Status.CANDIDATE}, {"level": 3}])
def test_a_replacement_must_fit(app: Flask, cora: Curator, daily: int, columns: dict[str, Any]) -> None:
    with app.app_context():
        new = stored(**{"level": 2, **columns}).id
    assert withdraw(app, cora, daily, other=str(new)).status_code == 422
    with app.app_context():
        assert not db.session.get_one(Daily, daily).withdrawn


@pytest.mark.both_databases
def test_points_of_a_closed_day_are_void_and_return_with_the_undo(
    app: Flask, cora: Curator, daily: int, clock: SetClock
) -> None:
    with app.app_context():
        solves = [
            add_solve(add_player(name), daily, seconds) for name, seconds in (("Ann", 300), ("Bea", 400))
        ]
        clock.advance(days=3)
        assert close(clock()) == 1
        before = sorted(db.session.scalars(sa.select(Score.points)))
    sign_in(cora)
    assert before == [50, 50, 100, 100]
    assert withdraw(app, cora, daily).status_code == 303
    settle(app)
    with app.app_context():
        assert [board_of(solve) for solve in solves] == [None, None]
        assert not db.session.scalars(sa.select(Score.points)).all()
    assert undo(app, cora, daily).status_code == 303
    settle(app)
    with app.app_context():
        assert [board_of(solve) for solve in solves] == ["day", "day"]
        assert sorted(db.session.scalars(sa.select(Score.points))) == before
    assert [entry.action for entry in entries(app, "puzzle")] == ["withdraw", "restore"]


@pytest.mark.both_databases
def test_a_day_that_closed_while_withdrawn_closes_again_after_the_undo(
    app: Flask, cora: Curator, daily: int, clock: SetClock
) -> None:
    with app.app_context():
        solves = [
            add_solve(add_player(name), daily, seconds) for name, seconds in (("Ann", 300), ("Bea", 400))
        ]
    clock.advance(days=1, hours=20)
    sign_in(cora)
    assert withdraw(app, cora, daily).status_code == 303
    settle(app)
    clock.advance(hours=5)
    with app.app_context():
        assert close(clock()) == 1
    sign_in(cora)
    assert undo(app, cora, daily).status_code == 303
    settle(app)
    with app.app_context():
        assert close(clock()) == 1
        given = [points_of(solve) for solve in solves]
    assert given == [100, 50]


def test_an_undo_is_possible_for_a_day(app: Flask, cora: Curator, daily: int, clock: SetClock) -> None:
    assert withdraw(app, cora, daily).status_code == 303
    cora.get(HERE)
    assert cora.page.find(id="undo-withdrawal") is not None
    clock.advance(days=1, seconds=1)
    sign_in(cora)
    assert undo(app, cora, daily).status_code == 422
    cora.get(HERE)
    assert cora.page.find(id="undo-withdrawal") is None


def test_an_undo_returns_the_replacement_to_the_bank(
    app: Flask, cora: Curator, ada: Visitor, daily: int, clock: SetClock
) -> None:
    """Games of it can be finished, but their times are void."""
    old, new = puzzle_of(app, daily), fresh(app)
    assert withdraw(app, cora, daily, other=str(new)).status_code == 303
    address = play(ada, clock)
    assert undo(app, cora, daily).status_code == 303
    settle(app)
    assert puzzle_of(app, daily) == old
    with app.app_context():
        assert db.session.get_one(Puzzle, new).status == Status.APPROVED
        assert db.session.get_one(Attempt, address.rpartition("/")[2]).board is None
    ada.get(BOARD)
    assert not lines(ada)


@pytest.mark.both_databases
def test_a_withdrawn_day_counts_for_running_streaks(
    app: Flask, cora: Curator, daily: int, clock: SetClock
) -> None:
    with app.app_context():
        player, other = add_player("Ann"), add_player("Bea")
        days = [add_daily(DAY - timedelta(days=back)) for back in (1, 2)]
        for each in days:
            add_solve(player, each, 300)
    assert withdraw(app, cora, daily).status_code == 303
    clock.advance(days=3)
    with app.app_context():
        add_daily(DAY + timedelta(days=1))
        clock.advance(days=-2)
        assert streaks.of(player, clock()).current == 3
        assert DAY in streaks.of(player, clock()).days
        assert streaks.of(other, clock()).current == 0


def test_a_solve_of_a_withdrawn_daily_counts_for_the_streak_alone(
    app: Flask, cora: Curator, ada: Visitor, daily: int, clock: SetClock
) -> None:
    """A game in play can be finished. The finish says that its time doesn't count."""
    started = ada.post("/attempts", {"daily": str(DAY), "level": "2", "ranked": "1"})
    assert withdraw(app, cora, daily).status_code == 303
    address = play(ada, clock)
    assert address == started.location
    ada.get(address)
    assert "Withdrawn" in ada.page.select_one(".finish__place").text
    assert "You can still finish it." not in ada.page.text
    with app.app_context():
        attempt = db.session.scalars(sa.select(Attempt)).one()
        assert attempt.board is None
        assert streaks.of(attempt.player_id, clock()).current == 1


@pytest.mark.both_databases
def test_what_is_stored_follows_from_the_moves_after_a_withdrawal(
    app: Flask, cora: Curator, ada: Visitor, daily: int, clock: SetClock
) -> None:
    play(ada, clock)
    assert withdraw(app, cora, daily).status_code == 303
    settle(app)
    with app.app_context():
        assert verify(clock()).shown == []


@pytest.mark.both_databases
def test_an_undo_while_the_worker_is_at_it_leaves_it_work(
    app: Flask, cora: Curator, ada: Visitor, daily: int, clock: SetClock
) -> None:
    play(ada, clock)
    assert withdraw(app, cora, daily).status_code == 303
    with app.app_context():
        work = closing.settle()
        next(work)
        assert undo(app, cora, daily).status_code == 303
        clock.advance(seconds=1)
        assert withdraw(app, cora, daily).status_code == 303  # the same puzzle as the worker knows
        list(work)
        assert db.session.get_one(Daily, daily, populate_existing=True).unsettled
    settle(app)
    with app.app_context():
        assert not db.session.get_one(Daily, daily).unsettled


@pytest.mark.both_databases
def test_solves_of_the_first_of_three_puzzles_are_void(
    app: Flask, cora: Curator, ada: Visitor, daily: int, clock: SetClock
) -> None:
    """Nor can that puzzle be approved, although no daily names it any more."""
    address, first = play(ada, clock), puzzle_of(app, daily)
    for _ in range(2):
        assert withdraw(app, cora, daily, other=str(fresh(app))).status_code == 303
    settle(app)
    with app.app_context():
        assert db.session.get_one(Attempt, address.rpartition("/")[2]).board is None
        version = db.session.get_one(Puzzle, first).version
    assert decide(cora, "approve", f"{first}:{version}") == 422


# Puzzles of the bank, and collections


def decide(cora: Curator, action: str, choice: str, **more: str) -> int:
    return cora.post("/admin/decisions", {"action": action, "puzzle": choice, **more}).status_code


@pytest.mark.both_databases
def test_a_puzzle_in_stock_is_withdrawn_and_offered_again(
    app: Flask, cora: Curator, ada: Visitor, guest: Visitor
) -> None:
    """Players in the middle of it can finish. All others read the reason."""
    number = fresh(app)
    address = ada.start(puzzle=number)
    cora.get(f"/admin/puzzles/{number}")
    button = cora.page.find("button", attrs={"name": "withdraw"})
    assert button is not None and cora.page.find("button", attrs={"name": "reject"}) is None
    assert decide(cora, "withdraw", str(button["value"])) == 422
    assert decide(cora, "withdraw", str(button["value"]), reason=REASON) == 303
    for visitor in (ada, guest):
        assert visitor.get(f"/puzzles/{number}").status_code == 200
        assert REASON in visitor.page.select_one(".withdrawal").text
    assert guest.post("/attempts", {"puzzle": number}).status_code == 404
    assert ada.get(address).status_code == 200
    assert "You can still finish it." in ada.page.text
    cora.get(f"/admin/puzzles/{number}")
    again = cora.page.find("button", attrs={"name": "approve"})
    assert decide(cora, "approve", str(again["value"])) == 303
    guest.get(f"/puzzles/{number}")
    assert guest.page.select_one(".withdrawal") is None
    assert [entry.action for entry in entries(app, "puzzle")] == ["withdraw", "approve"]


def test_a_withdrawn_daily_is_not_approved_as_a_puzzle(app: Flask, cora: Curator, daily: int) -> None:
    old = puzzle_of(app, daily)
    assert withdraw(app, cora, daily).status_code == 303
    assert decide(cora, "approve", f"{old}:1") == 422
    with app.app_context():
        assert db.session.get_one(Puzzle, old).status == Status.WITHDRAWN


def version(cora: Curator, address: str) -> str:
    cora.get(address)
    return str(cora.page.find("input", attrs={"name": "version"})["value"])
