"""Ratings: worked values of each scheme, and properties of all."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import engine
from engine.position import Position
from engine.rating import explainer, hodoku, level_of
from engine.rating.compiled_walk import LOG_PRICE
from engine.rating.openings import FEW_RUNS, OPEN, REACHED, openings
from engine.rating.rating import logic_order
from engine.techniques import TECHNIQUES
from engine.techniques.keys import NUMBER
from engine.verdicts import Verdict
from tests.thorough import one_in

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
NESTED = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."  # ER 10.7


def test_techniques_stand_in_the_order_of_their_tiers() -> None:
    """Otherwise a path in that order would not show the least tier that solves a puzzle."""
    for one, other in pairwise(engine.TECHNIQUES.values()):
        assert one.tier <= other.tier_of(0), (one.key, other.key)


@pytest.mark.parametrize("seed", one_in(3, range(12)))
def test_the_level_is_the_highest_tier_of_the_path(seed: int) -> None:
    grid = engine.generate(engine.Recipe(minimal=True), seed).grid
    tiers = [
        engine.TECHNIQUES[step.technique].tier_of(step.variant) for step in engine.solve_path(grid).steps
    ]
    assert engine.rate(grid).level == level_of(Position.from_grid(grid)) == max(tiers)


def test_past_what_shall_be_known_a_level_is_one_more() -> None:
    position = Position.from_grid(engine.parse(NESTED))
    assert [level_of(position, most) for most in (1, 2, 3, 4)] == [2, 3, 4, 5]


def test_every_technique_of_an_order_has_a_price() -> None:
    assert set(explainer.order().keys) <= set(explainer.PRICES)
    assert set(explainer.PRICES) <= set(engine.techniques.keys.KEYS)
    assert set(hodoku.PRICES) <= set(engine.techniques.keys.KEYS)


def test_a_puzzle_is_rated_by_every_default_scheme() -> None:
    rating = engine.rate(engine.parse(EASY))
    assert rating.verdict is Verdict.UNIQUE
    assert set(rating.scores) == {
        "explainer",
        "explainer_pearl",
        "explainer_diamond",
        "weighted_rules",
    }
    assert not rating.gave_up
    assert rating.level == 2
    assert sum(rating.counts.values()) >= 81 - 28
    assert rating.hardest in rating.counts


def test_notebooks_show_a_rating_as_a_table() -> None:
    rating = engine.rate(engine.parse(EASY))
    rows = dict(re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td></tr>', rating._repr_html_()))
    shown = {"verdict": "unique", "level": "2", **{key: str(score) for key, score in rating.scores.items()}}
    assert shown.items() <= rows.items()
    assert {key: str(count) for key, count in rating.counts.items()}.items() <= rows.items()


def test_what_is_not_known_has_no_row_in_a_notebook() -> None:
    several = engine.rate(engine.parse("." * 81))
    assert several._repr_html_() == '<table><tr><th scope="row">verdict</th><td>multiple</td></tr></table>'


def test_a_scheme_that_gave_up_says_so_in_a_notebook() -> None:
    rating = engine.rate(engine.parse(NESTED), schemes=["explainer"], effort=1)
    assert '<th scope="row">explainer</th><td>gave up</td>' in rating._repr_html_()


@pytest.mark.parametrize("seed", one_in(3, range(12)))
def test_the_counts_are_those_of_the_path(seed: int) -> None:
    grid = engine.generate(engine.Recipe(minimal=True), seed).grid
    path = engine.solve_path(grid)
    assert engine.rate(grid).counts == Counter(step.technique for step in path.steps)


@pytest.mark.data
def test_a_scheme_whose_rules_fail_has_no_score_and_gives_up(data: Path) -> None:
    lines = (data / "hardest1106.txt").read_text().splitlines()
    grid = engine.parse([line for line in lines if line and line[0] != "#"][10][:81])
    rating = engine.rate(grid, schemes=["weighted_rules"])
    assert rating.scores == {"weighted_rules": None}
    assert rating.gave_up == {"weighted_rules"}


@pytest.mark.slow
def test_past_the_effort_allowed_there_is_no_score_but_a_level() -> None:
    rating = engine.rate(engine.parse(NESTED), effort=1)
    assert rating.scores["explainer"] is None
    assert {"explainer", "explainer_pearl", "explainer_diamond"} <= rating.gave_up
    assert (rating.level, rating.expected_seconds) == (5, None)


def test_an_effort_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="effort"):
        engine.rate(engine.parse(EASY), effort=0)


def test_all_schemes_are_rated_when_asked_for() -> None:
    rating = engine.rate(engine.parse(EASY), schemes="all")
    assert {"givens_and_search", "decision_tree"} <= set(rating.scores)


def test_a_grid_with_several_solutions_gets_its_verdict_instead() -> None:
    rating = engine.rate(engine.parse("1" + 80 * "."))
    assert rating.verdict is Verdict.MULTIPLE
    assert rating.level is None
    assert not rating.scores


def test_an_unknown_technique_set_is_refused() -> None:
    with pytest.raises(ValueError, match="found 'mine'"):
        engine.rate(engine.parse(EASY), explainer_set="mine")


def test_a_rating_is_the_same_whatever_was_rated_before() -> None:
    first = engine.rate(engine.parse(EASY))
    engine.rate(engine.parse(EASY[::-1]))
    assert engine.rate(engine.parse(EASY)) == first


@pytest.mark.parametrize(
    ("puzzle", "rated"),
    [
        # A hidden pair beside two corners that have three more digits between them.
        ("2.......6..7...9...5.....8...2.9.1...7.8.2.6.96.1.3.57.9.2.4.7...3...6....4.8.5..", 7.7),
        # Of two rectangles of type 1, the one from the lower bivalue cell.
        ("52....439......2.......4.6.4..28..............8..9.1.......1.8...85.3.12.56.4.3..", 4.5),
    ],
)
def test_rectangles_are_those_the_explainer_finds_in_its_order(puzzle: str, rated: float) -> None:
    walk = explainer.order().walk(Position.from_grid(engine.parse(puzzle)))
    found = explainer.rating_of(walk)
    assert found.rating == rated


@pytest.mark.kernel
def test_openings_guess_where_singles_end_without_the_compiler_too() -> None:
    """Plain Python checks for overflow; compiled code does not."""
    grid = engine.parse("52....439......2.......4.6.4..28..............8..9.1.......1.8...85.3.12.56.4.3..")
    solution = engine.solution(grid)
    seen = openings(Position.from_grid(grid).array, solution.array(), FEW_RUNS)
    assert (seen[:, OPEN] == 0).any()
    assert seen[81 - grid.givens - 1, REACHED] == 1


def test_the_price_of_a_step_is_what_the_walk_charges() -> None:
    start = Position.from_grid(
        engine.parse("52....439......2.......4.6.4..28..............8..9.1.......1.8...85.3.12.56.4.3..")
    )
    charged = [price / 10 for price in explainer.order().walk(start).log[:, LOG_PRICE].tolist()]
    assert [explainer.price_of(step) for _, step in explainer.order().follow(start)] == charged
    assert max(charged) == 4.5


def test_what_a_search_finds_along_has_its_tier_as_its_price() -> None:
    prices = logic_order()._prices
    for technique in TECHNIQUES.values():
        if technique.found_by:
            assert prices[NUMBER[technique.key], 0] == technique.tier_of(0)
