"""The common interface of traces, and their limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Generic, Protocol, TypeVar

from ..grid import Grid

MOST_STEPS: Final = 2_000  # kept from the beginning of a trace
MOST_LAST: Final = 200  # kept before its solution, if that comes later
MOST_NODES: Final = 1_000_000  # of the measured search, some hundredths of a second


class Kind(Protocol):
    """A step of a search."""

    @property
    def kind(self) -> str:
        """The kind of step; "solution" if it completes one."""
        ...


S = TypeVar("S", bound=Kind)


@dataclass(frozen=True, slots=True)
class Kept(Generic[S]):
    """The first steps of a run and, if its solution comes later, the last ones before that."""

    first: tuple[S, ...]
    last: tuple[S, ...] = ()  # ends with the solution
    skipped: int = 0  # omitted between the two
    resumed: Grid | None = None  # the grid where `last` begins

    @property
    def steps(self) -> tuple[S, ...]:
        """All kept steps."""
        return self.first + self.last

    def number(self, step: int) -> int:
        """Return the number of a kept step 1.. among all; 0 is 0."""
        return step if step <= len(self.first) else step + self.skipped

    def before(self, puzzle: Grid, step: int) -> tuple[Grid, tuple[S, ...]]:
        """Return a grid and the kept steps that lead from there to the state after `step`."""
        check_step(step, len(self.first) + len(self.last))
        if step <= len(self.first) or self.resumed is None:
            return puzzle, self.steps[:step]
        return self.resumed, self.last[: step - len(self.first)]


@dataclass(frozen=True, slots=True)
class SearchTrace(Generic[S]):
    """The trace of a search for two solutions."""

    puzzle: Grid
    kept: Kept[S]
    bound: int
    cut_off: bool
    exceeded: bool  # whether the limit on nodes stopped it
    solutions: int  # 0, 1 or 2, where 2 means several
    solution: Grid | None

    @property
    def steps(self) -> tuple[S, ...]:
        """The kept steps."""
        return self.kept.steps

    @property
    def solved_at(self) -> int | None:
        """The kept step that is the first solution."""
        return next((at for at, each in enumerate(self.steps, 1) if each.kind == "solution"), None)

    def number(self, step: int) -> int:
        """The number of a kept step among all steps of the run."""
        return self.kept.number(step)

    def __len__(self) -> int:
        return len(self.steps)


def last_before(
    solution: Grid, cells: Sequence[int], run: Callable[[int], Iterator[S]], most: int = MOST_LAST
) -> tuple[tuple[S, ...], Grid]:
    """Return the last steps of a depth-first search before its first solution, and the grid where they begin.

    run: returns the steps of the search that starts with the solution's digits in the first n of `cells`,
    which it fills in order. It reaches each such start once, so what follows are its last steps.
    """
    found: tuple[S, ...] = ()
    start = len(cells)
    while start:
        steps = tuple(islice(run(start - 1), most + 1))
        if len(steps) > most:
            break
        found, start = steps, start - 1
    open_cells = set(cells[start:])
    return found, Grid(bytes(0 if cell in open_cells else solution[cell] for cell in range(81)))


def check_step(step: int, steps: int) -> None:
    """Reject the number of a step that isn't kept."""
    if not 0 <= step <= steps:
        raise IndexError(f"expected a step 0..{steps}, found {step}")
