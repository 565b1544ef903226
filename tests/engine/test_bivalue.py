"""XY-chains are searched for only if the bivalue cells show that one removes something."""

from __future__ import annotations

import pytest

import engine
from engine import Position, Recipe
from engine.geometry import PEERS
from engine.techniques.bivalue import xy_chain_removes
from tests.engine.struck import of_cells
from tests.thorough import one_in


def _removes(position: Position) -> bool:
    """Follow chains from each bivalue cell without one of its digits, cell by cell: the slow reference."""
    masks = {cell: set(position.candidates(cell)) for cell in range(81)}
    pairs = {cell: digits for cell, digits in masks.items() if len(digits) == 2}
    for start, pair in pairs.items():
        for digit in pair:
            held = {(start, *pair - {digit})}
            waiting = list(held)
            while waiting:
                cell, last = waiting.pop()
                for other in PEERS[cell]:
                    if last in pairs.get(other, ()) and (other, *pairs[other] - {last}) not in held:
                        held.add((other, *pairs[other] - {last}))
                        waiting.append((other, *pairs[other] - {last}))
            for end in {cell for cell, last in held if last == digit and cell != start}:
                if any(digit in masks[cell] for cell in {*PEERS[start]} & {*PEERS[end]}):
                    return True
    return False


# 12 in r1c1, 23 in r1c5 and 31 in r1c8: without 1 in r1c1 there is a 1 in r1c8.
CHAIN = {0: "12", 4: "23", 7: "31"}


@pytest.mark.kernel
def test_a_chain_removes_what_sees_both_of_its_ends() -> None:
    assert xy_chain_removes(of_cells({**CHAIN, 8: "145"}).array)
    assert not xy_chain_removes(of_cells({**CHAIN, 8: "456"}).array)


@pytest.mark.kernel
def test_more_cells_than_there_are_bits_for_are_left_to_the_search() -> None:
    assert xy_chain_removes(of_cells(dict.fromkeys(range(0, 81, 2), "12")).array)


@pytest.mark.parametrize("seed", one_in(4, range(20)))
def test_it_agrees_with_the_slow_reference(seed: int) -> None:
    position = Position.from_grid(engine.generate(Recipe(minimal=True), seed).grid)
    for step in engine.solve_path(position).steps:
        assert xy_chain_removes(position.array) == _removes(position)
        position = position.after(step)
