"""A picture shows all of a grid, position or step, is plain SVG that scales, and has a text alternative."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import ArgumentError, Position, Step, draw
from engine.drawing import overlay_of
from engine.drawing.overlay import MOST_LINKS, Point, middle_of, place_of
from engine.drawing.svg import BASELINE
from engine.drawing.themes import COLORS, THEMES
from engine.steps.branches import Cause, Link, displayed
from engine.techniques.implications import ASSUMED, BY_CELL, NOTHING
from tests.technique_cases import OWN, Case, read_cases

CASES = {case.technique: case for case in read_cases(OWN) if not case.silent}
SVG = "{http://www.w3.org/2000/svg}"
GRID = engine.parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
POSITION = Position.from_grid(GRID)


@cache
def found(key: str) -> Step:
    """Return a technique's step from its test case, with the effects stated there."""
    case = CASES[key]
    return next(step for step in engine.find(case.position, key) if case.holds([step]))


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def figures(root: ElementTree.Element) -> Counter[tuple[Point, int]]:
    """Return every digit of a picture with the middle of its place."""
    seen: Counter[tuple[Point, int]] = Counter()
    for parent in root.iter():
        for text in parent.findall(f"{SVG}text"):
            size = float(text.get("font-size") or parent.get("font-size") or "")
            x, y = float(text.get("x") or ""), float(text.get("y") or "")
            seen[(x, round(y - BASELINE * size, 1)), int(text.text or "")] += 1
    return seen


def at(point: Point, digit: int) -> tuple[Point, int]:
    return (point[0], round(point[1], 1)), digit


def paths(root: ElementTree.Element, **attributes: str) -> list[ElementTree.Element]:
    return [
        path
        for path in root.iter(f"{SVG}path")
        if all(path.get(name.replace("_", "-")) == value for name, value in attributes.items())
    ]


def test_a_grid_shows_each_digit_in_its_cell_and_nothing_else() -> None:
    seen = figures(read(draw(GRID)))
    assert seen == Counter(at(middle_of(cell), digit) for cell, digit in enumerate(GRID.digits) if digit)


def test_a_position_shows_each_digit_once_and_each_candidate_once() -> None:
    position = CASES["xy_chain"].position
    wanted = Counter(at(middle_of(cell), digit) for cell, digit in enumerate(position.grid.digits) if digit)
    wanted.update(
        at(place_of(cell, digit), digit) for cell in range(81) for digit in position.candidates(cell)
    )
    assert figures(read(draw(position))) == wanted


def test_givens_are_bold_and_apart_from_digits_found() -> None:
    position = CASES["xy_chain"].position
    by_weight = {
        group.get("font-weight"): len(group)
        for group in read(draw(position, candidates=False)).iter(f"{SVG}g")
    }
    assert by_weight == {"650": position.givens.givens, "400": position.grid.givens - position.givens.givens}


@pytest.mark.parametrize("key", CASES)
def test_every_candidate_and_link_of_a_step_is_drawn(key: str) -> None:
    case: Case = CASES[key]
    step = found(key)
    root = read(draw(step, on=case.position))
    seen = figures(root)
    placed = {cell for cell, _ in step.placements}
    for cell, digit in step.placements:
        assert seen[at(middle_of(cell), digit)] == 1
    gone = {spot for spot in step.eliminations if spot[0] not in placed}
    for cell, digit in gone:
        assert seen[at(place_of(cell, digit), digit)] == 1
    strikes = [path for path in root.iter(f"{SVG}path") if (path.get("d") or "").endswith("l3 -3")]
    assert len(strikes) == len(gone)
    for fact in step.cells:
        for digit in fact.digits if fact.cell not in placed else ():
            assert sum(seen[at(where, digit)] for where in (place_of(fact.cell, digit), middle_of(fact.cell)))
    pairs = set()
    for branch in step.branches(case.position):
        for link in branch.inferences:
            target = link.result.cells, link.result.digit
            cleared = link.cause is Cause.SET and (target[0][0], target[1]) in step.eliminations
            sources = {(premise.cells, premise.digit) for premise in link.premises} - {target}
            pairs |= {frozenset((source, target)) for source in sources if not cleared}
    if step.links:
        drawn = paths(root, stroke_width="0.7") + paths(root, stroke_width="0.6")
        assert len(drawn) == (len(pairs) if len(pairs) <= MOST_LINKS else 0)


@pytest.mark.parametrize("theme", THEMES)
def test_a_picture_is_plain_svg_that_says_what_it_shows(theme: str) -> None:
    step = found("xy_chain")
    svg = draw(step, on=CASES["xy_chain"].position, theme=theme, labels=True)
    root = read(svg)
    assert root.get("role") == "img"
    title, desc = root.findall(f"{SVG}title") + root.findall(f"{SVG}desc")
    assert (root.get("aria-labelledby"), root.get("aria-describedby")) == (title.get("id"), desc.get("id"))
    assert (title.text or "").startswith("XY-Chain: r") and "r2c2" in (desc.text or "")
    names = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in names if name == "style" or name.startswith("on") or "href" in name}
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "rect", "path", "g", "text", "circle"} | (
        {"style"} if theme == "auto" else set()
    )
    assert "url(" not in svg and svg.count("http") == 1
    assert "\n" not in svg


def test_fixed_themes_name_colors_and_the_others_properties() -> None:
    light, dark, auto, page = (draw(POSITION, theme=theme) for theme in THEMES)
    assert "var(" not in light + dark and light != dark
    assert not re.search(r"#[0-9a-f]{6}", page) and "<style" not in page
    assert "prefers-color-scheme:dark" in auto


def test_each_custom_property_of_a_picture_is_set_by_its_own_style_sheet() -> None:
    svg = draw(found("als_xz"), on=CASES["als_xz"].position, theme="auto", cells={0: "blue", 1: "9"})
    rules = dict(re.findall(r"#([\w-]+)\{(.*?)\}", svg))
    assert list(rules) == [read(svg).get("id")]
    used = {*re.findall(r"var\((--[\w-]+), #", svg)}
    assert used and used <= {*re.findall(r"(--[\w-]+):", next(iter(rules.values())))}


def test_equal_arguments_give_equal_pictures_and_others_other_ids() -> None:
    assert draw(POSITION) == draw(Position.from_grid(GRID))
    pictures = [draw(GRID), draw(POSITION), draw(GRID, theme="dark"), draw(GRID, title="Mine")]
    ids = [element.get("id") for svg in pictures for element in read(svg).iter() if element.get("id")]
    assert len({*ids}) == len(ids) == 3 * len(pictures)
    assert {element.get("id") for element in read(draw(GRID, prefix="a-1")).iter()} == {
        "a-1",
        "a-1-title",
        "a-1-desc",
        None,
    }


@given(st.text(max_size=60))
def test_any_title_is_refused_or_read_back(title: str) -> None:
    try:
        svg = draw(GRID, title=title, description=title)
    except ArgumentError as error:
        assert error.argument == "title"
        assert re.search("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", title)
        return
    read_back = read(svg).find(f"{SVG}title")
    assert (read_back.text or "") == re.sub("\r\n?", "\n", title)  # as XML reads ends of lines


def test_one_step_of_a_chain_shows_its_own_links_alone() -> None:
    step, position = found("xy_chain"), CASES["xy_chain"].position
    count = sum(len(branch.inferences) for branch in displayed(step.branches()))
    whole = overlay_of(step, position)
    for number in range(1, count + 1):
        root = read(draw(step, on=position, step=number))
        lines = paths(root, stroke_width="0.7") + paths(root, stroke_width="0.6")
        assert len(lines) == sum(number in line.steps for line in whole.lines)
        desc = root.find(f"{SVG}desc")
        assert desc is not None and (desc.text or "").endswith(f"Shown: step {number} of {count}.")


def test_a_proof_too_dense_to_show_at_once_shows_its_ends_and_each_step() -> None:
    literals = [2 * 9 * cell + cell % 2 for cell in range(MOST_LINKS + 2)]  # digit 1 cell by cell, off and on
    chain = [Link(one, other, BY_CELL) for one, other in pairwise(literals)]
    step = replace(found("xy_chain"), links=(Link(NOTHING, literals[0], ASSUMED), *chain))
    root = read(draw(step))
    assert not paths(root, stroke_width="0.7") + paths(root, stroke_width="0.6")
    seen = figures(root)
    assert [seen[at(place_of(cell, 1), 1)] for cell in (0, 1, MOST_LINKS + 1)] == [1, 0, 1]
    assert len(paths(read(draw(step, step=7)), stroke_width="0.7")) == 1


def test_colors_of_ones_own_are_drawn() -> None:
    svg = draw(
        POSITION,
        cells={0: "blue"},
        marks={(1, 4): "green", (9, 2): "9"},
        struck=[(9, 5)],
        houses={26: "violet"},
        links=[((1, 4), (9, 2), True), ((9, 2), (17, 3), False)],
    )
    root = read(svg)
    assert len(paths(root, stroke_width="0.7")) == len(paths(root, stroke_width="0.6")) == 1
    assert len(list(root.iter(f"{SVG}circle"))) == 3
    frames = [(rect.get("x"), rect.get("y"), rect.get("width")) for rect in root.iter(f"{SVG}rect")]
    assert ("0.55", "0.55", "8.9") in frames and ("60.3", "60.3", "29.4") in frames
    assert figures(root) == figures(read(draw(POSITION))) | Counter(
        [at(place_of(1, 4), 4), at(place_of(9, 2), 2), at(place_of(9, 5), 5)]
    )


def test_every_color_draws() -> None:
    assert len({draw(GRID), *(draw(GRID, cells={0: color}) for color in COLORS)}) == 1 + len(COLORS)


STEP = found("xy_wing")
HOSTILE: list[tuple[str, dict[str, Any]]] = [
    ("theme", {"theme": "sepia"}),
    ("size", {"size": 0}),
    ("size", {"size": 10**9}),
    ("size", {"size": True}),
    ("size", {"size": "450"}),
    ("prefix", {"prefix": 'a" onload="x'}),
    ("title", {"title": "a\x00b"}),
    ("title", {"title": "a" * 2001}),
    ("description", {"description": "\ud800"}),
    ("on", {"on": GRID}),
    ("step", {"step": 1}),
    ("cells", {"cells": {81: "green"}}),
    ("cells", {"cells": {"0": "green"}}),
    ("cells", {"cells": {0: "url(#x)"}}),
    ("marks", {"marks": {(0, 0): "green"}}),
    ("marks", {"marks": {5: "green"}}),
    ("struck", {"struck": [(0, 10)]}),
    ("struck", {"struck": [(3, 7)]}),  # the cell holds a 7
    ("marks", {"marks": {(3, 1): "green"}}),
    ("houses", {"houses": {27: "green"}}),
    ("links", {"links": [((0, 1), (0, 1), True)]}),
    ("links", {"links": [((0, 1), (0, 2))]}),
]


@pytest.mark.parametrize(("argument", "arguments"), HOSTILE, ids=str)
def test_what_cannot_be_drawn_is_refused_by_the_name_of_its_argument(
    argument: str, arguments: dict[str, Any]
) -> None:
    with pytest.raises(ArgumentError) as refused:
        draw(GRID, **arguments)
    assert refused.value.argument == argument
    assert str(refused.value).startswith(f"{argument}: ")


def test_a_step_is_refused_on_a_position_that_does_not_have_it() -> None:
    position = CASES["xy_wing"].position
    with pytest.raises(
        ArgumentError, match=r"on: r\dc\d has no candidate \d, so the step is of another position"
    ):
        draw(STEP, on=position.after(STEP))
    with pytest.raises(ArgumentError, match="what: there is no technique 'x'"):
        draw(replace(STEP, technique="x"))
    with pytest.raises(ArgumentError, match=r"what: expected \(cell 0..80, digit 1..9\), found \(99, 1\)"):
        draw(replace(STEP, eliminations=frozenset({(99, 1)})))


@pytest.mark.parametrize("number", [0, -1, 10**6, True])
def test_a_step_of_the_proof_that_does_not_exist_is_refused(number: int) -> None:
    with pytest.raises(ArgumentError, match=r"step: expected a whole number 1\.\.\d+"):
        draw(found("xy_chain"), step=number)


@pytest.mark.parametrize("what", [None, 5, {}, b"1" * 81])
def test_what_is_neither_puzzle_nor_step_is_not_drawn(what: Any) -> None:
    with pytest.raises(engine.ArgumentError, match="what: expected a puzzle"):
        draw(what)


def test_text_and_arrays_are_drawn_as_the_grid_they_hold() -> None:
    for what in (str(GRID), list(GRID.digits), GRID.array().reshape(9, 9)):
        assert draw(what) == draw(GRID)


def test_notebooks_show_the_picture() -> None:
    for what in (GRID, POSITION, STEP):
        assert what._repr_svg_() == draw(what)
    puzzle = engine.generate(seed=1)
    assert puzzle._repr_svg_() == draw(puzzle.grid)
