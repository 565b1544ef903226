"""The desk by keys alone, in a real browser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.desk import put

NUMBER = 3
FAR = 90  # days after today: beyond the schedule and all other tests


def statuses(live: Site, ids: list[int]) -> list[str]:
    marks = ",".join("?" * len(ids))
    return [row[0] for row in live.rows(f"SELECT status FROM puzzle WHERE id IN ({marks}) ORDER BY id", *ids)]  # noqa: S608


def test_a_curator_decides_by_keys_alone(live: Site, desk: Page) -> None:
    ids = put(live.file, "candidate", NUMBER, 7_000)
    desk.goto("/admin/puzzles?q=" + "+".join(f"%23{number}" for number in ids))
    expect(desk.locator(".found")).to_have_count(NUMBER)
    desk.keyboard.press("ArrowRight")
    expect(desk.locator(".found[data-picked]")).to_have_id(f"puzzle-{sorted(ids)[-2]}")
    desk.keyboard.press("a")
    expect(desk.locator(".found[data-status=approved]")).to_have_count(1)
    desk.keyboard.press("u")
    expect(desk.locator(".found[data-status=approved]")).to_have_count(0)
    assert statuses(live, ids) == ["candidate"] * NUMBER


def test_u_undoes_an_answer_on_today(live: Site, desk: Page) -> None:
    (number,) = put(live.file, "approved", 1, 7_200)
    desk.goto(f"/puzzles/{number}/report")
    desk.locator("#text").fill("It has two solutions.")
    desk.locator("main .button").click()
    desk.goto("/admin/")
    report = desk.locator(".waiting__one", has_text=f"#{number}")
    report.locator("button").press("Enter")
    expect(report).to_have_count(0)
    desk.keyboard.press("u")
    expect(report).to_have_count(1)


def test_a_letter_typed_in_the_search_decides_nothing(live: Site, desk: Page) -> None:
    ids = put(live.file, "candidate", 1, 7_100)
    desk.goto(f"/admin/puzzles?q=%23{ids[0]}")
    desk.locator("#q").focus()
    desk.keyboard.type("a jar")
    assert statuses(live, ids) == ["candidate"]


def test_arrow_keys_go_from_slot_to_slot(desk: Page) -> None:
    day = datetime.now(UTC).date() + timedelta(days=FAR)
    desk.goto(f"/admin/calendar?day={day}")
    desk.locator("[id^=slot-]").first.focus()
    before = desk.evaluate("document.activeElement.id")
    desk.keyboard.press("ArrowRight")
    assert desk.evaluate("document.activeElement.id") not in ("", before)
