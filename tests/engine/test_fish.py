"""The fish search agrees with a slow reference that tries all bases with all covers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests import reference
from tests.engine.struck import of_cells
from tests.thorough import amount

ROWS, COLUMNS, BOXES = range(9), range(9, 18), range(18, 27)
Effects: TypeAlias = frozenset[tuple[int, int]]


def _expected(cells: list[int], size: int, boxes: bool, finned: bool) -> Iterator[tuple[Effects, bool]]:
    """Return what the reference clears, and whether the fish is sashimi."""
    for across, along in ((ROWS, COLUMNS), (COLUMNS, ROWS)):
        extra = list(BOXES) if boxes else []
        pools = [
            [house for house in [*lines, *extra] if {*reference.HOUSES[house]} & {*cells}]
            for lines in (across, along)
        ]
        for cleared, fins, bases, covers in reference.fish(cells, *pools, size):
            body = [[cell for cell in reference.HOUSES[base] if cell in cells] for base in bases]
            if bool(fins) != finned or (boxes and not {*bases, *covers} & {*BOXES}):
                continue
            if not boxes and not finned and any(len(inside) < 2 for inside in body):
                continue  # a base with one place is a hidden single
            few = any(len([cell for cell in inside if cell not in fins]) < 2 for inside in body)
            yield frozenset((cell, 5) for cell in cleared), few


MANY = amount("FISH", 4, 16)  # examples: the reference is slow
places = st.lists(st.integers(0, 80), min_size=8, max_size=22, unique=True)


@pytest.mark.slow
@pytest.mark.kernel
@settings(max_examples=MANY)
@given(places)
def test_x_wings_and_swordfish_are_all_found(cells: list[int]) -> None:
    for key, size in (("x_wing", 2), ("swordfish", 3)):
        found = {step.eliminations for step in engine.find(of_cells(dict.fromkeys(cells, "5")), key)}
        assert found == {cleared for cleared, _ in _expected(cells, size, False, False)}


@pytest.mark.kernel
@settings(max_examples=MANY)
@given(places)
def test_a_finned_fish_is_sashimi_exactly_where_a_base_is_down_to_one_cell(cells: list[int]) -> None:
    expected = set(_expected(cells, 2, False, True))
    for key, sashimi in (("finned_x_wing", False), ("sashimi_x_wing", True)):
        steps = engine.find(of_cells(dict.fromkeys(cells, "5")), key)
        wanted = {cleared for cleared, few in expected if few == sashimi}
        assert wanted <= {step.eliminations for step in steps}
        assert {step.eliminations for step in steps if step.variant == 0} <= wanted


@pytest.mark.slow
@settings(max_examples=MANY // 2)
@given(places)
def test_finned_franken_fish_are_all_found(cells: list[int]) -> None:
    steps = engine.find(of_cells(dict.fromkeys(cells, "5")), "finned_franken_x_wing")
    wanted = {cleared for cleared, _ in _expected(cells, 2, True, True)}
    assert wanted <= {step.eliminations for step in steps}
    assert {step.eliminations for step in steps if step.variant == 0} <= wanted


def test_a_siamese_fish_joins_two_fish_of_the_same_bases() -> None:
    # Rows 1 and 2 with column 9: beside column 1 the fin is r2c2, beside column 2 it is r1c1.
    steps = engine.find(of_cells(dict.fromkeys([0, 8, 10, 17, 18, 19], "5")), "sashimi_x_wing")
    joined = [step for step in steps if step.variant == 1]
    assert [step.eliminations for step in joined] == [frozenset({(18, 5), (19, 5)})]
    assert len({house.house for house in joined[0].houses}) == 5
