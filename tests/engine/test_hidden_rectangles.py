"""Hidden rectangles whose corners are decided by a strong link beside two corners of two candidates."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.steps.logic import find
from engine.techniques import TECHNIQUES
from engine.techniques.hidden_rectangles import AS_HODOKU
from engine.text import parse_position
from tests.step_checker import faults

TWO = Path(__file__).parents[1] / "data" / "hidden_rectangles.txt"


@pytest.mark.kernel
def test_a_pair_in_two_corners_and_a_strong_link_between_the_others_exclude_a_digit() -> None:
    position = parse_position(TWO.read_text())
    found = find(position, "hidden_rectangle")
    assert [step.eliminations for step in found] == [{(24, 1)}, {(60, 6)}]  # r3c7, r7c7
    assert [faults(position, step) for step in found] == [[], []]


def test_paths_and_so_ratings_know_the_form_of_other_programs_alone() -> None:
    for path in ("logic", "hodoku"):
        assert TECHNIQUES["hidden_rectangle"].on_path(path)["kinds"] == AS_HODOKU
