"""A player's own puzzle: the page's verdict on a text."""

from __future__ import annotations

from io import BytesIO

import pytest
from bs4 import Tag
from flask import Flask

import engine
from engine import warm
from tests.webapp.conftest import EASY, solution_of
from tests.webapp.solves import at, open_daily
from tests.webapp.visitors import SetClock, Visitor

HTMX = {"HX-Request": "true"}


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
        ("hello", "There’s no puzzle in this text."),
        (EASY[:40] + "!" + EASY[41:], "“!” in row 5, column 5"),
        (EASY[1:], "We found 80 of the 81 cells."),
        (EASY + "..", "We found 83 cells. A puzzle has 81."),
        ("77" + EASY[2:], "7 appears in r1c1, r1c2 and r1c4"),
        ("." * 80 + "7", "This has 1 given. A puzzle needs at least 17."),
        (EASY.replace("4", ".").replace("8", "."), "more than 1,000"),
        (solution_of(EASY), "nothing to solve"),
    ],
)
def test_a_text_that_cannot_be_played_says_where_it_breaks(guest: Visitor, text: str, named: str) -> None:
    assert guest.post("/enter", {"grid": text}).status_code == 200
    verdict = guest.page.find(id="verdict")
    assert verdict["data-playable"] == "no"
    assert named in verdict.text


@pytest.mark.parametrize("form", [{"grid": "  "}, {"cell": [""] * 81}], ids=["text", "board"])
def test_nothing_is_checked_without_input(guest: Visitor, form: dict[str, str | list[str]]) -> None:
    guest.post("/enter", form)
    assert not guest.page.find(id="verdict").has_attr("data-playable")


def test_a_text_of_markup_is_shown_as_text(guest: Visitor) -> None:
    response = guest.post("/enter", {"grid": "<script>alert(1)</script>"})
    assert "<script>alert" not in response.text


def rated(guest: Visitor) -> Tag:
    """Return the page's verdict on the rating, polled as htmx does until it is ready."""
    rating = guest.page.find(id="rating")
    while rating.has_attr("hx-get"):
        guest.get(rating["hx-get"], **HTMX)
        rating = guest.page.find(id="rating")
    return rating


def test_the_level_the_rating_and_the_hardest_step_come_by_themselves(guest: Visitor) -> None:
    guest.post("/enter", {"grid": EASY})
    rating = rated(guest)
    assert rating["data-level"] == str(engine.rate(engine.parse(EASY)).level)
    facts = {term.text: term.find_next("dd").text for term in rating.find_all("dt")}
    assert facts["Level"] == "Easy"
    assert facts["Rating"] == "1.5"
    assert facts["Hardest step"] == "Hidden Single"
    assert facts["Givens"] == str(81 - EASY.count("."))


def test_a_puzzle_can_be_played_before_it_is_rated(guest: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "ready", lambda: False)
    guest.post("/enter", {"grid": EASY})
    verdict = guest.page.find(id="verdict")
    assert (verdict["data-playable"], verdict.find("dl")) == ("yes", None)
    again = verdict.select_one("#rating noscript a")["href"]
    assert guest.client.get(again).location == f"/enter?grid={EASY}", "without JavaScript the page itself"


def test_nothing_is_rated_that_cannot_be_played(guest: Visitor) -> None:
    for text in ("", "hello", "77" + EASY[2:]):
        guest.get(f"/enter/rating?grid={text}", **HTMX)
        rating = guest.page.find(id="rating")
        assert not rating.has_attr("hx-get") and rating.find("dl") is None


def test_an_entered_puzzle_is_played_at_its_rated_level(guest: Visitor) -> None:
    guest.get(guest.start(grid=EASY[::-1]))
    assert guest.page.h1.text.startswith("Easy")


@pytest.mark.parametrize("htmx", [True, False])
def test_a_puzzle_typed_field_by_field_is_checked_like_a_text(guest: Visitor, htmx: bool) -> None:
    fields = ["" if digit == "." else digit for digit in EASY]
    guest.post("/enter", {"cell": fields}, htmx=htmx)
    verdict = guest.page.find(id="verdict")
    assert verdict.find("input", attrs={"name": "grid"})["value"] == EASY
    assert (guest.page.find(id="entry") is None) is htmx, (
        "the fields under the player's hands are not swapped"
    )


def read(guest: Visitor) -> tuple[str, str, str]:
    """Return the line of the board, of the text and of their last common state."""
    fields = guest.page.find(id="entry").find_all("input")
    board = "".join(field["value"] or "." for field in fields)
    return board, guest.page.find(id="grid").text, guest.page.find(id="was")["value"]


def test_the_one_button_reads_what_was_changed_last(guest: Visitor) -> None:
    """As without JavaScript: every field is sent each time, and all of them are returned alike."""
    one, two = EASY, EASY[::-1]
    guest.post("/enter", {"grid": one, "cell": [""] * 81, "was": "." * 81})
    assert read(guest) == (one, one, one)
    guest.post("/enter", {"grid": one, "cell": [digit.strip(".") for digit in two], "was": one})
    assert read(guest) == (two, two, two)
    guest.post("/enter", {"grid": one, "cell": [digit.strip(".") for digit in two], "was": two})
    assert read(guest) == (one, one, one)
    file = (BytesIO(two.encode()), "one.sdk")
    guest.post("/enter", {"grid": one, "cell": [digit.strip(".") for digit in one], "was": one, "file": file})
    assert read(guest) == (two, two, two)


def test_a_text_fills_the_board_and_marks_what_clashes(guest: Visitor) -> None:
    guest.post("/enter", {"grid": "77" + EASY[2:]}, htmx=True)
    fields = guest.page.find(id="entry").find_all("input")
    assert "".join(field["value"] or "." for field in fields) == "77" + EASY[2:]
    broken = [index for index, field in enumerate(fields) if field.has_attr("aria-invalid")]
    assert broken[:2] == [0, 1]


def test_a_board_that_shows_the_text_is_not_swapped(guest: Visitor) -> None:
    """An empty cell typed once more changes nothing, and digits typed since must not be lost."""
    fields = [digit.strip(".") for digit in EASY]
    guest.post("/enter", {"grid": EASY, "cell": fields, "was": EASY}, htmx=True)
    assert guest.page.find(id="verdict")["data-playable"] == "yes"
    assert guest.page.find(id="entry") is None
    assert guest.page.find(id="grid") is None


def test_nothing_is_said_of_a_daily_whose_board_is_open(app: Flask, guest: Visitor, clock: SetClock) -> None:
    """Whatever is added to it, right or wrong, page and start give the same message."""
    givens = open_daily(app)
    empty = givens.index(".")
    digits = [givens[:empty] + digit + givens[empty + 1 :] for digit in "123456789"]
    for text in (givens, givens[::-1], *digits, solution_of(givens)):
        guest.post("/enter", {"grid": text})
        verdict = guest.page.find(id="verdict")
        assert verdict["data-playable"] == "no"
        assert " ".join(verdict.text.split()) == (
            "This is a daily The leaderboard for this puzzle is still open. Play it as the daily."
        )
        assert guest.page.find("input", attrs={"aria-invalid": "true"}) is None
        guest.get(f"/enter/rating?grid={text}", **HTMX)
        assert guest.page.find(id="rating").text.strip() == ""
        assert guest.post("/attempts", {"grid": text}).status_code == 409
    clock.time = at(hours=48)
    guest.post("/enter", {"grid": givens})
    assert guest.page.find(id="verdict")["data-playable"] == "yes"


def test_a_game_in_play_is_resumed_and_not_solved_in_the_laboratory(guest: Visitor, other: Visitor) -> None:
    address = guest.start(grid=EASY)
    solved = solution_of(EASY)
    for text in (EASY, solved[:1] + EASY[1:], solved):
        assert guest.get(f"/lab?grid={text}").status_code in (409, 422)
    for text in (EASY, EASY[::-1]):
        guest.post("/enter", {"grid": text})
        assert guest.page.find(id="verdict")["data-playable"] == "yes"
    assert guest.start(grid=EASY) == address
    assert other.get(f"/lab?grid={EASY}").status_code == 200
