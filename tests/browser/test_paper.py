"""Puzzles on paper: the chosen number on a page, filling it, without the site around them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.thorough import one_in

PAPERS: dict[str, ViewportSize] = {  # what the margins leave of a page, in CSS pixels
    "A4": {"width": 718, "height": 1046},
    "Letter": {"width": 740, "height": 980},
}


def two_sheets(page: Page, per: int) -> None:
    page.goto("/print?level=1&count=1&per=1")
    number = (page.locator("figcaption").first.inner_text()).split()[-1]
    page.goto(f"/print?per={per}&" + "&".join([f"puzzle={number}"] * (2 * per)))


@pytest.mark.parametrize(("per", "columns"), one_in(2, [(6, 2), (4, 2), (1, 1), (2, 1)]))
def test_two_sheets_of_puzzles_are_two_pages_that_they_fill(page: Page, per: int, columns: int) -> None:
    """The boards leave less than 20 mm across, or less than 45 mm down with the captions and the foot."""
    two_sheets(page, per)
    assert page.locator(".paper__puzzle").count() == 2 * per
    page.emulate_media(media="print")
    millimetre = 96 / 25.4
    for paper, size in PAPERS.items():
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 2
        page.set_viewport_size(size)
        boards = [each.bounding_box() for each in page.locator(".paper").first.locator("svg").all()]
        foot = page.locator(".paper__foot").first.bounding_box()
        assert foot and all(boards) and len(boards) == per
        side = boards[0]["width"]
        across = (size["width"] - columns * side) / millimetre
        down = (size["height"] - per // columns * side) / millimetre
        assert across < 20 or down < 45, paper
        assert foot["y"] + foot["height"] <= size["height"]
        assert foot["y"] > 0.95 * size["height"] - 20
