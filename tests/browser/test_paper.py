"""Puzzles on paper: as many on a page as were asked for, and nothing of the site around them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page


@pytest.mark.parametrize("per", [1, 2, 4, 6])
def test_two_sheets_of_puzzles_are_two_pages(page: Page, per: int) -> None:
    page.goto("/print?level=1&count=1&per=1")
    number = (page.locator("figcaption").first.inner_text()).split()[-1]
    page.goto(f"/print?per={per}&" + "&".join([f"puzzle={number}"] * (2 * per)))
    assert page.locator(".paper__puzzle").count() == 2 * per
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 2
