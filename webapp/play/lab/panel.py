"""The laboratory's view of one system at one step, solving or generating a puzzle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

import engine
from engine.traces import CoverTrace, Trace, TreeTrace
from webapp.game.cells import CellView
from webapp.game.steps import StepView
from webapp.play.lab.lab import SYSTEMS, Bench
from webapp.play.lab.views import Fact, system_name, whole
from webapp.process.words import gettext as _

ZOOMS = (1, 2, 4)

T = TypeVar("T", bound=Trace)


class Panel(ABC):
    """One system at one step: a board, a sentence, figures, and its own part of the page."""

    part: ClassVar[str]  # the template of that part, below play/lab/
    endpoint: ClassVar[str] = "lab.show"

    said = ""
    lit: frozenset[int] = frozenset()
    clash: int | None = None
    review: StepView | None = None
    solved_at: int | None = None  # the step with the solution

    def __init__(self, letter: str, step: int, count: int) -> None:
        """step: clipped to the `count` steps there are."""
        self.letter, self.count = letter, count
        self.name = system_name(letter)
        self.step = min(max(step, 0), count)
        self.facts: list[Fact] = []
        self.notices: list[str] = []
        self.grid = engine.Grid(bytes(81))
        self.given: Iterable[bool] = [True] * 81
        self.marks: Mapping[int, tuple[int, ...]] = {}

    @property
    def number(self) -> int:
        """The number of the step in the whole run."""
        return self.step

    @property
    def tabs(self) -> list[tuple[str, str]]:
        """The five systems by letter and name."""
        return [(letter, system_name(letter)) for letter in SYSTEMS]

    @property
    @abstractmethod
    def query(self) -> dict[str, str | int | None]:
        """The query parameters except the step; None is left out."""

    @cached_property
    def cells(self) -> list[CellView]:
        """The board."""
        return [
            CellView(
                cell,
                self.grid[cell],
                given and self.grid[cell] > 0,
                conflict=cell == self.clash,
                candidates=self.marks.get(cell, ()),
            )
            for cell, given in enumerate(self.given)
        ]


class Solving(Panel, Generic[T]):
    """A trace at one step."""

    def __init__(self, bench: Bench, trace: T, step: int, view: str, zoom: int) -> None:
        """view: `whole` or anything else. zoom: one of ZOOMS."""
        super().__init__(bench.system.letter, step, self.count_of(trace))
        self.bench, self.trace = bench, trace
        self.line = str(bench.grid)
        self.whole = view == "whole"
        self.zoom = zoom if zoom in ZOOMS else 1
        self.solved_at = trace.solved_at
        self.given = [digit != "." for digit in self.line]
        self.grid = trace.grid_at(min(self.step, len(trace)))
        self.notices = self._notices()
        self._read()

    @classmethod
    def count_of(cls, trace: T) -> int:
        """How many pages there are after the first."""
        return len(trace)

    @abstractmethod
    def _read(self) -> None:
        """Set the fields for this step from the trace."""

    @property
    def query(self) -> dict[str, str | int | None]:
        """The puzzle, the system, and the options of its drawing."""
        return {
            "grid": self.line,
            "system": self.letter,
            "view": "whole" if self.whole else None,
            "zoom": self.zoom if self.zoom > 1 else None,
        }

    @property
    def number(self) -> int:
        """The number of the step in the whole run."""
        return self.trace.number(self.step) if self.step <= len(self.trace) else self.step

    @property
    def can_be_whole(self) -> bool:
        """Whether the drawing can show everything."""
        return True

    def _notices(self) -> list[str]:
        """The omitted parts, and the reasons."""
        found, trace = [], self.trace
        numbers = [trace.number(step) for step in range(len(trace) + 1)]
        gap = next((step for step in range(len(trace)) if numbers[step + 1] > numbers[step] + 1), None)
        if gap is not None:
            first, last = whole(numbers[gap] + 1), whole(numbers[gap + 1] - 1)
            found.append(_("Steps %(first)s to %(last)s are left out.", first=first, last=last))
        elif trace.cut_off:
            found.append(
                _("This run has more steps. The first %(count)s are shown.", count=whole(len(trace)))
            )
        over = isinstance(trace, TreeTrace) and trace.layouts is None
        return found + self._stopped(over or getattr(trace, "exceeded", False))

    def _stopped(self, gave_up: bool) -> list[str]:
        if not gave_up:
            return []
        most = whole(self.bench.system.most_nodes)
        if self.bench.solutions > 1 and isinstance(self.trace, (TreeTrace, CoverTrace)):
            return [
                _(
                    "This grid has several solutions, and its tree has over %(most)s layouts. "
                    "Add givens to see all of it.",
                    most=most,
                )
            ]
        return [_("The search was stopped after %(most)s nodes.", most=most)]
