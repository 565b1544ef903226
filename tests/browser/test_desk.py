"""A curator by keys alone: the queue of candidates in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import PHONE, Site
from tests.browser.desk import code, put, puzzle
from tests.browser.network import divert
from tests.webapp.visitors import PASSWORD

NUMBER = 8


def statuses(live: Site, ids: list[int]) -> list[str]:
    marks = ",".join("?" * len(ids))
    return [row[0] for row in live.rows(f"SELECT status FROM puzzle WHERE id IN ({marks}) ORDER BY id", *ids)]  # noqa: S608


def focused(page: Page) -> int:
    return int(page.evaluate("document.activeElement.closest('.queue__row').id").removeprefix("puzzle-"))


def test_a_curator_decides_by_keys_alone(live: Site, desk: Page) -> None:
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
    listening(desk)
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


def test_a_failed_decision_is_reported_in_its_row(live: Site, desk: Page) -> None:
    ids = put(live.file, "candidate", 4, 90_000)[::-1]
    desk.goto("/admin/?sort=-number")
    desk.locator(f"#puzzle-{ids[0]} .queue__open").focus()
    divert(desk, "**/admin/decisions", lambda route: route.fulfill(status=503), times=1)
    desk.keyboard.press("a")
    lost = f"#{ids[0]} wasn’t approved. The server isn’t answering. Try again from its row."
    expect(desk.locator("#toast")).to_have_text(lost)
    assert focused(desk) == ids[1]
    desk.keyboard.press("a")  # its toast replaces the other
    expect(desk.locator("#toast")).to_contain_text("One puzzle approved.")
    expect(desk.locator(f"#puzzle-{ids[0]} .field__wrong")).to_have_text(lost)
    for key in "kk":
        desk.keyboard.press(key)
    assert focused(desk) == ids[0]
    desk.keyboard.press("a")
    expect(desk.locator(f"#puzzle-{ids[0]}")).to_have_attribute("data-status", "approved")
    expect(desk.locator(f"#puzzle-{ids[0]} .field__wrong")).to_have_count(0)
    desk.locator(f"#puzzle-{ids[2]} .queue__open").focus()
    desk.context.clear_cookies()
    desk.keyboard.press("r")
    desk.keyboard.press("1")
    refused = f"#{ids[2]} wasn’t rejected. Your browser isn’t sending cookies."
    expect(desk.locator("#toast")).to_contain_text(refused)
    assert statuses(live, ids)[::-1] == ["approved", "approved", "candidate", "candidate"]


def test_no_decision_is_lost_on_a_slow_line(live: Site, desk: Page) -> None:
    ids = put(live.file, "candidate", 4, 91_000)[::-1]
    desk.goto("/admin/?sort=-number")
    desk.locator(f"#puzzle-{ids[0]} .queue__open").focus()

    def slowly(route: Route) -> None:
        desk.wait_for_timeout(300)
        route.continue_()

    divert(desk, "**/admin/decisions", slowly)
    for _ in ids:
        desk.keyboard.press("a")
    for number in ids:
        expect(desk.locator(f"#puzzle-{number}")).to_have_attribute("data-status", "approved")


def test_a_rejection_waits_for_its_reason(live: Site, desk: Page) -> None:
    (number,) = put(live.file, "candidate", 1, 92_000)
    desk.goto("/admin/?sort=-number")
    expect(desk.locator("#several[data-chosen]")).to_be_attached()
    desk.locator(f"#puzzle-{number} .queue__open").focus()
    desk.keyboard.press("r")
    words = desk.locator("#reject-words")
    for text in ("", " "):
        words.fill(text)
        words.press("Enter")
        expect(words).to_be_focused()
    assert statuses(live, [number]) == ["candidate"]
    words.fill("dull")
    words.press("Enter")
    expect(desk.locator(f"#puzzle-{number} .queue__reason")).to_have_text("dull")


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
    divert(desk, "**/admin/decisions", answer_late)  # the dialog is closed when the response arrives
    desk.keyboard.press("Enter")
    expect(desk.locator("#toast")).to_contain_text("3 puzzles approved.")
    assert statuses(live, ids) == ["approved"] * 3
    expect(desk.locator("#queue-chosen")).to_have_text("0")


def test_of_two_quick_filters_the_last_one_wins(live: Site, desk: Page) -> None:
    put(live.file, "candidate", 2, 93_000, level=3)
    desk.goto("/admin/?status=all")
    desk.locator("#filters > summary").click()
    listening(desk)

    def slowly(route: Route) -> None:
        desk.wait_for_timeout(300)
        route.continue_()

    divert(desk, "**/admin/?*", slowly)
    for level in "423":
        desk.locator("[name=level]").select_option(level)
    desk.wait_for_url("**level=3**")
    expect(desk.locator("[name=query]").first).to_have_value(re.compile("level=3"))
    for row in desk.locator(".queue__row").all():
        assert row.get_attribute("data-level") == "3"


def test_all_results_are_counted(live: Site, desk: Page) -> None:
    put(live.file, "candidate", 2, 94_000)
    desk.goto("/admin/")
    listening(desk)
    desk.locator("[name=all]").check()
    expect(desk.locator("#queue-chosen")).to_have_text(desk.locator("#queue-candidate").inner_text())


def test_a_filter_that_is_wrong_says_so_at_once(desk: Page) -> None:
    desk.goto("/admin/")
    listening(desk)
    desk.locator("#filters > summary").click()
    desk.locator(".queue__further summary").click()
    like = desk.locator("[name=like]")
    like.fill("123")
    like.press("Enter")
    expect(desk.locator("#wrong-filters")).to_contain_text("Couldn’t read this")
    like.fill("")
    like.press("Enter")
    expect(desk.locator("#wrong-filters")).to_be_hidden()


def test_keys_work_on_load_and_the_toast_covers_nothing(live: Site, desk: Page) -> None:
    ids = put(live.file, "candidate", 3, 50_000)
    desk.set_viewport_size({"width": 1280, "height": 420})
    desk.goto("/admin/?sort=-number")
    expect(desk.locator("#several[data-chosen]")).to_be_attached()
    waiting = int(desk.locator("#queue-candidate").inner_text())
    desk.keyboard.press("j")
    assert focused(desk) == ids[2]
    desk.keyboard.press("a")
    expect(desk.locator("#toast")).to_contain_text("One puzzle approved.")
    expect(desk.locator("#queue-candidate")).to_have_text(str(waiting - 1))
    assert focused(desk) == ids[1]
    row = desk.locator(f"#puzzle-{ids[1]}").bounding_box()
    toast = desk.locator(".toast").bounding_box()
    assert row is not None
    assert toast is not None
    assert row["y"] + row["height"] <= toast["y"] or row["y"] >= toast["y"] + toast["height"]
    desk.evaluate("document.activeElement.blur()")
    desk.keyboard.press("u")
    expect(desk.locator(f"#puzzle-{ids[2]}")).to_have_attribute("data-status", "candidate")
    expect(desk.locator("#queue-candidate")).to_have_text(str(waiting))


def listening(desk: Page) -> None:
    """Wait until the scripts of a newly opened page listen to keys."""
    desk.wait_for_function("() => document.readyState === 'complete'")


def test_a_puzzle_is_decided_on_its_page_by_keys(live: Site, desk: Page) -> None:
    number, _other = put(live.file, "candidate", 2, 60_000)
    desk.goto(f"/admin/puzzles/{number}")
    expect(desk.locator("#step-on")).to_be_visible()
    listening(desk)
    desk.keyboard.press("ArrowRight")
    expect(desk.locator(".stepper__at")).to_contain_text("1 of")
    desk.keyboard.press("a")
    expect(desk.locator("#toast")).to_contain_text("One puzzle approved.")
    assert statuses(live, [number]) == ["approved"]
    listening(desk)
    desk.keyboard.press("u")
    expect(desk.locator("#toast")).to_contain_text("One decision undone.")
    expect(desk.locator(".review__facts")).to_have_text("Candidate")
    listening(desk)
    desk.keyboard.press("r")
    desk.keyboard.type("not fun")
    desk.keyboard.press("Enter")
    expect(desk.locator(".review__facts")).to_have_text("Rejected: not fun")


def test_a_filter_that_is_on_is_seen_and_removed(desk: Page) -> None:
    desk.goto("/admin/?order=77")
    expect(desk.locator("#queue-active a")).to_contain_text("Order 77")
    desk.locator("#filters > summary").click()
    desk.locator("[name=level]").select_option("2")
    expect(desk.locator("#queue-active a")).to_have_count(2)
    expect(desk.locator("#queue-statuses a").first).to_have_attribute(
        "href", "/admin/?status=all&level=2&order=77"
    )
    desk.locator("#queue-active a", has_text="Order 77").click()
    desk.wait_for_url("**/admin/?level=2")
    expect(desk.locator("#queue-active a")).to_have_count(1)
    desk.go_back()
    desk.wait_for_url("**order=77**")


def test_a_proof_loses_neither_selection_nor_file(live: Site, desk: Page, tmp_path: Path) -> None:
    """The server requests a confirmation once, as after ten minutes: the page shows the form, then
    continues.
    """
    ids = put(live.file, "candidate", 2, 70_000)
    desk.goto("/admin/?sort=-number")
    expect(desk.locator("#several[data-chosen]")).to_be_attached()
    for number in ids:
        desk.locator(f"#puzzle-{number} input[name=puzzle]").check()

    def asked(route: Route) -> None:
        route.fulfill(status=403, headers={"Desk-Proof": "asked", "HX-Redirect": "/admin/sign-in"})

    divert(desk, "**/admin/decisions", asked, times=1)
    desk.keyboard.press("a")
    confirm(desk)
    expect(desk.locator("#preview")).to_contain_text("Approve 2 puzzles?")
    desk.goto("/admin/import")
    file = tmp_path / "kept.sdm"
    file.write_text(puzzle(80_000, 2))
    desk.locator("#file").set_input_files(file)
    divert(desk, "**/admin/proof", lambda route: route.fulfill(status=403))
    desk.locator("form[enctype] button").click()
    confirm(desk)
    desk.wait_for_url("**/admin/import/*")
    expect(desk.locator("main")).to_contain_text("kept.sdm")


def test_an_order_is_canceled_and_resumed_on_the_same_key(desk: Page) -> None:
    desk.goto("/admin/orders")
    desk.locator("#count").fill("1")
    desk.get_by_role("button", name="Place order", exact=True).click()
    job = desk.locator(".job").first
    expect(job).to_have_attribute("data-state", "queued")
    listening(desk)
    turn = job.locator("form button")
    turn.focus()
    for state in ("cancelled", "queued"):
        desk.keyboard.press("Enter")
        expect(job).to_have_attribute("data-state", state)
        expect(turn).to_be_focused()


def confirm(page: Page) -> None:
    """Answer the dialog by keys."""
    expect(page.locator("#proof")).to_be_visible()
    page.locator("#proof-password").fill(PASSWORD)
    page.locator("#proof-code").fill(code())
    page.keyboard.press("Enter")


def test_the_page_one_is_on_is_in_sight_among_the_others(desk: Page) -> None:
    """Also if the pages of the desk do not fit side by side."""
    desk.set_viewport_size(PHONE)
    desk.goto("/admin/settings")
    sides = desk.locator(".desk__nav").evaluate(
        """nav => {
            const here = nav.querySelector("[aria-current]");
            const [around, before, own] = [nav, here.previousElementSibling, here].map(
                (each) => each.getBoundingClientRect());
            return { covered: own.left - before.right, over: own.right - around.right };
        }"""
    )
    assert sides["covered"] > -0.5
    assert sides["over"] < 0.5


def test_the_queue_leads_with_puzzles(live: Site, desk: Page) -> None:
    """The first row is in the upper half of a small screen, and one key or the first link away."""
    put(live.file, "candidate", 4, 96_000)
    desk.set_viewport_size({"width": 1024, "height": 768})
    desk.goto("/admin/?sort=-number")
    box = desk.locator(".queue__row").first.bounding_box()
    assert box is not None
    assert box["y"] < 350
    first = desk.locator(".queue__open").first
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(first).to_be_focused()
    desk.goto("/admin/?sort=-number")
    listening(desk)
    desk.keyboard.press("j")
    expect(first).to_be_focused()
    expect(desk.locator("#queue-filters")).to_be_hidden()
