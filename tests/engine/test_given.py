"""Every public function accepts a puzzle in any form, and each error is an EngineError."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest

import engine
from engine import Grid, Position
from engine.cli import main
from tests.engine.test_sukaku import CANDIDATES

LINE: Final = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
GRID: Final = engine.parse(LINE)
ROWS: Final = GRID.array().reshape(9, 9)
PUZZLE: Final = engine.generate(level=2, seed=1)
FORMS: Final[dict[str, Any]] = {
    "text": LINE,
    "a list": list(GRID.digits),
    "rows": ROWS.tolist(),
    "rows of text": [LINE[at : at + 9] for at in range(0, 81, 9)],
    "None for empty": [digit or None for digit in GRID.digits],
    "an array": GRID.array(),
    "a 9 x 9 array": ROWS,
    "an entry": engine.Entry(GRID),
    "a position": Position.from_grid(GRID),
    "a generated puzzle": replace(PUZZLE, grid=GRID),
}
FUNCTIONS: Final[dict[str, Callable[[Any], object]]] = {
    "rate": lambda puzzle: engine.rate(puzzle, schemes=["explainer"]),
    "solution": engine.solution,
    "solve": engine.solve,
    "solution_count": engine.solution_count,
    "verdict": engine.verdict,
    "is_minimal": engine.is_minimal,
    "canonical_key": engine.canonical_key,
    "next_step": engine.next_step,
    "choices": engine.choices,
    "find": lambda puzzle: engine.find(puzzle, "hidden_single"),
    "solve_path": engine.solve_path,
    "write": engine.write,
    "a searcher": lambda puzzle: engine.SEARCHERS["bitboard"](puzzle).solutions,
    "parse": engine.parse,
    "Grid": engine.Grid,
    "Position.from_grid": Position.from_grid,
    "Transformation.apply": engine.Transformation(transposed=True).apply,
    "Canonical.of": engine.Canonical.of,
    "canonical_form": engine.canonical_form,
    "all_steps": lambda puzzle: engine.all_steps(puzzle, up_to="naked_single"),
    "draw": lambda puzzle: engine.draw(puzzle, candidates=True, title="A puzzle", description="", prefix="p"),
    "rate_many": lambda puzzle: engine.rate_many([puzzle], schemes=["explainer"])["explainer"].tolist(),
    "solve_many": lambda puzzle: engine.solve_many([puzzle])[0].tolist(),
    "canonical_forms": lambda puzzle: engine.canonical_forms([puzzle]).tolist(),
}
# The names that take no puzzle.
OTHERS: Final = {
    *("FORMATS", "MOST_NODES", "SEARCHERS", "TECHNIQUES", "__version__"),
    *("Entry", "Fault", "GaveUp", "HouseRole", "Link", "NearestPuzzle", "Path", "Puzzle", "Rating", "Recipe"),
    *("Role", "SearchResult", "Searcher", "Step", "Verdict", "eureka", "generate", "sentence"),
    *("parse_position", "read_many"),  # take text
    *(name for name in engine.__all__ if name.endswith("Error") or name == "OutOfTime"),
}


def test_no_public_function_is_left_out() -> None:
    assert {name.partition(".")[0] for name in FUNCTIONS} - {"a searcher"} == {*engine.__all__} - OTHERS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_puzzle_is_taken_in_any_form(name: str) -> None:
    expected = FUNCTIONS[name](GRID)
    for form, puzzle in FORMS.items():
        assert FUNCTIONS[name](puzzle) == expected, form


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_no_puzzle_gets_a_sentence(name: str) -> None:
    for value in (None, 5, 0.5, b"1" * 81, {}, "hello", [1, 2], [[1] * 8] * 9, ["x"] * 81):
        with pytest.raises(engine.EngineError) as refused:
            FUNCTIONS[name](value)
        assert 0 < len(str(refused.value)) < 200


def test_a_text_with_candidates_is_the_position_it_shows() -> None:
    sukaku = Position.from_pencilmarks(CANDIDATES)
    for form in ("pencilmarks", "json"):
        text = engine.write(sukaku, form)
        assert engine.solution(text) == engine.solution(sukaku)
        assert engine.next_step(text) == engine.next_step(sukaku)


@pytest.mark.parametrize("name", ["rate_many", "solve_many"])
def test_a_list_may_mix_all_forms(name: str) -> None:
    together = getattr(engine, name)
    puzzles = [*FORMS.values(), engine.write(Position.from_pencilmarks(CANDIDATES), "json")]
    found = together(puzzles)
    counts = found["verdict"] if name == "rate_many" else found[1]
    assert counts.tolist() == [1] * len(puzzles)
    with pytest.raises(engine.PuzzleFormatError, match=r"^line 2: "):
        together([LINE, LINE[:80]])


def test_steps_and_ratings_are_json() -> None:
    position = Position.from_grid(GRID)
    step = json.loads(engine.next_step(position).to_json())
    assert (step["technique"], step["placements"]) == ("hidden_single", [[27, 8]])
    rating = json.loads(engine.rate(GRID).to_json())
    assert (rating["level"], rating["scores"]["explainer"]) == (2, 1.5)


def test_the_fields_of_a_recipe_may_be_given_by_name() -> None:
    assert engine.generate(seed=3, level=2) == engine.generate(engine.Recipe(level=2), 3)
    with pytest.raises(engine.RecipeError, match="lvel"):
        engine.generate(lvel=2)
    with pytest.raises(engine.ArgumentError, match="recipe"):
        engine.generate(engine.Recipe(), level=2)


@pytest.mark.parametrize(
    "call",
    [
        lambda: engine.find(GRID, "xwing"),
        lambda: engine.find(GRID, "X-Wing"),
        lambda: engine.all_steps(GRID, up_to="xwing"),
        lambda: engine.Recipe(hardest="xwing"),
        lambda: engine.Recipe(must=["xwing"]),
    ],
)
def test_an_unknown_key_is_answered_with_the_one_that_was_meant(call: Callable[[], object]) -> None:
    with pytest.raises(engine.EngineError, match=r"did you mean x_wing") as refused:
        call()
    assert len(str(refused.value)) < 200


def test_every_error_is_exported_and_an_engine_error() -> None:
    assert issubclass(engine.OutOfTime, engine.EngineError)
    assert issubclass(engine.UnknownKeyError, engine.EngineError)
    assert issubclass(engine.GaveUp, engine.EngineError)


def test_the_command_line_takes_a_puzzle_where_a_file_would_stand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", LINE]) == 0
    assert capsys.readouterr().out.strip() == str(engine.solution(GRID))
    assert main(["solve", "no-such-file"]) == 2


def test_a_position_stays_what_it_is() -> None:
    position = Position.from_grid(GRID).changed([], [(0, 4)])
    assert engine.next_step(position) == engine.next_step(position)
    assert engine.write(position, "hodoku") != engine.write(Grid(GRID.digits), "hodoku")


def test_what_a_masked_array_holds_is_read() -> None:
    rows = np.ma.masked_array(GRID.array()[None])
    assert engine.canonical_forms(rows).any()
