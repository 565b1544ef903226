"""Ratings: worked values of each scheme, and what holds for all."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import engine
from engine.position import Position
from engine.rating import explainer, hodoku, level_of
from engine.rating.walk import Order, OrderedTechnique
from engine.verdict import Verdict

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
NESTED = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."  # ER 10.7


def test_techniques_stand_in_the_order_of_their_tiers() -> None:
    """Else a path in that order would not show the least tier that solves a puzzle."""
    for one, other in pairwise(engine.TECHNIQUES.values()):
        assert one.tier <= other.tier_of(0), (one.key, other.key)


@pytest.mark.parametrize("seed", range(12))
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
        "hodoku_score",
        "hodoku_level",
        "weighted_rules",
    }
    assert not rating.gave_up
    assert rating.level == 2
    assert sum(rating.counts.values()) >= 81 - 28
    assert rating.hardest in rating.counts


@pytest.mark.parametrize("seed", range(12))
def test_the_counts_are_those_of_the_path(seed: int) -> None:
    grid = engine.generate(engine.Recipe(minimal=True), seed).grid
    path = engine.solve_path(grid)
    assert engine.rate(grid).counts == Counter(step.technique for step in path.steps)


@pytest.mark.slow
@pytest.mark.data
def test_a_scheme_whose_rules_fail_has_no_score_and_gives_up(data: Path) -> None:
    lines = (data / "hardest1106.txt").read_text().splitlines()
    rating = engine.rate(engine.parse([line for line in lines if line and line[0] != "#"][10][:81]))
    assert rating.scores["weighted_rules"] is None
    assert "weighted_rules" in rating.gave_up
    assert rating.level == 5


@pytest.mark.slow
def test_past_a_bound_there_is_no_score_but_a_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entries = [
        OrderedTechnique(
            entry.key, {**entry.limits, "bound": 1} if entry.key == "nested_forcing_chain" else entry.limits
        )
        for entry in explainer.order().entries
    ]
    bounded = Order(entries, explainer.PRICES)
    monkeypatch.setattr(explainer, "order", lambda _set: bounded)
    rating = engine.rate(engine.parse(NESTED))
    assert rating.scores["explainer"] is None
    assert {"explainer", "explainer_pearl", "explainer_diamond"} <= rating.gave_up
    assert (rating.level, rating.expected_seconds) == (5, None)


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
