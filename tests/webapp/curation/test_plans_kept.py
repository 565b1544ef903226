"""A plan is carried out: what dailies are like by weekday, the levels of a day, and replacing picks."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.curation.test_planning import MONDAY, in_the_bank
from tests.webapp.desk import Curator, entries
from tests.webapp.visitors import SetClock
from webapp.bank import traits
from webapp.competition.daily import dailies
from webapp.curation.calendar import calendar
from webapp.curation.calendar.calendar import SeenSlot, SlotChoice
from webapp.models import Daily, Puzzle, WeekdayLook
from webapp.process.database import db, write_tx

PLAN = "/admin/plan"
LEVEL = 3


def stored(count: int, **columns: object) -> list[int]:
    """Add puzzles to the bank with these columns. Returns their numbers."""
    numbers = in_the_bank([5] * count)
    with write_tx():
        for number in numbers:
            puzzle = db.session.get_one(Puzzle, number)
            for name, value in columns.items():
                setattr(puzzle, name, value)
    return numbers


@pytest.fixture
def plain(app: Flask) -> int:
    """The number of a puzzle of ER 2, with which the worker has filled Monday."""
    with app.app_context():
        (number,) = stored(1, explainer=2.0)
        slot = SeenSlot(MONDAY, LEVEL, None)
        calendar.assign(None, slot, SlotChoice(number), SetClock.time, sure=True, by_hand=False)
    return number


def on_monday(app: Flask) -> int | None:
    with app.app_context():
        found = sa.select(Daily.puzzle_id).where(Daily.date == MONDAY, Daily.level == LEVEL)
        return db.session.scalar(found)


def sent(curator: Curator) -> dict[str, list[str]]:
    """Return the changes that the preview offers."""
    assert curator.get(f"{PLAN}/changes").status_code == 200
    return {"change": [each["value"] for each in curator.page.find_all(attrs={"name": "change"})]}


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator, plain: int) -> None:
    """A saved look makes a pick unfit; the preview names it and its successor; one action changes it."""
    with app.app_context():
        wanted = stored(2, explainer=3.5)
    look = {"weekday": MONDAY.weekday(), "level": LEVEL, "er_from": "3,0", "er_to": "4"}
    assert cora.post(f"{PLAN}/looks", look).status_code == 303
    cora.get(PLAN)
    assert "One automatic pick" in cora.page.find(id="unfit").text
    changes = sent(cora)
    assert f"#{plain}" in cora.page.find("tbody").text
    assert cora.post(f"{PLAN}/changes", changes).status_code == 303
    assert on_monday(app) in wanted
    with app.app_context():
        assert db.session.get_one(Puzzle, plain).status == "approved"
        assert not db.session.scalars(sa.select(Daily.by_hand).where(Daily.date == MONDAY)).one()
    cora.get(PLAN)
    assert cora.page.find(id="unfit") is None
    assert len(entries(app, "weekday_look")) == 1


@pytest.mark.both_databases
@pytest.mark.parametrize("asked", ["er", "hardest", "givens", "symmetry"])
def test_gaps_are_filled_by_the_look_of_the_weekday(app: Flask, cora: Curator, asked: str) -> None:
    with app.app_context():
        others = stored(3, explainer=2.0, hardest="hidden_pair")
        (fits,) = stored(1, explainer=4.0, hardest="naked_pair")
        with write_tx():
            puzzle = db.session.get_one(Puzzle, fits)
            recipe = engine.Recipe(symmetry="half_turn", most_givens=27)
            symmetric = engine.generate(recipe, seed=5).grid
            puzzle.givens, puzzle.canonical = str(symmetric), str(engine.canonical_form(symmetric))
            db.session.flush()
        list(traits.trace())
    wanted = {
        "er": {"er_from": "3.5"},
        "hardest": {"hardest": "naked_pair"},
        "givens": {"givens_to": str(symmetric.givens)},
        "symmetry": {"symmetry": "half_turn"},
    }[asked]
    look = {"weekday": MONDAY.weekday(), "level": LEVEL, **wanted}
    assert cora.post(f"{PLAN}/looks", look).status_code == 303
    with app.app_context():
        assert [puzzle.id for puzzle in dailies.fitting(MONDAY, LEVEL)][:1] == [fits]
        assert not {puzzle.id for puzzle in dailies.fitting(MONDAY, LEVEL)} & set(others)


def test_a_pick_by_hand_stays_and_is_marked(app: Flask, cora: Curator) -> None:
    with app.app_context():
        (plain,) = stored(1, explainer=2.0)
        calendar.assign(None, SeenSlot(MONDAY, LEVEL, None), SlotChoice(plain), SetClock.time)
        stored(2, explainer=3.5)
    cora.post(f"{PLAN}/looks", {"weekday": MONDAY.weekday(), "level": LEVEL, "er_from": "3"})
    assert sent(cora) == {"change": []}
    cora.get(f"/admin/calendar?month={MONDAY:%Y-%m}")
    assert "doesn’t fit the plan" in cora.page.find(id=f"slot-{MONDAY}-{LEVEL}").text


def test_a_pick_without_a_successor_stays(app: Flask, cora: Curator, plain: int) -> None:
    cora.post(f"{PLAN}/looks", {"weekday": MONDAY.weekday(), "level": LEVEL, "er_from": "9"})
    assert sent(cora) == {"change": []}
    assert "Nothing in the bank fits" in cora.page.find("tbody").text
    assert cora.post(f"{PLAN}/changes", {}).status_code == 422
    assert on_monday(app) == plain


@pytest.mark.both_databases
def test_what_has_changed_since_the_preview_stops_all_of_it(app: Flask, cora: Curator, plain: int) -> None:
    with app.app_context():
        wanted = stored(3, explainer=3.5)
    cora.post(f"{PLAN}/looks", {"weekday": MONDAY.weekday(), "level": LEVEL, "er_from": "3"})
    changes = sent(cora)
    with app.app_context(), write_tx():
        for number in wanted:
            db.session.get_one(Puzzle, number).version += 1
    assert cora.post(f"{PLAN}/changes", changes).status_code == 409
    assert on_monday(app) == plain


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"level": "3"}, "weekday"),
        ({"level": "1", "weekday": "0"}, "level"),
        ({"level": "3", "weekday": "0", "hardest": "naked_single"}, "hardest"),
        ({"level": "3", "weekday": "0", "er_from": "x"}, "er"),
        ({"level": "3", "weekday": "0", "givens_from": "30", "givens_to": "20"}, "givens"),
        ({"level": "3", "weekday": "0", "symmetry": "x"}, "symmetry"),
    ],
)
def test_a_look_that_cannot_be_is_said(cora: Curator, fields: dict[str, str], field: str) -> None:
    assert cora.post(f"{PLAN}/looks", fields).status_code == 422
    assert cora.page.find(id=f"wrong-{field}") is not None


def test_an_empty_look_removes_it(app: Flask, cora: Curator) -> None:
    where = {"weekday": "0", "level": str(LEVEL)}
    for more, kept in (({"givens_to": "26"}, 1), ({}, 0)):
        cora.post(f"{PLAN}/looks", where | more)
        with app.app_context():
            assert len(db.session.scalars(sa.select(WeekdayLook)).all()) == kept


@pytest.mark.both_databases
def test_only_what_was_proposed_replaces_a_pick(app: Flask, cora: Curator, plain: int) -> None:
    """A puzzle that fits no plan can't be sent in place of the proposed one."""
    with app.app_context():
        (wanted,) = stored(1, explainer=3.5)
        (other,) = stored(1, explainer=2.0)
    cora.post(f"{PLAN}/looks", {"weekday": MONDAY.weekday(), "level": LEVEL, "er_from": "3"})
    (change,) = sent(cora)["change"]
    for wrong in (change.replace(f":{wanted}:", f":{other}:"), f"{MONDAY}:{LEVEL}:{plain}::"):
        assert wrong != change
        assert cora.post(f"{PLAN}/changes", {"change": wrong}).status_code == 409
        assert on_monday(app) == plain
