"""The default solver: verdicts, solutions, counts, batches; against the slow reference on random grids."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tests.reference as reference
from engine import (
    SEARCHERS,
    Grid,
    PuzzleFormatError,
    Verdict,
    parse,
    solution,
    solution_count,
    solve_many,
    verdict,
)
from engine.kernels._cache import features
from engine.search.bitboard import within
from tests.thorough import amount

UNIQUE = parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
ANSWER = parse("534678912672195348198342567859761423426853791713924856961537284287419635345286179")
EMPTY = Grid(bytes(81))
SWAPPABLE = parse("".join("." if digit in "56" else digit for digit in str(ANSWER)))

search = SEARCHERS["bitboard"]


@st.composite
def thinned(draw: st.DrawFn) -> Grid:
    """Draw a relabeled solved grid with 20 to 81 cells kept and up to three of them changed at random."""
    names = draw(st.permutations(range(1, 10)))
    kept = draw(st.sets(st.integers(0, 80), min_size=20))
    digits = [names[digit - 1] if cell in kept else 0 for cell, digit in enumerate(ANSWER.digits)]
    for cell, digit in draw(st.lists(st.tuples(st.integers(0, 80), st.integers(1, 9)), max_size=3)):
        digits[cell] = digit
    return Grid.from_digits(digits)


@pytest.mark.kernel
def test_a_puzzle_is_solved() -> None:
    assert solution(UNIQUE) == ANSWER
    assert verdict(UNIQUE) is Verdict.UNIQUE


@pytest.mark.kernel
def test_a_solved_grid_is_its_own_solution() -> None:
    assert solution(ANSWER) == ANSWER
    assert solution_count(ANSWER) == 1


@pytest.mark.kernel
def test_an_empty_grid_has_several_solutions() -> None:
    assert verdict(EMPTY) is Verdict.MULTIPLE
    found = solution(EMPTY)
    assert found is not None and reference.is_solution(found.digits)


@pytest.mark.kernel
@pytest.mark.parametrize(
    "line",
    [
        "55" + "." * 79,  # one row
        "5" + "." * 8 + "5" + "." * 71,  # one column
        "5" + "." * 9 + "5" + "." * 70,  # one box
        "12345678." + "." * 8 + "9" + "." * 63,  # no digit left for r1c9
        "1" + "." * 11 + "1" + "." * 11 + "234" + "." * 54,  # no 1 left for the top right box
        f"{str(ANSWER)[:40]}{ANSWER[40] % 9 + 1}{str(ANSWER)[41:]}",  # a wrong one among all
    ],
)
def test_givens_that_contradict_each_other_have_no_solution(line: str) -> None:
    assert verdict(parse(line)) is Verdict.NONE
    assert solution(parse(line)) is None


def test_solutions_are_counted_up_to_the_limit() -> None:
    assert solution_count(EMPTY, up_to=1) == 1
    assert solution_count(EMPTY, up_to=1000) == 1000


def test_all_solutions_are_counted() -> None:
    expected = sum(1 for _ in reference.solutions(SWAPPABLE.digits))
    assert expected > 2
    assert solution_count(SWAPPABLE, up_to=10**6) == expected


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match=r"up_to: expected a whole number 1\.\..*found 0"):
        solution_count(EMPTY, up_to=0)


@pytest.mark.slow
@given(thinned())
@settings(max_examples=amount("REFERENCES", 25, 60), deadline=None)
def test_the_reference_agrees(grid: Grid) -> None:
    expected = set(islice(reference.solutions(grid.digits), 40))
    found = search(grid, limit=40).solutions
    assert len(found) == len(expected)
    assert all(reference.is_solution(one.digits) for one in found)
    assert all(
        given in (0, digit) for one in found for given, digit in zip(grid.digits, one.digits, strict=True)
    )
    if len(expected) < 40:
        assert {tuple(one.digits) for one in found} == expected


@pytest.mark.kernel
def test_a_search_finds_every_solution_once() -> None:
    result = search(SWAPPABLE, limit=1000)
    assert sorted(tuple(one.digits) for one in result.solutions) == sorted(
        reference.solutions(SWAPPABLE.digits)
    )
    assert not result.exceeded


def test_more_solutions_than_fit_at_first_are_all_returned() -> None:
    assert len(set(search(EMPTY, limit=3000).solutions)) == 3000


@pytest.mark.kernel
def test_the_bound_on_nodes_cuts_the_search_and_says_so() -> None:
    result = search(EMPTY, limit=2, most_nodes=3)
    assert (result.solutions, result.nodes, result.exceeded) == ([], 3, True)


@pytest.mark.kernel
def test_a_puzzle_of_singles_takes_one_node() -> None:
    assert search(UNIQUE).nodes == 1


@pytest.mark.kernel
def test_a_batch_answers_like_single_grids() -> None:
    grids = [UNIQUE, EMPTY, parse("55" + "." * 79), ANSWER]
    solutions, counts = solve_many(np.stack([grid.array() for grid in grids]))
    assert counts.tolist() == [1, 2, 0, 1]
    assert Grid(solutions[0].tobytes()) == Grid(solutions[3].tobytes()) == ANSWER
    assert reference.is_solution(solutions[1].tolist())
    assert not solutions[2].any()


@pytest.mark.parametrize("jobs", [2, 3])
def test_a_batch_over_cores_is_the_batch_on_one(jobs: int) -> None:
    givens = np.stack([UNIQUE.array(), EMPTY.array(), SWAPPABLE.array()] * 70)
    solutions, counts = solve_many(givens, limit=5, jobs=jobs)
    solutions_alone, counts_alone = solve_many(givens, limit=5)
    assert (solutions == solutions_alone).all() and (counts == counts_alone).all()


def test_a_batch_of_no_grids_is_empty() -> None:
    solutions, counts = solve_many(np.empty((0, 81), np.uint8), jobs=2)
    assert solutions.shape == (0, 81) and counts.shape == (0,)


def test_a_batch_leaves_its_givens_alone() -> None:
    givens = UNIQUE.array().reshape(1, 81)
    solve_many(givens)
    assert Grid(givens.tobytes()) == UNIQUE


@pytest.mark.parametrize(("wrong", "kind"), [(10, np.uint8), (10, np.int64), (-1, np.int8), (266, np.int64)])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_batch_names_the_first_row_and_cell_of_a_bad_digit(wrong: int, kind: type, jobs: int) -> None:
    givens = np.zeros((300, 81), kind)
    givens[1, 12] = givens[1, 70] = givens[290, 3] = wrong
    with pytest.raises(PuzzleFormatError, match=f"line 2, r2c4: expected a digit 0..9, found {wrong}"):
        solve_many(givens, jobs=jobs)


def test_a_batch_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(n, 81\)"):
        solve_many(np.zeros(81, np.uint8))


@pytest.mark.data
@pytest.mark.parametrize("name", ["clues17", "top1465", "hardest1905_sample", "hardest1106"])
def test_every_known_hard_puzzle_has_one_solution(name: str, data: Path) -> None:
    lines = [
        line[:81] for line in (data / f"{name}.txt").read_text().splitlines() if not line.startswith("#")
    ]
    givens = np.array([parse(line).array() for line in lines])
    solutions, counts = solve_many(givens, jobs=2)
    assert (counts == 1).all()
    assert ((givens == 0) | (givens == solutions)).all()
    nine = np.arange(1, 10)
    square = np.sort(solutions.reshape(-1, 9, 9), 2)
    boxes = np.sort(solutions.reshape(-1, 3, 3, 3, 3).swapaxes(2, 3).reshape(-1, 9, 9), 2)
    columns = np.sort(solutions.reshape(-1, 9, 9), 1)
    assert (square == nine).all() and (boxes == nine).all() and (columns == nine[:, None]).all()


# Solve a batch of standard input's grids with code for another processor; print answers and nodes.
ELSEWHERE = """
import sys
import numpy as np
import engine
from engine.kernels.lanes import COUNT, REGISTER
assert REGISTER == COUNT
grids = [engine.parse(line) for line in sys.stdin]
solved = zip(*engine.solve_many(np.stack([grid.array() for grid in grids]), limit=3))
for grid, (solution, count) in zip(grids, solved):
    print(engine.Grid(solution.tobytes()), count, engine.SEARCHERS["bitboard"](grid, 3).nodes)
"""


@pytest.mark.slow
@pytest.mark.skipif("avx2" not in features(), reason="needs a processor that runs code for AVX2")
def test_a_processor_with_narrow_registers_answers_the_same() -> None:
    """Without wide registers, half a pair is processed at a time, and bits are counted by nibble."""
    random = np.random.default_rng(7)
    grids = [UNIQUE, EMPTY, SWAPPABLE, parse("55" + "." * 79)]
    for kept in range(17, 37):
        digits = ANSWER.array()
        digits[random.permutation(81)[kept:]] = 0
        grids.append(Grid(digits.tobytes()))
        digits[random.choice(np.flatnonzero(digits == 0))] = random.integers(1, 10)
        grids.append(Grid(digits.tobytes()))
    narrow = {"NUMBA_DISABLE_JIT": "0", "NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""}
    ran = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input="\n".join(map(str, grids)),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **narrow},
    )
    solutions, counts = solve_many(np.stack([grid.array() for grid in grids]), limit=3)
    assert counts.tolist() == [len(list(islice(reference.solutions(each.digits), 3))) for each in grids]
    assert ran.stdout.split("\n") == [
        *(
            f"{Grid(one.tobytes())} {count} {search(grid, 3).nodes}"
            for grid, one, count in zip(grids, solutions, counts, strict=True)
        ),
        "",
    ]


@given(thinned(), st.lists(st.tuples(st.integers(0, 80), st.integers(1, 9)), max_size=4))
def test_within_candidates_are_the_solutions_that_they_allow(
    grid: Grid, struck: list[tuple[int, int]]
) -> None:
    every = search(grid, 50).solutions
    marks = [1 << digit - 1 if digit else 0x1FF for digit in grid.digits]
    for cell, digit in struck:
        marks[cell] &= ~(1 << digit - 1)
    allowed = {each for each in every if all(marks[cell] >> each[cell] - 1 & 1 for cell in range(81))}
    found = within(marks, 50)
    if len(every) < 50:
        assert set(found.solutions) == allowed
    assert not found.exceeded
    for each in found.solutions:
        assert not each.faults() and all(marks[cell] >> each[cell] - 1 & 1 for cell in range(81))
