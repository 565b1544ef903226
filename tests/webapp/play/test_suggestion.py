"""The next puzzle: where the player takes about as long as expected, and new to them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.solves import add_player, relabelled, stored
from tests.webapp.visitors import SetClock, Visitor
from webapp.models import Attempt, Peek, Puzzle, Status
from webapp.play import suggestion
from webapp.process.database import db, write_tx

NOW = SetClock.time


def add_puzzles(*minutes: float, **columns: Any) -> list[int]:
    """Add approved puzzles with these expected times. Returns their ids."""
    with stored():
        before = db.session.scalar(sa.select(sa.func.count()).select_from(Puzzle)) or 0
        values = {"level": 3, "rating_version": "test", "status": Status.APPROVED, "engine_version": "test"}
        puzzles = [
            Puzzle(
                givens=relabelled(before + n),
                **values | {"expected_seconds": 60 * each, "created_at": NOW} | columns,
            )
            for n, each in enumerate(minutes)
        ]
        db.session.add_all(puzzles)
        db.session.flush()
        return [puzzle.id for puzzle in puzzles]


def add_game(player: int, puzzle: int, minutes: float | None, **columns: Any) -> None:
    """Add a finished attempt, or an open one without minutes."""
    ended = None if minutes is None else NOW
    with stored():
        values = {
            "level": 3,
            "started_at": NOW - timedelta(minutes=minutes or 0),
            "updated_at": NOW,
            "finished_at": ended,
            "elapsed_ms": None if minutes is None else round(60_000 * minutes),
        }
        db.session.add(Attempt(player_id=player, puzzle_id=puzzle, **values | columns))


@pytest.mark.usefixtures("inside")
class TestLevelAndSeconds:
    @pytest.mark.both_databases
    def test_who_takes_as_long_as_expected_stays_there(self) -> None:
        player = add_player()
        for puzzle in add_puzzles(10, 10, 10):
            add_game(player, puzzle, 10)
        assert suggestion.level_and_seconds(player, "") == (3, 600)

    @pytest.mark.parametrize(("minutes", "seconds"), [(5, 840), (8, 750), (12, 500), (40, 600 / 1.4)])
    def test_the_pace_moves_it_by_a_step(self, minutes: float, seconds: float) -> None:
        player = add_player()
        (puzzle,) = add_puzzles(10)
        add_game(player, puzzle, minutes)
        assert suggestion.level_and_seconds(player, "")[1] == pytest.approx(seconds)

    def test_easier_and_harder_shift_it(self) -> None:
        player = add_player()
        (puzzle,) = add_puzzles(10)
        add_game(player, puzzle, 10)
        easier, harder = (suggestion.level_and_seconds(player, shift)[1] for shift in ("easier", "harder"))
        assert (easier, harder) == (pytest.approx(400), 900)

    @pytest.mark.both_databases
    def test_only_the_latest_games_without_help_count(self) -> None:
        player = add_player()
        old, helped, *latest = add_puzzles(60, 60, *[10] * suggestion.LATEST)
        add_game(
            player, old, 60, level=5, finished_at=NOW - timedelta(days=1), started_at=NOW - timedelta(days=2)
        )
        add_game(player, helped, 60, level=5, assisted=True)
        for puzzle in latest:
            add_game(player, puzzle, 10)
        assert suggestion.level_and_seconds(player, "") == (3, 600)

    @pytest.mark.parametrize(("shift", "level"), [("easier", 1), ("", 1), ("harder", 2)])
    def test_a_newcomer_begins_with_the_easiest(self, shift: str, level: int) -> None:
        assert suggestion.level_and_seconds(None, shift) == (level, None)


@pytest.mark.usefixtures("inside")
class TestNearest:
    @pytest.mark.both_databases
    def test_what_the_player_has_started_or_seen_is_left_out(self) -> None:
        started, peeked, kept = add_puzzles(1000, 1001, 1200)
        player = add_player()
        add_game(player, started, None)
        with write_tx():
            db.session.add(Peek(player_id=player, puzzle_id=peeked, seen_at=NOW))
        assert suggestion.nearest(player, 60_000) == kept
        assert suggestion.nearest(None, 60_000) in (started, peeked)

    @pytest.mark.both_databases
    @pytest.mark.parametrize("columns", [{"status": Status.DAILY}, {"offered": False}, {"level": 5}])
    def test_what_is_not_offered_or_too_hard_is_left_out(self, columns: dict[str, Any]) -> None:
        (puzzle,) = add_puzzles(1000, **columns)
        assert suggestion.nearest(add_player(), 60_000, 4) != puzzle


# POST /next, POST /attempts


@pytest.mark.both_databases
def test_a_player_gets_the_puzzle_nearest_to_the_minutes_asked_for(app: Flask, guest: Visitor) -> None:
    with app.app_context(), write_tx():
        for level, minutes in enumerate((3, 8, 9, 20, 30), 1):
            of_level = sa.update(Puzzle).where(Puzzle.level == level)
            db.session.execute(of_level.values(expected_seconds=60 * minutes))
    for asked, level, told in ((8, 2, ""), (8, 3, ""), (8, 1, "about 3 min."), (90, 5, "about 30 min.")):
        address = guest.post("/attempts", {"minutes": asked}).location
        guest.get(address)
        assert told in guest.page.find(id="banner").text
        with app.app_context():
            attempt = address.rpartition("/")[2].partition("?")[0]
            assert db.session.get_one(Attempt, attempt).level == level


@pytest.mark.parametrize("minutes", ["0", "91", "-5", "1.5", "x", ""])
def test_minutes_out_of_bounds_are_refused_in_words(guest: Visitor, minutes: str) -> None:
    answer = guest.post("/attempts", {"minutes": minutes})
    assert answer.status_code == 422
    assert "Choose from 1 to 90 minutes" in answer.text


def test_without_one_of_the_level_it_is_one_of_the_next_and_in_the_end_none(
    guest: Visitor, clock: SetClock
) -> None:
    for status in [303] * 5 + [503]:
        assert guest.post("/next").status_code == status
        clock.advance(minutes=1)


@pytest.mark.both_databases
def test_a_puzzle_that_has_become_a_daily_meanwhile_is_not_started(
    app: Flask, guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        (daily,) = add_puzzles(10, status=Status.DAILY)
    monkeypatch.setattr(suggestion, "nearest", lambda *_args: daily)
    assert guest.post("/next").status_code == 303
    with app.app_context():
        assert daily not in db.session.scalars(sa.select(Attempt.puzzle_id)).all()


def test_a_shift_that_does_not_exist_is_refused_by_name(guest: Visitor) -> None:
    answer = guest.post("/next", {"shift": "x" * 50})
    assert answer.status_code == 422
    assert "shift: expected easier, harder or nothing" in answer.text


def test_it_is_offered_to_everybody_who_picks_a_puzzle(guest: Visitor, ada: Visitor) -> None:
    for visitor in (guest, ada):
        visitor.get("/attempts")
        assert visitor.page.select_one("form[action='/next'] button")
