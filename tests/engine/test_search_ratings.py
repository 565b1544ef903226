"""The two schemes that count a search: the paper's example, the chosen bounds, and giving up."""

from __future__ import annotations

import pytest

from engine import Grid, Recipe, generate, parse
from engine.rating import SCHEMES
from engine.rating.lines import DECISION_TREE, GIVENS_AND_SEARCH, fewest_in_line
from engine.search.depth_first import searches
from engine.search.min_candidates import tree_nodes

EASY = generate(Recipe(fewest_givens=50), 1).grid
HARD = parse(".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...")


def test_the_papers_own_example_scores_4_7_and_is_level_5() -> None:
    assert GIVENS_AND_SEARCH.scores(22, 0, 263_734) == (5, 5, 4)
    assert GIVENS_AND_SEARCH.weighted(22, 0, 263_734) == 4.7
    assert GIVENS_AND_SEARCH.level(4.7) == 5


@pytest.mark.parametrize(
    ("searched", "score"),
    [(99, 0), (100, 1), (9_999, 2), (10_000, 3), (263_734, 4), (999_999, 4), (10**6, 5)],
)
def test_searches_score_by_powers_of_ten(searched: int, score: int) -> None:
    assert GIVENS_AND_SEARCH.weighted(81, 9, searched) == round(0.3 * score, 1)


@pytest.mark.parametrize(
    ("givens", "score"), [(81, 0), (80, 1), (69, 1), (68, 2), (43, 3), (30, 4), (29, 5), (17, 5)]
)
def test_givens_score_by_even_intervals(givens: int, score: int) -> None:
    assert GIVENS_AND_SEARCH.weighted(givens, 9, 0) == round(0.4 * score, 1)


@pytest.mark.parametrize(
    ("in_line", "score"), [(9, 0), (8, 1), (7, 2), (6, 2), (5, 3), (3, 4), (1, 5), (0, 5)]
)
def test_the_emptiest_line_scores_by_pairs(in_line: int, score: int) -> None:
    assert GIVENS_AND_SEARCH.weighted(81, in_line, 0) == round(0.3 * score, 1)


@pytest.mark.parametrize(("score", "level"), [(0.0, 1), (0.9, 1), (1.0, 2), (3.9, 4), (4.0, 5), (5.0, 5)])
def test_a_level_is_the_integer_part_and_one(score: float, level: int) -> None:
    assert GIVENS_AND_SEARCH.level(score) == level


@pytest.mark.parametrize(
    ("givens", "score"), [(46, 0), (45, 1), (38, 1), (37, 2), (31, 2), (30, 3), (24, 3), (23, 4), (17, 4)]
)
def test_grades_take_the_papers_intervals_and_go_on_by_seven(givens: int, score: int) -> None:
    assert DECISION_TREE.weighted(givens, 9, 1) == round(0.4 * score, 1)


@pytest.mark.parametrize(("nodes", "score"), [(65, 0), (66, 1), (199, 1), (200, 2), (600, 3), (1_800, 4)])
def test_layouts_score_by_steps_that_triple(nodes: int, score: int) -> None:
    assert DECISION_TREE.weighted(81, 9, nodes) == round(0.3 * score, 1)
    assert DECISION_TREE.weighted(81, 4 - score, 1) == round(0.3 * score, 1)  # a given less, a score more


@pytest.mark.parametrize(("weighted", "grade"), [(0.0, 1), (0.9, 1), (1.0, 2), (3.0, 4), (4.0, 4)])
def test_there_are_four_grades(weighted: float, grade: int) -> None:
    assert DECISION_TREE.level(weighted) == grade


def test_the_emptiest_line_may_be_a_row_or_a_column() -> None:
    assert fewest_in_line(Grid(bytes(81))) == 0
    full = bytearray(generate(Recipe(), 1).solution.digits)
    full[5:81:9] = bytes(9)
    assert fewest_in_line(Grid(bytes(full))) == 0
    full[5:72:9] = b"\x01" * 8
    assert fewest_in_line(Grid(bytes(full))) == 8


def test_a_rating_counts_its_own_search() -> None:
    searched, nodes = searches(EASY), tree_nodes(EASY)
    assert searched is not None and nodes is not None
    in_line = fewest_in_line(EASY)
    assert SCHEMES["givens_and_search"](EASY) == GIVENS_AND_SEARCH.weighted(50, in_line, searched)
    assert SCHEMES["decision_tree"](EASY) == DECISION_TREE.level(DECISION_TREE.weighted(50, in_line, nodes))


def test_a_search_over_its_bound_is_given_up_and_never_guessed() -> None:
    assert searches(HARD, most_nodes=1000) is None
    assert GIVENS_AND_SEARCH.figures(HARD, most_nodes=1000) is None
    assert DECISION_TREE.figures(HARD, most_nodes=1000) is None


def test_more_searches_than_score_anything_are_not_waited_for() -> None:
    assert SCHEMES["givens_and_search"](HARD) == 5.0
    assert SCHEMES["decision_tree"](HARD) == 4
