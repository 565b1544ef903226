"""The weighted rules: the paper's worked values, its tables, and the rules as applied to puzzles."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from benchmarks.systems import calibration as paper
from engine import Grid, Position
from engine.rating import weighted_rules
from engine.rating.weighted_rules import RULE_OF, difficulty, level, order, rating_of


@pytest.mark.parametrize(
    ("counts", "expected", "of_level"),
    [
        ({1: 37}, 1.0, 1),
        ({1: 54, 3: 3}, 1.2, 2),
        ({1: 55, 3: 3, 6: 9, 9: 73}, 4.8, 3),
        ({1: 55, 3: 6, 6: 17, 9: 88, 10: 4, 13: 1, 14: 1}, 10.5, 4),
        ({1: 62, 6: 26, 9: 88, 14: 2}, 10.7, 4),
        ({1: 53, 3: 7, 6: 18, 8: 1, 9: 94, 10: 1, 11: 2, 12: 3, 13: 1, 14: 2}, 14.2, 5),
    ],
)
def test_d_has_the_values_worked_in_the_paper(counts: dict[int, int], expected: float, of_level: int) -> None:
    value = difficulty([counts.get(rule, 0) for rule in range(1, 15)])
    assert round(value, 1) == expected
    assert level(value) == of_level


@pytest.mark.parametrize(
    ("value", "of_level"),
    [(1.0, 1), (1.049, 1), (1.05, 2), (4.49, 2), (4.5, 3), (5.99, 3), (6.0, 4), (12.99, 4), (13.0, 5)],
)
def test_each_interval_is_a_level(value: float, of_level: int) -> None:
    assert level(value) == of_level


def test_the_papers_mean_counts_give_d_of_its_five_levels() -> None:
    values = [round(difficulty(counts), 2) for counts in paper.PAPER_COUNTS]
    assert values == [1.00, 3.08, 5.47, 9.74, 13.93]


def test_the_papers_table_gives_its_chi_square_its_coefficient_and_gamma() -> None:
    assert round(paper.chi_square(paper.PAPER_TABLE), 1) == 1037.7
    assert round(paper.contingency_coefficient(paper.PAPER_TABLE), 2) == 0.82
    assert round(paper.gamma(paper.PAPER_TABLE), 2) == 0.94
    assert round(paper.own_share(paper.PAPER_TABLE), 3) == 0.703


@pytest.mark.parametrize(
    ("table", "square", "kinship"),
    [
        (np.eye(5, dtype=np.int64) * 10, 200.0, 1.0),  # N (k - 1)
        (np.full((5, 5), 4), 0.0, 0.0),
        (np.eye(5, dtype=np.int64)[::-1], 20.0, -1.0),
        (np.array([[3, 0, 0], [0, 0, 0], [0, 3, 0]]), 6.0, 1.0),  # empty rows and columns add nothing
    ],
)
def test_kinship_is_whole_for_equal_levels_and_none_for_levels_at_random(
    table: paper.Table, square: float, kinship: float
) -> None:
    assert paper.chi_square(table) == pytest.approx(square)
    assert paper.gamma(table) == kinship


def test_levels_are_counted_by_column() -> None:
    one, other = (weighted_rules.RulesRating(1.0, level, (1,) + 13 * (0,)) for level in (1, 4))
    table = paper.table_of([[one, other], [other], [], [], []])
    assert table[:, 0].tolist() == [1, 0, 0, 1, 0]
    assert table[:, 1].tolist() == [0, 0, 0, 1, 0]
    assert paper.own_share(table) == pytest.approx(1 / 3)


def test_rules_are_tried_from_the_first_to_the_fourteenth_and_from_the_first_again() -> None:
    assert list(RULE_OF.values()) == sorted(RULE_OF.values())
    assert set(RULE_OF.values()) == set(range(1, 15))
    grid = engine.generate(engine.Recipe(minimal=True), 14).grid
    for position, step in order().follow(Position.from_grid(grid)):
        for easier in RULE_OF:
            if RULE_OF[easier] < RULE_OF[step.technique]:
                found = engine.find(position, easier)
                assert all(other.variant for other in found) if easier == "xy_wing" else not found


def test_each_step_counts_once_and_a_hidden_single_as_rule_1() -> None:
    seen = set()
    for seed in range(12):
        position = Position.from_grid(engine.generate(engine.Recipe(minimal=True), seed).grid)
        rules = [RULE_OF[step.technique] for _, step in order().follow(position)]
        counts = [rules.count(rule) for rule in range(1, 15)]
        counts = [counts[0] + counts[1], 0, *counts[2:]]
        rated = rating_of(order().walk(position))
        assert rated is not None and list(rated.counts) == counts
        assert rated.difficulty == round(difficulty(counts), 4)
        seen |= set(rules)
    assert {1, 2, 3, 9, 14} <= seen


def test_where_all_rules_fail_the_level_is_5_and_there_is_no_d() -> None:
    rated = rating_of(order().walk(Position.from_grid(Grid(bytes(81)))))
    assert (rated.difficulty, rated.level) == (None, 5)
