"""A curator with nothing but keys: the queue of candidates in a real browser."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site
from tests.browser.desk import put

NUMBER = 8


def statuses(live: Site, ids: list[int]) -> list[str]:
    marks = ",".join("?" * len(ids))
    return [row[0] for row in live.rows(f"SELECT status FROM puzzle WHERE id IN ({marks}) ORDER BY id", *ids)]  # noqa: S608


def focused(page: Page) -> int:
    return int(page.evaluate("document.activeElement.closest('.queue__row').id").removeprefix("puzzle-"))


def test_a_curator_judges_with_keys_alone(live: Site, desk: Page) -> None:
    ids = put(live.file, "candidate", NUMBER, 7_000)
    desk.goto("/admin/?sort=-number")
    rows = list(reversed(ids))
    desk.locator(f"#puzzle-{rows[0]} .queue__open").focus()
    desk.keyboard.press("j")
    desk.keyboard.press("k")
    assert focused(desk) == rows[0]
    desk.keyboard.press("a")
    expect(desk.locator(f"#puzzle-{rows[0]}")).to_have_attribute("data-status", "approved")
    assert focused(desk) == rows[1]
    desk.keyboard.press("r")
    expect(desk.locator("#reject")).to_be_visible()
    desk.keyboard.press("2")
    expect(desk.locator(f"#puzzle-{rows[1]}")).to_have_attribute("data-status", "rejected")
    assert focused(desk) == rows[2]
    desk.keyboard.press("u")
    expect(desk.locator(f"#puzzle-{rows[1]}")).to_have_attribute("data-status", "candidate")
    desk.keyboard.press("r")
    desk.keyboard.press("Tab")
    desk.locator("#reject-words").focus()
    desk.keyboard.type("a jar of words")
    desk.keyboard.press("Enter")
    expect(desk.locator(f"#puzzle-{rows[2]} .queue__reason")).to_have_text("a jar of words")
    assert statuses(live, ids)[::-1][:3] == ["approved", "candidate", "rejected"]
    desk.keyboard.press("Enter")
    desk.wait_for_url(f"**/admin/puzzles/{rows[3]}")


def test_a_candidate_is_not_scheduled_before_it_is_approved(live: Site, desk: Page) -> None:
    (number,) = put(live.file, "candidate", 1, 30_000)
    desk.goto("/admin/?sort=-number")
    desk.locator(f"#puzzle-{number} .queue__open").focus()
    desk.keyboard.press("d")
    expect(desk.locator("#toast")).to_contain_text("Approve it first")


def answer_late(route: Route) -> None:
    expect(route.request.frame.page.locator("#preview")).to_be_hidden()
    route.continue_()


def test_several_are_chosen_and_previewed_by_keys(live: Site, desk: Page) -> None:
    ids = put(live.file, "candidate", 3, 9_000)
    desk.goto("/admin/?sort=-number")
    desk.locator(f"#puzzle-{ids[2]} .queue__open").focus()
    for key in "xjxjx":
        desk.keyboard.press(key)
    expect(desk.locator("#queue-chosen")).to_have_text("3")
    desk.keyboard.press("a")
    expect(desk.locator("#preview")).to_contain_text("Approve 3 puzzles?")
    assert statuses(live, ids) == ["candidate"] * 3
    desk.route("**/admin/decisions", answer_late)  # the dialog has closed when the answer comes
    desk.keyboard.press("Enter")
    expect(desk.locator("#toast")).to_contain_text("3 puzzles approved.")
    assert statuses(live, ids) == ["approved"] * 3
    expect(desk.locator("#queue-chosen")).to_have_text("0")


def test_filters_change_the_address(desk: Page) -> None:
    desk.goto("/admin/")
    desk.locator("[name=level]").select_option("2")
    desk.wait_for_url("**level=2**")
    desk.go_back()
    desk.wait_for_url("**/admin/")
