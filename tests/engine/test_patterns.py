"""A digit is settled if each of its candidates lies in a pattern; then no technique of one digit helps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import engine
from engine import Position, Recipe
from engine.geometry import PEERS
from engine.kernels.patterns import is_settled, new_ways
from engine.kernels.state import CANDIDATES
from engine.kernels.steps import ALL, COUNT, clear, new_steps
from engine.steps.walking import PARTS, forget, settle
from engine.techniques import TECHNIQUES, limits_for
from engine.techniques.entry import Scope
from engine.techniques.limits import BARREN
from tests.engine.struck import of_cells

PUZZLE = "8.71..6...6..8..122.5...47....675...3....2..4....4...6..2.18...........3...2.6..."


def _settled(position: Position) -> list[int]:
    ways, state = new_ways(), position.array
    return [digit + 1 for digit in range(9) if is_settled(state, digit, ways)]


def _patterns(position: Position, digit: int, row: int = 0) -> Iterator[frozenset[int]]:
    """Yield every way to place the digit in the rows from `row` on that lack it."""
    if row == 9:
        yield frozenset()
        return
    places = [cell for cell in range(9 * row, 9 * row + 9) if digit in position.candidates(cell)]
    if digit in position.grid.digits[9 * row : 9 * row + 9]:
        yield from _patterns(position, digit, row + 1)
        return
    for rest in _patterns(position, digit, row + 1):
        yield from (rest | {cell} for cell in places if rest.isdisjoint(PEERS[cell]))


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(4))
def test_a_digit_is_settled_where_each_candidate_is_in_a_pattern(seed: int) -> None:
    position = Position.from_grid(engine.generate(Recipe(minimal=True), seed).grid)
    for digit in range(1, 10):
        places = {cell for cell in range(81) if digit in position.candidates(cell)}
        used = frozenset[int]().union(*_patterns(position, digit))
        assert (digit in _settled(position)) == (used == places), digit


@pytest.mark.kernel
def test_a_digit_is_not_settled_where_fewer_rows_than_columns_have_places_for_it() -> None:
    assert _settled(of_cells({0: "5", 1: "5"})) == [1, 2, 3, 4, 6, 7, 8, 9]


@pytest.mark.parametrize("seed", range(8))
def test_no_technique_of_one_digit_finds_a_settled_one(seed: int) -> None:
    out = new_steps(8_192, 1 << 20)
    position = Position.from_grid(engine.generate(Recipe(minimal=True), seed).grid)
    barren = PARTS[1] & ~sum(1 << (digit - 1) for digit in _settled(position))
    for technique in (each for each in TECHNIQUES.values() if each.scope is Scope.DIGIT):
        limits = limits_for(technique.key, technique.paths.get("logic", {}))
        limits[BARREN] = barren
        clear(out)
        technique.scan(position.array, limits, ALL, out)
        assert out[COUNT] == 0, technique


@pytest.mark.kernel
def test_a_path_passes_over_settled_digits_until_they_change() -> None:
    position = Position.from_grid(engine.parse(PUZZLE))
    scopes = np.array([0, 1, 2, 1], dtype=np.int32)
    barren = np.zeros(4, dtype=np.int32)
    settle(position.array, scopes, barren, new_ways())
    settled = sum(1 << (digit - 1) for digit in _settled(position))
    assert barren.tolist() == [0, settled, 0, PARTS[1]]
    # A candidate of a settled digit is removed: that digit is scanned again, until it is checked once more.
    digit = _settled(position)[0]
    cell = next(cell for cell in range(81) if digit in position.candidates(cell) and not position.grid[cell])
    before = position.array[CANDIDATES : CANDIDATES + 81].copy()
    changed = position.changed([], [(cell, digit)])
    forget(changed.array, before, scopes, barren)
    left = PARTS[1] & ~(1 << (digit - 1))
    assert barren.tolist() == [0, settled & left, 0, left]
    settle(changed.array, scopes, barren, new_ways())
    assert barren[1] & left == settled & left
    assert bool(barren[1] >> (digit - 1) & 1) == (digit in _settled(changed))
