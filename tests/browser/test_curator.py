"""A curator's day by keys alone in a real browser, and the audit log afterwards.

The curator decides on candidates, schedules a fortnight, imports a file, and decides on a solve under review.
No mouse and no script moves the focus: it goes where Tab and the desk's own keys lead. The campaign
`curator` (REVIEWS=100) decides on a hundred; the tests on as many as a fortnight takes.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import desk as the_desk
from tests.browser.conftest import NewPage, Site
from tests.browser.hands import tab_to
from tests.browser.pages import doubted
from tests.thorough import amount

REVIEWS = amount("REVIEWS", 21, 100)
FORTNIGHT = 14
FIRST = 90  # days after today: beyond the schedule and all other tests
LEVEL = 3
SEED = 40_000
NOTE = "Nobody types that fast."
FAR = 400  # presses of Tab after which an element counts as unreachable


@dataclass(frozen=True)
class Action:
    """The audit entry expected for one action."""

    action: str
    subject: str
    subject_id: str
    before: dict[str, Any] | None
    after: dict[str, Any]
    note: str | None = None


def take(page: Page, selector: str) -> None:
    """Focus a link or a button that leads to another page, and press it."""
    tab_to(page, selector, FAR)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def go_to(page: Page, address: str) -> None:
    """Follow the link of the desk's own navigation."""
    take(page, f".desk__nav a[href^='{address}']")


def state(status: str, version: int, reason: str | None = None) -> dict[str, Any]:
    return {"status": status, "reason": reason, "version": version}


def review(page: Page, ids: list[int]) -> list[Action]:
    """Decide on these candidates: of four, approve two, reject one, and approve, undo and approve one."""
    actions: list[Action] = []
    left = set(ids)
    reach_the_first_row(page)
    while left:
        number = int(page.evaluate("document.activeElement.closest('.queue__row').id.slice(7)"))
        assert number in left, f"of {ids}, at {len(left)}: {seen_of(page)}"
        turn = len(left) % 4
        actions += reject(page, number) if turn == 2 else approve(page, number, twice=turn == 1)
        left.remove(number)
        if left and page.evaluate("document.activeElement.id") == "queue-more":
            with page.expect_navigation():
                page.keyboard.press("Enter")
            reach_the_first_row(page)
    return actions


def seen_of(page: Page) -> object:
    """Describe the focus and every row, for diagnosis."""
    return page.evaluate(
        """() => [location.href, document.activeElement.outerHTML.slice(0, 80),
            ...Array.from(document.querySelectorAll(".queue__row"), (row) =>
                `${row.id} ${row.dataset.status}`)]"""
    )


def reach_the_first_row(page: Page) -> None:
    expect(page.locator("#several[data-chosen]")).to_be_attached()  # the module has started
    tab_to(page, ".queue__open", FAR)


def approve(page: Page, number: int, *, twice: bool) -> list[Action]:
    row = page.locator(f"#puzzle-{number}")
    undone = []
    if twice:
        page.keyboard.press("a")
        expect(row).to_have_attribute("data-status", "approved")
        page.keyboard.press("u")
        expect(row).to_have_attribute("data-status", "candidate")
        undone = [
            Action("approve", "puzzle", str(number), state("candidate", 0), state("approved", 1)),
            Action("undo", "puzzle", str(number), state("approved", 1), state("candidate", 2)),
        ]
        back_to(page, number)
    page.keyboard.press("a")
    expect(row).to_have_attribute("data-status", "approved")
    version = len(undone)
    last = Action(
        "approve", "puzzle", str(number), state("candidate", version), state("approved", version + 1)
    )
    return [*undone, last]


def back_to(page: Page, number: int) -> None:
    """Return to the row of an undone decision: the focus has moved on, or the page has changed."""
    expect(page.locator("#several[data-chosen]")).to_be_attached()  # the module has started
    for _ in range(FAR):
        row = page.evaluate("document.activeElement.closest('.queue__row')?.id")
        if row == f"puzzle-{number}":
            return
        page.keyboard.press("k" if row else "Shift+Tab")
    raise AssertionError(f"K does not lead back to {number}")


def reject(page: Page, number: int) -> list[Action]:
    page.keyboard.press("r")
    expect(page.locator("#reject")).to_be_visible()
    reason = page.locator("#reject [data-key='3']").get_attribute("value")
    page.keyboard.press("3")
    expect(page.locator(f"#puzzle-{number}")).to_have_attribute("data-status", "rejected")
    before, after = state("candidate", 0), state("rejected", 1, reason)
    return [Action("reject", "puzzle", str(number), before, after, reason)]


def schedule_a_fortnight(page: Page) -> list[Action]:
    """Schedule a puzzle on each of 14 days: Enter on the first, then Enter on the first offer for each."""
    first = datetime.now(UTC).date() + timedelta(days=FIRST)
    go_to(page, "/admin/calendar")
    for _ in range((first.year - page_month(page).year) * 12 + first.month - page_month(page).month):
        before = page.locator(".archive__month").inner_text()
        tab_to(page, "#month-later", FAR)
        page.keyboard.press("Enter")
        expect(page.locator(".archive__month")).not_to_have_text(before)
    tab_to(page, f"#slot-{first}-{LEVEL}", FAR)
    page.keyboard.press("Enter")
    actions = []
    for number in range(FORTNIGHT):
        day = first + timedelta(days=number)
        side = page.locator("#calendar-slot")
        expect(side).to_have_attribute("data-slot-of", f"slot-{day}-{LEVEL}")
        expect(page.locator("[data-choose]").first).to_be_focused()
        puzzle, version = page.evaluate("document.activeElement.value.split(':').map(Number)")
        page.keyboard.press("Enter")
        message = page.locator("#calendar-told")
        expect(message).to_contain_text(f"#{puzzle}")
        if page.locator("#calendar-sure").count():  # the same hardest technique on three days running
            expect(page.locator("#calendar-sure")).to_be_focused()
            page.keyboard.press("Enter")
        expect(message).to_contain_text(f"#{puzzle} is now the")
        before = {"status": "approved", "date": None, "level": None, "version": version}
        after = {"status": "daily", "date": str(day), "level": LEVEL, "version": version + 1}
        actions.append(Action("schedule", "puzzle", str(puzzle), before, after))
    return actions


def page_month(page: Page) -> date:
    return datetime.strptime(page.locator(".archive__month").inner_text(), "%B %Y").replace(tzinfo=UTC).date()


def bring_in(page: Page, file: Path) -> list[Action]:
    """Import a file with a line of every kind."""
    # Listen from here on, since a key right after the first listener can come before it is active.
    page.on("filechooser", lambda _chooser: None)
    go_to(page, "/admin/import")
    tab_to(page, "#file", FAR)
    page.wait_for_load_state("load")  # a loading page opens no file chooser
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files(file)
    take(page, "form[enctype] button")
    expect(page.locator("#import-report")).to_be_visible()
    counts = {"new": 1, "duplicate": 1, "not_unique": 1, "invalid": 1}
    for state, count in counts.items():
        expect(page.locator(f".chip[href*='state={state}'] b")).to_have_text(str(count))
    number = page.url.rpartition("/")[2]
    return [Action("import", "import", number, None, {"name": file.name, **counts})]


def decide_on_a_solve(page: Page, attempt: str) -> list[Action]:
    """Watch the replay of a doubted solve and reject it."""
    go_to(page, "/admin/flags")
    take(page, f"#flag-{attempt} a")
    tab_to(page, "#move", FAR)
    shown = page.locator("output[for=move]")
    before = shown.inner_text()
    page.keyboard.press("Home")
    expect(shown).not_to_have_text(before)
    page.keyboard.press("ArrowRight")
    expect(shown).to_contain_text("1 of")
    tab_to(page, "#note", FAR)
    page.keyboard.type(NOTE)
    take(page, "button[value=removed]")
    expect(page.locator("#toast")).to_contain_text("Verdict saved")
    before_it = {"standing": "review", "verdict": None}
    return [
        Action("judge", "attempt", attempt, before_it, {"standing": "removed", "verdict": NOTE}, NOTE),
    ]


def logged(live: Site, after: int) -> list[Action]:
    """Return the curator's audit entries after this one, in order."""
    rows = live.rows(
        "SELECT action, subject, subject_id, before, after, note FROM audit_entry"
        " WHERE id > ? AND curator_name = ? ORDER BY id",
        after,
        the_desk.NAME,
    )
    return [
        Action(action, subject, subject_id, before and json.loads(before), json.loads(after), note)
        for action, subject, subject_id, before, after, note in rows
    ]


def test_everything_a_curator_does_by_keys_alone_stands_in_the_log(
    live: Site, new_page: NewPage, desk: Page, tmp_path: Path
) -> None:
    attempt = doubted(new_page()).rpartition("/")[2]
    ids = the_desk.put(live.file, "candidate", REVIEWS, SEED, LEVEL)
    file = tmp_path / "brought.sdm"
    fresh, known = the_desk.puzzle(SEED + REVIEWS, LEVEL), the_desk.puzzle(SEED, LEVEL)
    file.write_text(f"{fresh}\n{known}\n{'.' * 81}\nx{fresh[1:]}\n")
    ((latest,),) = live.rows("SELECT coalesce(max(id), 0) FROM audit_entry")
    desk.goto("/admin/?sort=-number")
    actions = review(desk, ids)
    actions += schedule_a_fortnight(desk)
    actions += bring_in(desk, file)
    actions += decide_on_a_solve(desk, attempt)
    assert logged(live, latest) == actions
    done = Counter(action.action for action in actions)
    decisions = done["approve"] + done["reject"] - done["undo"]
    assert (decisions, done["schedule"], done["import"], done["judge"]) == (REVIEWS, FORTNIGHT, 1, 1)
    print(f"{len(actions)} actions, each in the log: {dict(done)}")
    # The page agrees with the table.
    go_to(desk, "/admin/audit")
    expect(desk.locator(".audit > tbody > tr").first).to_contain_text(NOTE)
