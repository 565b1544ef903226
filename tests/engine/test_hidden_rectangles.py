"""Hidden rectangles whose corners are decided by a strong link beside two corners of two candidates."""

from __future__ import annotations

import pytest

from engine.steps.logic import find
from engine.techniques import TECHNIQUES
from engine.techniques.hidden_rectangles import AS_HODOKU
from engine.text import parse_position
from tests.step_checker import faults

TWO = """
    9   14 5   8  13 47 1367 2   46
    126 3  26  25 9  47 8    17  45
    128 148 7  25 13 6  135  139 459
    18  6  18  7  2  9  4    5   3
    7   9  4   6  5  3  2    8   1
    23  5  23  4  8  1  9    6   7
    4   18 168 3  67 2  1567 179 569
    5   7  136 9  4  8  136  13  2
    36  2  9   1  67 5  367  4   8
"""


@pytest.mark.kernel
def test_a_pair_in_two_corners_and_a_strong_link_between_the_others_exclude_a_digit() -> None:
    position = parse_position(TWO)
    found = find(position, "hidden_rectangle")
    assert [step.eliminations for step in found] == [{(24, 1)}, {(60, 6)}]  # r3c7, r7c7
    assert [faults(position, step) for step in found] == [[], []]


def test_paths_and_so_ratings_know_the_form_of_other_programs_alone() -> None:
    for path in ("logic", "hodoku"):
        assert TECHNIQUES["hidden_rectangle"].on_path(path)["kinds"] == AS_HODOKU
