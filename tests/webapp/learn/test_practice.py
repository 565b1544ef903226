"""Practice on the site: drills that are answered once and count, sessions, access."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.learn.drills import stock_up
from tests.webapp.visitors import SetClock, Visitor
from webapp.game.steps.names import technique_name
from webapp.identity import players
from webapp.learn.exercises import judging
from webapp.learn.exercises.posed import Posed
from webapp.learn.lessons import progress
from webapp.learn.marks import Marks
from webapp.learn.practice import cards, drills
from webapp.learn.practice import stock as stocks
from webapp.learn.practice.schedule import Kind
from webapp.learn.state import State
from webapp.models import Drill, Player, PracticeCard, PracticeSession
from webapp.process.database import db, write_tx


@pytest.fixture
def stock(app: Flask) -> Flask:
    """The app with a few drills ready."""
    with app.app_context():
        stock_up()
    return app


def begun(visitor: Visitor, address: str = "/practice/x_wing") -> str:
    """Return the address of a new drill."""
    response = visitor.post(address)
    assert response.status_code == 303, response.text
    return response.location


def the_drill(app: Flask, address: str) -> tuple[Posed, Drill]:
    """Return the drill behind its address, with its solution."""
    with app.app_context():
        drill = db.session.scalars(sa.select(Drill).where(Drill.key == address.rpartition("/")[2])).one()
        return drills.posed(drill), drill


def right_marks(app: Flask, address: str) -> str:
    """Return the marks of one step of the technique."""
    step = the_drill(app, address)[0].steps[0]
    return str(Marks(step.placements, step.eliminations if not step.placements else frozenset()))


def wrong_marks(app: Flask, address: str) -> str:
    """Return a mark that crosses out a digit of the solution."""
    position = the_drill(app, address)[0].position
    assert position.solution is not None
    cell = next(cell for cell in range(81) if not position.grid[cell])
    return str(Marks(eliminations=frozenset({(cell, position.solution[cell])})))


def card_of(app: Flask) -> PracticeCard | None:
    with app.app_context():
        return db.session.scalar(sa.select(PracticeCard).where(PracticeCard.technique == "x_wing"))


def count(app: Flask, table: type[Drill | PracticeCard | PracticeSession | Player]) -> int:
    with app.app_context():
        return db.session.scalar(sa.select(sa.func.count()).select_from(table)) or 0


def outcome(visitor: Visitor) -> str:
    found = visitor.page.find(id="outcome-title")
    assert found is not None, visitor.page.text
    return found.text


def test_it_works(stock: Flask, guest: Visitor) -> None:
    for address in ("/practice", "/practice/x_wing", "/practice/x_wing/there"):
        assert guest.get(address).status_code == 200
    assert count(stock, Player) == 0, "looking makes no player"
    assert guest.get(begun(guest)).status_code == 200
    assert "X-Wing" in guest.page.find("h1").text


def test_right_marks_count_and_bring_it_back_in_minutes(
    stock: Flask, guest: Visitor, clock: SetClock
) -> None:
    address = begun(guest)
    response = guest.post(f"{address}/answers", {"marks": right_marks(stock, address)})
    assert response.status_code == 303
    guest.get(response.location)
    assert outcome(guest) == "Right"
    card = card_of(stock)
    assert card is not None and card.due_at == clock() + timedelta(minutes=2)


def test_wrong_marks_say_why_and_show_the_step(stock: Flask, guest: Visitor, clock: SetClock) -> None:
    address = begun(guest)
    marks = wrong_marks(stock, address)
    guest.get(guest.post(f"{address}/answers", {"marks": marks}).location)
    assert "one more try" in guest.page.find(id="answer").text
    assert not guest.page.select(".drill__step") and card_of(stock) is None
    guest.get(guest.post(f"{address}/answers", {"marks": marks}).location)
    assert outcome(guest) == "Not quite"
    cell, _, digit = marks.partition("-")
    assert cell in guest.page.find(id="answer").text and digit in guest.page.find(id="answer").text
    assert guest.page.select(".drill__step .step") and guest.page.select("#overlay .overlay__strike")
    card = card_of(stock)
    assert card is not None and card.due_at == clock() + timedelta(minutes=1)


def test_part_of_a_step_is_almost_right(stock: Flask, guest: Visitor) -> None:
    address = begun(guest)
    if len(the_drill(stock, address)[0].steps[0].eliminations) == 1:  # the other one has six
        guest.post(f"{address}/answers", {"show": "1"})
        address = begun(guest)
    steps = the_drill(stock, address)[0].steps
    whole = next(step for step in steps if len(step.eliminations) > 1)
    marks = Marks(eliminations=frozenset(sorted(whole.eliminations)[:1]))
    for _try in range(2):
        guest.get(guest.post(f"{address}/answers", {"marks": str(marks)}).location)
    assert outcome(guest) == "Almost"
    assert "missing" in guest.page.find(id="answer").text


@pytest.mark.parametrize("htmx", [True, False])
def test_a_second_try_counts_as_found_with_difficulty(stock: Flask, guest: Visitor, htmx: bool) -> None:
    address = begun(guest)
    first = guest.post(f"{address}/answers", {"marks": wrong_marks(stock, address)}, htmx=htmx)
    assert first.status_code == (200 if htmx else 303)
    guest.get(guest.post(f"{address}/answers", {"marks": right_marks(stock, address)}).location)
    assert outcome(guest) == "Right"
    card = card_of(stock)
    assert card is not None and card.step == 0


def unnamed(app: Flask, visitor: Visitor) -> str:
    """The address of a drill on an X-Wing that isn't named."""
    address = begun(visitor)
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Drill).values(kind=Kind.NEXT))
    return address


def test_a_drill_without_a_name_tells_it_once_it_is_answered(stock: Flask, guest: Visitor) -> None:
    address = unnamed(stock, guest)
    assert "What’s next here?" in guest.get(address).text
    guest.get(guest.post(f"{address}/answers", {"marks": wrong_marks(stock, address)}).location)
    assert not re.search("X-Wing|x_wing", str(guest.page))
    guest.get(guest.post(f"{address}/answers", {"marks": right_marks(stock, address)}).location)
    assert outcome(guest) == "Right" and "X-Wing" in guest.page.find("h1").text


def test_another_technique_is_right_where_none_is_named(
    stock: Flask, guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = unnamed(stock, guest)
    posed = the_drill(stock, address)[0]
    found = judging.judge(posed.position, "x_wing", (), posed.steps[0].eliminations)
    monkeypatch.setattr(drills, "judgment", lambda *_given: replace(found, technique="skyscraper"))
    guest.get(guest.post(f"{address}/answers", {"marks": right_marks(stock, address)}).location)
    assert outcome(guest) == "That works, too"
    assert card_of(stock) is None, "this says nothing of X-Wing"


def test_show_me_explains_and_counts_as_forgotten(stock: Flask, guest: Visitor, clock: SetClock) -> None:
    address = begun(guest)
    guest.get(guest.post(f"{address}/answers", {"show": "1"}).location)
    assert outcome(guest) == "Here’s how"
    assert guest.page.select(".drill__step")
    card = card_of(stock)
    assert card is not None and card.due_at == clock() + timedelta(minutes=1)


def test_only_the_first_answer_counts(stock: Flask, guest: Visitor) -> None:
    address = begun(guest)
    marks = right_marks(stock, address)
    for answer in ({"show": "1"}, {"marks": marks}, {"marks": marks}):
        guest.get(guest.post(f"{address}/answers", answer).location)
        assert outcome(guest) == "Here’s how"
    card = card_of(stock)
    assert card is not None and card.step == 0


@pytest.mark.parametrize("marks", ["", "r1c1", "r1c1=7", "r0c1-1"])
def test_marks_that_cannot_be_read_keep_the_drill_open(stock: Flask, guest: Visitor, marks: str) -> None:
    address = begun(guest)
    assert guest.post(f"{address}/answers", {"marks": marks}).status_code == 422
    assert guest.page.find("input", id="marks")["value"] == marks
    assert guest.post(f"{address}/answers", {"marks": marks}, htmx=True).status_code == 422
    assert guest.page.select(".marking__said--wrong")
    assert the_drill(stock, address)[1].answered_at is None
    assert count(stock, PracticeCard) == 0


@pytest.mark.parametrize("said", ["", "2", "yes"])
def test_yes_or_no_takes_nothing_else(stock: Flask, guest: Visitor, said: str) -> None:
    address = begun(guest, "/practice/x_wing/there")
    assert guest.post(f"{address}/answers", {"there": said}).status_code == 422
    assert the_drill(stock, address)[1].answered_at is None


@pytest.mark.parametrize("nearly", [True, False])
@pytest.mark.parametrize("says", [True, False])
def test_a_right_yes_or_no_is_not_counted_and_a_wrong_one_is(
    stock: Flask, guest: Visitor, nearly: bool, says: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda _most: int(nearly))
    address = begun(guest, "/practice/x_wing/there")
    assert the_drill(stock, address)[0].there is not nearly
    guest.get(guest.post(f"{address}/answers", {"there": str(int(says))}).location)
    right = says is not nearly
    answer = guest.page.find(id="answer")
    assert answer["data-outcome"] == ("right" if right else "wrong")
    assert answer.text.strip().startswith("Right") is right
    assert bool(guest.page.select(".drill__step")) is not nearly
    assert (card_of(stock) is None) is right


def test_an_open_drill_does_not_say_which_half_it_is_from(
    stock: Flask, guest: Visitor, other: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Except for the board, the keys and the token, both pages are the same."""
    pages = []
    for visitor, half in ((guest, 0), (other, 1)):
        monkeypatch.setattr("secrets.randbelow", lambda _most, half=half: half)
        address = begun(visitor, "/practice/x_wing/there")
        visitor.get(address)
        for board in visitor.page.select(".marking__board, [name=csrf_token], meta, body > form"):
            board.decompose()
        visitor.page.find("html").attrs.clear()  # names the reader's language
        visitor.page.find("body")["hx-headers:inherited"] = ""
        pages.append(str(visitor.page).replace(address, "").replace(visitor.token, ""))
    assert pages[0] == pages[1]
    with stock.app_context():
        assert {drill.technique for drill in db.session.scalars(sa.select(Drill))} == {"x_wing"}


def test_a_drill_cannot_be_redrawn(stock: Flask, guest: Visitor) -> None:
    assert {begun(guest) for _ in range(5)} == {begun(guest)}
    assert guest.get("/practice/x_wing").location == begun(guest)
    assert count(stock, Drill) == 1


@pytest.mark.both_databases
def test_what_a_player_has_had_comes_again_only_when_all_was(stock: Flask, guest: Visitor) -> None:
    had = []
    for _ in range(2):
        address = begun(guest)
        had.append(the_drill(stock, address)[0].id)
        guest.post(f"{address}/answers", {"show": "1"})
    assert len(set(had)) == 2
    assert the_drill(stock, begun(guest))[0].id in had


def test_htmx_gets_the_drill_in_the_place_of_the_one_before(stock: Flask, guest: Visitor) -> None:
    address = begun(guest)
    response = guest.post(f"{address}/answers", {"marks": right_marks(stock, address)}, htmx=True)
    assert (response.status_code, response.headers["HX-Retarget"]) == (200, "#drill")
    assert guest.page.find("html") is None and outcome(guest) == "Right"
    response = guest.post("/practice/x_wing", htmx=True)
    assert response.headers["HX-Push-Url"] != address
    assert guest.page.find(id="drill") is not None


def test_techniques_that_are_not_there_are_not_found(stock: Flask, guest: Visitor) -> None:
    for visit in (guest.get, guest.post):
        for address in ("/practice/nothing", "/practice/nothing/there"):
            assert visit(address).status_code == 404
    assert count(stock, Player) == 0


def test_without_drills_everyone_is_asked_to_come_again(app: Flask, guest: Visitor) -> None:
    for address in ("/practice", "/practice/x_wing", "/practice/x_wing/there"):
        assert guest.get(address).status_code == 200
        response = guest.post(address)
        assert (response.status_code, response.headers["Retry-After"]) == (503, "60")
    assert count(app, Player) == 0


@pytest.mark.usefixtures("stock")
def test_a_whole_puzzle_is_a_game_that_needs_it_and_nothing_harder(guest: Visitor) -> None:
    guest.get("/practice/x_wing")
    form = guest.page.find("form", action="/attempts")
    fields = {field["name"]: field["value"] for field in form.select("input")}
    assert (fields["must"], fields["hardest"]) == ("x_wing", "x_wing")


@pytest.mark.usefixtures("stock")
@pytest.mark.parametrize("address", ["drills/x", "drills/" + "x" * 22, "sessions/" + "x" * 22])
def test_what_is_not_there_is_not_found(guest: Visitor, address: str) -> None:
    begun(guest)
    assert guest.get(f"/practice/{address}").status_code == 404


# Sessions.


def answered(app: Flask, visitor: Visitor, address: str) -> str:
    """Answer a drill of a session rightly and press the next button. Returns where that leads."""
    exercise, drill = the_drill(app, address)
    answer = (
        {"there": str(int(exercise.there))} if drill.kind == "there" else {"marks": right_marks(app, address)}
    )
    visitor.get(visitor.post(f"{address}/answers", answer).location)
    return visitor.post(visitor.page.select_one(".drill__next form")["action"]).location


@pytest.mark.both_databases
def test_a_session_goes_through_what_is_to_be_learned(stock: Flask, guest: Visitor, clock: SetClock) -> None:
    address = begun(guest, "/practice")
    asked = []
    while "/drills/" in address:
        drill = the_drill(stock, address)[1]
        asked.append((drill.technique, drill.kind))
        clock.advance(seconds=40)
        address = answered(stock, guest, address)
    # There are no near misses of singles here, so they come as steps to find.
    assert [f"{kind} {key}" for key, kind in asked[:4]] == [
        "find naked_single",
        "there x_wing",
        "next naked_single",
        "find x_wing",
    ]
    assert len(asked) == 8  # in 320 seconds: the last one was begun before the fifth minute was over
    assert guest.get(address).status_code == 200
    rows = [[cell.text.strip() for cell in row.select("th, td")] for row in guest.page.select("tbody tr")]
    assert rows[0][0] == "Naked Single" and rows[0][2:] == ["Practiced", "in 2 days"]
    with stock.app_context():
        player = db.session.scalars(sa.select(Player.id)).one()
        assert cards.states(player) == dict.fromkeys(("naked_single", "x_wing"), State.PRACTICED)
        assert cards.due(player, clock()) == []
        assert cards.due(player, clock() + timedelta(days=2)) == ["naked_single", "x_wing"]


def test_what_a_player_has_tested_out_of_comes_last(stock: Flask, guest: Visitor, clock: SetClock) -> None:
    guest.start()
    with stock.app_context():
        player = db.session.scalars(sa.select(Player.id)).one()
        assert stocks.path(player) == ["naked_single", "x_wing"]
        progress.record(player, ["naked_single"], State.MASTERED, clock())
        assert stocks.path(player) == ["x_wing", "naked_single"]


def test_starting_twice_goes_on_with_the_same_session(stock: Flask, guest: Visitor, clock: SetClock) -> None:
    first = begun(guest, "/practice")
    clock.advance(minutes=4)
    assert begun(guest, "/practice") == first
    assert count(stock, PracticeSession) == 1
    clock.advance(minutes=60)
    assert begun(guest, "/practice") == first  # the open one comes first in a new session
    assert count(stock, PracticeSession) == 2


@pytest.mark.usefixtures("stock")
def test_a_session_can_be_ended_early(guest: Visitor) -> None:
    drill = begun(guest, "/practice")
    guest.get(drill)
    end = guest.page.select_one(".drill__stop")["action"]
    for _ in range(2):
        response = guest.post(end)
        assert response.status_code == 303
    guest.get(response.location)
    assert "No drills answered" in guest.page.text
    assert guest.post(f"{end.removesuffix('/ending')}/drills").location == response.location
    assert guest.post(end, htmx=True).headers["HX-Redirect"] == response.location


@pytest.mark.usefixtures("stock")
def test_home_and_practice_say_what_is_due(ada: Visitor, clock: SetClock) -> None:
    for number, (address, words) in enumerate(
        (("/", "1 technique to practice"), ("/practice", "1 technique due"))
    ):
        if not number:
            drill = begun(ada)
            ada.post(f"{drill}/answers", {"show": "1"})
            ada.start()
            clock.advance(days=1)
        ada.get(address)
        assert words in ada.page.text and technique_name("x_wing") in ada.page.text


# Ownership.


def practiced(app: Flask, visitor: Visitor, **answer: str) -> None:
    address = begun(visitor)
    visitor.post(f"{address}/answers", answer or {"marks": right_marks(app, address)})


@pytest.mark.both_databases
def test_an_account_takes_over_what_a_guest_has_practiced(stock: Flask, app: Flask, clock: SetClock) -> None:
    ada = Visitor(app)
    ada.register("Ada")
    practiced(stock, ada, show="1")
    begun(ada, "/practice/x_wing")
    begun(ada, "/practice")
    clock.advance(hours=1)
    guest = Visitor(app)
    practiced(stock, guest)
    session, drill = begun(guest, "/practice"), begun(guest)
    assert guest.sign_in("Ada").status_code == 303
    card = card_of(stock)
    assert card is not None and card.reviewed_at == clock()  # the one reviewed last
    assert guest.get(drill).status_code == guest.get(session).status_code == 200
    assert (count(stock, Player), count(stock, PracticeCard), count(stock, PracticeSession)) == (1, 1, 2)


@pytest.mark.both_databases
def test_deleting_a_player_deletes_their_practice(stock: Flask, guest: Visitor) -> None:
    practiced(stock, guest)
    begun(guest, "/practice")
    assert guest.post("/account/deletion", {"sure": "1"}).status_code == 303
    tables: tuple[type[Drill | PracticeCard | PracticeSession], ...] = (Drill, PracticeCard, PracticeSession)
    assert [count(stock, table) for table in tables] == [0, 0, 0]


def test_the_export_has_cards_and_drills(stock: Flask, guest: Visitor) -> None:
    practiced(stock, guest)
    text = guest.get("/account/export").text
    assert '"practice_cards"' in text and '"outcome": "right"' in text


def test_guests_who_practice_are_kept(stock: Flask, guest: Visitor, other: Visitor, clock: SetClock) -> None:
    practiced(stock, guest)
    begun(other)
    clock.advance(days=31)
    with stock.app_context():
        assert players.forget_unused_guests(clock()) == 1
    assert count(stock, Player) == count(stock, PracticeCard) == 1
