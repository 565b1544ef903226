"""The desk by keys alone and by touch, in a real browser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NewPage, Site
from tests.browser.desk import Fingers, Keys, at_the_desk, in_the_site, put
from tests.browser.pages import named
from tests.thorough import one_in
from webapp.curation.puzzles import orders
from webapp.curation.puzzles.tables import JobState, Order
from webapp.process.clock import now
from webapp.process.database import db, write_tx

NUMBER = 3
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FAR = 90  # days after today: beyond the schedule and all other tests


def statuses(live: Site, ids: list[int]) -> list[str]:
    marks = ",".join("?" * len(ids))
    return [row[0] for row in live.rows(f"SELECT status FROM puzzle WHERE id IN ({marks}) ORDER BY id", *ids)]  # noqa: S608


def report(player: Page, number: int) -> None:
    player.goto(f"/puzzles/{number}/report")
    player.locator("#text").fill("It has two solutions.")
    player.locator("main .button").click()
    expect(player.locator("main [role=status]")).to_be_visible()


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
    desk.wait_for_load_state("networkidle")  # the page's scripts have started
    desk.keyboard.press("/")
    expect(desk.locator("#q")).to_be_focused()
    desk.keyboard.press("Escape")
    expect(desk.locator("#q")).not_to_be_focused()
    desk.keyboard.press("r")
    expect(desk.locator(".found[data-status=rejected]")).to_have_count(1)


def test_all_found_puzzles_are_selected_and_decided_at_once(live: Site, desk: Page) -> None:
    ids = put(live.file, "candidate", 5, 7_400)
    desk.goto("/admin/puzzles?q=" + "+".join(f"%23{number}" for number in ids))
    for tick in desk.locator(".found__tick input").all():
        tick.check()
    desk.locator("#several [value=approve]").click()
    expect(desk.locator(".found[data-status=approved]")).to_have_count(5)


def test_u_undoes_an_answer_on_today(live: Site, desk: Page) -> None:
    (number,) = put(live.file, "approved", 1, 7_200)
    report(desk, number)
    desk.goto("/admin/")
    reported = desk.locator(".waiting__one", has_text=f"#{number}")
    reported.locator("button").press("Enter")
    expect(reported).to_have_count(0)
    desk.keyboard.press("u")
    expect(reported).to_have_count(1)


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


def test_a_puzzle_is_dragged_to_another_day(live: Site, desk: Page) -> None:
    days = [datetime.now(UTC).date() + timedelta(days=ahead) for ahead in (3, 5)]
    query = "SELECT puzzle_id FROM daily WHERE level = 3 AND date IN (?, ?) ORDER BY date"
    before = live.rows(query, *map(str, days))
    desk.goto("/admin/calendar")
    here, there = (desk.locator(f"td[data-day='{day}'][data-level='3']") for day in days)
    here.drag_to(there)
    expect(desk.locator("#calendar-told")).to_contain_text("Swapped")
    assert live.rows(query, *map(str, days)) == before[::-1]
    desk.keyboard.press("u")
    expect(here).to_have_attribute("data-seen", str(before[0][0]))
    assert live.rows(query, *map(str, days)) == before


def test_a_change_that_fails_says_why_and_leaves_the_page(desk: Page) -> None:
    desk.goto("/admin/calendar")
    notice = '<div class="notice"><strong>Slow down</strong> <span>Too many tries.</span></div>'
    silent = "The server didn’t answer. Try again."
    for status, body, words in ((503, "<h1>Bad gateway</h1>", silent), (429, notice, "Too many tries.")):
        answer = partial(Route.fulfill, status=status, body=body)
        desk.route("**/admin/calendar?**", lambda route, *_, answer=answer: answer(route))
        desk.locator("#calendar [rel=next]").click()
        expect(desk.locator(".toast--wrong")).to_have_text(words)
        expect(desk.locator(".calendar__table")).to_be_visible()
    desk.unroute_all()


# A week


def to(hand: Keys, page: str) -> None:
    """Go to a page by the menu."""
    hand.take(f".site__nav a[href='/admin/{page}']")
    expect(hand.page.locator(f".site__nav a[href='/admin/{page}']")).to_have_attribute("aria-current", "page")


def order(hand: Keys) -> None:
    to(hand, "puzzles")
    hand.take("a[href='/admin/orders']")
    hand.take("#place-order")
    hand.page.wait_for_url("**/admin/orders#order-*")


def approve(hand: Keys) -> None:
    """Approve the first puzzle of the order, once it is there."""
    hand.take(f"#{hand.page.url.rpartition('#')[2]}[data-state=done] a.button")
    hand.take(".found[data-picked] [data-act=a]", "a")
    expect(hand.page.locator(".found[data-status=approved]")).to_have_count(1)


def place(hand: Keys) -> None:
    """Make it a daily of tomorrow, and undo it."""
    approved = ".found[data-status=approved]"
    hand.press("ArrowLeft")  # the next one to decide is framed
    hand.take(f"{approved} [data-act=d]", "d")
    cell = hand.page.locator(f"[data-day='{datetime.now(UTC).date() + timedelta(days=1)}'][data-level='4']")
    before = cell.get_attribute("data-seen")
    hand.take(".slot--target")
    expect(hand.page.locator("#calendar-told")).to_contain_text("is now the")
    expect(cell).not_to_have_attribute("data-seen", str(before))
    hand.take("#calendar-undo .button", "u")
    expect(cell).to_have_attribute("data-seen", str(before))


def fill(hand: Keys) -> None:
    """Fill the second fortnight, and undo it."""
    to(hand, "calendar")
    hand.take("[rel=next]")
    hand.take("#calendar-fill")
    expect(hand.page.locator("#calendar-told")).to_contain_text("scheduled")
    hand.take("#calendar-undo .button", "u")
    expect(hand.page.locator("#calendar-fill")).to_be_visible()


def replace(hand: Keys) -> None:
    """Replace the easy daily of in two days, and undo it."""
    to(hand, "calendar")
    slot = f"#slot-{datetime.now(UTC).date() + timedelta(days=2)}-2"
    cell = hand.page.locator(f"td:has({slot})")
    before = cell.get_attribute("data-seen")
    hand.take(slot)
    hand.take("#calendar-replace", "r")
    expect(cell).not_to_have_attribute("data-seen", str(before))
    hand.take("#calendar-undo .button", "u")
    expect(cell).to_have_attribute("data-seen", str(before))


def withdraw(hand: Keys) -> None:
    """Withdraw the easy daily of today with the replacement that is offered, and undo it."""
    to(hand, "")
    hand.take(".out__card.hue--2 .button")
    expect(hand.page.locator(".swap__one")).to_have_count(2)
    hand.write("#reason", "It has two solutions.")
    hand.take("#withdraw")
    expect(hand.page.locator("#withdrawn-title")).to_contain_text("This puzzle replaces")
    hand.take("#undo-withdrawal", "u")
    expect(hand.page.locator("#withdraw")).to_be_visible()


def to_paper(hand: Keys) -> None:
    to(hand, "calendar")
    with hand.page.expect_download() as download:
        hand.take(".desk__acts a[download]")
    assert download.value.path().read_bytes().startswith(b"%PDF")


def answer(hand: Keys) -> None:
    to(hand, "")
    waiting = hand.page.locator(".waiting__one:not(.waiting__one--done)")
    count = waiting.count()
    hand.take(".waiting__one:not(.waiting__one--done) button")
    expect(hand.page.locator(".waiting__one--done")).to_be_visible()
    expect(waiting).to_have_count(count - 1)


def add(hand: Keys, name: str) -> None:
    to(hand, "people")
    hand.take("#curators summary")
    hand.write("#curator", name)
    hand.take("form[action='/admin/people/curators'] .button--primary")
    expect(hand.page.locator(".qr svg")).to_be_visible()


def make_what_was_ordered() -> None:
    """Do what a worker does."""
    with in_the_site():
        with write_tx():
            order = db.session.scalars(sa.select(Order).order_by(Order.id.desc()).limit(1)).one()
            order.state, number = JobState.RUNNING, order.id
        assert orders.work(number, 60, lambda: False, now)


@pytest.mark.parametrize(("hands", "most", "options"), one_in(2, [(Fingers, 30, PHONE), (Keys, 300, {})]))
def test_a_week_at_the_desk(
    live: Site, new_page: NewPage, hands: type[Keys], most: int, options: dict[str, Any]
) -> None:
    player = new_page()
    name = named(player)
    report(player, *live.rows("SELECT puzzle_id FROM daily WHERE level = 2 ORDER BY date")[0])
    hand = hands(new_page(own=True, **options))
    at_the_desk()(hand.page)
    order(hand)
    make_what_was_ordered()
    for act in (approve, place, fill, withdraw, replace, to_paper, answer):
        act(hand)
    add(hand, name)
    assert hand.acts <= most
