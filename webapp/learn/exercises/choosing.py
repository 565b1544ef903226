"""Choose the positions of a lesson: of several exercises the plainest two, and a near miss.

`python -m webapp.learn.exercises.choosing [TECHNIQUE ...]` writes the file of `shipped` anew, or the lines of
the techniques named. What a search does not meet in PATIENCE seconds is left out, and the command says so.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from tqdm import tqdm

import engine
from engine.choice import effort
from webapp.learn.exercises import shipped
from webapp.learn.exercises.making import made_of
from webapp.learn.exercises.posed import Posed
from webapp.models import ExerciseKind

DRAWN: Final = {ExerciseKind.EXERCISE: 8, ExerciseKind.NEAR_MISS: 4}  # to choose from
PATIENCE: Final = 60.0  # seconds for a kind of a technique; one near miss of nested chains takes as long
SEED: Final = 9

_KINDS: Final = ExerciseKind.WORKED, ExerciseKind.EXERCISE, ExerciseKind.NEAR_MISS


def chosen(technique: str, seed: int, stop: Callable[[], bool]) -> Iterator[Posed]:
    """The positions of a lesson, as far as any were found until `stop` said yes."""
    drawn = islice(made_of(technique, ExerciseKind.EXERCISE, seed, stop), DRAWN[ExerciseKind.EXERCISE])
    plainest = sorted(drawn, key=_plain)[:2]
    for kind, posed in zip((ExerciseKind.WORKED, ExerciseKind.EXERCISE), plainest, strict=False):
        yield posed.as_kind(kind)


def nearly(technique: str, seed: int, stop: Callable[[], bool]) -> Posed | None:
    """The near miss of a lesson, with as few spoilers as were met; None where none was."""
    drawn = islice(made_of(technique, ExerciseKind.NEAR_MISS, seed, stop), DRAWN[ExerciseKind.NEAR_MISS])
    return min(drawn, key=lambda posed: len(posed.spoiling), default=None)


def _plain(posed: Posed) -> tuple[bool, float]:
    """How much there is to see: less comes first."""
    return not posed.least, min(effort(step, posed.position) for step in posed.steps)


def _within(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def main(techniques: list[str]) -> None:
    """Write the file."""
    if unknown := [key for key in techniques if key not in engine.TECHNIQUES]:
        sys.exit(f"No technique is called {', '.join(unknown)}; there are {', '.join(engine.TECHNIQUES)}.")
    found = {key: dict(kinds) for key, kinds in shipped.positions().items()}
    for technique in tqdm(techniques or list(engine.TECHNIQUES), disable=None):
        kinds = {posed.kind: posed for posed in chosen(technique, SEED, _within(PATIENCE))}
        near = nearly(technique, SEED, _within(PATIENCE))
        if near is not None:
            kinds[near.kind] = near
        for kind in _KINDS:
            if kind not in kinds:
                print(f"{technique}: no {kind} in {PATIENCE:g} s", file=sys.stderr)
        found[technique] = kinds
    lines = [f"# {shipped.FIELDS}"]
    for technique in engine.TECHNIQUES:
        kinds = found.get(technique, {})
        lines += [shipped.line_of(kinds[kind]) for kind in _KINDS if kind in kinds]
    shipped.FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
