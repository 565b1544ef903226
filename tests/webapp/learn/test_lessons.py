"""The path, the lessons of all techniques, and players' progress."""

from __future__ import annotations

import re
from itertools import chain, cycle
from urllib.parse import quote

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.geometry import PEERS, cell_name
from tests.webapp.visitors import SetClock, Visitor
from webapp.learn.exercises import shipped
from webapp.learn.lessons import path, progress
from webapp.learn.lessons.aliases import aliases_of
from webapp.learn.lessons.basics import BASICS, GIVENS
from webapp.learn.lessons.texts import FAMILIES, LESSONS
from webapp.learn.lessons.views import TABS, _leading_to
from webapp.learn.state import State
from webapp.models import Attempt, LessonProgress, Player, Puzzle
from webapp.process.database import db, write_tx
from webapp.web.i18n import catalogs
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


@pytest.mark.parametrize(("code", "names"), [("de", []), ("es", ["en inglés: Skyscraper"])])
def test_the_english_name_is_shown_if_it_differs(guest: Visitor, code: str, names: list[str]) -> None:
    guest.client.set_cookie(COOKIE, code)
    guest.get(f"/learn/{KEY}")
    assert [words.text for words in guest.page.select(".lesson__english")] == names


# The path.


def test_the_path_works(guest: Visitor) -> None:
    assert guest.get("/learn").status_code == 200
    tiles = [link["href"] for link in guest.page.select(".path__tile a")]
    assert tiles == [*(f"/learn/{key}" for key in path.keys_of(2)), "/learn/tiers/2"]
    assert [link.text for link in guest.page.select(".button--primary")] == ["Start lesson"]
    assert guest.page.find(id="next-title").text == "Scanning", "a beginner starts at scanning"


def test_every_technique_is_in_the_list_of_all(guest: Visitor) -> None:
    guest.get("/learn?q=")
    linked = {link["href"] for link in guest.page.select(".path__line a")}
    assert linked == {f"/learn/{key}" for key in engine.TECHNIQUES}


@pytest.mark.parametrize("tier", path.PATH)
def test_a_path_has_a_tile_for_each_lesson_and_few_controls(guest: Visitor, tier: int) -> None:
    guest.get(f"/learn?tier={tier}")
    assert len(guest.page.select(".path__tile")) == len(path.keys_of(tier)) + 1
    assert len(guest.page.select(".path__tile .squares__house")) >= len(path.keys_of(tier)) // 2
    assert len(guest.page.select("main a, main button, main input")) <= 30


def test_the_path_goes_through_tiers_and_each_technique_stands_once() -> None:
    assert sorted([*path.order(), *chain.from_iterable(map(path.rare, path.PATH))]) == sorted(
        [*BASICS, *engine.TECHNIQUES]
    )
    assert not any(engine.TECHNIQUES[key].rare for key in path.order() if key not in BASICS)
    assert all(path.tier_of(key) == tier for tier, keys in path.PATH.items() for key in keys)
    assert path.after(path.order()[-1]) is None
    assert path.after(path.rare(5)[0]) is None


# The first steps.


@pytest.mark.parametrize("key", BASICS)
def test_a_first_step_is_done_by_its_right_choice(app: Flask, guest: Visitor, key: str) -> None:
    basic = BASICS[key]
    wrong = next(each for each in basic.choices if each != basic.right)
    assert guest.get(f"/learn/{key}").status_code == 200
    guest.post(f"/learn/{key}/try", {"choice": wrong})
    assert "Look again" in guest.page.find(id="answer").text
    with app.app_context():
        assert db.session.scalar(sa.select(LessonProgress.technique)) is None
    reply = guest.post(f"/learn/{key}/try", {"choice": basic.right}, htmx=True).text
    assert f'href="/learn/{path.after(key)}"' in reply
    with app.app_context():
        assert db.session.scalar(sa.select(LessonProgress.technique)) == key


def test_what_first_steps_say_of_their_board_is_so() -> None:
    position = engine.Position.from_grid(engine.parse(GIVENS))
    [pair] = [step for step in engine.find(position, "naked_pair") if step.cells[0].cell == 6]
    hint = BASICS["hints"].overlay
    assert {(ring.cell, ring.digit) for ring in hint.removed} == pair.eliminations
    singles = {str(step) for step in engine.find(position, "hidden_single")}
    assert f"hidden_single: {BASICS['scanning'].right}=1" in singles
    names = {cell_name(cell) for cell in PEERS[33]}  # of r4c7
    seen = [cell for cell in BASICS["words"].choices if cell in names]
    assert seen == [BASICS["words"].right]
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
    assert path.next_one(dict.fromkeys(keys, State.MASTERED)) is None


@pytest.mark.parametrize(
    ("code", "name", "key"),
    [
        ("en", "Guardians", "broken_wing"),
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


# Lessons.


def test_every_lesson_opens(guest: Visitor) -> None:
    """Each at one of its tabs, in alternation; browsers open them all (the campaign `lessons`)."""
    for key, tab in zip(engine.TECHNIQUES, cycle(TABS), strict=False):
        response = guest.get(f"/learn/{key}?tab={tab}")
        assert response.status_code == 200, key
        assert f'href="/learn/{key}"' in response.text, key


def test_a_key_may_be_written_in_another_way(guest: Visitor) -> None:
    response = guest.get("/learn/X-Wing")
    assert (response.status_code, response.location) == (301, "/learn/x_wing")


@pytest.mark.parametrize("address", ["/learn/no_such", "/learn/tiers/1", "/learn/tiers/6"])
def test_what_is_no_lesson_is_not_found(guest: Visitor, address: str) -> None:
    assert guest.get(address).status_code == 404


def test_an_exercise_of_no_technique_is_not_found(guest: Visitor) -> None:
    assert guest.post("/learn/no_such/try", {"marks": ""}).status_code == 404
