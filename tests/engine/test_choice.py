"""The hint is the step a person would find soonest among those of the lowest tier."""

from __future__ import annotations

import pytest

import engine
from engine.geometry import HOUSES
from engine.position import Position
from engine.steps.choice import choices, effort

PUZZLE = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
# Needs wings, and chains once they are done.
HARDER = "..7..2..15....87...4..7.96..7......6..2.6.1..9......5..59.4..3...81....42..9..6.."


def _tier(step: engine.Step) -> int:
    return engine.TECHNIQUES[step.technique].tier_of(step.variant)


def _without(gone: dict[str, set[int]]) -> Position:
    """Return an empty grid whose named cells lack the given digits."""
    marks = ("." if cell in gone.get(digit, ()) else digit for cell in range(81) for digit in "123456789")
    return Position.from_pencilmarks("".join(marks))


def _row(number: int, *kept: int) -> set[int]:
    """Return the cells of a row, from 0, without the columns kept."""
    return {9 * number + column for column in range(9) if column not in kept}


def _only(cells: set[int], digits: str) -> dict[str, set[int]]:
    """Return what makes these digits the only ones of the cells."""
    return {digit: cells for digit in "123456789" if digit not in digits}


def _keys(position: Position, near: int | None = None) -> list[str]:
    return [step.technique for step in choices(position, near=near)]


def _along(text: str, most: int = 12) -> list[Position]:
    """Return the first positions of a puzzle's path of hints."""
    found = [Position.from_grid(engine.parse(text))]
    while len(found) < most and (steps := choices(found[-1])):
        found.append(found[-1].after(steps[0]))
    return found


@pytest.mark.parametrize("text", [PUZZLE, HARDER])
def test_no_technique_of_a_lower_tier_has_a_step(text: str) -> None:
    for position in _along(text):
        steps = choices(position)
        (tier,) = {_tier(step) for step in steps} or {6}
        for key, technique in engine.TECHNIQUES.items():
            if min(technique.tier, technique.tier_in_box or 5) < tier <= 4:
                assert not [step for step in engine.find(position, key) if _tier(step) < tier]


@pytest.mark.parametrize("text", [PUZZLE, HARDER])
def test_each_set_of_effects_is_offered_once_in_the_order_of_effort(text: str) -> None:
    for position in _along(text):
        steps = choices(position, near=40)
        efforts = [effort(step, position, 40) for step in steps]
        assert efforts == sorted(efforts)
        assert len({(step.placements, step.eliminations) for step in steps}) == len(steps)


def test_the_same_position_always_has_the_same_choices() -> None:
    position = Position.from_grid(engine.parse(HARDER))
    assert choices(position, near=3) == choices(position, near=3)


def _lacking(*cells: int) -> Position:
    """Return the solution of PUZZLE without these cells."""
    solution = engine.solution(engine.parse(PUZZLE))
    text = "".join("." if cell in cells else str(digit) for cell, digit in enumerate(solution.digits))
    return Position.from_grid(engine.parse(text))


def test_the_last_cell_of_a_house_comes_before_a_hidden_single_even_farther_away() -> None:
    position = _lacking(0, 1, 9, 10, 3, 27, 36, 80)
    assert {"full_house", "hidden_single"} <= {*_keys(position, near=0)}
    assert _keys(position, near=0)[0] == "full_house"


def test_of_two_hidden_singles_the_one_in_the_fuller_box_comes_first() -> None:
    position = _lacking(0, 1, 9, 10, 3, 12, 27, 37, 60, 61, 69, 71, 79, 80, 57, 51, 53, 42, 64, 75, 76)
    full = [
        sum(position.grid[cell] == 0 for cell in HOUSES[step.houses[0].house]) for step in choices(position)
    ]
    assert full == sorted(full)
    assert full[0] < full[-1]


def test_a_pair_comes_before_a_quad() -> None:
    quad = _only({72, 75, 78, 77}, "1234")
    gone = {digit: quad.get(digit, set()) | pair for digit, pair in _only({0, 4}, "12").items()}
    keys = _keys(_without(gone))
    assert keys[0] == "naked_pair"
    assert "naked_quad" in keys


def test_a_naked_pair_comes_before_a_hidden_one() -> None:
    hidden = {"1": _row(0, 0, 4), "2": _row(0, 0, 4)}
    gone = {digit: hidden.get(digit, set()) | naked for digit, naked in _only({72, 76}, "12").items()}
    keys = _keys(_without(hidden | gone))
    assert keys[0] == "naked_pair"
    assert "hidden_pair" in keys


SKYSCRAPER = _row(0, 3, 8) | _row(4, 4, 8)


def test_a_skyscraper_comes_before_a_jellyfish() -> None:
    jellyfish = set().union(*(_row(number, 0, 3, 6, 8) for number in (1, 2, 5, 7)))
    keys = _keys(_without({"5": SKYSCRAPER, "7": jellyfish}), near=0)
    assert keys[0] in ("skyscraper", "strong_links_2")
    assert "jellyfish" in keys


@pytest.mark.parametrize(("near", "digit"), [(0, 5), (80, 6)])
def test_of_equals_the_one_nearest_to_the_last_move_comes_first(near: int, digit: int) -> None:
    position = _without({"5": SKYSCRAPER, "6": {80 - cell for cell in SKYSCRAPER}})
    assert choices(position, near=near)[0].digits == (digit,)


@pytest.mark.parametrize("text", [PUZZLE, HARDER])
def test_no_step_is_offered_where_another_does_more_for_as_little(text: str) -> None:
    for position in _along(text):
        steps = [(effort(step, position), step) for step in choices(position)]
        assert not [
            one
            for mine, one in steps
            for theirs, other in steps
            if one.placements <= other.placements
            and one.eliminations < other.eliminations
            and theirs < mine + 1
        ]


def test_nothing_is_chosen_where_logic_is_at_its_end() -> None:
    solution = engine.solution(engine.parse(PUZZLE))
    assert choices(Position.from_grid(solution)) == []
