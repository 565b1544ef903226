"""The positions of lessons and practice hold what they are shown for."""

from __future__ import annotations

import pytest

import engine
from benchmarks.positions import breach, line_of, typical
from tests.thorough import one_in
from webapp.learn import positions
from webapp.learn.lessons import path

TECHNIQUES = tuple(path.techniques())


def test_each_technique_has_eight_positions_of_different_puzzles_and_a_near_miss() -> None:
    forms = []
    for key in TECHNIQUES:
        found = positions.of(key)
        assert len(found.found) == 8, key
        assert found.near_miss is not None, key
        forms += [engine.canonical_form(posed.position.givens) for posed in found.found]
    assert len(set(forms)) == len(forms)


@pytest.mark.parametrize("key", one_in(3, TECHNIQUES))
def test_the_technique_comes_next_and_no_single_is_open(key: str) -> None:
    for posed in positions.of(key).found:
        assert posed.position.unique
        assert posed.steps
        assert breach(key, posed.position, posed.steps) == ""


@pytest.mark.parametrize("key", one_in(3, TECHNIQUES))
def test_a_near_miss_misses_by_what_its_text_says(key: str) -> None:
    """It has no step. It has one without the candidates, or with the digits, that the text names."""
    near = positions.of(key).near_miss
    assert not near.steps
    assert near.missed is not None
    assert near.nearly != near.position
    for cell, digit in near.spoilers:
        assert digit in near.position.candidates(cell)


def test_each_hidden_single_is_in_a_box_and_not_a_naked_one_too() -> None:
    for posed in positions.of("hidden_single").found:
        assert all(typical(step, posed.position) for step in posed.steps)


def test_a_line_of_the_file_is_read_back() -> None:
    posed = positions.of("aic").example
    assert line_of("aic", posed.position) in positions.FILE.read_text().splitlines()
