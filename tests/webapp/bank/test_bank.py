"""The bank: filled by level, rated again when the rating changes, drawn from at random."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.generation.symmetry import ANY
from tests.webapp.conftest import EASY, bank_puzzle
from tests.webapp.visitors import SetClock, Visitor
from webapp.bank import bank, breakdown, offer, systems
from webapp.models import Attempt, Puzzle, Status
from webapp.process.database import db, write_tx

pytestmark = pytest.mark.both_databases

NOW = SetClock.time


def test_each_system_has_a_stock_at_each_of_its_levels() -> None:
    assert " ".join(systems.RECIPES) == "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 c d1 d2 d3 d4 e1 e2 e3"


def test_two_players_who_wait_for_the_same_puzzle_get_it_both(app: Flask) -> None:
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            pytest.skip("SQLite has one writer at a time")
        engine_of = db.engine
    both = threading.Barrier(2, timeout=10)
    got: list[int] = []

    def wait_for_the_other(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if statement.startswith("INSERT INTO puzzle "):
            both.wait()

    def work() -> None:
        with app.app_context():
            made = bank_puzzle(2)
            made.givens = EASY[::-1]
            with write_tx():
                puzzle = bank.add_or_find(made)
                db.session.flush()
                got.append(puzzle.id)

    threads = [threading.Thread(target=work) for _ in range(2)]
    sa.event.listen(engine_of, "before_cursor_execute", wait_for_the_other)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sa.event.remove(engine_of, "before_cursor_execute", wait_for_the_other)
    assert len(got) == 2
    assert len(set(got)) == 1


def test_every_level_is_filled_to_the_target(app: Flask) -> None:
    with app.app_context():
        added = list(bank.stock_up(3, NOW, rated=False))
        assert sorted(added) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
        assert set(bank.fresh_stock().values()) == {3}
        assert list(bank.stock_up(3, NOW, rated=False)) == []


def test_rated_puzzles_stand_at_the_level_of_their_rating_and_can_be_made_again(app: Flask) -> None:
    with app.app_context():
        list(bank.stock_up(2, NOW, rated=True))
        rated = db.session.scalars(sa.select(Puzzle).where(Puzzle.rating_version == bank.RATED)).all()
        assert {puzzle.level for puzzle in rated} == {1, 2, 3, 4, 5}
        for puzzle in rated:
            rating = engine.rate(engine.parse(puzzle.givens))
            assert (puzzle.level, puzzle.hardest) == (rating.level, rating.hardest)
            assert puzzle.explainer == rating.scores["explainer"]
            recipe = engine.Recipe(level=puzzle.level, symmetry=ANY)
            assert str(engine.generate(recipe, seed=int(puzzle.seed)).grid) == puzzle.givens


def test_rating_anew_changes_puzzles_and_leaves_attempts_at_the_level_of_their_start(
    app: Flask, guest: Visitor
) -> None:
    guest.start(level=5)
    with app.app_context():
        count = len(list(bank.rate_anew()))
        assert count == 5
        # The test bank is one easy puzzle under five relabelings.
        assert set(db.session.scalars(sa.select(Puzzle.level))) == {2}
        assert db.session.scalars(sa.select(Attempt.level)).one() == 5
        assert list(bank.rate_anew()) == []


def test_rating_anew_leaves_dailies_their_minutes_and_a_level_they_were_rated_at(app: Flask) -> None:
    with app.app_context():
        with write_tx():
            db.session.execute(sa.update(Puzzle).values(status=Status.DAILY, expected_seconds=77.0))
            db.session.execute(
                sa.update(Puzzle).where(Puzzle.level == 3).values(rating_version=bank.BY_GIVENS)
            )
        list(bank.rate_anew())
        kept = db.session.execute(sa.select(Puzzle.level, Puzzle.expected_seconds == 77.0))
        assert sorted(map(tuple, kept)) == [(1, True), (2, False), (2, True), (4, True), (5, True)]


@pytest.mark.parametrize(
    ("origin", "offered"),
    [({"method": "dig_hole"}, False), ({"method": "dig_hole", "version": 1}, True), ({"method": None}, True)],
)
def test_what_no_curator_chose_and_does_not_suit_its_level_is_replaced(
    app: Flask, guest: Visitor, origin: dict[str, Any], offered: bool
) -> None:
    """The puzzle of the test bank has 28 givens without symmetry, fewer than an easy one."""
    with app.app_context():
        with write_tx():
            db.session.execute(sa.update(Puzzle).values(**origin))
            number = db.session.scalars(sa.select(Puzzle.id).where(Puzzle.level == 2)).one()
        list(bank.rate_anew())
        assert len(db.session.scalars(sa.select(Puzzle).where(Puzzle.offered)).all()) == (5 if offered else 0)
        assert (offer.draw(2, None) is not None) is offered
        assert bool(offer.sample(2, 1)) is offered
        if not offered:
            assert list(bank.stock_up(1, NOW, rated=True)) == [1, 2, 3, 4, 5]
    assert guest.get(f"/puzzles/{number}").status_code == 200


def test_rating_anew_fills_in_the_schemes_that_an_older_version_left_out(app: Flask) -> None:
    with app.app_context():
        part = breakdown.Breakdown({"nishio": 9}, {"explainer": 9.9}, (), None)
        older = {"rating_version": "explainer-default-1", "breakdown": breakdown.text_of(part)}
        with write_tx():
            db.session.execute(sa.update(Puzzle).values(hardest="nishio", **older))
        assert len(list(bank.rate_anew())) == 5
        for puzzle in db.session.scalars(sa.select(Puzzle)):
            kept = breakdown.read(puzzle.breakdown)
            assert kept is not None and kept.whole
            assert puzzle.hardest != "nishio" and "nishio" not in kept.counts


def test_a_stored_puzzle_knows_its_canonical_form_and_older_ones_get_theirs(app: Flask) -> None:
    with app.app_context():
        assert len(list(bank.fill_canonical())) == 5
        list(bank.stock_up(2, NOW, rated=False))
        with write_tx():
            bank.entered(engine.parse(EASY[::-1]), NOW, None)
        assert list(bank.fill_canonical()) == []
        for puzzle in db.session.scalars(sa.select(Puzzle)):
            assert puzzle.canonical == str(engine.canonical_form(engine.parse(puzzle.givens)))


@pytest.mark.parametrize(
    "path",
    ["/puzzles/{}", "/puzzles/{}/card.png", "/print?puzzle={}", "/print?level=2", "/lab?puzzle={}", "/"],
)
def test_what_a_page_shows_uses_up_no_stock(app: Flask, guest: Visitor, path: str) -> None:
    """A puzzle that is reserved for a daily stays so, and no page has its givens."""
    with app.app_context():
        with write_tx():
            db.session.execute(sa.update(Puzzle).values(shown_at=None))
        number, givens = db.session.execute(
            sa.select(Puzzle.id, Puzzle.givens).where(Puzzle.level == 2)
        ).one()
    answer = guest.get(path.format(number))
    assert answer.status_code in (200, 422)
    assert givens.encode() not in answer.data
    with app.app_context():
        assert set(db.session.scalars(sa.select(Puzzle.shown_at))) == {None}


def test_a_puzzle_kept_back_is_on_show_once_it_is_played(app: Flask, guest: Visitor, other: Visitor) -> None:
    with app.app_context():
        with write_tx():
            db.session.execute(sa.update(Puzzle).values(shown_at=None))
        number = db.session.scalars(sa.select(Puzzle.id).where(Puzzle.level == 2)).one()
    guest.get(f"/puzzles/{number}")
    assert "Start it to see it." in guest.page.text
    other.start(puzzle=number)
    guest.get(f"/puzzles/{number}")
    assert "Start it to see it." not in guest.page.text


def test_of_new_stock_some_is_kept_back_and_never_the_first_of_a_level(app: Flask) -> None:
    with app.app_context():
        with write_tx():
            db.session.execute(sa.delete(Puzzle))
        list(bank.stock_up(1, NOW, rated=True))
        assert None not in set(db.session.scalars(sa.select(Puzzle.shown_at)))
        firsts = db.session.scalars(sa.select(Puzzle.id)).all()
        list(bank.stock_up(4, NOW, rated=True))
        shown = sa.select(Puzzle.seed, Puzzle.shown_at).where(Puzzle.id.not_in(firsts))
        for seed, shown_at in db.session.execute(shown):
            assert (shown_at is None) is (int(seed) % bank.KEPT_BACK == 0)


def test_a_started_puzzle_is_no_fresh_stock(app: Flask, guest: Visitor) -> None:
    guest.start(level=3)
    with app.app_context():
        assert bank.fresh_stock() == {1: 1, 2: 1, 3: 0, 4: 1, 5: 1}


@pytest.mark.parametrize(
    ("level", "seconds", "hardest", "first"),
    [
        (2, 421, "hidden_single", False),
        (3, 520, "naked_pair", True),
        (3, 519, "naked_pair", False),
        (4, 820, "x_wing", True),
        (4, 820, "sashimi_swordfish", False),
        (5, 1400, "aic", True),
    ],
)
def test_puzzles_that_a_level_is_known_for_are_drawn_first(
    app: Flask, level: int, seconds: float, hardest: str, first: bool
) -> None:
    assert offer.typical(level, seconds, hardest) is first
    with app.app_context():
        with write_tx():
            for puzzle in db.session.scalars(sa.select(Puzzle)):
                puzzle.level = level
                puzzle.expected_seconds, puzzle.hardest = None, None
            of_the_kind = bank_puzzle(level)
            of_the_kind.givens = EASY[::-1]
            of_the_kind.expected_seconds, of_the_kind.hardest = seconds, hardest
            db.session.add(of_the_kind)
        drawn = [offer.draw(level, None) for _time in range(8)]
        assert all(puzzle is not None and puzzle.hardest == hardest for puzzle in drawn) is (
            first and level in offer.SECONDS
        )


def test_drawing_leaves_out_what_the_player_has_started(app: Flask) -> None:
    with app.app_context():
        first = offer.draw(2, None)
        assert first is not None
        with write_tx():
            puzzle = db.session.get(Puzzle, first.id)
            assert puzzle is not None
            puzzle.level = 3
        assert offer.draw(2, None) is None
