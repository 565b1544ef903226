"""A week of an editor by keys alone: a month with a theme, reviews, an import, an appeal, a release by two.

Keys are counted, and axe-core checks the pages of the week. The campaign `week` (WEEK=100) reviews a hundred,
plans a whole month and checks every page at 390, 768 and 1280 pixels; WEEK=4 plays a short week. The suite
leaves it out, because test_curator.py works by keys alone, too.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from playwright.sync_api import Keyboard, Page, expect

from tests.browser import desk as the_desk
from tests.browser.conftest import DESKTOP, NewPage, Site
from tests.browser.hands import tab_to
from tests.browser.pages import named
from tests.browser.test_accessibility import violations
from tests.browser.test_curator import FAR, bring_in, go_to, page_month, review, take
from tests.thorough import amount
from webapp.models import Player
from webapp.process.database import db, write_tx

REVIEWS = amount("WEEK", 4, 100)
WHOLE = REVIEWS >= 100
STOCK = 31 if WHOLE else 8  # puzzles of each level for the month
WIDTHS = (390, 768, 1280)
AHEAD = timedelta(days=270)  # no other test plans that far
SEED = 60_000
THEME = "A week of X-Wings"


@dataclass
class Week:
    """The keys pressed so far, and axe-core's findings."""

    keys: int = 0
    report: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    looks: int = 0

    def done(self, what: str, began: float, before: int) -> None:
        """Record the cost of a part."""
        self.report.append(f"{what}: {self.keys - before} keys, {time.monotonic() - began:.0f} s")

    def look(self, page: Page) -> None:
        """Run axe-core on this page, in every width or in the next."""
        widths = WIDTHS if WHOLE else (WIDTHS[self.looks % len(WIDTHS)],)
        self.looks += 1
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            self.wrong += [f"{page.url} at {width}: {each}" for each in violations(page)]
        page.set_viewport_size(DESKTOP)


@pytest.fixture
def week(monkeypatch: pytest.MonkeyPatch) -> Iterator[Week]:
    """Count every key that is pressed, on any page."""
    week, press, type_in = Week(), Keyboard.press, Keyboard.type

    def pressed(keyboard: Keyboard, key: str) -> None:
        week.keys += 1
        press(keyboard, key)

    def typed(keyboard: Keyboard, text: str) -> None:
        week.keys += len(text)
        type_in(keyboard, text)

    monkeypatch.setattr(Keyboard, "press", pressed)
    monkeypatch.setattr(Keyboard, "type", typed)
    yield week
    print("\n".join([*week.report, f"altogether {week.keys} keys; axe looked {week.looks} times"]))


def month_of_the_week() -> date:
    return (datetime.now(UTC).date() + AHEAD).replace(day=1)


def type_day(page: Page, selector: str, day: date) -> None:
    """Type a day into a date field, in Chromium's English order."""
    tab_to(page, selector, FAR)
    page.keyboard.type(f"{day:%m%d%Y}")
    expect(page.locator(selector)).to_have_value(str(day))


def plan_a_month(page: Page, week: Week) -> None:
    """Set a theme for a week of the month, then fill the month from the bank."""
    first = month_of_the_week()
    go_to(page, "/admin/calendar")
    take(page, f"a[href$='year={datetime.now(UTC).year}']")
    week.look(page)
    tab_to(page, "#title", FAR)
    page.keyboard.type(THEME)
    tab_to(page, "#technique")
    page.keyboard.type("X-Wing")
    expect(page.locator("#technique")).to_have_value("x_wing")
    type_day(page, "#first", first)
    type_day(page, "#last", first + timedelta(days=6))
    take(page, "form[action$=themes] button")
    expect(page.locator("h1")).to_be_visible()
    go_to(page, "/admin/calendar")
    to_the_month(page, first)
    expect(page.locator(".schedule__note", has_text=THEME).first).to_be_visible()
    tab_to(page, "#calendar-fill button", FAR)
    page.keyboard.press("Enter")
    expect(page.locator("#calendar-undo")).to_be_visible()
    week.look(page)


def to_the_month(page: Page, first: date) -> None:
    """Press “Later” until this month is shown."""
    while (shown := page_month(page)) != first:
        before = page.locator(".archive__month").inner_text()
        tab_to(page, "#month-later" if shown < first else "#month-earlier", FAR)
        page.keyboard.press("Enter")
        expect(page.locator(".archive__month")).not_to_have_text(before)


def hear_an_appeal(page: Page, player: int, week: Week) -> None:
    """Read a suspended player's appeal, and end the suspension."""
    go_to(page, "/admin/flags")
    take(page, f".flags__open[href$='/players/{player}']")
    expect(page.locator("blockquote")).to_have_text("I only type fast.")
    week.look(page)
    take(page, "button[value=lift]")
    expect(page.locator("#toast")).to_contain_text("Suspension ended.")


def draft(page: Page) -> str:
    """Draft the first puzzle offered for a day after the month. Returns its number."""
    day = (month_of_the_week() + timedelta(days=31)).replace(day=1)
    go_to(page, "/admin/calendar")
    take(page, "#calendar-mode")
    to_the_month(page, day)
    tab_to(page, f"#slot-{day}-3", FAR)
    page.keyboard.press("Enter")
    expect(page.locator("[data-choose]").first).to_be_focused()
    number = str(page.evaluate("document.activeElement.value.split(':')[0]"))
    page.keyboard.press("Enter")
    expect(page.locator("#calendar-told")).to_contain_text(f"#{number}")
    return number


def release(page: Page, week: Week) -> None:
    """Release all drafts, as the other person."""
    go_to(page, "/admin/calendar")
    week.look(page)
    tab_to(page, "#calendar-release button", FAR)
    page.keyboard.press("Enter")
    expect(page.locator("#calendar-told")).to_contain_text("Released one draft.")


def appealing(page: Page) -> int:
    """Create a suspended player who has appealed. Returns their number."""
    name = named(page)
    with the_desk.in_the_site(), write_tx():
        db.session.execute(
            sa.update(Player)
            .where(Player.name == name)
            .values(suspended=True, suspension_reason="Too fast", appeal="I only type fast.")
        )
        return db.session.scalars(sa.select(Player.id).where(Player.name == name)).one()


@pytest.mark.skipif("WEEK" not in os.environ, reason="make campaign NAME=week")
def test_a_week_by_keys_alone(live: Site, new_page: NewPage, desk: Page, week: Week, tmp_path: Path) -> None:
    player = appealing(new_page())
    for level in (2, 3, 4):
        the_desk.put(live.file, "approved", STOCK, SEED + 1000 * level, level)
    ids = the_desk.put(live.file, "candidate", REVIEWS, SEED, 3)
    file = tmp_path / "brought.sdm"
    fresh, known = the_desk.puzzle(SEED + REVIEWS, 3), the_desk.puzzle(SEED, 3)
    file.write_text(f"{fresh}\n{known}\n{'.' * 81}\nx{fresh[1:]}\n")
    colleague = new_page(own=True)
    the_desk.join(colleague, "Robin")
    week.keys = 0
    desk.goto("/admin/?sort=-number")

    began, before = time.monotonic(), week.keys
    review(desk, ids)
    week.look(desk)
    week.done(f"{REVIEWS} reviewed", began, before)
    began, before = time.monotonic(), week.keys
    plan_a_month(desk, week)
    week.done("a month planned with a theme", began, before)
    began, before = time.monotonic(), week.keys
    bring_in(desk, file)
    week.look(desk)
    week.done("an import", began, before)
    began, before = time.monotonic(), week.keys
    hear_an_appeal(desk, player, week)
    week.done("an appeal", began, before)
    began, before = time.monotonic(), week.keys
    the_desk.put(live.file, "approved", 2, SEED + 9000, 3)  # the month may have used the whole stock
    number = draft(desk)
    release(colleague, week)
    week.done("a daily released by a second person", began, before)

    assert week.wrong == []
    ((status,),) = live.rows("SELECT status FROM puzzle WHERE id = ?", int(number))
    assert status == "daily"
    ((themed,),) = live.rows("SELECT count(*) FROM theme WHERE title = ?", THEME)
    assert themed == 1
