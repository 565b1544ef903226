"""Pages with longer words, and from right to left: nothing overflows on a phone, the board stays as it is.

And a daily in a Chinese browser.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import desk
from tests.browser.board import start_ranked, type_in
from tests.browser.conftest import PHONE, NewPage, Site, solution_on
from tests.browser.cut import cut
from webapp.web.i18n import CATALOGS, catalogs
from webapp.web.i18n.choice import COOKIE

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
# Elements outside of the page, which a reader would have to scroll to sideways.
OUTSIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  // What is fixed does not widen the page.
  const looked = scrollWidth > clientWidth ? "body *" : ".site__nav *, .footer *";
  return [...document.querySelectorAll(looked)].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width && (left < -1 || right > clientWidth + 1);
  }).map((element) => element.outerHTML.slice(0, 120));
}"""
# Focus order within a line of text or of buttons that goes against the page's reading direction.
BACKWARDS = """() => {
  const rtl = getComputedStyle(document.documentElement).direction === "rtl";
  const places = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  // Digits keep their order, and the link that skips to the content has no place until it is focused.
  const elsewhere = "dialog, [role=grid], .keypad, .board, .site__skip";
  const seen = [...document.querySelectorAll(places)].filter((stop) => stop.tabIndex >= 0
    && stop.checkVisibility({ visibilityProperty: true }) && !stop.closest(elsewhere));
  const wrong = [];
  for (let at = 1; at < seen.length; at += 1) {
    const [before, after] = [seen[at - 1], seen[at]].map((stop) => stop.getBoundingClientRect());
    const shared = Math.min(before.bottom, after.bottom) - Math.max(before.top, after.top);
    if (shared < Math.min(before.height, after.height) / 2 || !before.width || !after.width) continue;
    if (rtl ? after.left > before.left + 1 : after.left < before.left - 1)
      wrong.push(`${seen[at - 1].outerHTML.slice(0, 90)} before ${seen[at].outerHTML.slice(0, 90)}`);
  }
  return wrong;
}"""
# Everything that is seen or read out: texts, names, and the content of live regions.
TOLD = """() => {
  const said = [document.title, document.body.innerText];
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const element of document.querySelectorAll(`[${name}]`)) said.push(element.getAttribute(name));
  for (const element of document.querySelectorAll(".visually-hidden, [aria-live]"))
    said.push(element.textContent);
  return said.join("\\n");
}"""
# Names, keys, ER, cells, and the languages in their own words.
NAMES = re.compile(
    r"Ninefold|Deutsch|English|Español|Sudoku(Pad|Wiki)|sudoku\.coach|Atom|Mac|\bER\b|\bUTC\b|\br\dc\d\b|https?:\S+|"
    r"Ctrl|Cmd|Shift|Alt|Esc|Tab|Enter|Space|Home|End|PageUp|PageDown|Backspace|Delete"
)
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
        outside[address] += phone.evaluate(OUTSIDE) + phone.evaluate(BACKWARDS)
    assert {address: found for address, found in outside.items() if found} == {}


@pytest.mark.parametrize("code", catalogs.codes(CATALOGS))
def test_no_word_is_cut_on_a_phone(phone: Page, live: Site, code: str) -> None:
    phone.context.add_cookies([{"name": COOKIE, "value": code, "url": live.url}])
    phone.goto("/learn/aic?tab=example&at=2")  # a proof with its steps
    found = cut(phone)
    start_ranked(phone)
    assert found + cut(phone) == []


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
    back = page.locator(".play__back .icon")
    assert back.evaluate("icon => getComputedStyle(icon).scale") == "-1 1"


def test_arrow_keys_of_the_calendar_go_where_they_point(new_page: NewPage) -> None:
    page = new_page()
    desk.at_the_desk("/admin/calendar")(page)
    page.evaluate("document.documentElement.dir = 'rtl'")
    page.locator("[id^=slot-]").nth(1).focus()
    before = page.locator(":focus").bounding_box()
    page.keyboard.press("ArrowLeft")
    after = page.locator(":focus").bounding_box()
    assert before and after and after["x"] < before["x"]


def test_a_browser_that_asks_for_chinese_plays_a_daily_without_an_english_word(new_page: NewPage) -> None:
    page = new_page(own=True, locale="zh-CN")
    said: list[str] = []

    def read() -> None:
        words = NAMES.sub("", page.evaluate(TOLD))
        said.extend(re.findall(r".{0,20}[A-Za-z]{2,}.{0,20}", words))

    page.goto("/daily")
    read()
    start_ranked(page)
    read()
    solution = solution_on(page)
    page.locator("#board [role=gridcell]:not([data-given])").first.click()
    page.keyboard.press("r")  # says the row
    expect(page.locator("#speech")).not_to_be_empty()
    read()
    page.keyboard.press("?")
    read()
    page.keyboard.press("Escape")
    type_in(page, {cell: solution[cell] for cell in range(81)})
    expect(page.locator("#finish-panel")).to_be_visible()
    read()
    page.goto("/leaderboard")
    page.locator(".ranking").first.wait_for()
    # Players of other tests may stand there, under names of their own
    page.evaluate("for (const name of document.querySelectorAll('.ranking__face, bdi')) name.remove()")
    read()
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    assert said == []
