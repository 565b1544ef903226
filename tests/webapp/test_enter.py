"""Your own puzzle: what the page says of a text."""

from __future__ import annotations

import pytest

from tests.webapp.conftest import EASY, solution_of
from tests.webapp.site import Visitor


def test_it_works(guest: Visitor) -> None:
    assert guest.get("/enter").status_code == 200
    assert guest.page.find("textarea", attrs={"name": "grid"}) is not None


@pytest.mark.parametrize("htmx", [True, False])
def test_a_puzzle_is_shown_and_can_be_played(guest: Visitor, htmx: bool) -> None:
    response = guest.post("/enter", {"grid": EASY}, htmx=htmx)
    assert response.status_code == 200
    verdict = guest.page.find(id="verdict")
    assert verdict["data-playable"] == "yes"
    assert verdict.find("input", attrs={"name": "grid"})["value"] == EASY


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("hello", "r1c1"),
        (EASY[:40] + "!" + EASY[41:], "r5c5"),
        ("77" + EASY[2:], "row 1: 7 stands at r1c1, r1c2"),
        ("." * 81, "more than 1000"),
        (solution_of(EASY), "nothing to solve"),
    ],
)
def test_a_text_that_cannot_be_played_says_where_it_breaks(guest: Visitor, text: str, named: str) -> None:
    assert guest.post("/enter", {"grid": text}).status_code == 200
    verdict = guest.page.find(id="verdict")
    assert verdict["data-playable"] == "no"
    assert named in verdict.text


def test_nothing_entered_is_nothing_judged(guest: Visitor) -> None:
    guest.post("/enter", {"grid": "  "})
    assert not guest.page.find(id="verdict").has_attr("data-playable")


def test_a_text_of_markup_is_shown_as_text(guest: Visitor) -> None:
    response = guest.post("/enter", {"grid": "<script>alert(1)</script>"})
    assert "<script>alert" not in response.text
