"""Pages with longer words, and from right to left: nothing runs out of a phone, the board stays as it is."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.board import start_ranked
from tests.browser.conftest import PHONE, NewPage

# Every text becomes 40 % longer, as it may in German or Finnish.
LONGER = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (parentElement.closest("script, style, bdi, code")) continue;
    const longer = (word) => word + "x".repeat(Math.ceil(word.length * 0.4));
    texts.currentNode.data = data.replace(/\\p{L}{4,}/gu, longer);
  }
}"""
# What reaches out of the page, where a reader would have to scroll sideways.
OUTSIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  // What is fixed does not widen the page.
  const looked = scrollWidth > clientWidth ? "body *" : ".site__nav *, .footer *";
  return [...document.querySelectorAll(looked)].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width && (left < -1 || right > clientWidth + 1);
  }).map((element) => element.outerHTML.slice(0, 120));
}"""
PAGES = (
    "/",
    "/daily",
    "/learn",
    "/learn/x_wing",
    "/leaderboard",
    "/rules",
    "/register",
    "/analysis",
    "/print",
)


@pytest.fixture
def phone(new_page: NewPage) -> Page:
    return new_page(viewport=PHONE)


def test_a_phone_has_room_for_longer_words_from_either_side(phone: Page) -> None:
    outside = {}
    for address in PAGES:
        phone.goto(address)
        phone.evaluate(LONGER)
        outside[address] = phone.evaluate(OUTSIDE)
        phone.evaluate("document.documentElement.dir = 'rtl'")
        outside[address] += phone.evaluate(OUTSIDE)
    assert {address: found for address, found in outside.items() if found} == {}


def test_the_board_is_not_mirrored(phone: Page) -> None:
    page = phone
    start_ranked(page)
    page.evaluate(LONGER)
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert page.evaluate(OUTSIDE) == []
    cells = page.locator("#board [role=gridcell]")
    cells.nth(40).click()
    before = cells.nth(40).bounding_box()
    page.keyboard.press("ArrowRight")
    after = page.locator("#board [role=gridcell]:focus").bounding_box()
    assert before and after and after["x"] > before["x"]
    keys = page.locator(".key").all()
    places = [box for key in keys[:5] if (box := key.bounding_box())]
    assert [box["x"] for box in places] == sorted(box["x"] for box in places)
