"""The path, the lessons of all techniques, and how far players are with them."""

from __future__ import annotations

import re
from itertools import cycle

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.visitors import SetClock, Visitor
from webapp.learn.exercises import shipped
from webapp.learn.lessons import path, progress
from webapp.learn.lessons.texts import FAMILIES, LESSONS
from webapp.learn.lessons.views import TABS, _leading_to
from webapp.learn.state import State
from webapp.models import Attempt, LessonProgress, Player, Puzzle
from webapp.process.database import db, write_tx
from webapp.web.i18n.choice import COOKIE

KEY = "skyscraper"


# The pictures.


@pytest.mark.parametrize("key", ["full_house", "hidden_single", "naked_single"])
def test_the_picture_of_a_single_shows_what_leads_to_it(key: str) -> None:
    for posed in shipped.positions()[key].values():
        if not posed.steps:
            continue
        step = posed.steps[0]
        board = _leading_to(step, posed.position.grid)
        assert sum(map(bool, board.digits)) < sum(map(bool, posed.position.grid.digits))
        [(cell, digit)] = step.placements
        found = engine.find(engine.Position.from_grid(board), key)
        assert (cell, digit) in {spot for each in found for spot in each.placements}, posed.givens


# The words.


def test_every_technique_has_a_lesson_of_two_sentences() -> None:
    assert list(LESSONS) and set(LESSONS) == set(engine.TECHNIQUES)
    for key, text in LESSONS.items():
        assert len(re.findall(r"[.!?](?= |$)", str(text.what))) == 2, key


def test_no_two_lessons_say_the_same() -> None:
    assert len({str(text.what) for text in LESSONS.values()}) == len(LESSONS)


def test_every_family_has_its_words() -> None:
    assert set(FAMILIES) == {technique.family for technique in engine.TECHNIQUES.values()}


def test_a_name_used_elsewhere_means_one_technique() -> None:
    names = [alias for text in LESSONS.values() for alias in text.aliases]
    own = [technique.name for technique in engine.TECHNIQUES.values()]
    assert len({name.casefold() for name in names + own}) == len(names + own)


def test_a_lesson_is_related_to_others() -> None:
    for key, text in LESSONS.items():
        assert text.related, key
        assert key not in text.related
        assert set(text.related) <= set(LESSONS), key


@pytest.mark.parametrize(("code", "told"), [("de", []), ("es", ["en inglés: Skyscraper"])])
def test_the_english_name_is_told_where_it_is_another(guest: Visitor, code: str, told: list[str]) -> None:
    guest.client.set_cookie(COOKIE, code)
    guest.get(f"/learn/{KEY}")
    assert [words.text for words in guest.page.select(".lesson__english")] == told


# The path.


def test_the_path_works(guest: Visitor) -> None:
    page = guest.get("/learn")
    assert page.status_code == 200
    linked = {link["href"] for link in guest.page.select(".path__line a")}
    assert linked == {f"/learn/{key}" for key in engine.TECHNIQUES}
    assert "Next: Hidden Single" in page.text, "a beginner starts at scanning"


def test_the_path_goes_through_tiers_and_each_technique_once() -> None:
    assert sorted(path.order()) == sorted(engine.TECHNIQUES)
    tiers = [path.tier_of(key) for key in path.order()]
    assert tiers == sorted(tiers)
    assert path.after(path.order()[-1]) is None


def test_the_next_one_is_the_first_not_practiced() -> None:
    done = dict.fromkeys(path.order()[:5], State.PRACTICED)
    assert path.next_one(done | {path.order()[5]: State.SEEN}) == path.order()[5]
    assert path.next_one(dict.fromkeys(path.order(), State.MASTERED)) is None


# Progress.


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_a_state_is_reached_once_and_never_lost(clock: SetClock) -> None:
    created = progress.record(None, [KEY], State.PRACTICED, clock())
    assert created is not None
    first = clock()
    clock.advance(hours=1)
    assert progress.record(created.id, [KEY, "x_wing"], State.SEEN, clock()) is None
    assert progress.states(created.id) == {KEY: State.PRACTICED, "x_wing": State.SEEN}
    progress.record(created.id, [KEY], State.MASTERED, clock())
    assert progress.states(created.id)[KEY] is State.MASTERED
    row = db.session.get_one(LessonProgress, (created.id, KEY))
    assert (row.seen_at, row.practiced_at, row.mastered_at) == (first, first, clock())


def test_someone_who_only_reads_leaves_nothing(app: Flask, guest: Visitor) -> None:
    guest.get(f"/learn/{KEY}")
    with app.app_context():
        assert db.session.scalar(sa.select(Player.id)) is None


def test_a_player_has_seen_what_they_opened(ada: Visitor) -> None:
    ada.get(f"/learn/{KEY}")
    ada.get("/learn")
    line = next(line for line in ada.page.select(".path__line") if "Skyscraper" in line.text)
    assert "seen" in line.text


def test_the_path_counts_the_solves_that_used_a_technique(
    app: Flask, guest: Visitor, clock: SetClock
) -> None:
    address = guest.start(level=1)
    with app.app_context(), write_tx():
        attempt = db.session.get_one(Attempt, address.rpartition("/")[2])
        attempt.finished_at, attempt.elapsed_ms = clock(), 1000
        puzzle = db.session.get_one(Puzzle, attempt.puzzle_id)
        puzzle.breakdown = '{"counts": {"full_house": 3, "hidden_single": 40}}'
    guest.get("/learn")
    assert sum("in 1 of your solves" in line.text for line in guest.page.select(".path__line")) == 2
    assert "puzzle" in guest.get("/learn/full_house").text
    assert guest.page.select(f'a[href="{address}/review"]')


# Lessons.


def test_every_lesson_opens(guest: Visitor) -> None:
    """Each at one of its tabs, in turns; browsers open them all (`make lessons`)."""
    for key, tab in zip(engine.TECHNIQUES, cycle(TABS), strict=False):
        response = guest.get(f"/learn/{key}?tab={tab}")
        assert response.status_code == 200, key
        assert f'href="/learn/{key}"' in response.text, key


def test_a_key_may_be_written_in_another_way(guest: Visitor) -> None:
    response = guest.get("/learn/X-Wing")
    assert (response.status_code, response.location) == (301, "/learn/x_wing")


@pytest.mark.parametrize("address", ["/learn/no_such", "/learn/tiers/0", "/learn/tiers/6"])
def test_what_is_no_lesson_is_not_found(guest: Visitor, address: str) -> None:
    assert guest.get(address).status_code == 404


def test_an_exercise_of_no_technique_is_not_found(guest: Visitor) -> None:
    assert guest.post("/learn/no_such/try", {"marks": ""}).status_code == 404


def test_an_answer_is_a_form(guest: Visitor) -> None:
    assert guest.get(f"/learn/{KEY}/try").status_code == 405
    assert guest.post(f"/learn/{KEY}").status_code == 405
