"""The shortcuts of paths, which rescan only the digits or houses that changed."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine import Position
from engine.kernels.steps import ALL, COUNT, FIRST_HEADER, PATTERN, Steps, clear, new_steps
from engine.steps.step import decode_all
from engine.steps.walking import PARTS, forget, keep
from engine.techniques import TECHNIQUES, Technique, limits_for
from engine.techniques.entry import Scope
from engine.techniques.limits import BARREN

PUZZLE = "8.71..6...6..8..122.5...47....675...3....2..4....4...6..2.18...........3...2.6..."


@pytest.fixture(scope="module")
def position() -> Position:
    return Position.from_grid(engine.parse(PUZZLE))


def _found(position: Position, technique: Technique, barren: int) -> Steps:
    out = new_steps(8_192, 1 << 20)
    limits = limits_for(technique.key, technique.paths.get("logic", {}))
    limits[BARREN] = barren
    technique.scan(position.array, limits, ALL, out)
    return out


@pytest.mark.parametrize("key", ["pointing", "x_wing", "strong_links_2", "skyscraper", "broken_wing"])
def test_a_scan_by_digit_passes_over_barren_digits_alone(position: Position, key: str) -> None:
    everything = decode_all(_found(position, TECHNIQUES[key], 0))
    for digit in range(9):
        rest = decode_all(_found(position, TECHNIQUES[key], 1 << digit))
        assert rest == [step for step in everything if step.digits != (digit + 1,)]


def test_nothing_is_found_where_all_is_barren(position: Position) -> None:
    for technique in (each for each in TECHNIQUES.values() if each.scope is not Scope.POSITION):
        assert _found(position, technique, int(PARTS[technique.scope]))[COUNT] == 0, technique


@pytest.mark.kernel
def test_a_removed_candidate_makes_its_digit_and_its_houses_worth_a_look() -> None:
    start = Position.from_grid(engine.parse(PUZZLE))
    cell = next(cell for cell in range(81) if start.candidates(cell))
    digit = start.candidates(cell)[0]
    before = np.array(start.masks, dtype=np.int32) * (start.grid.array() == 0)
    barren = np.array([0, *PARTS[1:]], dtype=np.int32)
    after = start.changed([], [(cell, digit)])
    forget(after.array, before.astype(np.int32), np.array([0, 1, 2], dtype=np.int32), barren)
    houses = sum(1 << house for house in engine.geometry.HOUSES_OF[cell])
    assert barren.tolist() == [0, PARTS[1] & ~(1 << (digit - 1)), PARTS[2] & ~houses]


@pytest.mark.kernel
def test_a_path_without_space_keeps_the_steps_before(position: Position) -> None:
    out = _found(position, TECHNIQUES["pointing"], 0)
    assert out[COUNT] >= 2
    path = new_steps(1, 1 << 10)
    clear(path)
    assert keep(out, 0, path)
    assert not keep(out, 0, path)
    assert decode_all(path) == decode_all(out)[:1]
    assert path[FIRST_HEADER + PATTERN] < len(path)
