"""The exercises of lessons: worked, solved right and wrong, nearly there; and the tests of tiers."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.generation.near_misses import WITHOUT
from engine.geometry import cell_name
from tests.webapp.visitors import Visitor
from webapp.game.steps import technique_name
from webapp.learn.exercises import choosing, judging, store
from webapp.learn.exercises.posed import Posed
from webapp.learn.lessons import path, progress, testing
from webapp.learn.marks import Marks
from webapp.learn.state import State
from webapp.models import Player
from webapp.process.database import db

KEY = "skyscraper"


def test_a_technique_that_is_not_there_is_named_before_anything_is_chosen() -> None:
    with pytest.raises(SystemExit, match=r"No technique is called nope; there are full_house, .*\."):
        choosing.main([KEY, "nope"])


def exercise(app: Flask, key: str) -> Posed:
    with app.app_context():
        found = store.lesson(key).exercise
    assert found is not None
    return found


def marks_of(step: engine.Step) -> str:
    """Return the marks for all effects of a step: the digit it places, else its eliminations."""
    return str(
        Marks(step.placements, frozenset()) if step.placements else Marks(frozenset(), step.eliminations)
    )


def states(app: Flask) -> dict[str, State]:
    """Return the only player's progress; empty without one."""
    with app.app_context():
        return progress.states(db.session.scalar(sa.select(Player.id)))


def wrong_marks(posed: Posed) -> str:
    """Cross out the solution's digit of an open cell, which no step ever does."""
    solution = posed.position.solution
    assert solution is not None
    cell = next(cell for cell in range(81) if not posed.position.grid[cell])
    return str(Marks(frozenset(), frozenset({(cell, solution[cell])})))


@pytest.mark.slow
def test_every_exercise_is_solved_right_and_wrong(app: Flask, guest: Visitor) -> None:
    keys = [key for key in engine.TECHNIQUES if key not in ("trial", "brute_force")]
    for key in keys:
        posed = exercise(app, key)
        wrong = guest.post(f"/learn/{key}/try", {"marks": wrong_marks(posed)}, htmx=True)
        assert wrong.status_code == 200, key
        assert "marking__said--right" not in wrong.text, key
        assert "marking__wrong" in wrong.text, key
        right = guest.post(f"/learn/{key}/try", {"marks": marks_of(posed.steps[0])}, htmx=True)
        assert "marking__said--right" in right.text, (key, right.text)
    assert states(app) == dict.fromkeys(keys, State.PRACTICED)


@pytest.mark.parametrize("stage", ["1", "2", "3", "9", "x"])
def test_the_example_goes_step_by_step(guest: Visitor, stage: str) -> None:
    guest.get(f"/learn/{KEY}?tab=example&at={stage}")
    heading = guest.page.select_one(".lesson__panel h2")
    assert heading is not None
    shown = {"1": "1", "2": "2", "x": "1"}.get(stage, "3")
    assert heading.text.startswith(shown)
    assert (guest.page.select_one("#overlay") is None) == (shown == "3")


def test_the_answers_are_shown_only_when_asked_for(guest: Visitor) -> None:
    for tab in ("try", "near"):
        guest.get(f"/learn/{KEY}?tab={tab}")
        assert guest.page.select_one("#overlay") is None
        guest.get(f"/learn/{KEY}?tab={tab}&show=1")
        assert guest.page.select_one("#overlay") is not None


def test_a_near_miss_says_what_it_is_mistaken_for_and_what_is_in_the_way(app: Flask, guest: Visitor) -> None:
    text = guest.get(f"/learn/{KEY}?tab=near&show=1").text
    with app.app_context():
        near = store.lesson(KEY).near_miss
    assert near is not None and near.missed is not None
    cell, _digit = min(near.spoiling)
    assert f">{cell_name(cell)}</button>" in text
    assert "can still be" in text
    for digit_gone in guest.page.select(".lesson__note .step"):
        said = digit_gone.get_text()
        assert all(cell_name(cell) in said for cell, _ in near.missed.eliminations)


def test_a_near_miss_of_a_full_house_names_the_other_empty_cell(guest: Visitor) -> None:
    text = guest.get("/learn/full_house?tab=near&show=1").text
    assert "is still empty" in text
    assert "The missing digit is" in text


@pytest.mark.parametrize("key", sorted(WITHOUT))
def test_a_lesson_without_a_near_miss_says_why(guest: Visitor, key: str) -> None:
    assert "There’s no near miss here" in guest.get(f"/learn/{key}?tab=near").text


@pytest.mark.parametrize("htmx", [True, False])
def test_marks_that_cannot_be_read_are_named(guest: Visitor, htmx: bool) -> None:
    response = guest.post(f"/learn/{KEY}/try", {"marks": "r9c10-3"}, htmx=htmx)
    assert response.status_code == 422
    assert "r9c10-3" in response.text
    assert ("<html" in response.text) != htmx


def test_without_javascript_the_marks_stay_on_the_board(app: Flask, guest: Visitor) -> None:
    line = wrong_marks(exercise(app, KEY))
    guest.post(f"/learn/{KEY}/try", {"marks": line})
    field = guest.page.select_one("#marks")
    assert field is not None
    assert field["value"] == line
    assert guest.page.select_one(".marking__wrong") is not None


# Tests of a tier.


def asked_of(visitor: Visitor, tier: int) -> list[str]:
    """The techniques that a test has asked for, the last of them now; its page names none."""
    page = visitor.get(f"/learn/tiers/{tier}")
    with visitor.client.session_transaction() as session:
        found: list[str] = session["tier_test"]["asked"]
    assert technique_name(found[-1]) not in page.text
    return found


def answer(app: Flask, visitor: Visitor, tier: int, *, right: bool, htmx: bool = False) -> str:
    """Answer the position that a test shows. Returns the response."""
    asked = asked_of(visitor, tier)
    posed = exercise(app, asked[-1])
    marks = marks_of(posed.steps[0]) if right else wrong_marks(posed)
    return visitor.post(f"/learn/tiers/{tier}", {"marks": marks, "position": len(asked)}, htmx=htmx).text


@pytest.mark.parametrize("htmx", [True, False])
def test_passing_a_test_masters_the_tier(app: Flask, guest: Visitor, htmx: bool) -> None:
    reply = ""
    for number in range(1, 4):
        guest.get("/learn/tiers/3")
        assert f"position {number} of 3" in guest.page.text
        reply = answer(app, guest, 3, right=True, htmx=htmx)
    assert "You’ve mastered the whole path" in reply
    assert states(app) == dict.fromkeys(path.keys_of(3), State.MASTERED)


def test_a_test_asks_for_each_family_once(app: Flask, guest: Visitor) -> None:
    asked: list[str] = []
    for _number in range(testing.length(4)):
        asked = asked_of(guest, 4)
        answer(app, guest, 4, right=True)
    families = [engine.TECHNIQUES[key].family for key in asked]
    assert sorted(families) == sorted({engine.TECHNIQUES[key].family for key in testing.candidates(4)})


def test_in_a_test_a_step_of_another_technique_is_right() -> None:
    position = store.shipped.positions()["skyscraper"]["worked"].position
    step = engine.find(position, "skyscraper")[0]
    judgment = judging.judge_any(position, "x_wing", ["swordfish", "skyscraper"], (), step.eliminations)
    assert judgment.right and "Skyscraper" in judgment.text
    assert not judging.judge_any(position, "x_wing", ["swordfish"], (), step.eliminations).right


def test_a_mistake_starts_a_test_over(app: Flask, guest: Visitor) -> None:
    answer(app, guest, 3, right=True)
    assert "starts over" in answer(app, guest, 3, right=False)
    assert "position 1 of 3" in guest.get("/learn/tiers/3").text
    assert states(app) == {}


@pytest.mark.parametrize(("tier", "pressed"), [(2, "place"), (3, "strike")])
def test_a_test_starts_in_the_mode_that_its_answer_takes(
    app: Flask, guest: Visitor, monkeypatch: pytest.MonkeyPatch, tier: int, pressed: str
) -> None:
    def takes(technique: str) -> str:
        return "place" if exercise(app, technique).steps[0].placements else "strike"

    # A test draws its techniques, and those of a tier take either.
    asked = next(key for key in testing.candidates(tier) if takes(key) == pressed)
    monkeypatch.setattr(testing, "candidates", lambda _tier: [asked])
    guest.get(f"/learn/tiers/{tier}")
    modes = {str(each["value"]): each["aria-pressed"] for each in guest.page.select(".modes__mode")}
    assert [mode for mode, on in modes.items() if on == "true"] == [pressed]


def test_an_incomplete_answer_changes_nothing(guest: Visitor) -> None:
    guest.get("/learn/tiers/2")
    guest.post("/learn/tiers/2", {"marks": "", "position": 1})
    assert "position 1 of 3" in guest.get("/learn/tiers/2").text


def test_an_answer_to_another_position_is_refused(guest: Visitor) -> None:
    guest.get("/learn/tiers/3")
    assert guest.post("/learn/tiers/3", {"marks": "", "position": 2}).status_code == 409


def test_marks_of_a_test_that_cannot_be_read_are_named(guest: Visitor) -> None:
    for htmx in (True, False):
        response = guest.post("/learn/tiers/2", {"marks": "what", "position": 1}, htmx=htmx)
        assert response.status_code == 422
        assert "what" in response.text
