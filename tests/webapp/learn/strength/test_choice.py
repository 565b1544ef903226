"""The next puzzle: close to one that the player solves two times in three, and new to them."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.learn.strength.played import NOW, add_game, add_puzzles
from tests.webapp.solves import add_player, stored
from tests.webapp.visitors import SetClock, Visitor
from webapp.learn.practice import cards
from webapp.learn.strength import choice, strength
from webapp.models import Attempt, Peek, Player, PlayerRating, Puzzle, Status
from webapp.process.database import db, write_tx


def seconds_at(points: float) -> float:
    """Return the expected time of a puzzle of ER 4 with this initial rating."""
    return float(720 * 2 ** ((points - 1500) / 200))


def add_rated(*points: float, **columns: Any) -> list[int]:
    """Add approved puzzles with these initial ratings. Returns their ids."""
    found = [add_puzzles(1, expected_seconds=seconds_at(one), **columns)[0] for one in points]
    strength.begin_ratings()
    return found


def rated_player() -> int:
    player = add_player()
    with stored():
        known = {"volatility": 0.06, "games": 30, "rated_at": NOW}
        db.session.add(PlayerRating(player_id=player, family="", rating=1500, deviation=60, **known))
    return player


@pytest.mark.usefixtures("inside")
class TestChoice:
    @pytest.mark.both_databases
    def test_it_works(self) -> None:
        puzzles = add_rated(1000, 1370, 1500)
        player = rated_player()
        wish = choice.wanted(player, "")
        assert 1370 < wish.rating < 1380  # odds of two to one, both deviations counted
        assert choice.next_puzzle(player, wish) == puzzles[1]

    @pytest.mark.both_databases
    def test_easier_and_harder_shift_it(self) -> None:
        player = rated_player()
        easier, plain, harder = (choice.wanted(player, shift).rating for shift in ("easier", "", "harder"))
        assert easier < plain < harder == 1500

    @pytest.mark.both_databases
    def test_somebody_unknown_gets_an_easier_one(self) -> None:
        assert choice.wanted(None, "").rating < choice.wanted(rated_player(), "").rating

    @pytest.mark.both_databases
    def test_what_the_player_has_started_or_seen_is_left_out(self) -> None:
        started, peeked, kept = add_rated(1375, 1376, 1450)
        player = rated_player()
        add_game(player, started, None)
        with write_tx():
            db.session.add(Peek(player_id=player, puzzle_id=peeked, seen_at=NOW))
        wish = choice.wanted(player, "")
        assert choice.next_puzzle(player, wish) == kept
        assert choice.next_puzzle(rated_player(), wish) in (started, peeked)

    @pytest.mark.both_databases
    @pytest.mark.parametrize("columns", [{"status": Status.DAILY}, {"offered": False}])
    def test_what_is_no_longer_offered_is_left_out(self, columns: dict[str, Any]) -> None:
        (puzzle,) = add_rated(1375)
        with write_tx():
            db.session.execute(sa.update(Puzzle).where(Puzzle.id == puzzle).values(columns))
        player = rated_player()
        assert choice.next_puzzle(player, choice.wanted(player, "")) is None

    @pytest.mark.both_databases
    def test_one_that_is_too_far_away_is_no_choice(self) -> None:
        add_rated(1000, 1700)
        player = rated_player()
        assert choice.next_puzzle(player, choice.wanted(player, "")) is None

    @pytest.mark.both_databases
    def test_a_technique_that_is_due_comes_first(self) -> None:
        plain, due = [*add_rated(1375), *add_rated(1450, hardest="xy_wing")]
        player = rated_player()
        wish = choice.wanted(player, "")
        assert choice.next_puzzle(player, wish, ["skyscraper", "xy_wing", "x_wing"]) == due
        assert choice.next_puzzle(player, wish, ["skyscraper"]) == plain

    @pytest.mark.parametrize(("rating", "level"), [(300, 1), (1000, 2), (1300, 3), (1550, 4), (3000, 5)])
    def test_each_rating_has_a_level(self, rating: float, level: int) -> None:
        assert choice.Wanted(rating).levels[0] == level


# POST /next


@pytest.mark.both_databases
def test_what_is_due_for_practice_comes_first(app: Flask, ada: Visitor, clock: SetClock) -> None:
    with app.app_context():
        add_rated(1320, 1321)
        (needed,) = add_rated(1400, hardest="xy_wing")
        player = db.session.scalars(sa.select(Player.id)).one()
        with write_tx():
            cards.review(player, "xy_wing", cards.Rating.Again, clock())
    clock.advance(days=3)
    assert ada.post("/next").status_code == 303
    with app.app_context():
        assert db.session.scalars(sa.select(Attempt.puzzle_id)).all() == [needed]


@pytest.mark.both_databases
def test_a_player_gets_the_puzzle_nearest_to_the_minutes_asked_for(app: Flask, guest: Visitor) -> None:
    with app.app_context(), write_tx():
        for level, minutes in enumerate((3, 8, 9, 20, 30), 1):
            of_level = sa.update(Puzzle).where(Puzzle.level == level)
            db.session.execute(of_level.values(expected_seconds=60 * minutes))
    for asked, level, told in (
        (8, 2, ""),
        (8, 3, ""),
        (8, 1, "about 3 min."),
        (90, 5, "about 30 min."),
    ):
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


@pytest.mark.both_databases
@pytest.mark.parametrize(("shift", "level"), [("easier", 1), ("", 1), ("harder", 2)])
def test_a_newcomer_begins_with_the_easiest(app: Flask, guest: Visitor, shift: str, level: int) -> None:
    with app.app_context():
        assert choice.wanted(None, shift).levels[0] == level
    assert guest.post("/next", {"shift": shift}).status_code == 303
    with app.app_context():
        assert db.session.scalars(sa.select(Attempt.level)).all() == [level]


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
        (daily,) = add_puzzles(1, status=Status.DAILY)
    monkeypatch.setattr(choice, "next_puzzle", lambda *_args: daily)
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
        assert visitor.page.select_one("button[form=new-game]")["formaction"] == "/next"
