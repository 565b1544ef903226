"""Techniques that hardly any puzzle needs: each step is proved by the complete solver and by the checker."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import pytest

import engine
from engine import Grid, Position, Step
from engine.generation.exercises import met_rarely
from engine.techniques.keys import NUMBER
from engine.techniques.rare.exocets import lacks_room
from engine.techniques.rare.multi_sector import FEWEST, JOINTS, LOOP
from engine.techniques.rare.tridagon import COLUMNS, THREE
from tests import step_checker

EASY = NUMBER["naked_triple"]  # up to here a position has many other steps
LAST = NUMBER["x_cycle"]  # where the path ends: nets take long
EFFECTS = 4  # tried of those of one step
KEPT = ("tridagon", "sk_loop", "junior_exocet", "senior_exocet", "symmetrical_placement")
ORDERS = tuple(tuple(row) for row in COLUMNS.tolist())


def positions(puzzle: Grid) -> Iterator[Position]:
    """Return positions on the path of hints whose next step is harder than a subset, up to chains."""
    position = Position.from_grid(puzzle)
    while (step := engine.next_step(position)) is not None:
        number = NUMBER[step.technique]
        if number > EASY:
            yield position
        if number >= LAST:
            return
        position = position.after(step)


def faults(position: Position, step: Step) -> list[str]:
    """Return the errors that the checker and the complete solver find in a step.

    The solver fills the board from the pencil marks with the opposite of each effect and must fail. If a
    proof assumes that the solution is unique, it may only find other fillings.
    """
    unique, solution = engine.TECHNIQUES[step.technique].needs_unique, position.solution
    assert solution is not None
    found = []
    for cell, digit in sorted(step.eliminations)[:EFFECTS]:
        if engine.solution_count(position.changed([(cell, digit)], []), 1) and not (
            unique and solution[cell] != digit
        ):
            found.append(f"a filling has {(cell, digit)}")
    for cell, digit in sorted(step.placements)[:EFFECTS]:
        if engine.solution_count(position.changed([], [(cell, digit)]), 1) and not unique:
            found.append(f"a filling lacks {(cell, digit)}")
    return found + step_checker.faults(position, step)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEPT)
def test_each_puzzle_kept_has_a_step_and_every_step_is_proved(key: str) -> None:
    for puzzle in met_rarely()[key][:3]:
        steps = [(position, step) for position in positions(puzzle) for step in engine.find(position, key)]
        assert steps, puzzle
        for position, step in steps[:6]:
            assert faults(position, step) == [], (position, step)


Three = tuple[int, ...]


def fits(above: Three, left: Three, order: Three, digits: Three) -> bool:
    """Tell whether the digits of a box, by rows, differ from those of the box above and the box on the left.

    above: by columns.  left: by rows.  order: the column of the cell in each row.
    """
    return all(left[row] != digits[row] and above[order[row]] != digits[row] for row in range(THREE))


def by_columns(order: Three, digits: Three) -> Three:
    return tuple(digits[order.index(column)] for column in range(THREE))


def test_twelve_cells_have_no_filling_just_where_an_odd_number_of_orders_is_odd() -> None:
    nothing = (-1, -1, -1)
    ways = tuple(permutations(range(THREE)))
    for orders in product(ORDERS, repeat=4):
        first = (0, 1, 2)
        filled = any(
            fits(nothing, first, orders[1], second)
            and fits(by_columns(orders[0], first), nothing, orders[2], third)
            and fits(by_columns(orders[1], second), third, orders[3], fourth)
            for second, third, fourth in product(ways, repeat=3)
        )
        odd = sum(ORDERS.index(order) >= THREE for order in orders) % 2
        assert filled == (not odd), orders


def test_the_fewest_joints_of_a_loop_touch_every_pair() -> None:
    for pairs in range(1 << LOOP):
        touched = JOINTS[pairs] | JOINTS[pairs] << 1 & 0xFF | JOINTS[pairs] >> LOOP - 1
        assert not pairs & ~touched
        assert (pairs.bit_count() + 1) // 2 <= FEWEST[pairs] <= pairs.bit_count()


def test_an_exocet_counts_room_for_a_digit_on_three_lines() -> None:
    for places in product(range(16), repeat=3):
        fits = any(
            all(mask >> at & 1 for mask, at in zip(places, chosen, strict=True))
            for chosen in permutations(range(4), 3)
        )
        assert lacks_room(*places) == (not fits), places
