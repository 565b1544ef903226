"""The analysis board: any position with all its steps, links that restore it, and access."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from flask import Flask
from PIL import Image

import engine
from engine.formats import FORMATS
from tests.webapp.conftest import EASY, solution_of
from tests.webapp.processes import wait_until
from tests.webapp.solves import at, open_daily
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.identity import limits
from webapp.identity.aside import Aside
from webapp.learn.analysis import analysis, pictures, states
from webapp.learn.analysis.states import State
from webapp.learn.analysis.views import effect_text

HTMX = {"HX-Request": "true"}
HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLVED = solution_of(EASY)
NEARLY = SOLVED[:75] + "......"  # few steps, found at once
SEVERAL = "".join("." if digit in "56" else digit for digit in SOLVED)


def link(grid: str, **query: object) -> str:
    return "/analysis?" + "&".join(
        f"{name}={quote(str(value))}" for name, value in {"grid": grid, **query}.items()
    )


def open_whole(visitor: Visitor, address: str) -> None:
    """Open the page once all of it is computed."""

    def whole() -> bool:
        assert visitor.get(address).status_code == 200
        return not visitor.page.select("[hx-trigger^=load]")

    wait_until(whole)


def grid_on(visitor: Visitor) -> str:
    return "".join(str(cell.get("data-digit", ".")) for cell in visitor.page.select("#board .cell"))


def query_of(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query)


def test_it_works(guest: Visitor) -> None:
    assert guest.get("/analysis").status_code == 200
    assert guest.page.find("textarea", id="grid") is not None
    open_whole(guest, link(NEARLY))
    assert grid_on(guest) == NEARLY
    assert "exactly one solution" in guest.page.select_one(".analysis__answer").text
    assert guest.page.select("#path .review__step")
    assert guest.page.select("#ratings dd")


def test_all_steps_are_those_of_the_engine_by_technique(guest: Visitor) -> None:
    open_whole(guest, link(NEARLY))
    position = engine.Position.from_grid(engine.parse(NEARLY))
    steps = engine.all_steps(position, techniques=engine.TECHNIQUES, distinct=False)
    shown = {
        str(group["data-technique"]): [item.text for item in group.select("li")]
        for group in guest.page.select(".analysis__group")
    }
    assert shown == {
        key: [effect_text(step) for step in steps if step.technique == key][: analysis.MOST_OF_EACH]
        for key in dict.fromkeys(step.technique for step in steps)
    }


def test_a_step_is_drawn_described_and_applied(guest: Visitor) -> None:
    open_whole(guest, link(NEARLY))
    technique = guest.page.select_one(".analysis__group li a")
    guest.get(str(technique["href"]).partition("#")[0])
    assert guest.page.find(id="overlay") is not None
    assert guest.page.select_one(".analysis__shown .step") is not None
    guest.get(str(guest.page.select_one(".analysis__shown .button--primary")["href"]))
    assert sum(digit != "." for digit in grid_on(guest)) == 76


def test_a_step_of_the_path_is_shown_as_logic_has_the_board(guest: Visitor) -> None:
    open_whole(guest, link(EASY, step=3))
    path = engine.solve_path(engine.parse(EASY)).steps
    placed = dict(pair for step in path[:2] for pair in step.placements)
    expected = "".join(str(placed.get(cell, digit)) for cell, digit in enumerate(EASY))
    assert grid_on(guest) == expected
    assert guest.page.select_one(".stepper__told .step") is not None


def test_a_digit_is_placed_crossed_out_and_taken_back_by_links(guest: Visitor) -> None:
    empty = EASY.index(".")
    placed = guest.get(link(EASY, place=f"{empty}:9"))
    assert placed.status_code == 302
    (text,) = query_of(placed.location)["grid"]
    guest.get(placed.location)
    assert grid_on(guest)[empty] == "9"
    assert not guest.page.find(id=f"c{empty}").has_attr("data-given")
    cleared = guest.get(link(text, clear=f"{empty}:9"))
    assert query_of(cleared.location)["grid"] == [EASY]
    struck = guest.get(link(EASY, strike=f"{empty}:9"))
    guest.get(struck.location)
    assert guest.page.select(f"#c{empty} [data-kind=struck]")
    back = guest.get(link(query_of(struck.location)["grid"][0], strike=f"{empty}:9"))
    assert query_of(back.location)["grid"] == [EASY]


def test_a_link_restores_digits_candidates_colors_and_note(guest: Visitor) -> None:
    state, _done = states.read(EASY).with_change("place", f"{EASY.index('.')}:9")
    state, _done = state.with_change("strike", "80:1")
    state = State(state.coloured(4, "7").position, state.coloured(4, "7").colours, "try r1")
    again = states.read(state.text, state.colours, state.note)
    assert again == state
    guest.get(link(**state.query))
    assert guest.page.select("#c4 .tint--7")
    assert guest.page.find(id="note").text == "try r1"
    assert guest.page.find(id="copy-link").text.endswith(guest.page.find(id="state")["data-link"])


def test_candidates_have_colors_of_their_own(guest: Visitor) -> None:
    cell = EASY.index(".")
    one, other = engine.Position.from_grid(engine.parse(EASY)).candidates(cell)[:2]
    guest.get(link(EASY, cell=cell))
    guest.get(guest.page.find(id=f"target-{one}")["href"])
    assert guest.page.find(id=f"target-{one}")["aria-current"] == "true"
    guest.get(guest.page.find(id="color-2")["href"])
    guest.get(guest.page.find(id=f"target-{other}")["href"])
    guest.get(guest.page.find(id="color-6")["href"])
    assert guest.page.select(f"#c{cell} .pencil--{one} .tint--2")
    assert guest.page.select(f"#c{cell} .pencil--{other} .tint--6")
    assert not guest.page.select(f"#c{cell} .cell__ink > .tints")
    assert "now color 2" in guest.page.find(id=f"target-{one}").text
    drawn = guest.get(guest.page.find("a", download="ninefold.svg")["href"]).text
    assert all(f"var(--shape-{colour}" in drawn for colour in (2, 6))
    assert guest.get(guest.page.find("a", download="ninefold.png")["href"]).data.startswith(b"\x89PNG")


def test_a_candidate_loses_its_color_by_the_same_color() -> None:
    state = states.read(EASY, candidates="3117.4192.3118")
    assert state.colour_of(0, 3) == "8"
    assert states.read(state.text, candidates=state.coloured_text) == state
    assert state.coloured(0, "8", 3).coloured_text == "4192"
    assert state.coloured(0, "1").candidate_colours == state.candidate_colours


def test_a_position_of_many_lost_candidates_comes_back_too() -> None:
    position = engine.Position.from_grid(engine.parse(EASY))
    gone = [(cell, digit) for cell in range(81) for digit in position.candidates(cell)[2:]]
    state = State(position.changed((), gone))
    assert len(state.struck) == len(gone) > 0
    empty = engine.Position.from_grid(engine.Grid(bytes(81)))
    many = State(empty.changed((), [(cell, digit) for cell in range(81) for digit in range(6, 10)]))
    for each in (state, many):
        assert states.read(each.text).masks == each.masks


@pytest.mark.parametrize("key", ["pencilmarks", "sudokupad"])
def test_it_reads_what_other_programs_write(guest: Visitor, key: str) -> None:
    text = FORMATS[key].write(states.read(EASY).entry)
    assert guest.get(link(text)).status_code == 200
    assert grid_on(guest) == EASY


@pytest.mark.parametrize(
    ("text", "named"),
    [(EASY[:40] + "x" + EASY[41:], "row 5, column 5"), ("hello", "no puzzle"), ("1" * 7_000, "no puzzle")],
)
def test_a_text_that_is_none_says_what_and_where(guest: Visitor, text: str, named: str) -> None:
    assert guest.get(link(text)).status_code == 422
    assert named in guest.page.find(id="wrong-grid").text
    assert guest.page.find("textarea", id="grid").text == text


@pytest.mark.parametrize(
    "query",
    [
        "place=81:1",
        "strike=3:0",
        "clear=x",
        "place=3:7",
        "colors=12",
        "colors=" + "x" * 81,
        "candidates=3117.317",
        "candidates=" + ".".join(244 * ["3117"]),
        "note=" + "x" * 301,
    ],
)
def test_a_change_that_cannot_be_is_refused_and_named(guest: Visitor, query: str) -> None:
    assert guest.get(f"{link(EASY)}&{query}").status_code == 422
    assert query.partition("=")[0] + ":" in guest.page.text or "given" in guest.page.text


def test_what_has_no_solution_says_so_and_why(guest: Visitor) -> None:
    empty = EASY.index(".")
    open_digits = engine.Position.from_grid(engine.parse(EASY)).candidates(empty)
    wrong = next(digit for digit in open_digits if str(digit) != SOLVED[empty])
    guest.get(guest.get(link(EASY, place=f"{empty}:{wrong}")).location)
    verdict = guest.page.select_one(".analysis__verdict")
    assert "this position has no solution" in verdict.text
    assert f"r1c1 can’t be {wrong}." in verdict.text
    guest.get(guest.get(link(EASY, strike=f"{empty}:{SOLVED[empty]}")).location)
    assert f"r1c1 must be {SOLVED[empty]}, but that’s ruled out." in guest.page.text
    guest.get(link("77" + EASY[2:]))
    assert str(engine.parse("77" + EASY[2:]).faults()[0]) in guest.page.text
    assert not guest.page.select("#steps, #path")


def test_what_has_several_solutions_says_how_many_and_where_they_differ(guest: Visitor) -> None:
    guest.get(link(SEVERAL))
    found = engine.SEARCHERS["bitboard"](engine.parse(SEVERAL), 50).solutions
    verdict = guest.page.select_one(".analysis__verdict")
    assert f"{len(found)} solutions" in verdict.text
    assert len(verdict.select("li")) == 2
    assert not guest.page.select("#steps, #path")
    guest.get(link("." * 81))
    assert "more than 1,000 solutions" in guest.page.select_one(".analysis__verdict").text


def test_what_takes_long_is_asked_for_again(guest: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "_steps", Aside(lambda _position: pytest.fail("not to be begun"), 4))
    monkeypatch.setattr(Aside, "ask", lambda *_arguments: None)
    guest.get(link(HARD), **HTMX)
    waiting = guest.page.select("[hx-trigger^=load]")
    assert {part["hx-target"] for part in waiting} == {"#steps", "#path", "#ratings"}
    assert all(part["hx-get"].startswith("/analysis?grid=") for part in waiting)
    assert guest.page.find("html") is None


def test_positions_are_limited_by_address_and_by_player(
    guest: Visitor, other: Visitor, ada: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WORK", replace(limits.WORK, capacity=1, shared=1 / 30))
    monkeypatch.setattr(analysis, "_steps", Aside(lambda _position: analysis.Steps((), ()), 4))
    assert guest.get(link(NEARLY)).status_code == 200
    assert guest.get(link(NEARLY)).status_code == 200  # cached by now
    assert other.get(link(SOLVED[:74] + ".......")).status_code == 429
    ada.address = "10.0.0.1"
    assert ada.get(link(SOLVED[:73] + "........")).status_code == 200
    ada.address = "10.0.0.2"
    assert ada.get(link(SOLVED[:72] + ".........")).status_code == 429


# Access


def everything(grid: str) -> list[str]:
    return [link(grid), link(grid, step=1), *(link(grid).replace("?", f"/{name}?") for name in PICTURES)]


PICTURES = ("board.svg", "board.png", "path.gif")


def test_an_open_daily_is_not_analyzed(app: Flask, guest: Visitor, clock: SetClock) -> None:
    givens = open_daily(app)
    position = states.read(givens)
    marks = FORMATS["pencilmarks"].write(position.entry)
    for text in (
        givens,
        givens[::-1],
        solution_of(givens),
        position.with_change("strike", "80:1")[0].text,
        marks,
    ):
        for address in everything(text):
            assert guest.get(address).status_code == 409, address
            assert not guest.page.select(".board, #steps")
            assert "open" in guest.page.text
    clock.time = at(hours=48)
    assert guest.get(link(givens)).status_code == 200


def test_a_game_in_play_is_analyzed_only_after_help_or_its_end(
    guest: Visitor, other: Visitor, clock: SetClock
) -> None:
    address = guest.start(grid=EASY)
    for each in (link(EASY), *everything(EASY)[2:]):
        assert guest.get(each).status_code == 409
    guest.get(link(EASY))
    assert guest.page.select_one(".analysis__refused a")["href"] == address
    assert other.get(link(EASY)).status_code == 200
    guest.move(address, 1, ("hint", "", "1"), ("hint", "", "2"))
    assert guest.get(link(EASY)).status_code == 200
    again = other.start(grid=EASY)
    assert other.get(link(EASY)).status_code == 409
    clock.advance(minutes=9)
    other.move(again, 1, *solving_moves(EASY, SOLVED))
    assert other.get(link(EASY)).status_code == 200


# Pictures


def test_a_position_comes_as_a_picture(guest: Visitor) -> None:
    drawn = guest.get(link(EASY, step=2).replace("?", "/board.svg?"))
    assert drawn.mimetype == "image/svg+xml"
    path = engine.solve_path(engine.parse(EASY)).steps
    position = engine.Position.from_grid(engine.parse(EASY)).after(path[0])
    assert drawn.text == engine.draw(path[1], on=position, theme="auto")
    picture = Image.open(BytesIO(guest.get(link(EASY).replace("?", "/board.png?")).data))
    assert picture.format == "PNG" and picture.width == picture.height


def test_the_path_comes_as_a_picture_that_moves(guest: Visitor) -> None:
    def drawn() -> bool:
        return guest.get(link(NEARLY).replace("?", "/path.gif?")).status_code == 200

    wait_until(drawn)
    picture = Image.open(BytesIO(guest.get(link(NEARLY).replace("?", "/path.gif?")).data))
    steps = engine.solve_path(engine.parse(NEARLY)).steps
    assert getattr(picture, "n_frames", 0) == len(steps) + 1


def test_a_picture_that_takes_long_says_so_and_the_browser_asks_again(
    guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "animated", lambda _position: None)
    answer = guest.get(link(NEARLY).replace("?", "/path.gif?"))
    assert (answer.status_code, answer.headers["Refresh"]) == (202, "5")
    assert guest.page.find("h1").text == "Drawing the path"


def test_a_long_path_has_a_bounded_number_of_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "FRAMES", 3)
    picture = Image.open(BytesIO(pictures._draw_path(engine.Position.from_grid(engine.parse(NEARLY)))))
    assert getattr(picture, "n_frames", 0) == 4


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_of_nothing_is_refused(guest: Visitor, name: str) -> None:
    assert guest.get(f"/analysis/{name}?grid=x").status_code == 422
