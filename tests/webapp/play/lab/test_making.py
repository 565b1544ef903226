"""The laboratory makes puzzles: each system step by step, by plain links, from a seed that reproduces it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest

import engine
from engine.traces import make, recipe_of
from tests.webapp.visitors import Visitor
from webapp.play.lab import making
from webapp.play.lab.lab import SYSTEMS


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Clear caches of other tests."""
    making._made._values.clear()
    yield


def board(visitor: Visitor) -> str:
    return "".join(str(cell.get("data-digit", ".")) for cell in visitor.page.select("#board .cell"))


def said(visitor: Visitor) -> str:
    return visitor.page.select_one("#lab-said").get_text()


def step_of(visitor: Visitor) -> int:
    return int(str(visitor.page.select_one(".lab__bench")["data-step"]))


def test_it_works(guest: Visitor) -> None:
    assert guest.get("/lab/make").status_code == 200
    assert [link.get_text() for link in guest.page.select(".lab__switch a")] == ["Make", "Solve"]
    assert guest.page.select_one(".lab__switch a[aria-current]").get_text() == "Make"
    guest.get("/lab")
    assert guest.page.select_one(".lab__switch a[aria-current]").get_text() == "Solve"


@pytest.mark.parametrize("letter", SYSTEMS)
def test_each_system_is_walked_by_plain_links_to_the_puzzle_it_makes(guest: Visitor, letter: str) -> None:
    trace = make(SYSTEMS[letter].key, 7)
    guest.get(f"/lab/make?system={letter}&seed=7")
    for step in range(1, 6):
        guest.get(str(guest.page.select_one("a#lab-next")["href"]))
        assert board(guest) == str(trace.grid_at(step))
    guest.get(str(guest.page.select_one("a#lab-last")["href"]))
    assert board(guest) == str(engine.generate(recipe_of(SYSTEMS[letter].key), 7).grid)
    assert said(guest).endswith("This is the puzzle.")
    solve = parse_qs(urlsplit(str(guest.page.select_one(".lab__after a")["href"])).query)
    assert solve == {"grid": [str(trace.puzzle)], "system": [letter]}


def test_a_hole_shows_the_contradiction_of_every_other_digit(guest: Visitor) -> None:
    trace = make("dig_hole", 1)
    hole = next(at for at, step in enumerate(trace.steps, 1) if step.kind == "hole")
    guest.get(f"/lab/make?seed=1&step={hole}")
    tried = [each.get_text() for each in guest.page.select(".lab__digit")]
    assert len(tried) == 9
    assert sum("contradiction" in text for text in tried) == 8
    assert sum("Stood here" in text for text in tried) == 1


def test_a_refused_hole_shows_the_second_solution(guest: Visitor) -> None:
    trace = make("dig_hole", 1)
    at, step = next((at, each) for at, each in enumerate(trace.steps, 1) if each.reason == "solution")
    guest.get(f"/lab/make?seed=1&step={at}")
    assert "second solution" in said(guest)
    solved = next(each.grid for each in trace.steps if each.kind == "completed")
    second = step.trials[-1].solution
    assert second is not None
    lit = [at for at, cell in enumerate(guest.page.select("#board .cell")) if cell.has_attr("data-lit")]
    assert lit == [cell for cell in range(81) if solved[cell] != second[cell]]


def test_the_order_of_figure_4_is_drawn_with_what_became_of_each_cell(guest: Visitor) -> None:
    guest.get("/lab/make?seed=3&order=serpentine&step=30")
    numbers = [int(text.get_text()) for text in guest.page.select(".digging__number")]
    assert numbers == list(range(1, 82))
    trace = make("dig_hole", 3, order="serpentine")
    dug = sum(step.kind == "hole" for step in trace.steps[:30])
    assert len(guest.page.select(".digging__cell--hole")) == dug > 0
    assert len(guest.page.select(".digging__cell--now")) == 1


def test_the_form_offers_what_the_system_has(guest: Visitor) -> None:
    fields = {}
    for letter in SYSTEMS:
        guest.get(f"/lab/make?system={letter}")
        fields[letter] = {str(each["name"]) for each in guest.page.select(".lab__wish [name]")}
    assert fields == {
        "a": {"system", "level", "order", "cells", "seed"},
        "b": {"system", "order", "seed"},
        "c": {"system", "order", "seed"},
        "d": {"system", "seed"},
        "e": {"system", "level", "order", "cells", "seed"},
    }


def test_a_level_of_the_paper_keeps_its_two_bounds(guest: Visitor) -> None:
    trace = make("dig_hole", 2, paper_level=3)
    guest.get(f"/lab/make?seed=2&level=3&step={len(trace)}")
    facts = {part.dt.get_text(): part.dd.get_text() for part in guest.page.select(".facts div")}
    assert facts["Stops at"] == f"{trace.plan.stop_low} givens"
    assert facts["In every row and column"] == f"{trace.plan.fewest_in_line} or more"
    assert facts["Level by its own rating"] == "3 of 5"


@pytest.mark.parametrize("query", ["seed=x", "level=9", "order=spiral", "cells=99", "seed=-1"])
def test_an_impossible_recipe_is_reported_and_nothing_is_made(guest: Visitor, query: str) -> None:
    assert guest.get(f"/lab/make?{query}").status_code == 422
    assert guest.page.select(".field__wrong")
    assert guest.page.select("#lab-panel") == []
