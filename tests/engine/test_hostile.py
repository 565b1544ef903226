"""No value harms the engine: every public function responds to an invalid one with an error message."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine
from engine import ArgumentError, Grid, Position, Recipe, RecipeError, Step
from engine.errors import OutOfTime
from engine.transformation import Transformation
from tests.hostile import EASY, hostile_values, run
from tests.thorough import amount

EMPTY = Grid(bytes(81))
GRID = engine.parse(EASY)


@pytest.mark.slow
def test_random_hostile_calls_neither_crash_nor_hang_and_get_a_sentence() -> None:
    assert run(seed=20_260_718, count=amount("HOSTILE", 500, 5_000)) == []


@pytest.mark.kernel
@pytest.mark.parametrize(
    "candidate", [(5_000_000, 5), (500, 5), (-1, 5), (0, 10), (0, 0), (0, 2.5), ("0", 5)]
)
def test_a_position_changes_candidates_of_its_board_only(candidate: tuple[int, int]) -> None:
    position = Position.from_grid(EMPTY)
    for change in ([candidate], []), ([], [candidate]):
        with pytest.raises(ArgumentError, match=r"expected \(cell 0\.\.80, digit 1\.\.9\)"):
            position.changed(*change)


@pytest.mark.kernel
def test_a_position_is_made_of_81_masks() -> None:
    for marks in ([], [511] * 80, [511] * 82, [512] * 81, [-1] * 81):
        with pytest.raises(ArgumentError, match=r"^marks: "):
            Position.from_marks(marks, EMPTY, EMPTY)


@pytest.mark.kernel
def test_a_position_answers_for_cells_on_the_board_only() -> None:
    cells: tuple[Any, ...] = (81, -1, 10**9, "r1c1")
    for cell in cells:
        with pytest.raises(ArgumentError, match=r"^cell: .*found"):
            Position.from_grid(EMPTY).candidates(cell)


@pytest.mark.kernel
def test_a_state_is_taken_only_if_its_tables_agree() -> None:
    sound = Position.from_grid(GRID)
    assert Position(sound.array, GRID) == sound
    for index, value in ((0, 300), (0, 9), (81, 1 << 20), (162, 511), (-1, -5)):
        state = sound.array
        state[index] = value
        with pytest.raises(ArgumentError, match=r"^state_array: "):
            Position(state, GRID)
    unfit: tuple[Any, ...] = (np.zeros(5, np.int32), sound.array.astype(np.int64), None)
    for wrong in unfit:
        with pytest.raises(ArgumentError, match=r"^state_array: expected int32\[541\]"):
            Position(wrong, GRID)


def test_the_array_of_a_position_is_a_copy() -> None:
    position = Position.from_grid(GRID)
    position.array[:] = 99
    assert position == Position.from_grid(GRID)


@pytest.mark.parametrize("wrong", [np.nan, 0.5])
def test_a_batch_takes_whole_numbers_only(wrong: float) -> None:
    with pytest.raises(ArgumentError, match="givens: expected an array of whole numbers, found float64"):
        engine.solve_many(np.full((1, 81), wrong))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("level", 2.5),
        ("level", True),
        ("er", (4, 5, 6)),
        ("er", 4),
        ("er", ("4", "5")),
        ("must", "xy_wing"),
        ("must", [["xy_wing"]]),
        ("pattern", ["r1c1"]),
        ("pattern", [None] * 20),
        ("minimal", 1),
        ("method", []),
        ("fewest_givens", "20"),
    ],
)
def test_a_recipe_says_which_field_is_of_the_wrong_type(field: str, value: Any) -> None:
    with pytest.raises(RecipeError) as refused:
        Recipe(**{field: value})
    assert refused.value.field == field


ERRORS = [
    ArgumentError("cell", "expected 0..80, found 81"),
    engine.BoundError("expected to count in 9 nodes", 7),
    engine.GaveUp("aic: the search went past its bound", ("aic",)),
    engine.NotUniqueError("several"),
    engine.PuzzleFormatError("expected 81 cells", line=3, cell=4, character="x"),
    RecipeError("er", "expected a puzzle that matches"),
    OutOfTime(),
]


@pytest.mark.parametrize(
    "call, argument, takes",
    [
        (lambda: engine.rate_many(np.zeros((0, 81), np.uint8), progress=len), "progress", "two arguments"),
        (lambda: engine.generate(seed=1, stop=lambda _: False), "stop", "no argument"),
        (lambda: Transformation.random(lambda: 0), "below", "one argument"),
    ],
)
def test_a_function_that_takes_something_else_is_refused_before_any_work(
    call: Callable[[], object], argument: str, takes: str
) -> None:
    with pytest.raises(ArgumentError, match=f"{argument}: expected a function that takes {takes}"):
        call()


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_goes_through_pickle_as_it_is(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert (str(copy), vars(copy)) == (str(error), vars(error))


def test_hostile_values_are_cut_short_in_a_sentence() -> None:
    for value in hostile_values():
        with pytest.raises(engine.EngineError) as refused:
            engine.sentence(None if isinstance(value, Step) else value)
        assert len(str(refused.value)) < 300


def test_counting_is_bounded() -> None:
    with pytest.raises(engine.BoundError, match="expected to count in 1,000 nodes") as stopped:
        engine.solution_count(EMPTY, 10**9, most_nodes=1000)
    assert 1 < stopped.value.found < 10**9


@pytest.mark.slow
def test_counting_can_be_interrupted() -> None:
    code = (
        "import engine; print('counting', flush=True); engine.solution_count(engine.Grid(bytes(81)), 10**9)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", f"import signal; signal.signal(2, signal.default_int_handler); {code}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as counting:
        assert counting.stdout.readline() == "counting\n"
        counting.send_signal(signal.SIGINT)
        _, err = counting.communicate(timeout=120)
    assert "KeyboardInterrupt" in err


def test_what_is_split_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loose = Grid(bytes(digit if cell % 9 else 0 for cell, digit in enumerate(GRID.digits)))
    whole = engine.solution_count(loose, 5000)
    monkeypatch.setattr("engine.search.bitboard.AT_ONCE", 5)
    assert 20 < whole < 5000
    assert engine.solution_count(loose, 5000) == whole
    assert [engine.solution_count(loose, most) for most in range(1, 20)] == [*range(1, 20)]


@pytest.mark.kernel
def test_only_a_grid_that_keeps_the_rules_is_solved() -> None:
    assert not engine.solve_path(engine.parse("1" * 81)).solved
    full = engine.solution(GRID)
    assert engine.solve_path(full).solved


@pytest.mark.parametrize("grid", [EMPTY, engine.parse("11" + "." * 79)])
def test_without_one_solution_a_grid_is_neither_minimal_nor_not(grid: Grid) -> None:
    with pytest.raises(engine.NotUniqueError):
        engine.is_minimal(grid)
