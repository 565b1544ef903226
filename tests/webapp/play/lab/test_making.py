"""The laboratory makes puzzles: each system step by step, by plain links, from a seed that reproduces it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask

import engine
from engine import Recipe
from engine.generation import METHODS
from engine.traces import make, system
from tests.webapp.play.lab.test_lab import board, words
from tests.webapp.visitors import SetClock, Visitor
from webapp.bank import bank
from webapp.bank import systems as stock
from webapp.play.lab import lab
from webapp.play.lab.systems import SYSTEMS, offered
from webapp.process.database import write_tx

LEVELS = [(letter, level) for letter in SYSTEMS for level in range(1, SYSTEMS[letter].method.level_count + 1)]


@pytest.fixture(autouse=True)
def fresh() -> None:
    """Clear caches of other tests."""
    lab._made.clear()


def test_it_works(guest: Visitor) -> None:
    assert guest.get("/lab/make").status_code == 200
    assert [link.get_text() for link in guest.page.select(".segments a")] == ["Make", "Solve"]
    assert guest.page.select_one(".segments a[aria-current]").get_text() == "Make"
    guest.get("/lab")
    assert guest.page.select_one(".segments a[aria-current]").get_text() == "Solve"


@pytest.mark.parametrize("letter", SYSTEMS)
def test_each_system_is_walked_by_plain_links_to_the_puzzle_it_makes(guest: Visitor, letter: str) -> None:
    trace = make(Recipe(SYSTEMS[letter].key), 7)
    guest.get(f"/lab/make?system={letter}&seed=7")
    for step in range(1, 6):
        guest.get(str(guest.page.select_one("a#lab-next")["href"]))
        assert board(guest) == str(trace.grid_at(step))
    guest.get(str(guest.page.select_one("a#lab-last")["href"]))
    assert board(guest) == str(engine.generate(Recipe(SYSTEMS[letter].key), 7).grid)
    assert words(guest, "#lab-said").endswith("This is the puzzle.")
    assert guest.page.select_one(".lab__play input[name=grid]")["value"] == str(trace.puzzle)


@pytest.mark.parametrize(("letter", "level"), [pair for pair in LEVELS if pair != ("b", 3)])
def test_each_is_made_at_each_of_its_levels_and_measured_by_itself(
    guest: Visitor, letter: str, level: int
) -> None:
    recipe = Recipe(SYSTEMS[letter].key, paper_level=level)
    puzzle = engine.generate(recipe, 5)
    guest.get(f"/lab/make?system={letter}&level={level}&seed=5&step=9999")
    assert board(guest) == str(puzzle.grid)
    label = f"Grade {level}" if letter == "d" else f"Level {'ABC'[level - 1] if letter == 'e' else level}"
    assert words(guest, ".lab__verdict").startswith(label)
    (chosen,) = guest.page.select_one(".lab__options").select("[aria-current]")
    assert chosen.get_text() == label.split()[1]


def test_a_rare_level_shows_how_many_are_discarded_and_goes_on(
    guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "PROCESSOR", 0.05)
    recipe = Recipe("weighted_rules", paper_level=3)
    found = engine.generate(recipe, 6)
    guest.get("/lab/make?system=b&level=3&seed=6")
    waiting = guest.page.select_one("[hx-get*=seed].panel")
    assert "puzzles discarded so far" in waiting.get_text() and "Level 3" in guest.page.get_text()
    further = str(waiting.select_one("a")["href"])
    assert further == waiting["hx-get"]
    tried = int(parse_qs(urlsplit(further).query)["seed"][0]) >> 32
    assert 0 < tried < found.seed >> 32
    monkeypatch.undo()
    while waiting := guest.page.select_one("[hx-get*=seed].panel a"):
        guest.get(f"{waiting['href']}&step=9999")
    assert board(guest) == str(found.grid)
    assert f"{found.seed >> 32:,} puzzles of other levels were discarded" in words(guest, ".lab__verdict")


def test_a_hole_shows_the_contradiction_of_every_other_digit(guest: Visitor) -> None:
    trace = make(Recipe(), 1)
    hole = next(at for at, step in enumerate(trace.steps, 1) if step.kind == "hole")
    guest.get(f"/lab/make?seed=1&step={hole}")
    kinds = [str(each["class"][-1]) for each in guest.page.select(".lab__digit")]
    assert len(kinds) == 9
    assert kinds.count("lab__digit--own") == 1
    assert all(kind.endswith(("--own", "--clash", "--dead")) for kind in kinds)


def test_a_refused_hole_shows_the_second_solution(guest: Visitor) -> None:
    trace = make(Recipe(), 1)
    at = next(at for at, each in enumerate(trace.steps, 1) if each.reason == "solution")
    guest.get(f"/lab/make?seed=1&step={at}")
    assert "second solution" in words(guest, "#lab-said")
    cells = guest.page.select("#board .cell")
    lit = {at for at, cell in enumerate(cells) if cell.has_attr("data-lit") or cell.has_attr("data-selected")}
    assert lit == trace.differing(at)


def test_the_order_of_figure_4_is_drawn_with_what_became_of_each_cell(guest: Visitor) -> None:
    guest.get("/lab/make?seed=3&order=serpentine&step=30")
    numbers = [int(text.get_text()) for text in guest.page.select(".digging__number")]
    assert numbers == list(range(1, 82))
    trace = make(Recipe(), 3, method=system(Recipe(), order="serpentine"))
    dug = sum(step.kind == "hole" for step in trace.steps[:30])
    assert len(guest.page.select(".digging__cell--hole")) == dug > 0
    assert len(guest.page.select(".digging__cell--now")) == 1


def test_b_counts_its_rules_in_the_puzzle_as_it_is_dug(guest: Visitor) -> None:
    trace = make(Recipe("weighted_rules"), 1)
    guest.get(f"/lab/make?system=b&seed=1&step={len(trace)}")
    rated = engine.traces.rating_in_form(trace.puzzle)
    counts = [int(rule.select_one("b").get_text()) for rule in guest.page.select(".lab__rule")]
    assert counts == list(rated.counts)


def test_c_draws_the_matrix_its_random_row_comes_from(guest: Visitor) -> None:
    trace = make(Recipe("exact_cover"), 1)
    at = next(at for at, step in enumerate(trace.steps, 1) if step.kind == "row")
    (cell,) = trace.steps[at - 1].cells
    guest.get(f"/lab/make?system=c&seed=1&step={at}")
    chosen = guest.page.select_one(".matrix__chosen th").get_text()
    assert chosen == f"{trace.grid_at(at)[cell]} in {engine.geometry.cell_name(cell)}"
    assert "One is drawn at random" in words(guest, "#lab-said")
    guest.get("/lab/make?system=c&seed=1&start=centre_box&step=1")
    assert words(guest, "#lab-said").startswith("A box is filled at random.")


def test_d_draws_its_candidates_m_and_n_and_the_final_layouts_left(guest: Visitor) -> None:
    trace = make(Recipe("min_candidates", paper_level=3), 3)
    at, step = next((at, step) for at, step in enumerate(trace.steps, 1) if 1 < (step.solutions or 0) < 10)
    guest.get(f"/lab/make?system=d&level=3&seed=3&step={at}")
    candidates = engine.Position.from_grid(step.grid)
    counts = [len(candidates.candidates(cell)) for cell in range(81) if not step.grid[cell]]
    assert f"({len(counts)}, {min(counts)})" in words(guest, ".lab__facts")
    assert f"{step.solutions} final layouts left" in words(guest, ".lab__layouts")
    assert len(guest.page.select(".pattern")) == step.solutions
    assert len(guest.page.select(".chart__bar")) == len(trace)


def test_e_draws_its_rounds_and_its_stack(guest: Visitor) -> None:
    trace = make(Recipe("propagation"), 1)
    at = next(at for at, step in enumerate(trace.steps, 1) if step.kind == "completed")
    guest.get(f"/lab/make?system=e&seed=1&step={at}")
    whole = trace.completing()
    assert f"{len(whole.review)} on the stack {whole.nodes:,} pushes" in words(guest, ".lab__facts")
    top = guest.page.select_one(".lab__stack li").get_text(" ", strip=True).split()
    assert top[:2] == [str(len(whole.review)), engine.geometry.cell_name(whole.review[-1])]


def test_the_parameters_are_those_that_a_system_has(guest: Visitor) -> None:
    found = {}
    for letter in SYSTEMS:
        guest.get(f"/lab/make?system={letter}")
        labels = guest.page.select(".lab__choice .quiet[id]")
        found[letter] = [str(each["id"]).removeprefix("lab-choice-") for each in labels]
    assert found == {
        "a": ["level", "cells", "order", "transform"],
        "b": ["level", "order"],
        "c": ["start", "order"],
        "d": ["level", "search"],
        "e": ["level", "cells", "order", "transform"],
    }


@pytest.mark.parametrize(
    "query",
    [
        *("seed=x", "level=9", "order=spiral", "cells=99", "seed=-1"),
        *("system=c&level=2", "system=z", "transform=x"),
    ],
)
def test_an_impossible_recipe_is_reported_and_nothing_is_made(guest: Visitor, query: str) -> None:
    assert guest.get(f"/lab/make?{query}").status_code == 422
    assert guest.page.select(".field__wrong")
    assert guest.page.select("#lab-panel") == []


def test_play_offers_every_system_at_every_level(app: Flask) -> None:
    with app.test_request_context():
        keys = [key for _letter, _name, stocks in offered() for key, _level in stocks]
    assert keys == list(stock.RECIPES)
    assert len(keys) == sum(max(1, method.level_count) for method in METHODS.values())


def test_a_game_of_a_system_begins_at_once_and_its_stock_is_filled(
    app: Flask, guest: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stock, "RECIPES", {name: stock.RECIPES[name] for name in ("a3", "d4")})
    with app.app_context():
        assert list(stock.stock_up(SetClock.time)) == ["a3", "a3", "d4", "d4"]
        assert list(stock.stock_up(SetClock.time)) == []
    for name, recipe in stock.RECIPES.items():
        response = guest.post("/attempts", {"system": name})
        assert response.status_code == 303
        guest.get(response.location)
        assert METHODS[recipe.method].grade(engine.parse(board(guest))) == recipe.paper_level
    with app.app_context():
        assert list(stock.stock_up(SetClock.time)) == ["a3", "d4"]
    assert guest.post("/attempts", {"system": "z9"}).status_code == 422


def test_a_puzzle_says_which_system_made_it_and_leads_to_its_making(app: Flask, guest: Visitor) -> None:
    with app.app_context():
        recipe = stock.RECIPES["a3"]
        made = engine.generate(recipe, 5)
        puzzle = stock.puzzle_of("a3", made, bank.rating_columns(made.grid), SetClock.time)
        with write_tx():
            number = bank.store(puzzle, None).id
    guest.get(f"/puzzles/{number}")
    assert "Made by Digging holes (A), level 3." in words(guest, "main")
    link = guest.page.find("a", string="See how")
    guest.get(f"{link['href']}&step=9999")
    assert board(guest) == str(made.grid)
