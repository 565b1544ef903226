"""The desk's calendar: scheduling puzzles, its rules, and the audit log."""

from __future__ import annotations

import json
import threading
from datetime import date, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from werkzeug.test import TestResponse

import engine
from tests.webapp.competition.test_schedule import scheduled, stored
from tests.webapp.conftest import EASY, solution_of
from tests.webapp.curation.test_team import of_role
from tests.webapp.desk import Curator, curator_of, log, undone
from tests.webapp.visitors import SetClock, Visitor
from webapp.bank import bank
from webapp.competition.daily import schedule
from webapp.competition.daily.schedule import Refused, Seen
from webapp.models import AuditEntry, Daily, Peek, Puzzle, Role, Status
from webapp.process.database import db, write_tx
from webapp.process.errors import Changed

NOW = SetClock.time
TODAY = date(2026, 3, 1)
CALENDAR = "/admin/calendar"


def day(number: int) -> date:
    """Return a day by its distance from today."""
    return TODAY + timedelta(days=number)


def canonical(givens: str) -> str:
    return str(engine.canonical_form(engine.parse(givens)))


def new(app: Flask, level: int = 2, **columns: object) -> int:
    """Add a fresh approved puzzle. Returns its number."""
    with app.app_context():
        return stored(level, **columns).id


def put(app: Flask, number: int, level: int = 2, **columns: object) -> int:
    """Schedule a fresh puzzle by itself. Returns its number."""
    with app.app_context():
        return scheduled(day(number), level, stored(level, **columns)).puzzle_id


def on(app: Flask, number: int, level: int = 2) -> int | None:
    """Return the puzzle scheduled on a day."""
    with app.app_context():
        query = sa.select(Daily.puzzle_id).where(Daily.date == day(number), Daily.level == level)
        return db.session.scalar(query)


def puzzle_now(app: Flask, puzzle_id: int) -> sa.Row[str, int]:
    """Return status and version of a puzzle."""
    with app.app_context():
        query = sa.select(Puzzle.status, Puzzle.version).where(Puzzle.id == puzzle_id)
        return db.session.execute(query).one()


def assign(cora: Visitor, number: int, puzzle: object, *, htmx: bool = False, **more: object) -> TestResponse:
    fields = {"date": day(number).isoformat(), "level": "2", "puzzle": puzzle, **more}
    return cora.post(CALENDAR, fields, htmx=htmx)


def words(cora: Visitor) -> str:
    """Return the calendar's message, without the offer to undo."""
    message = cora.page.find(id="calendar-told")
    assert message is not None
    return message.get_text(" ", strip=True).removesuffix(" Undo U")


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator) -> None:
    """A gap is shown, a puzzle chosen for it, and the page moves on to the next gap."""
    new(app)
    assert cora.get(CALENDAR).status_code == 200
    stock = cora.page.find(id="calendar-stock")
    assert stock is not None and stock.get_text() == "Next 14 days: 42 unfilled"
    cora.get(f"{CALENDAR}?date={day(1)}&level=2")
    choice = cora.page.find(attrs={"data-choose": True})
    assert choice is not None
    answer = assign(cora, 1, choice["value"])
    assert answer.status_code == 303
    assert answer.location.startswith(f"{CALENDAR}?date={day(2)}&level=2&said=assigned")
    number = int(str(choice["value"]).partition(":")[0])
    assert on(app, 1) == number
    assert puzzle_now(app, number) == (Status.DAILY, 1)
    with app.app_context():
        assert db.session.scalars(sa.select(Daily)).one().by_hand
        entry = db.session.scalars(sa.select(AuditEntry).where(AuditEntry.subject == "puzzle")).one()
    assert (entry.curator_name, entry.action, entry.subject_id) == ("Cora", "schedule", str(number))
    assert json.loads(entry.before or "") == {"status": "approved", "date": None, "level": None}
    assert json.loads(entry.after or "") == {
        "status": "daily",
        "date": day(1).isoformat(),
        "level": 2,
    }
    assert cora.get(answer.location).status_code == 200
    assert words(cora) == f"#{number} is now the Easy daily for Mon, March 2."


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("month=2026-13", 422),
        ("month=March", 422),
        ("month=2025-12", 404),
        ("month=2029-01", 404),
        ("date=2026-02-30&level=2", 422),
        ("date=2026-03-02&level=1", 422),
        ("date=2026-03-02&level=x", 422),
        ("date=2025-03-02&level=2", 422),
        ("date=9999-12-31&level=2", 422),
        ("puzzle=x", 422),
        ("puzzle=99999999999", 422),
        ("puzzle=999999999", 200),
        ("said=filled:x:y", 200),
        ("month=2026-01", 200),
    ],
)
def test_an_address_that_makes_no_sense_is_said_so(cora: Curator, query: str, status: int) -> None:
    assert cora.get(f"{CALENDAR}?{query}").status_code == status


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"date": "2026-02-30"}, "date:"),
        ({"date": ""}, "date:"),
        ({"date": "2031-01-01"}, "date:"),
        ({"level": "1"}, "level:"),
        ({"level": "x"}, "level:"),
        ({"puzzle": ""}, "puzzle:"),
        ({"puzzle": "two"}, "puzzle:"),
        ({"puzzle": "1:x"}, "puzzle:"),
        ({"puzzle": "99999999"}, "There’s no puzzle #99999999."),
        ({"instead": "x"}, "instead:"),
    ],
)
def test_a_form_that_makes_no_sense_changes_nothing(
    app: Flask, cora: Curator, fields: dict[str, str], named: str
) -> None:
    number = new(app)
    asked = {"date": day(1).isoformat(), "level": "2", "puzzle": str(number), **fields}
    for htmx in (False, True):
        assert cora.post(CALENDAR, asked, htmx=htmx).status_code == 422
        assert named in words(cora)
    assert on(app, 1) is None
    assert log(app) == []


def test_a_form_without_fields_changes_nothing(app: Flask, cora: Curator) -> None:
    for address in ("", "/removals", "/moves", "/fillings"):
        assert cora.post(CALENDAR + address).status_code == 422
    assert log(app) == []


@pytest.mark.parametrize("number", [-1, 0])
def test_released_days_are_untouchable(app: Flask, cora: Curator, number: int) -> None:
    released, later, spare = put(app, number), put(app, 3), new(app)
    here = {"date": day(number).isoformat(), "level": "2", "instead": str(released)}
    assert cora.post(CALENDAR, {**here, "puzzle": spare}).status_code == 422
    assert "released" in words(cora)
    assert cora.post(f"{CALENDAR}/removals", here).status_code == 422
    assert cora.post(f"{CALENDAR}/moves", {**here, "to": day(5).isoformat()}).status_code == 422
    there = {"date": day(3).isoformat(), "level": "2", "instead": str(later)}
    assert cora.post(f"{CALENDAR}/moves", {**there, "to": day(number).isoformat()}).status_code == 422
    assert (on(app, number), on(app, 3)) == (released, later)
    assert log(app) == []
    cora.get(f"{CALENDAR}?date={day(number)}&level=2")
    assert cora.page.find(attrs={"data-choose": True}) is None


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"status": Status.CANDIDATE}, "isn’t approved yet"),
        ({"status": Status.REJECTED}, "isn’t approved yet"),
        ({"status": Status.ENTERED}, "There’s no puzzle"),
        ({"shown_at": NOW}, "Players have already seen"),
        ({"first_started_at": NOW}, "Players have already seen"),
        ({"level": 3}, "is Medium, but this slot is for Easy"),
    ],
)
def test_only_what_nobody_has_met_and_fits_can_be_chosen(
    app: Flask, cora: Curator, columns: dict[str, object], said: str
) -> None:
    number = new(app, **columns)
    assert assign(cora, 1, number).status_code == 422
    assert said in words(cora)
    cora.get(f"{CALENDAR}?date={day(1)}&level=2")
    assert cora.page.find(id=f"choose-{number}") is None
    assert on(app, 1) is None


def test_a_daily_is_not_chosen_twice_and_the_answer_leads_to_it(app: Flask, cora: Curator) -> None:
    number = put(app, 4)
    assert assign(cora, 1, number).status_code == 422
    link = cora.page.select_one("#calendar-told a")
    assert link is not None and link["href"] == f"{CALENDAR}?date={day(4)}&level=2"


@pytest.mark.both_databases
@pytest.mark.parametrize(("apart", "status"), [(30, 422), (360, 422), (365, 422), (366, 303)])
def test_no_class_comes_twice_within_a_year_and_the_answer_leads_to_the_other(
    app: Flask, cora: Curator, apart: int, status: int
) -> None:
    """The bank's puzzles of all levels are one puzzle under five relabelings."""
    with app.app_context():
        one = {row.level: row for row in db.session.scalars(sa.select(Puzzle))}
        number, other = one[2].id, one[3].id
        with write_tx():
            db.session.execute(
                sa.update(Puzzle)
                .where(Puzzle.id == number)
                .values(canonical=canonical(EASY), rating_version=bank.RATED, shown_at=None)
            )
        scheduled(day(2) - timedelta(days=apart), 3, db.session.get(Puzzle, other))
    assert assign(cora, 2, number).status_code == status
    assert (on(app, 2) == number) is (status == 303)
    if status == 422:
        assert f"equivalent to #{other}" in words(cora)
        link = cora.page.select_one("#calendar-told a")
        place = f"{CALENDAR}?date={day(2 - apart)}&level=3"
        assert link is not None and link["href"] == place
        assert puzzle_now(app, number) == (Status.APPROVED, 0)
        assert log(app) == []


def test_a_puzzle_in_place_of_another_gives_that_back(app: Flask, cora: Curator) -> None:
    before, after = put(app, 1), new(app)
    assert assign(cora, 1, after).status_code == 409  # doesn't name the puzzle it replaces
    assert f"It’s now #{before}" in words(cora)
    assert assign(cora, 1, f"{after}:0", instead=before).status_code == 303
    assert on(app, 1) == after
    assert puzzle_now(app, before) == (Status.APPROVED, 1)
    assert log(app) == [("Cora", "unschedule", str(before)), ("Cora", "schedule", str(after))]


def test_what_is_taken_off_is_approved_again(app: Flask, cora: Curator) -> None:
    number = put(app, 1)
    fields = {"date": day(1).isoformat(), "level": "2", "instead": str(number)}
    assert cora.post(f"{CALENDAR}/removals", fields).status_code == 303
    assert on(app, 1) is None
    assert puzzle_now(app, number) == (Status.APPROVED, 1)
    assert log(app) == [("Cora", "unschedule", str(number))]
    assert cora.post(f"{CALENDAR}/removals", fields).status_code == 409
    assert cora.post(f"{CALENDAR}/removals", {**fields, "instead": ""}).status_code == 422


@pytest.mark.parametrize("replaced", [True, False])
def test_undo_restores_a_daily_and_stays_at_its_day(app: Flask, cora: Curator, replaced: bool) -> None:
    number, other = put(app, 1), new(app)
    if replaced:
        answer = assign(cora, 1, other, instead=number)
    else:
        fields = {"date": day(1).isoformat(), "level": "2", "instead": str(number)}
        answer = cora.post(f"{CALENDAR}/removals", fields)
    cora.get(answer.location)
    assert undone(cora).startswith(f"{CALENDAR}?date={day(1)}&level=2&")
    assert on(app, 1) == number


def test_a_daily_moves_to_a_gap(app: Flask, cora: Curator) -> None:
    number = put(app, 1)
    fields = {"date": day(1).isoformat(), "level": "2", "instead": number, "to": day(40).isoformat()}
    assert cora.post(f"{CALENDAR}/moves", fields).status_code == 303
    assert (on(app, 1), on(app, 40)) == (None, number)
    assert puzzle_now(app, number) == (Status.DAILY, 1)
    assert log(app) == [("Cora", "move", str(number))]


@pytest.mark.both_databases
def test_two_dailies_change_places(app: Flask, cora: Curator) -> None:
    one, other = put(app, 1), put(app, 5)
    fields: dict[str, Any] = {"date": day(1).isoformat(), "level": "2", "instead": one}
    assert cora.post(f"{CALENDAR}/moves", {**fields, "to": fields["date"]}).status_code == 422
    assert (
        cora.post(f"{CALENDAR}/moves", {**fields, "to": day(5).isoformat(), "there": ""}).status_code == 409
    )
    assert (on(app, 1), on(app, 5)) == (one, other)
    assert cora.post(f"{CALENDAR}/moves", {**fields, "to": day(5).isoformat()}).status_code == 303
    assert (on(app, 1), on(app, 5)) == (other, one)
    assert log(app) == [("Cora", "move", str(one)), ("Cora", "move", str(other))]
    with app.app_context():
        assert all(db.session.scalars(sa.select(Daily.by_hand)))


@pytest.mark.both_databases
def test_gaps_are_filled_from_the_bank_and_what_lacks_is_made(app: Flask, cora: Curator) -> None:
    """The page says what was done, and undoes it."""
    kept, fresh = put(app, 1, level=4), new(app)
    with app.app_context():
        filled = schedule.fill(curator_of(), day(1), day(1), NOW)
        found = db.session.scalars(
            sa.select(Daily).where(Daily.id.in_(filled.ids)).order_by(Daily.level)
        ).all()
        assert ([(row.date, row.level) for row in found], filled.left) == ([(day(1), 2), (day(1), 3)], 0)
        assert not any(row.by_hand for row in found)
        assert found[0].puzzle_id == fresh
        assert (found[1].puzzle.level, found[1].puzzle.rating_version) == (3, bank.RATED)
        numbers = [row.puzzle_id for row in found]
    assert log(app) == [("Cora", "schedule", str(number)) for number in numbers]
    cora.get(f"{CALENDAR}?month=2026-03&said=filled:0:{filled.ids[0]}:{filled.ids[1]}")
    assert words(cora) == "2 dailies scheduled."
    undone(cora)
    assert (on(app, 1, 2), on(app, 1, 3), on(app, 1, 4)) == (None, None, kept)


def test_a_filling_ends_in_time_for_its_request(
    app: Flask, cora: Curator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "PATIENCE", -1.0)
    answer = cora.post(f"{CALENDAR}/fillings", {"month": "2026-03"})
    assert answer.status_code == 303
    cora.get(answer.location)
    assert words(cora).endswith("90 gaps are left.")
    assert log(app) == []


def test_a_month_of_gaps_is_marked_and_released_days_are_not(app: Flask, cora: Curator) -> None:
    put(app, 1), put(app, 0)
    cora.get(f"{CALENDAR}?month=2026-03")
    assert len(cora.page.select(".schedule__cell--gap")) == 14 * 3 - 1  # later days have no warnings
    assert cora.page.get_text().count("unfilled") == 14 * 3 - 1 + 1
    assert len(cora.page.select(".schedule__cell--released")) == 3
    assert cora.page.select_one("#calendar-stock").get_text() == "Next 14 days: 41 unfilled"
    assert cora.page.select_one("caption") is not None


def test_a_puzzle_of_the_queue_is_offered_the_gaps_of_its_level(app: Flask, cora: Curator) -> None:
    number = new(app, level=3)
    cora.get(f"{CALENDAR}?level=3&puzzle={number}")
    buttons = cora.page.select(".schedule__put")
    assert len(buttons) == 30 and {str(button["value"]) for button in buttons} == {f"{number}:0"}
    form = buttons[0].find_parent("form")
    assert form is not None
    fields = {field["name"]: field["value"] for field in form.find_all("input")}
    assert cora.post(str(form["action"]), {**fields, "puzzle": buttons[0]["value"]}).status_code == 303
    assert on(app, 1, 3) == number


def test_a_puzzle_of_the_queue_can_replace_the_daily_of_a_filled_day(app: Flask, cora: Curator) -> None:
    old, other = put(app, 1, level=3), put(app, 1)
    number = new(app, level=3)
    cora.get(f"{CALENDAR}?puzzle={number}")
    button = cora.page.find(id=f"put-{day(1)}-3")
    assert button.get_text().startswith(f"Replace #{old} with #{number}")
    assert cora.page.find(id=f"put-{day(1)}-2") is None  # another level
    assert f"puzzle={number}" in cora.page.find(id=f"slot-{day(1)}-2")["href"]
    link = cora.page.find(id=f"slot-{day(1)}-3")
    assert link.get_text(" ").find(f"#{old}") > 0
    cora.get(link["href"])
    first = cora.page.find(attrs={"data-choose": True})
    assert (first["value"], first.get_text()) == (f"{number}:0", f"Replace #{old} with #{number}")
    assert len(cora.page.find_all(id=f"choose-{number}")) == 1
    fields = {field["name"]: field["value"] for field in first.find_parent("form").find_all("input")}
    assert cora.post(CALENDAR, fields | {"puzzle": first["value"]}).status_code == 303
    assert (on(app, 1, 3), on(app, 1)) == (number, other)


@pytest.mark.both_databases
def test_a_curator_who_sees_a_board_here_cannot_play_it_ranked(app: Flask, cora: Curator) -> None:
    there, spare, elsewhere = put(app, 1), new(app), new(app, level=3)
    cora.get(CALENDAR)
    with app.app_context():
        assert set(db.session.scalars(sa.select(Peek.puzzle_id))) == {there}
    for _ in range(2):
        cora.get(f"{CALENDAR}?date={day(1)}&level=2")
    with app.app_context():
        seen = set(db.session.scalars(sa.select(Peek.puzzle_id)))
    assert {there, spare} <= seen
    assert elsewhere not in seen


def test_a_reviewer_who_opens_a_day_has_seen_what_stands_there_alone(app: Flask, clock: SetClock) -> None:
    there, spare, waiting = put(app, 1), new(app), new(app)
    robin = of_role(app, clock, Role.REVIEWER, "Robin")
    robin.get(f"{CALENDAR}?date={day(1)}&level=2&puzzle={waiting}")
    assert robin.page.find(attrs={"data-choose": True}) is None
    with app.app_context():
        assert set(db.session.scalars(sa.select(Peek.puzzle_id))).isdisjoint({spare, waiting})
        assert db.session.scalars(sa.select(Peek.puzzle_id)).all() == [there]


def test_a_puzzle_to_schedule_is_still_there_after_a_refusal(app: Flask, cora: Curator) -> None:
    put(app, 1, level=3)
    number = new(app, level=3)
    cora.get(f"{CALENDAR}?date={day(1)}&level=3&puzzle={number}")
    first = cora.page.find(attrs={"data-choose": True})
    fields = {field["name"]: field["value"] for field in first.find_parent("form").find_all("input")}
    answer = cora.post(CALENDAR, fields | {"puzzle": first["value"], "instead": "999"})
    assert answer.status_code == 409
    assert cora.page.find(attrs={"data-choose": True})["value"] == f"{number}:0"


def test_htmx_gets_the_month_alone_and_the_address_of_what_it_shows(app: Flask, cora: Curator) -> None:
    number = new(app)
    answer = assign(cora, 1, f"{number}:0", htmx=True)
    assert answer.status_code == 200
    assert answer.headers["HX-Push-Url"] == f"{CALENDAR}?date={day(2)}&level=2"
    assert answer.text.lstrip().startswith('<section class="schedule" id="calendar-month"')


@pytest.mark.both_databases
def test_a_puzzle_that_was_changed_meanwhile_is_not_taken(app: Flask, cora: Curator) -> None:
    number = new(app)
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Puzzle).where(Puzzle.id == number).values(version=1))
    assert assign(cora, 1, f"{number}:0").status_code == 409
    assert on(app, 1) is None
    assert assign(cora, 1, f"{number}:1").status_code == 303


@pytest.mark.both_databases
@pytest.mark.parametrize("same", ["slot", "puzzle", "class"])
@pytest.mark.usefixtures("cora")
def test_of_two_curators_at_once_one_comes_too_late(app: Flask, same: str) -> None:
    """For one slot, with one puzzle, with equivalent puzzles on two days: exactly one is accepted."""
    one, other = new(app), new(app)
    if same == "puzzle":
        other = one
    with app.app_context():
        curator = curator_of()
        if same == "class":
            with write_tx():
                form = canonical(EASY)
                db.session.execute(
                    sa.update(Puzzle)
                    .where(Puzzle.id.in_([one, other]))
                    .values(canonical=form, solution_class=1)
                )
    days = (day(1), day(1) if same == "slot" else day(2))
    together = threading.Barrier(2)
    outcomes: list[str] = []

    def work(where: date, number: int) -> None:
        with app.app_context():
            together.wait()
            try:
                schedule.assign(curator, Seen(where, 2, None), number, NOW, version=0)
                outcomes.append("taken")
            except (Changed, Refused):
                outcomes.append("too late")

    threads = [threading.Thread(target=work, args=pair) for pair in zip(days, (one, other), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["taken", "too late"]
    assert len(log(app)) == 1
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Daily)) == 1


def test_a_puzzle_that_is_not_rated_yet_is_neither_offered_nor_scheduled(app: Flask, cora: Curator) -> None:
    number = new(app, rating_version=bank.BY_GIVENS)
    cora.get(f"{CALENDAR}?date={day(3)}&level=2")
    assert cora.page.find(id=f"choose-{number}") is None
    assert assign(cora, 3, number).status_code == 422
    assert f"#{number} isn’t rated yet" in words(cora)
    assert on(app, 3) is None


def test_a_slot_whose_rating_says_another_level_is_marked(app: Flask, cora: Curator) -> None:
    put(app, 3, rated_level=4)
    cora.get(f"{CALENDAR}?month=2026-03")
    assert "now rated Hard" in cora.page.find(id=f"slot-{day(3)}-2").text
    assert cora.page.find(id="calendar-moved").text == "One daily is now rated at another level."


def test_two_dailies_with_one_solution_are_a_year_apart(app: Flask, cora: Curator) -> None:
    first = put(app, 3)
    with app.app_context():
        givens = db.session.get_one(Puzzle, first).givens
        cell = givens.index(".")
        more = givens[:cell] + solution_of(givens)[cell] + givens[cell + 1 :]
        form = str(engine.canonical_form(engine.parse(more)))
        second = stored(givens=more, canonical=form).id
    cora.get(f"{CALENDAR}?date={day(4)}&level=2")
    assert cora.page.find(id=f"choose-{second}") is None
    assert assign(cora, 4, second).status_code == 422
    assert f"#{second} has the same solution as #{first}" in words(cora)


def test_the_calendar_begins_at_today_and_reaches_two_weeks_ahead(app: Flask, clock: SetClock) -> None:
    """Coming days have small boards. Others don't, so that curators can still play them ranked."""
    today = put(app, 0)
    tomorrow = put(app, 1)
    clock.time = NOW + timedelta(days=28)  # March 29
    soon = put(app, 31)
    eve = of_role(app, clock, Role.EDITOR, "Eve")
    eve.get(CALENDAR)
    heads = [row.th.get_text() for row in eve.page.select("tbody tr")]
    assert [head.split()[1][:2] for head in heads[:3]] == ["29", "30", "31"]
    assert "Apr 11" in heads[13]
    assert heads[14] == "Released"
    assert eve.page.find(id=f"slot-{day(31)}-2").find("svg") is not None
    assert eve.page.find(id=f"slot-{day(1)}-2").find("svg") is None
    with app.app_context():
        assert set(db.session.scalars(sa.select(Peek.puzzle_id))) & {today, tomorrow, soon} == {soon}
