"""A curator's day by keys alone in a real browser, and the audit log afterwards.

Candidates are judged, a fortnight is scheduled, a file is brought in, a doubted solve is decided on. No mouse
and no script moves the focus: it goes where Tab and the desk's own keys lead. `make curator` (REVIEWS=100)
judges a hundred; the tests judge what a fortnight takes.
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
FIRST = 90  # days after today: neither the schedule nor another test comes that far
LEVEL = 3
SEED = 40_000
NOTE = "Nobody types that fast."
FAR = 400  # presses of Tab after which something cannot be reached


@dataclass(frozen=True)
class Deed:
    """What the log has to say of one thing that was done."""

    action: str
    subject: str
    subject_id: str
    before: dict[str, Any] | None
    after: dict[str, Any]
    note: str | None = None


def take(page: Page, selector: str) -> None:
    """Go on to a link or a button that leads to another page, and take it."""
    tab_to(page, selector, FAR)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def go_to(page: Page, address: str) -> None:
    """Take the link of the desk's own navigation."""
    take(page, f".desk__nav a[href^='{address}']")


def state(status: str, version: int, reason: str | None = None) -> dict[str, Any]:
    return {"status": status, "reason": reason, "version": version}


def judge(page: Page, ids: list[int]) -> list[Deed]:
    """Judge these candidates, which stand first: of four, two are approved, one is rejected, one is approved,
    taken back and approved again.
    """
    deeds: list[Deed] = []
    left = set(ids)
    reach_the_first_row(page)
    while left:
        number = int(page.evaluate("document.activeElement.closest('.queue__row').id.slice(7)"))
        assert number in left, f"of {ids}, at {len(left)}: {seen_of(page)}"
        turn = len(left) % 4
        deeds += reject(page, number) if turn == 2 else approve(page, number, twice=turn == 1)
        left.remove(number)
        if left and page.evaluate("document.activeElement.id") == "queue-more":
            with page.expect_navigation():
                page.keyboard.press("Enter")
            reach_the_first_row(page)
    return deeds


def seen_of(page: Page) -> object:
    """Where the focus stands and what every row says, for whoever has to find out why."""
    return page.evaluate(
        """() => [location.href, document.activeElement.outerHTML.slice(0, 80),
            ...Array.from(document.querySelectorAll(".queue__row"), (row) =>
                `${row.id} ${row.dataset.status}`)]"""
    )


def reach_the_first_row(page: Page) -> None:
    expect(page.locator("#several[data-chosen]")).to_be_attached()  # the module has started
    tab_to(page, ".queue__open", FAR)


def approve(page: Page, number: int, *, twice: bool) -> list[Deed]:
    row = page.locator(f"#puzzle-{number}")
    undone = []
    if twice:
        page.keyboard.press("a")
        expect(row).to_have_attribute("data-status", "approved")
        page.keyboard.press("u")
        expect(row).to_have_attribute("data-status", "candidate")
        undone = [
            Deed("approve", "puzzle", str(number), state("candidate", 0), state("approved", 1)),
            Deed("undo", "puzzle", str(number), state("approved", 1), state("candidate", 2)),
        ]
        back_to(page, number)
    page.keyboard.press("a")
    expect(row).to_have_attribute("data-status", "approved")
    version = len(undone)
    last = Deed("approve", "puzzle", str(number), state("candidate", version), state("approved", version + 1))
    return [*undone, last]


def back_to(page: Page, number: int) -> None:
    """To the row of a decision taken back: the focus has gone on meanwhile, or the page is another."""
    expect(page.locator("#several[data-chosen]")).to_be_attached()  # the module has started
    for _ in range(FAR):
        row = page.evaluate("document.activeElement.closest('.queue__row')?.id")
        if row == f"puzzle-{number}":
            return
        page.keyboard.press("k" if row else "Shift+Tab")
    raise AssertionError(f"K does not lead back to {number}")


def reject(page: Page, number: int) -> list[Deed]:
    page.keyboard.press("r")
    expect(page.locator("#reject")).to_be_visible()
    reason = page.locator("#reject [data-key='3']").get_attribute("value")
    page.keyboard.press("3")
    expect(page.locator(f"#puzzle-{number}")).to_have_attribute("data-status", "rejected")
    before, after = state("candidate", 0), state("rejected", 1, reason)
    return [Deed("reject", "puzzle", str(number), before, after, reason)]


def schedule_a_fortnight(page: Page) -> list[Deed]:
    """Put a puzzle on each of 14 days: Enter on the first, then Enter on what is offered for each."""
    first = datetime.now(UTC).date() + timedelta(days=FIRST)
    go_to(page, "/admin/calendar")
    for _ in range((first.year - page_month(page).year) * 12 + first.month - page_month(page).month):
        before = page.locator(".archive__month").inner_text()
        tab_to(page, "#month-later", FAR)
        page.keyboard.press("Enter")
        expect(page.locator(".archive__month")).not_to_have_text(before)
    tab_to(page, f"#slot-{first}-{LEVEL}", FAR)
    page.keyboard.press("Enter")
    deeds = []
    for number in range(FORTNIGHT):
        day = first + timedelta(days=number)
        side = page.locator("#calendar-slot")
        expect(side).to_have_attribute("data-slot-of", f"slot-{day}-{LEVEL}")
        expect(page.locator("[data-choose]").first).to_be_focused()
        puzzle, version = page.evaluate("document.activeElement.value.split(':').map(Number)")
        page.keyboard.press("Enter")
        told = page.locator("#calendar-told")
        expect(told).to_contain_text(f"#{puzzle}")
        if page.locator("#calendar-sure").count():  # the same hardest technique on three days running
            expect(page.locator("#calendar-sure")).to_be_focused()
            page.keyboard.press("Enter")
        expect(told).to_contain_text(f"#{puzzle} is now the")
        before = {"status": "approved", "date": None, "level": None, "version": version}
        after = {"status": "daily", "date": str(day), "level": LEVEL, "version": version + 1}
        deeds.append(Deed("schedule", "puzzle", str(puzzle), before, after))
    return deeds


def page_month(page: Page) -> date:
    return datetime.strptime(page.locator(".archive__month").inner_text(), "%B %Y").replace(tzinfo=UTC).date()


def bring_in(page: Page, file: Path) -> list[Deed]:
    """Import a file, with a line of every kind in it."""
    # From here on, since a key that follows the first listener at once can come before it.
    page.on("filechooser", lambda _chooser: None)
    go_to(page, "/admin/import")
    tab_to(page, "#file", FAR)
    page.wait_for_load_state("load")  # a page that is still loading opens no chooser
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files(file)
    take(page, "form[enctype] button")
    expect(page.locator("#import-report")).to_be_visible()
    counts = {"new": 1, "duplicate": 1, "not_unique": 1, "invalid": 1}
    for state, count in counts.items():
        expect(page.locator(f".chip[href*='state={state}'] b")).to_have_text(str(count))
    number = page.url.rpartition("/")[2]
    return [Deed("import", "import", number, None, {"name": file.name, **counts})]


def decide_on_a_solve(page: Page, attempt: str) -> list[Deed]:
    """Look at the replay of a doubted solve and say that it does not count."""
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
        Deed("judge", "attempt", attempt, before_it, {"standing": "removed", "verdict": NOTE}, NOTE),
    ]


def logged(live: Site, after: int) -> list[Deed]:
    """What the log has of the curator beyond this entry, in order."""
    rows = live.rows(
        "SELECT action, subject, subject_id, before, after, note FROM audit_entry"
        " WHERE id > ? AND curator_name = ? ORDER BY id",
        after,
        the_desk.NAME,
    )
    return [
        Deed(action, subject, subject_id, before and json.loads(before), json.loads(after), note)
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
    deeds = judge(desk, ids)
    deeds += schedule_a_fortnight(desk)
    deeds += bring_in(desk, file)
    deeds += decide_on_a_solve(desk, attempt)
    assert logged(live, latest) == deeds
    done = Counter(deed.action for deed in deeds)
    decisions = done["approve"] + done["reject"] - done["undo"]
    assert (decisions, done["schedule"], done["import"], done["judge"]) == (REVIEWS, FORTNIGHT, 1, 1)
    print(f"{len(deeds)} deeds, each in the log: {dict(done)}")
    # The page says what the table has.
    go_to(desk, "/admin/audit")
    expect(desk.locator(".audit > tbody > tr").first).to_contain_text(NOTE)
