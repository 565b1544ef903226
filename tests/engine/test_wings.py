"""Wings: the kinds of XY-wing, and the eliminations by two restricted digits of a larger wing."""

from __future__ import annotations

import pytest

import engine
from engine.kernels.steps import ALL, clear, new_steps
from engine.position import Position
from engine.steps.logic import find
from engine.steps.step import Step, decode_all
from engine.techniques import limits_for
from tests.engine.struck import of_cells


def _of_kinds(position: Position, kinds: int) -> list[Step]:
    out = new_steps(8, 512)
    clear(out)
    engine.TECHNIQUES["xy_wing"].scan(position.array, limits_for("xy_wing", {"kinds": kinds}), ALL, out)
    return decode_all(out)


@pytest.mark.kernel
def test_an_xy_wing_of_one_box_and_one_line_is_variant_0_and_of_two_lines_variant_1() -> None:
    boxed = of_cells({0: "12", 10: "13", 4: "23", 13: "3"})  # pivot r1c1, pincers r2c2 and r1c5
    lines = of_cells({0: "12", 36: "13", 4: "23", 40: "3"})  # pincers r5c1 and r1c5
    for position, variant in ((boxed, 0), (lines, 1)):
        assert [step.variant for step in find(position, "xy_wing")] == [variant]
        for kinds in (1, 2):
            assert len(_of_kinds(position, kinds)) == (kinds == variant + 1)


@pytest.mark.kernel
def test_a_doubly_linked_wing_clears_every_digit_it_holds() -> None:
    # r1c1, r1c2, r1c3 hold 1234; r2c1 sees both places of 1 and of 2, so the four cells hold all four digits.
    position = of_cells({0: "124", 1: "123", 2: "34", 9: "12", 20: "129", 8: "349", 5: "1"})
    steps = [step for step in find(position, "wxyz_wing") if len(step.eliminations) == 4]
    assert [step.eliminations for step in steps] == [{(20, 1), (20, 2), (8, 3), (8, 4)}]
