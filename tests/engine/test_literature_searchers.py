"""The specifics of each published solver: its order, its nodes, its bound, its tree, its rounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tests.reference as reference
from engine import SEARCHERS, Grid, SearchResult, parse
from engine.geometry import PEERS
from engine.kernels import dancing_links as dancing_links_kernels
from engine.kernels.rng import seeded
from engine.search.min_candidates import TreeNode, decision_tree
from engine.search.propagation import propagated

LITERATURE = ("depth_first", "min_candidates", "dancing_links", "propagation")
UNIQUE = parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
ANSWER = parse("534678912672195348198342567859761423426853791713924856961537284287419635345286179")
SWAPPABLE = parse("".join("." if digit in "56" else digit for digit in str(ANSWER)))
EASY = parse("".join("." if cell % 5 == 0 else digit for cell, digit in enumerate(str(ANSWER))))
EMPTY = Grid(bytes(81))


def candidates(digits: list[int], cell: int) -> list[int]:
    taken = {digits[peer] for peer in PEERS[cell]}
    return [digit for digit in range(1, 10) if digit not in taken]


def recount(digits: list[int], pick: Callable[[list[int]], int]) -> tuple[int, int, int]:
    """Return (digits written, layouts visited, solutions) of a plain recursion that fills the cell `pick`
    names.
    """
    if 0 not in digits:
        return 0, 1, 1
    cell = pick(digits)
    written, layouts, found = 0, 1, 0
    for digit in candidates(digits, cell):
        below = recount([*digits[:cell], digit, *digits[cell + 1 :]], pick)
        written, layouts, found = written + 1 + below[0], layouts + below[1], found + below[2]
    return written, layouts, found


def fewest_candidates(digits: list[int]) -> int:
    blanks = [cell for cell in range(81) if not digits[cell]]
    return min(blanks, key=lambda cell: (len(candidates(digits, cell)), cell))


@pytest.mark.kernel
@pytest.mark.parametrize("key", LITERATURE)
def test_every_solution_is_found_once(key: str) -> None:
    expected = {Grid(bytes(digits)) for digits in reference.solutions(SWAPPABLE.digits)}
    found = SEARCHERS[key](SWAPPABLE, limit=1000)
    assert len(found.solutions) == len(expected) > 1
    assert set(found.solutions) == expected
    assert not found.exceeded


@pytest.mark.kernel
@pytest.mark.parametrize("key", LITERATURE)
@pytest.mark.parametrize(
    "line",
    [
        "55" + "." * 79,  # one row
        "5" + "." * 8 + "5" + "." * 71,  # one column
        "5" + "." * 9 + "5" + "." * 70,  # one box
    ],
)
def test_givens_that_break_the_rules_cost_no_node(key: str, line: str) -> None:
    assert SEARCHERS[key](parse(line)) == SearchResult([], 0, exceeded=False)


@pytest.mark.kernel
@pytest.mark.parametrize("key", LITERATURE)
def test_a_full_grid_is_its_own_solution(key: str) -> None:
    assert SEARCHERS[key](ANSWER).solutions == [ANSWER]


@pytest.mark.parametrize("key", LITERATURE)
def test_the_bound_on_nodes_cuts_the_search_and_says_so(key: str) -> None:
    whole = SEARCHERS[key](UNIQUE)
    if whole.nodes:
        cut = SEARCHERS[key](UNIQUE, most_nodes=whole.nodes - 1)
        assert (cut.nodes, cut.exceeded) == (whole.nodes - 1, True)
    assert not SEARCHERS[key](UNIQUE, most_nodes=whole.nodes).exceeded


@pytest.mark.parametrize("key", SEARCHERS)
def test_a_limit_below_one_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match=r"limit: expected a whole number 1.*, found 0"):
        SEARCHERS[key](UNIQUE, limit=0)


@pytest.mark.parametrize("key", SEARCHERS)
def test_more_solutions_than_are_kept_at_once_come_all_the_same(key: str) -> None:
    found = SEARCHERS[key](EMPTY, limit=1500).solutions
    assert len(set(found)) == 1500


def test_depth_first_counts_the_digits_written() -> None:
    expected, *_ = recount(list(UNIQUE.digits), lambda digits: digits.index(0))
    assert SEARCHERS["depth_first"](UNIQUE).nodes == expected


def test_depth_first_finds_the_least_solution_first() -> None:
    found = SEARCHERS["depth_first"](SWAPPABLE, limit=1000).solutions
    assert [grid.digits for grid in found] == sorted(grid.digits for grid in found)
    assert str(SEARCHERS["depth_first"](EMPTY, limit=1).solutions[0])[:18] == "123456789456789123"


def test_min_candidates_counts_the_layouts_of_its_tree() -> None:
    for grid in (UNIQUE, SWAPPABLE):
        assert (
            SEARCHERS["min_candidates"](grid, limit=1000).nodes
            == recount(list(grid.digits), fewest_candidates)[1]
        )


@pytest.mark.kernel
def test_the_decision_tree_names_blanks_and_fewest_candidates() -> None:
    tree = decision_tree(SWAPPABLE)
    assert tree[0] == TreeNode(blanks=18, fewest=2, parent=None)
    assert sum(node.final for node in tree) == sum(1 for _ in reference.solutions(SWAPPABLE.digits))
    for node in tree[1:]:
        assert tree[node.parent].blanks == node.blanks + 1
    for place, node in enumerate(tree):
        assert sum(child.parent == place for child in tree) == node.fewest


def test_a_dead_layout_has_blanks_and_no_candidate() -> None:
    tree = decision_tree(parse("12345678." + "." * 8 + "9" + "." * 63))
    assert tree == (TreeNode(blanks=72, fewest=0, parent=None),)
    assert tree[0].dead and not tree[0].final


def test_a_tree_beyond_its_bound_is_none_and_that_of_a_broken_grid_empty() -> None:
    assert decision_tree(EMPTY, most_nodes=1000) is None
    assert decision_tree(parse("55" + "." * 79)) == ()


@pytest.mark.kernel
def test_rounds_fix_lone_possibilities_until_nothing_changes() -> None:
    after = propagated(UNIQUE)
    digits, rounds = list(UNIQUE.digits), 0
    while True:
        rounds += 1
        lone = {cell: candidates(digits, cell) for cell in range(81) if not digits[cell]}
        fixed = {cell: found[0] for cell, found in lone.items() if len(found) == 1}
        for cell, digit in fixed.items():
            digits[cell] = digit
        if not fixed or 0 not in digits:
            break
    assert (list(after.grid.digits), after.rounds, after.consistent) == (digits, rounds, True)


@pytest.mark.kernel
def test_rounds_that_meet_a_contradiction_say_so() -> None:
    assert not propagated(parse("55" + "." * 79)).consistent
    assert not propagated(parse("12345678." + "." * 8 + "9" + "." * 63)).consistent
    # Two cells of a row left with the same lone digit, found in the same round.
    clash = parse("1234567..........." + "8........" + "." * 54)
    assert not propagated(Grid(bytes([*clash.digits[:16], 8, *clash.digits[17:]]))).consistent


def test_a_puzzle_that_rounds_finish_needs_no_backtracking() -> None:
    assert propagated(EASY).grid == ANSWER
    assert SEARCHERS["propagation"](EASY).nodes == 0


@pytest.mark.kernel
def test_shuffled_rows_find_other_solutions_first_and_the_same_ones_in_all() -> None:
    def found(seed: int, limit: int) -> list[bytes]:
        out = np.zeros((limit, 81), np.uint8)
        count, _, _ = dancing_links_kernels.search(SWAPPABLE.array(), limit, 10**6, True, seeded(seed), out)
        return [row.tobytes() for row in out[:count]]

    every = {bytes(digits) for digits in reference.solutions(SWAPPABLE.digits)}
    assert set(found(1, 1000)) == every
    assert {found(seed, 1)[0] for seed in range(100)} == every
    assert found(5, 1000) == found(5, 1000)
