"""Logic tries the techniques in order, and uniqueness only where the puzzle is known to be unique."""

from __future__ import annotations

import pytest

import engine
from engine.position import Position

PUZZLE = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
# The same near its end, small enough for kernels as plain Python: every technique runs, nested chains too.
LATE = "9..78512375192368428.16479.812456937479231856.6.89741.12734956859867234163..1827."

positions = pytest.mark.parametrize(
    "position",
    [
        pytest.param(Position.from_grid(engine.parse(PUZZLE)), id="start"),
        pytest.param(Position.from_grid(engine.parse(LATE)), id="late", marks=pytest.mark.kernel),
    ],
)


def test_the_techniques_are_in_the_order_of_their_keys() -> None:
    from engine.techniques.keys import KEYS

    assert tuple(engine.TECHNIQUES) == KEYS


@positions
def test_the_next_step_is_the_first_of_all_steps(position: Position) -> None:
    assert engine.next_step(position) == engine.all_steps(position)[0]


def test_a_solved_position_has_no_next_step() -> None:
    solution = engine.solution(engine.parse(PUZZLE))
    assert solution is not None
    assert engine.next_step(Position.from_grid(solution)) is None


def test_an_unknown_technique_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        engine.find(Position.from_grid(engine.parse(PUZZLE)), "telepathy")


@positions
def test_each_set_of_effects_is_found_once(position: Position) -> None:
    for key in engine.TECHNIQUES:
        effects = [(step.placements, step.eliminations) for step in engine.find(position, key)]
        assert len(effects) == len(set(effects))
