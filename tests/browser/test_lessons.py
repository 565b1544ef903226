"""Lessons in the browser: an exercise solved right and wrong, by mouse, by keys and by touch, with axe.

A few lessons by default; the campaign `lessons` (THOROUGH=1) opens them all.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.geometry import Candidate
from tests.browser.conftest import DESKTOP, PHONE, NewPage
from tests.browser.hands import tab_to
from tests.browser.test_accessibility import violations
from tests.thorough import THOROUGH, amount
from webapp.learn import positions
from webapp.learn.lessons.texts import LESSONS as TEXTS
from webapp.learn.lessons.views import TABS
from webapp.learn.positions import Posed

FEW = ("hidden_single", "aic")  # placing, and crossing out
LESSONS = amount("LESSONS", len(FEW), len(TEXTS))
KEYS = list(TEXTS) if len(FEW) < LESSONS else FEW


def exercise(key: str) -> Posed:
    return positions.of(key).exercises[0]


def outcome(posed: Posed) -> tuple[bool, list[Candidate]]:
    """Return whether the first step places digits, and what it places or removes."""
    step = posed.steps[0]
    return bool(step.placements), sorted(step.placements or step.eliminations)


def cell(page: Page, number: int) -> Locator:
    return page.locator(f"#c{number}")


@pytest.mark.parametrize("key", KEYS)
def test_a_lesson_opens_and_its_exercise_is_solved_wrong_and_right(new_page: NewPage, key: str) -> None:
    page = new_page(viewport=DESKTOP)
    for tab in TABS:
        page.goto(f"/learn/{key}?tab={tab}")
        assert not THOROUGH or violations(page) == [], tab  # the table of pages has one of each
    posed = exercise(key)
    solution = posed.position.solution
    assert solution is not None
    placing, spots = outcome(posed)
    page.goto(f"/learn/{key}?tab=try")
    # The keypad starts in the mode that the exercise needs.
    expect(page.locator(".modes [aria-pressed='true']")).to_have_text("Place" if placing else "Cross out")
    if placing:
        page.get_by_role("button", name="Cross out", exact=True).click()
    wrong = next(number for number in range(81) if not posed.position.grid[number])
    # By one click: if the first hits the candidate itself, a key after it would remove the mark.
    cell(page, wrong).locator(f".pencil--{solution[wrong]}").click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#answer .bullets")).to_be_visible()
    expect(page.locator("#answer")).to_have_attribute("role", "status")
    assert violations(page) == []
    page.get_by_role("button", name="Clear marks").click()
    if placing:
        page.get_by_role("button", name="Place", exact=True).click()
    for number, digit in spots:
        cell(page, number).locator(f".pencil--{digit}").click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#answer .marking__said--right")).to_be_visible()
    assert violations(page) == []


def test_an_exercise_is_solved_by_keys_alone(new_page: NewPage) -> None:
    page = new_page(viewport=DESKTOP)
    page.goto("/learn/skyscraper?tab=try")
    _placing, spots = outcome(exercise("skyscraper"))
    tab_to(page, "#board [tabindex='0']", most=40)
    for number, digit in spots:
        page.keyboard.press("Control+Home")
        for key in ["ArrowDown"] * (number // 9) + ["ArrowRight"] * (number % 9):
            page.keyboard.press(key)
        expect(cell(page, number)).to_be_focused()
        page.keyboard.press(str(digit))
        expect(cell(page, number)).to_contain_text(f"crossed out {digit}")
    tab_to(page, ".marking__do .button--primary", most=40)
    page.keyboard.press("Enter")
    expect(page.locator("#answer .marking__said--right")).to_be_visible()
    expect(page.locator(".marking__do .button--primary")).to_be_focused()


def test_an_exercise_is_solved_by_touch_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    page.goto("/learn/skyscraper?tab=try")
    _placing, spots = outcome(exercise("skyscraper"))
    for number, digit in spots:
        cell(page, number).tap()
        page.locator(f".marking__key[value='{digit}']").tap()
    for key in page.locator(".marking__key").all():
        box = key.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    page.get_by_role("button", name="Check").tap()
    expect(page.locator("#answer .marking__said--right")).to_be_visible()


def test_on_a_phone_an_exercise_has_its_board_and_keys_in_sight(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 360, "height": 740}, has_touch=True)
    page.goto("/learn/hidden_pair?tab=try")
    board, keys, ways = (
        page.locator(each).bounding_box() for each in ("#board", ".marking__pad", ".site__nav")
    )
    assert board and keys and ways
    assert board["y"] >= 0
    assert keys["y"] + keys["height"] <= ways["y"]


def test_on_a_phone_the_answer_to_wrong_marks_is_in_sight(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    page.goto("/learn/skyscraper?tab=try")
    page.locator(".cell:has(.pencil)").last.tap()
    page.locator(".marking__key:not([aria-disabled='true'])").first.tap()
    page.get_by_role("button", name="Check").tap()
    expect(page.locator("#answer .bullets")).to_be_in_viewport(ratio=1)
    answer, ways = page.locator("#answer").bounding_box(), page.locator(".site__nav").bounding_box()
    assert answer and ways
    assert answer["y"] + answer["height"] <= ways["y"]


def test_a_tab_keeps_the_focus_and_the_way_back(new_page: NewPage) -> None:
    page = new_page(viewport=DESKTOP)
    page.goto("/learn/skyscraper")
    tab_to(page, "#tab-example", most=40)
    page.keyboard.press("Enter")
    expect(page.locator("#overlay")).to_be_attached()
    expect(page.locator("#tab-example")).to_be_focused()
    page.go_back()
    expect(page.locator(".lesson__picture")).to_be_visible()


def test_where_the_board_takes_marks_no_field_asks_for_them(page: Page) -> None:
    page.goto("/learn/skyscraper?tab=try")
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#marks")).to_be_hidden()
    expect(page.get_by_text("On the board: arrow keys to move")).to_be_visible()


def test_without_scripts_a_field_takes_the_marks(new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/learn/skyscraper?tab=try")
    expect(page.get_by_label("Your marks")).to_be_visible()
