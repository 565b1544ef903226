"""Hostile values for every public function of the engine: each must fail with a message, without crash or
hang.

`tests/engine/test_hostile.py` makes hundreds of calls, the campaign `hostile` a hundred thousand.
"""

from __future__ import annotations

import inspect
import itertools
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

import engine
from engine import Grid, Position, Step, Transformation
from engine.errors import OutOfTime
from tests.fuzz_parse import mutant

SECOND: Final = 1.0  # of processor time, the most a call may take
EASY: Final = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
MEDIUM: Final = "52....439......2.......4.6.4..28..............8..9.1.......1.8...85.3.12.56.4.3.."


class Spiteful:
    """An object whose every operation fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")

    def __iter__(self) -> Iterator[int]:
        raise RuntimeError("no items")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no equals")

    def __hash__(self) -> int:
        raise RuntimeError("no hash")


def _worthless(step: Step, **other: Any) -> Step:
    members = {name: getattr(step, name) for name in step.__dataclass_fields__}
    return Step(**{**members, **other})


_GRID: Final = engine.parse(EASY)
_POSITION: Final = Position.from_grid(_GRID)
_STEP: Final = engine.find(_POSITION, "hidden_single")[0]
_STATE: Final = _POSITION.array


def _spoiled(index: int, value: int) -> Any:
    state = _STATE.copy()
    state[index] = value
    return state


def hostile_values() -> list[Any]:
    """Return fresh ones: some are consumed by inspection."""
    rows = np.stack([_GRID.array()] * 3)
    return [
        *(None, True, False, -1, 0, 1, 7, 9, 10, 80, 81, 500, 5_000_000, 10**9, 2**31, 2**63, -(2**63)),
        *(
            10**30,
            10**5000,
            0.5,
            -0.0,
            float("nan"),
            float("inf"),
            1j,
            np.int64(5),
            np.int8(-3),
            np.float32(4),
        ),
        *("", "x", "default", "all", "xy_wing", EASY, "\0" * 81, "1" * 81, "9" * 729, "\ud800", "x" * 5000),
        *(b"", b"\x00" * 81, b"\xff" * 81, bytearray(81), memoryview(b"\x01" * 81)),
        *([], [0] * 81, [511] * 81, [512] * 81, [-1] * 81, [None] * 81, [[1]], [(500, 5)], [(5_000_000, 5)]),
        *(
            [(-1, 5)],
            [(0, 10)],
            [(0, 0)],
            [(0, True)],
            [("0", "5")],
            [(0, 5), (1, 5)],
            ((0, 5), (0, 6), True),
        ),
        *({}, {500: "green"}, {0: 5}, {(0, 500): "red"}, set(), frozenset({(500, 5)}), range(10**12)),
        *(itertools.repeat((0, 1)), itertools.repeat(0), itertools.count(), iter([]), object(), Spiteful()),
        *(len, lambda *_: 10**9, lambda *_: None, Grid, Position, engine, NotImplemented, ...),
        *(np.zeros(5, np.int32), np.zeros(0), np.array(5), np.full(_STATE.shape, 10**6, np.int32)),
        *(_STATE.astype(np.int64), _STATE[::-1], _spoiled(0, 300), _spoiled(81, 1 << 20), _spoiled(-1, -5)),
        *(_spoiled(200, 511), np.asfortranarray(np.stack([_STATE] * 2))[0], _STATE.byteswap()),
        *(np.zeros((0, 81), np.uint8), np.zeros((3, 80), np.uint8), np.full((2, 81), 200, np.uint8)),
        *(rows * np.nan, rows + 0.5, rows.astype(object), rows.astype(str), rows[:, ::-1], rows[None]),
        *(rows.astype(">u4"), rows.astype(bool), np.ma.masked_array(rows), rows.astype(np.complex64)),
        *(Grid(b"\x01" * 81), Grid(bytes(81)), Transformation(transposed=True)),
        _worthless(_STEP, placements=frozenset({(500, 5)})),
        _worthless(_STEP, eliminations=[(5_000_000, 5)]),
        _worthless(_STEP, placements=None, links=5, cells="x"),
        _worthless(_STEP, technique="telepathy"),
        _worthless(_STEP, technique=[]),
        _worthless(_STEP, links=(engine.Link(10**9, 10**9, 10**9),)),
        _worthless(_STEP, links=(engine.Link(-1, -1, -1), engine.Link(0, 0, 40))),
        _worthless(_STEP, cells=(Spiteful(),)),
    ]


def good_values() -> dict[str, list[Any]]:
    """Return valid values by the name of the parameter."""
    full = engine.solution(_GRID)
    assert full is not None
    grids = [_GRID, engine.parse(MEDIUM), full]
    position = Position.from_grid(grids[1])
    late = engine.solve_path(_GRID).end
    rows = np.stack([_GRID.array(), grids[1].array()])
    return {
        "grid": grids,
        "givens": [*grids, rows],
        "placed": grids,
        "puzzle": [*grids, position],
        "position": [_POSITION, position, late],
        "start": [*grids, position],
        "what": [*grids, position, _STEP],
        "on": [None, _POSITION],
        "step": [_STEP, None],
        "recipe": [engine.Recipe(level=1), engine.Recipe(fewest_givens=30)],
        "seed": [1, 2**70, -5],
        "form": ["hodoku", "json"],
        "text729": [_POSITION.pencilmarks()],
        "marks": [[511] * 81, {(3, 5): "red"}],
        "state_array": [_STATE],
        "technique_key": ["hidden_single", "xy_wing", "aic"],
        "transformation": [Transformation(transposed=True)],
        "second": [Transformation()],
        "below": [random.Random(1).randrange],
        "digits": [_GRID.digits],
        "cell": [0, 80],
        "cells": [None, {3: "green"}],
        "houses": [None, {3: "green"}],
        "links": [(), [((0, 1), (5, 1), True)]],
        "struck": [(), [(1, 1)]],
        "placements": [[], [(1, 9)]],
        "eliminations": [[], [(1, 9)]],
        "most_nodes": [1000],
        "most": [100],
        "up_to": [2, 1000],
        "limit": [2, 5],
        "jobs": [1, 2],
        "uniqueness": [True, False],
        "labels": [True],
        "size": [450],
        "theme": ["light", "auto"],
        "schemes": ["default", ["explainer"]],
        "techniques": [None, ["xy_wing"]],
        "explainer_set": ["default"],
        "effort": [1, 40_000],
        "distinct": [False, True],
        "near": [None, 5],
        "wanted": [{"level": 1}],
        "role": [0],
    }


def functions() -> dict[str, Callable[..., Any]]:
    """Return every callable in `__all__`, and the methods of their results, by name."""
    found: dict[str, Callable[..., Any]] = {}
    for name in engine.__all__:
        value = getattr(engine, name)
        if inspect.isfunction(value):
            found[name] = value
    found |= {f"SEARCHERS[{key!r}]": searcher for key, searcher in engine.SEARCHERS.items()}
    puzzle = engine.generate(engine.Recipe(level=1), 1)
    made: list[Any] = [_GRID, _POSITION, _STEP, Transformation(), engine.Recipe(), puzzle]
    made += [engine.Canonical.of(_GRID), engine.solve_path(_GRID), engine.Fault(0, 1, (0, 1))]
    for one in made:
        kind = type(one)
        if kind in (Grid, Position, Transformation, engine.Recipe):
            found[kind.__name__] = kind
        for name, member in inspect.getmembers(one):
            if callable(member) and (not name.startswith("_") or name == "_repr_svg_"):
                found[f"{kind.__name__}.{name}"] = member
    return found


ALLOWED: Final = (engine.EngineError, OutOfTime)
OWN: Final = {"Transformation.random": (TypeError,)}  # of the caller's own function
LONGER: Final = dict.fromkeys(
    ("all_steps", "choices", "next_step", "solve_path"), 4.0
)  # they try every technique
# They take a bound; a call without one may take any length of time.
ALWAYS_GOOD: Final = {
    "solution_count": {"most_nodes"},
    "generate": {"stop"},
    **{f"SEARCHERS[{key!r}]": {"most_nodes"} for key in engine.SEARCHERS},
}


def calls(seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield random calls without end: a function, and its arguments by name."""
    draw = random.Random(seed)
    opened = functions()
    good = good_values()
    while True:
        name = draw.choice(list(opened))
        named: dict[str, Any] = {}
        good |= {"stop": good_values_of_stop(), "text": [EASY, mutant(draw)]}
        hostile = hostile_values()
        for parameter in inspect.signature(opened[name]).parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD or parameter.kind is parameter.VAR_POSITIONAL:
                continue
            required = parameter.default is parameter.empty
            fixed = parameter.name in ALWAYS_GOOD.get(name, ())
            known = good.get(parameter.name, [])
            if known and (fixed or (draw.random() < 0.5)):
                named[parameter.name] = draw.choice(known)
            elif required or draw.random() < 0.4:
                named[parameter.name] = draw.choice(hostile)
        yield name, named


def good_values_of_stop() -> list[Any]:
    """Return a function that returns True after some tenths of a second of processor time."""
    end = time.process_time() + 0.3
    return [lambda: time.process_time() > end]


def formatted(value: object) -> str:
    """Format a value for a report."""
    try:
        return repr(value)[:80]
    except Exception:
        return type(value).__name__


def run(seed: int, count: int) -> list[str]:
    """Make `count` calls. Returns the faults, described."""
    opened = functions()
    for searcher in engine.SEARCHERS.values():  # loads their kernels
        searcher(_GRID, 2, 1000)
    for grid in (_GRID, engine.parse(MEDIUM)):
        engine.rate(grid)
    wrong = []
    for name, named in itertools.islice(calls(seed), count):
        words = f"{name}({', '.join(f'{key}={formatted(value)}' for key, value in named.items())})"
        start = time.process_time()
        fault = ""
        try:
            answer = opened[name](**named)
            _used(answer)
        except (*ALLOWED, *OWN.get(name, ())) as error:
            fault = (
                ""
                if str(error) or isinstance(error, OutOfTime)
                else f"{type(error).__name__} without a sentence"
            )
        except BaseException as error:
            fault = f"{type(error).__name__}: {str(error)[:200]}"
        spent = time.process_time() - start
        if fault:
            wrong.append(f"{words}: {fault}")
        elif spent > LONGER.get(name, SECOND):
            wrong.append(f"{words}: took {spent:.1f} s")
    return wrong


def _used(answer: object) -> None:
    """Exercise a returned object with all its methods: it must be valid."""
    if isinstance(answer, Position):
        assert engine.Grid(answer.grid.digits) == answer.grid
        _ = answer.broken, answer.solved, answer.masks, answer.wrong(), repr(answer)
        engine.find(answer, "hidden_single")
        engine.find(answer, "naked_pair")
        engine.verdict(answer)
