"""A curator fills the calendar in a real browser: by keys alone, and by drag."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, date, datetime, timedelta

import sqlalchemy as sa
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, Site
from tests.browser.desk import NAME, in_the_site, put
from webapp.models import Player, Role
from webapp.process.database import db, sqlite_module, write_tx

LEVEL = 3
FIRST = 60  # days after today: beyond the schedule of the running site


def day(number: int) -> date:
    return datetime.now(UTC).date() + timedelta(days=FIRST + number)


def month(number: int) -> str:
    """Open the calendar at the month of this day."""
    return f"/admin/calendar?month={day(number):%Y-%m}"


def slot(page: Page, number: int) -> Locator:
    return page.locator(f"#slot-{day(number)}-{LEVEL}")


def on(live: Site, number: int) -> int | None:
    query = "SELECT puzzle_id FROM daily WHERE date = ? AND level = ?"
    rows = live.rows(query, day(number).isoformat(), LEVEL)
    return rows[0][0] if rows else None


def filled(live: Site, page: Page, number: int) -> int | None:
    """Schedule the first puzzle offered for this day. Returns its number."""
    page.goto(f"/admin/calendar?date={day(number)}&level={LEVEL}")
    page.locator("[data-choose]").first.click()
    expect(page.locator("#calendar-told")).to_contain_text("is now the")
    return on(live, number)


def focus(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id"))


def test_days_are_filled_and_freed_with_keys_alone(live: Site, desk: Page) -> None:
    put(live.file, "approved", 3, 21_000, LEVEL)
    desk.goto(month(0), wait_until="networkidle")  # with the module, which the page loads last
    slot(desk, 0).focus()
    desk.keyboard.press("Enter")
    for number in range(2):
        expect(desk.locator("#calendar-slot")).to_have_attribute(
            "data-slot-of", f"slot-{day(number)}-{LEVEL}"
        )
        choice = desk.locator("[data-choose]").first
        expect(choice).to_be_focused()
        wanted = int(choice.get_attribute("id").removeprefix("choose-"))
        if number == 1:
            desk.keyboard.press("ArrowDown")
            wanted = int(focus(desk).removeprefix("choose-"))
        desk.keyboard.press("Enter")
        expect(desk.locator("#calendar-told")).to_contain_text(f"#{wanted} is now the")
        assert on(live, number) == wanted
    desk.goto(month(0))
    slot(desk, 0).focus()
    desk.keyboard.press("ArrowRight")
    assert focus(desk) == f"slot-{day(0)}-4"
    desk.keyboard.press("ArrowLeft")
    desk.keyboard.press("Delete")
    expect(desk.locator("#calendar-told")).to_contain_text("Removed the")
    assert on(live, 0) is None
    expect(slot(desk, 0)).to_contain_text(": open")


def test_a_change_is_reported_in_view_and_undone_with_u(live: Site, desk: Page) -> None:
    put(live.file, "approved", 1, 23_000, LEVEL)
    desk.set_viewport_size({"width": 1280, "height": 500})
    puzzle = filled(live, desk, 22)
    desk.goto(f"/admin/calendar?date={day(22)}&level={LEVEL}")
    slot(desk, 22).focus()
    desk.keyboard.press("Delete")
    expect(desk.locator("#calendar-told .toast")).to_contain_text("Removed the")
    expect(desk.locator("#calendar-undo button")).to_be_in_viewport()
    desk.keyboard.press("u")
    expect(desk.locator("#calendar-told")).to_contain_text(f"#{puzzle} is now the")
    assert on(live, 22) == puzzle


def test_a_warning_has_the_focus(live: Site, desk: Page) -> None:
    put(live.file, "approved", 3, 24_000, LEVEL)
    ids = [filled(live, desk, number) for number in (24, 25, 27)]
    with closing(sqlite_module()[0].connect(live.file, timeout=20)) as connection:
        connection.execute("UPDATE puzzle SET hardest = 'naked_pair' WHERE id IN (?, ?, ?)", ids)
        connection.commit()
    desk.goto(f"/admin/calendar?date={day(27)}&level={LEVEL}")
    desk.locator("[name=to][required]").fill(f"{day(26)}")
    desk.locator("form:has([name=to]) button").focus()
    desk.keyboard.press("Enter")
    expect(desk.locator("#calendar-sure")).to_be_focused()
    expect(desk.locator("#calendar-sure")).to_be_in_viewport()
    desk.keyboard.press("Enter")
    expect(desk.locator("#calendar-told")).to_contain_text("Moved the")


def test_the_plan_opens_at_the_field_that_is_wrong(desk: Page) -> None:
    desk.goto("/admin/plan")
    minutes = desk.locator("[name=minutes-2-3]")
    minutes.fill("abc")
    desk.get_by_role("button", name="Save minutes").click()
    expect(minutes).to_be_focused()
    expect(desk.locator("#wrong-minutes-2-3")).to_be_in_viewport()
    minutes.fill("")
    desk.get_by_role("button", name="Save minutes").click()
    expect(desk.locator("#toast")).to_have_text("Saved.")
    desk.locator("#title").fill("Backwards")
    desk.locator("#first").fill("2027-02-02")
    desk.locator("#last").fill("2027-02-01")
    desk.get_by_role("button", name="Add theme").click()
    expect(desk.locator("#last")).to_be_focused()
    expect(desk.locator("#wrong-last")).to_be_in_viewport()


def test_a_puzzle_is_dragged_to_a_day_and_from_there_to_another(live: Site, desk: Page) -> None:
    put(live.file, "approved", 1, 22_000, LEVEL)
    desk.set_viewport_size({"width": 1280, "height": 2200})
    desk.goto(f"/admin/calendar?date={day(10)}&level={LEVEL}")
    card = desk.locator("[data-puzzle]").first
    puzzle = int(card.get_attribute("data-puzzle").partition(":")[0])
    other_day = 11 if day(11).month == day(10).month else 9
    card.drag_to(slot(desk, 10))
    expect(desk.locator("#calendar-told")).to_contain_text(f"#{puzzle} is now the")
    assert on(live, 10) == puzzle
    desk.goto(f"/admin/calendar?date={day(10)}&level={LEVEL}")
    desk.locator(f"td[data-date='{day(10)}'][data-slot='{LEVEL}']").drag_to(slot(desk, other_day))
    expect(desk.locator("#calendar-told")).to_contain_text("Moved the")
    assert (on(live, 10), on(live, other_day)) == (None, puzzle)
    # A slot of another level rejects it.
    desk.locator(f"td[data-date='{day(other_day)}'][data-slot='{LEVEL}']").drag_to(
        desk.locator(f"#slot-{day(10)}-4")
    )
    assert on(live, other_day) == puzzle


def test_a_refusal_is_said_in_the_toast_and_leaves_the_calendar(desk: Page) -> None:
    desk.goto(month(0))
    role = sa.update(Player).where(Player.name == NAME)
    try:
        with in_the_site(), write_tx():
            db.session.execute(role.values(role=Role.REVIEWER))
        desk.locator("#calendar-fill button").click()
        expect(desk.locator("#toast")).to_contain_text("Your role doesn’t include this.")
        expect(desk.locator("#calendar-month")).to_be_visible()
    finally:
        with in_the_site(), write_tx():
            db.session.execute(role.values(role=Role.ADMINISTRATOR))


def test_on_a_phone_the_calendar_is_there_to_be_read(desk: Page) -> None:
    desk.set_viewport_size(PHONE)
    desk.goto(f"/admin/calendar?date={day(3)}&level={LEVEL}")
    expect(desk.locator("#calendar-slot h2")).to_be_visible()
    expect(desk.locator("#calendar-slot")).to_contain_text("Widen the window")
    assert desk.locator("#main button:visible, #main input:visible").count() == 0
    assert desk.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
