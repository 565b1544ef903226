"""The path, the lessons of all techniques, and players' progress."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.geometry import cell_name
from tests.webapp.visitors import SetClock, Visitor
from webapp.learn import positions
from webapp.learn.lessons import path, progress
from webapp.learn.lessons.basics import BASICS, GIVENS
from webapp.learn.lessons.progress import State
from webapp.learn.lessons.reference import HOMES, REFERENCE
from webapp.learn.lessons.texts import LESSONS
from webapp.learn.lessons.views import _leading_to, aliases_of, lesson_name
from webapp.learn.marks import Marks
from webapp.models import Attempt, LessonProgress, Player, Puzzle
from webapp.process.database import db, write_tx
from webapp.web.i18n import catalogs
from webapp.web.i18n.choice import COOKIE

KEY = "skyscraper"


# The pictures.


@pytest.mark.parametrize("key", ["full_house", "hidden_single", "naked_single"])
def test_the_picture_of_a_single_shows_what_leads_to_it(key: str) -> None:
    for posed in positions.of(key).found:
        step = posed.steps[0]
        board = _leading_to(step, posed.position.grid)
        assert sum(map(bool, board.digits)) < sum(map(bool, posed.position.grid.digits))
        [(cell, digit)] = step.placements
        found = engine.find(engine.Position.from_grid(board), key)
        assert (cell, digit) in {spot for each in found for spot in each.placements}


# The words.


def test_every_technique_has_a_lesson_or_a_place_in_the_reference() -> None:
    assert list(LESSONS) == list(path.techniques())
    assert sorted([*LESSONS, *REFERENCE, *HOMES]) == sorted(engine.TECHNIQUES)
    assert set(HOMES.values()) <= {*LESSONS, *REFERENCE}


def test_each_says_what_it_is_in_two_sentences() -> None:
    for key, text in (LESSONS | REFERENCE).items():
        assert len(re.findall(r"[.!?](?= |$)", str(text.what))) == 2, key


def test_no_two_lessons_say_the_same() -> None:
    assert len({str(text.what) for text in LESSONS.values()}) == len(LESSONS)
    assert len({str(text.spot) for text in LESSONS.values()}) == len(LESSONS)


def test_a_name_used_elsewhere_means_one_technique() -> None:
    names = [alias for text in (LESSONS | REFERENCE).values() for alias in text.aliases]
    own = [technique.name for technique in engine.TECHNIQUES.values()]
    assert len({name.casefold() for name in names + own}) == len(names + own)


# The path.


def test_the_path_works(guest: Visitor) -> None:
    assert guest.get("/learn").status_code == 200
    tiles = [link["href"] for link in guest.page.select(".path__tile a")]
    assert tiles == [f"/learn/{key}" for key in path.keys_of(2)]
    assert [link.text for link in guest.page.select(".button--primary")] == ["Start lesson"]
    assert guest.page.find(id="next-title").text == "The words we use", "names of cells come first"


def test_every_lesson_and_page_of_the_reference_is_in_the_list_of_all(guest: Visitor) -> None:
    guest.get("/learn?q=")
    linked = {link["href"] for link in guest.page.select(".path__line a")}
    assert linked == {f"/learn/{key}" for key in (*LESSONS, *REFERENCE)}


@pytest.mark.parametrize("tier", path.PATH)
def test_a_path_has_a_tile_for_each_lesson_and_few_controls(guest: Visitor, tier: int) -> None:
    guest.get(f"/learn?tier={tier}")
    assert len(guest.page.select(".path__tile")) == len(path.keys_of(tier))
    assert len(guest.page.select(".path__tile .squares__house")) >= len(path.keys_of(tier)) // 2
    assert len(guest.page.select("main a, main button, main input")) <= 30


def test_the_path_goes_through_tiers_and_each_technique_stands_once() -> None:
    assert len(set(path.order())) == len(path.order()) == len(BASICS) + len(LESSONS)
    assert not any(engine.TECHNIQUES[key].rare for key in path.techniques())
    assert all(path.tier_of(key) == tier for tier, keys in path.PATH.items() for key in keys)
    assert path.after(path.order()[-1]) is None
    assert path.after(next(iter(REFERENCE))) is None


# The first steps.


@pytest.mark.parametrize("key", BASICS)
def test_a_first_step_is_done_by_its_right_choice(app: Flask, guest: Visitor, key: str) -> None:
    """A digit is chosen, and a cell is tapped on the board."""
    basic = BASICS[key]
    assert guest.get(f"/learn/{key}").status_code == 200
    offered = {button["value"] for button in guest.page.select("[name=choice]")}
    assert len(offered) > 2
    guest.post(f"/learn/{key}/try", {"choice": min(offered - basic.right)})
    assert "Look again" in guest.page.find(id="answer").text
    with app.app_context():
        assert db.session.scalar(sa.select(LessonProgress.technique)) is None
    right = min(offered & basic.right)
    reply = guest.post(f"/learn/{key}/try", {"choice": right}, htmx=True).text
    assert f'href="/learn/{path.after(key)}"' in reply
    with app.app_context():
        assert db.session.scalar(sa.select(LessonProgress.technique)) == key


def test_names_of_cells_are_explained_before_a_lesson_asks_for_one() -> None:
    assert next(iter(BASICS)) == "words"


def test_what_first_steps_say_of_their_board_is_so() -> None:
    position = engine.Position.from_grid(engine.parse(GIVENS))
    [pair] = [step for step in engine.find(position, "naked_pair") if step.cells[0].cell == 6]
    hint = BASICS["hints"].overlay
    assert {(ring.cell, ring.digit) for ring in hint.removed} == pair.eliminations
    assert {cell_name(cell) for cell, _digit in pair.eliminations} == BASICS["hints"].right
    singles = {str(step) for step in engine.find(position, "hidden_single")}
    assert {f"hidden_single: {cell}=1" for cell in BASICS["scanning"].right} <= singles
    for cell, noted in BASICS["notes"].notes.items():
        assert set(noted) - {9} <= set(position.candidates(cell))


@pytest.mark.parametrize(
    ("sooner", "later"),
    [
        ("scanning", "hidden_single"),
        ("naked_pair", "locked_pair"),
        ("pointing", "direct_pointing"),
        ("skyscraper", "finned_swordfish"),
        ("two_string_kite", "finned_swordfish"),
        ("xy_wing", "finned_swordfish"),
        ("sue_de_coq", "als_xy_wing"),
    ],
)
def test_what_puzzles_need_more_is_learned_sooner(sooner: str, later: str) -> None:
    assert path.order().index(sooner) < path.order().index(later)


def test_the_next_one_never_jumps_back_while_there_is_one_ahead() -> None:
    keys = path.order()
    assert path.next_one({}) == keys[0]
    assert path.next_one(dict.fromkeys(keys[:5], State.PRACTICED) | {keys[5]: State.SEEN}) == keys[5]
    assert path.next_one({keys[9]: State.PRACTICED}) == keys[10]
    assert path.next_one({keys[-1]: State.PRACTICED}) == keys[0]
    assert path.next_one(dict.fromkeys(keys, State.PRACTICED)) is None


@pytest.mark.parametrize(
    ("code", "name", "key"),
    [
        ("en", "Guardians", "broken_wing"),
        ("en", "X-Cycle", "continuous_nice_loop"),
        ("ja", "2国同盟", "naked_pair"),
        ("de", "entblößter", "naked_single"),
        ("es", "candidatos bloqueados", "pointing"),
        ("zh_Hans", "唯余", "naked_single"),
        ("de", "skyscraper", "skyscraper"),
    ],
)
def test_a_technique_is_found_by_its_names(guest: Visitor, code: str, name: str, key: str) -> None:
    guest.client.set_cookie(COOKIE, code)
    guest.get(f"/learn?q={quote(name)}")
    found = [link["href"] for link in guest.page.select(".path__line a")]
    assert f"/learn/{key}" in found
    assert len(found) < 10


def test_a_name_that_nothing_has_finds_nothing(guest: Visitor) -> None:
    page = guest.get("/learn?q=%3Cb%3Eguessing")
    assert "No technique goes by that name." in page.text
    assert "&lt;b&gt;guessing" in page.text


@pytest.mark.parametrize("code", catalogs.codes(catalogs.CATALOGS))
def test_other_names_of_a_language_are_those_of_techniques(code: str) -> None:
    listed = aliases_of(code)
    assert listed
    assert listed.keys() <= engine.TECHNIQUES.keys()
    assert all(name and name == name.strip() for names in listed.values() for name in names)


# Progress.


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_a_state_is_reached_once_and_never_lost(clock: SetClock) -> None:
    created = progress.record(None, KEY, State.PRACTICED, clock())
    first = clock()
    clock.advance(hours=1)
    for right in (True, False):
        assert progress.record(created.id, KEY, State.SEEN, clock(), right=right) is None
    progress.record(created.id, "x_wing", State.SEEN, clock())
    assert progress.states(created.id) == {KEY: State.PRACTICED, "x_wing": State.SEEN}
    progress.record(created.id, KEY, State.PRACTICED, clock())
    row = db.session.get_one(LessonProgress, (created.id, KEY), populate_existing=True)
    assert (row.seen_at, row.practiced_at, row.drills, row.right) == (first, first, 2, 1)


def test_someone_who_only_reads_leaves_nothing(app: Flask, guest: Visitor) -> None:
    guest.get(f"/learn/{KEY}")
    with app.app_context():
        assert db.session.scalar(sa.select(Player.id)) is None


def test_a_player_has_seen_what_they_opened(ada: Visitor) -> None:
    ada.get(f"/learn/{KEY}")
    ada.get("/learn?q=")
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
    guest.get("/learn?q=")
    assert sum("in 1 of your solves" in line.text for line in guest.page.select(".path__line")) == 2
    assert "puzzle" in guest.get("/learn/full_house").text
    assert guest.page.select(f'a[href="{address}/review"]')


# Lessons and the reference.


@pytest.mark.parametrize(
    "tab", ["", "?tab=example", "?tab=example&at=3", "?tab=try&at=3", "?tab=try&show=1", "?tab=near&show=1"]
)
def test_every_lesson_opens(guest: Visitor, tab: str) -> None:
    for key in LESSONS:
        assert guest.get(f"/learn/{key}{tab}").status_code == 200, key
        assert tab != "?tab=try&at=3" or not guest.page.select("#overlay *"), key


def test_the_reference_shows_names_a_picture_and_the_hint(guest: Visitor) -> None:
    for key in REFERENCE:
        text = guest.get(f"/learn/{key}").text
        assert lesson_name(key) in text
        assert "Hints call it" in text, key
        assert ("path__large" in text) != (key in ("trial", "brute_force")), key
        assert not guest.page.select("#board")


def test_every_key_answers(guest: Visitor) -> None:
    for key, home in HOMES.items():
        response = guest.get(f"/learn/{key}")
        assert (response.status_code, response.location) == (301, f"/learn/{home}")


def test_a_key_may_be_written_in_another_way(guest: Visitor) -> None:
    response = guest.get("/learn/X-Wing")
    assert (response.status_code, response.location) == (301, "/learn/x_wing")


def test_what_is_no_lesson_is_not_found(guest: Visitor) -> None:
    assert guest.get("/learn/no_such").status_code == 404
    assert guest.post("/learn/no_such/try", {"marks": ""}).status_code == 404


def test_three_exercises_lead_to_the_next_lesson_and_a_puzzle(app: Flask, guest: Visitor) -> None:
    for at, posed in enumerate(positions.of(KEY).exercises, 1):
        step = posed.steps[0]
        sent = {"marks": str(Marks(step.placements, step.eliminations)), "at": at}
        guest.post(f"/learn/{KEY}/try", sent)
        answer = guest.page.find(id="answer")
        assert answer.select(".marking__said--right")
        assert ("Next exercise" in answer.text) == (at < positions.EXERCISES)
        assert ("Play a puzzle that needs this" in answer.text) == (at == positions.EXERCISES)
    with app.app_context():
        assert db.session.scalars(sa.select(LessonProgress.practiced_at)).one() is not None


@pytest.mark.parametrize("htmx", [True, False])
def test_marks_that_cannot_be_read_say_why(guest: Visitor, htmx: bool) -> None:
    response = guest.post(f"/learn/{KEY}/try", {"marks": "r9", "at": 2}, htmx=htmx)
    assert response.status_code == 422
    assert "We can’t read" in response.text
