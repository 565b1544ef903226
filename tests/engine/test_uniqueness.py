"""Deadly patterns: which cells form one, and the data of a step for the Explainer's rating."""

from __future__ import annotations

import pytest

import engine
from engine.geometry import HOUSES
from engine.position import Position
from engine.techniques import Role
from tests.technique_cases import OWN, Case, read_cases

pytestmark = pytest.mark.kernel

CASES = read_cases(OWN)


def _case(technique: str) -> Case:
    return next(case for case in CASES if case.technique == technique)


@pytest.mark.parametrize("technique", ["avoidable_rectangle_1", "avoidable_rectangle_2"])
def test_a_rectangle_with_a_given_corner_can_be_left(technique: str) -> None:
    position = _case(technique).position
    assert engine.find(position, technique) != []
    given = Position.from_pencilmarks(position.pencilmarks(), position.grid, position.grid)
    assert engine.find(given, technique) == []


def test_the_variant_of_a_rectangle_encodes_its_type_and_subset() -> None:
    variants = {
        technique: {step.variant for step in engine.find(_case(technique).position, technique)}
        for technique in ("unique_rectangle_1", "unique_rectangle_2", "unique_rectangle_4")
    }
    assert variants == {"unique_rectangle_1": {1}, "unique_rectangle_2": {2}, "unique_rectangle_4": {4}}
    third = _case("unique_rectangle_3")
    (step,) = (s for s in engine.find(third.position, third.technique) if third.holds([s]))
    (base,) = step.houses  # a hidden set, of as many digits as the house names
    assert step.variant == 3 + 10 * (len(base.digits) - 2)


def test_a_loop_has_more_cells_than_a_rectangle_and_meets_each_house_twice() -> None:
    case = _case("unique_loop")
    for step in engine.find(case.position, case.technique):
        corners = step.cells_of(Role.CORNER)
        assert step.size == len(corners) == len(set(corners)) >= 6
        assert {len({*corners} & {*house}) for house in HOUSES} == {0, 2}


def test_a_bug_with_a_naked_single_left_is_none() -> None:
    case = _case("bug_plus_1")
    (step,) = engine.find(case.position, case.technique)
    cell, digit = min(step.eliminations)
    lacking = case.position.changed((), {(cell, digit), *((c, d) for c, d in step.eliminations if c == cell)})
    assert engine.find(lacking, case.technique) == []
