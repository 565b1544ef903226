"""The calendar and withdrawals at the desk: what is shown, which acts lead where. Their rules are tested with
the schedule."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_schedule import in_the_bank
from tests.webapp.desk import MONDAY, Curator, log
from tests.webapp.solves import DAY, add_daily
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition.daily import schedule
from webapp.competition.daily.slots import Seen
from webapp.models import Daily, Peek, Puzzle, Status
from webapp.process.database import db

TUESDAY = MONDAY + timedelta(days=1)


@pytest.fixture
def spare(app: Flask) -> list[int]:
    """Puzzles of level 3 that can become dailies."""
    with app.app_context():
        return in_the_bank([5, 5.1, 5.2, 5.3])


def put(curator: Curator, puzzle: int | str, day: object = MONDAY, seen: object = "", **more: str) -> int:
    form = {"day": str(day), "level": "3", "seen": str(seen), "puzzle": str(puzzle), **more}
    return curator.post("/admin/calendar/puts", form).status_code


def there(app: Flask) -> dict[object, int]:
    """Return the puzzles of level 3 by day."""
    with app.app_context():
        rows = db.session.execute(sa.select(Daily.date, Daily.puzzle_id).where(Daily.level == 3))
        return {row.date: row.puzzle_id for row in rows}


@pytest.mark.both_databases
def test_it_works(app: Flask, cora: Curator, spare: list[int]) -> None:
    assert put(cora, spare[0]) == 303
    assert there(app)[MONDAY] == spare[0]
    assert cora.get(f"/admin/calendar?from={MONDAY}&day={MONDAY}&level=3").status_code == 200
    assert f"#{spare[0]}" in cora.page.select_one("#picked").text
    assert len(cora.page.select(".calendar__table tbody tr")) == 14
    assert ("Cora", "schedule", str(spare[0])) in log(app)
    assert put(cora, "", seen=spare[0], next="1") == 303
    assert there(app)[MONDAY] in spare[1:]


def undo(curator: Curator, said: str) -> int:
    """Press Undo on the page that a change leads to."""
    curator.get(said)
    form = curator.page.find(id="calendar-undo")
    fields = {field["name"]: field["value"] for field in form.select("input:not([name=csrf_token])")}
    return curator.post(form["action"], fields).status_code


def test_every_change_is_undone(app: Flask, cora: Curator, spare: list[int]) -> None:
    first, second = spare[:2]

    def changed(path: str, **form: object) -> str:
        fields = {"level": "3", **{name: str(value) for name, value in form.items()}}
        answer = cora.post(f"/admin/calendar/{path}", fields)
        assert answer.status_code == 303
        return str(answer.location)

    assert undo(cora, changed("puts", day=MONDAY, seen="", puzzle=first)) == 303
    assert MONDAY not in there(app)
    changed("puts", day=MONDAY, seen="", puzzle=first)
    assert undo(cora, changed("puts", day=MONDAY, seen=first, puzzle=second)) == 303
    assert there(app)[MONDAY] == first
    assert undo(cora, changed("clears", day=MONDAY, seen=first)) == 303
    assert there(app)[MONDAY] == first
    changed("puts", day=TUESDAY, seen="", puzzle=second)
    moved = {"day": MONDAY, "seen": first, "to": TUESDAY, "there": second}
    assert undo(cora, changed("moves", **moved)) == 303
    assert there(app) == {MONDAY: first, TUESDAY: second}


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("puts", {"next": "1"}),
        ("clears", {}),
        ("moves", {"to": str(TUESDAY)}),
    ],
)
def test_undoing_leaves_what_the_site_chose_to_the_site(
    app: Flask, cora: Curator, spare: list[int], clock: SetClock, path: str, more: dict[str, str]
) -> None:
    seen = spare[0]
    with app.app_context():
        schedule.assign(None, Seen(MONDAY, 3, None), seen, clock(), by_hand=False)
    form = {"day": str(MONDAY), "level": "3", "seen": str(seen), **more}
    assert undo(cora, str(cora.post(f"/admin/calendar/{path}", form).location)) == 303
    with app.app_context():
        daily = db.session.scalars(sa.select(Daily).where(Daily.date == MONDAY, Daily.level == 3)).one()
        assert (daily.puzzle_id, daily.by_hand) == (seen, False)


@pytest.mark.both_databases
def test_gaps_are_filled_and_that_undone(app: Flask, cora: Curator) -> None:
    with app.app_context():
        in_the_bank([5, 5.1, 5.2])
    coming = sa.select(sa.func.count()).select_from(Daily).where(Daily.date >= MONDAY)
    cora.get(f"/admin/calendar?from={MONDAY}")
    button = cora.page.select_one("form[action$=fillings] button").text
    filled = cora.post("/admin/calendar/fillings", {"from": str(MONDAY)})
    assert filled.status_code == 303
    with app.app_context():
        assert button.split() == ["Fill", str(db.session.scalar(coming)), "gaps"]
    assert undo(cora, filled.location) == 303
    with app.app_context():
        assert db.session.scalar(coming) == 0


def test_a_refusal_says_why_and_leads_to_the_daily_in_the_way(
    app: Flask, cora: Curator, spare: list[int]
) -> None:
    assert put(cora, spare[0]) == 303
    assert put(cora, spare[0], TUESDAY) == 422
    told = cora.page.find(id="calendar-told")
    assert told["role"] == "alert" and "already a daily" in told.text
    assert f"day={MONDAY}" in told.a["href"]
    assert put(cora, spare[1], MONDAY, spare[2]) == 409
    assert put(cora, spare[1], DAY) == 422
    assert put(cora, f"{spare[1]}:7", TUESDAY) == 409
    assert there(app) == {MONDAY: spare[0]}


@pytest.mark.parametrize("query", ["from=soon", "from=1999-01-01", "from=2030-01-01"])
def test_an_address_that_makes_no_sense_is_said_so(cora: Curator, query: str) -> None:
    assert cora.get(f"/admin/calendar?{query}").status_code == 422


@pytest.mark.parametrize("path", ["puts", "clears", "moves"])
def test_a_form_that_makes_no_sense_changes_nothing(app: Flask, cora: Curator, path: str) -> None:
    for form in ({}, {"day": "soon", "level": "3"}, {"day": str(MONDAY), "level": "x"}):
        assert cora.post(f"/admin/calendar/{path}", form).status_code == 422
    assert there(app) == {}


def test_a_puzzle_of_the_search_is_offered_the_days_of_its_level(
    app: Flask, cora: Curator, spare: list[int]
) -> None:
    cora.get(f"/admin/calendar?puzzle={spare[0]}")
    forms = cora.page.select("td form")
    assert len(forms) == 13
    fields = {field["name"]: field["value"] for field in forms[0].select("input:not([name=csrf_token])")}
    assert cora.post(forms[0]["action"], fields).status_code == 303
    assert list(there(app).values()) == [spare[0]]


def test_gaps_that_fill_themselves_say_so(cora: Curator) -> None:
    cora.get("/admin/calendar")
    slots = cora.page.select(".calendar__table .slot")
    assert {slot.select_one(".slot__facts").text.strip() for slot in slots} == {"Fills itself"}
    assert not cora.page.select(".short")


def test_where_the_stock_runs_out_is_said_with_the_order_that_helps(app: Flask, cora: Curator) -> None:
    with app.app_context():
        in_the_bank([5 + number / 10 for number in range(schedule.AHEAD.days + 2)])
    first = SetClock.time.date() + schedule.AHEAD + timedelta(days=1)
    cora.get(f"/admin/calendar?from={first}")
    said = {item.text.split()[0]: item for item in cora.page.select(".short li")}
    assert f"Easy runs out on {first:%a, %b} {first.day}." in said["Easy"].text
    out = first + timedelta(days=2)
    assert f"Medium runs out on {out:%a, %b} {out.day}." in said["Medium"].text
    assert cora.get(said["Medium"].a["href"]).status_code == 200
    assert cora.page.select_one("[name=level][checked], [name=level] [selected]")["value"] == "3"
    assert cora.page.select_one("[name=count]")["value"] == "10"


def test_coming_boards_count_as_seen_and_todays_do_not(app: Flask, cora: Curator, spare: list[int]) -> None:
    with app.app_context():
        add_daily()
    assert put(cora, spare[0]) == 303
    cora.get(f"/admin/calendar?from={DAY}")
    cora.get(f"/admin/calendar?from={MONDAY}")
    with app.app_context():
        seen = set(db.session.scalars(sa.select(Peek.puzzle_id)))
        (today,) = db.session.scalars(sa.select(Daily.puzzle_id).where(Daily.date == DAY))
    assert spare[0] in seen
    assert today not in seen


def test_htmx_gets_the_calendar_alone_and_its_address(cora: Curator, spare: list[int]) -> None:
    form = {"day": str(MONDAY), "level": "3", "seen": "", "puzzle": str(spare[0])}
    answer = cora.post("/admin/calendar/puts", form, htmx=True)
    assert answer.headers["HX-Push-Url"].startswith("/admin/calendar")
    assert cora.page.find("html") is None
    assert cora.page.find(id="calendar-undo") is not None


# Withdrawals


@pytest.mark.both_databases
def test_a_withdrawal_shows_its_replacement_takes_effect_and_is_undone(
    app: Flask, cora: Curator, guest: Visitor
) -> None:
    with app.app_context():
        add_daily(level=3)
        old = schedule.between(DAY, DAY)[DAY, 3].puzzle_id
        (new,) = in_the_bank([5])
    address = f"/admin/withdrawals/{DAY}/3"
    cora.get(address)
    assert f"#{new}" in cora.page.select_one(".swap").text
    form = {"seen": str(old), "reason": "It has two solutions.", "replacement": str(new)}
    assert cora.post(address, form).status_code == 303
    assert "It has two solutions." in guest.get(f"/daily/{DAY}").text
    with app.app_context():
        assert schedule.between(DAY, DAY)[DAY, 3].puzzle_id == new
    assert cora.post(address, form).status_code == 409
    cora.get(address)
    assert cora.post(address, {"seen": str(new), "undo": "1"}).status_code == 303
    with app.app_context():
        assert schedule.between(DAY, DAY)[DAY, 3].puzzle_id == old
        assert db.session.get_one(Puzzle, new).status == Status.APPROVED


def test_a_withdrawal_that_cannot_be_is_refused(app: Flask, cora: Curator) -> None:
    with app.app_context():
        add_daily(level=3)
        old = schedule.between(DAY, DAY)[DAY, 3].puzzle_id
    address = f"/admin/withdrawals/{DAY}/3"
    assert cora.post(address, {"seen": str(old), "reason": ""}).status_code == 422
    assert cora.post(address, {"seen": str(old), "reason": "x", "replacement": "y"}).status_code == 422
    assert cora.get(f"/admin/withdrawals/{MONDAY}/3").status_code == 404
    assert cora.get("/admin/withdrawals/soon/3").status_code == 404
