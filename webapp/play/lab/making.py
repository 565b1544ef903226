"""The laboratory's view of a system that generates a puzzle, and the parameters of its form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from time import thread_time
from typing import ClassVar, Final

import engine
from engine import OutOfTime, warm
from engine.generation import LAS_VEGAS_CELLS, MOST_CELLS, Order
from engine.geometry import cell_name
from engine.traces import MOST_COUNTED, MakingStep, MakingTrace, make
from webapp.game.steps.names import orders_of_digging
from webapp.identity import limits
from webapp.identity.limits import Taker
from webapp.play.lab.lab import RUNS, SYSTEMS, Kept, System
from webapp.play.lab.panel import Panel
from webapp.play.lab.views import Fact, part_of, whole
from webapp.process.errors import BadInput, NotReady
from webapp.process.words import format_decimal, ngettext
from webapp.process.words import gettext as _

MOST_SEED: Final = 999_999_999
KEPT_MADE: Final = 48  # some 30 KB each
PROCESSOR: Final = 2.0  # processor seconds for puzzles that turn out to be of another level

_made: Kept[MakingTrace] = Kept(KEPT_MADE)


@dataclass(frozen=True, slots=True)
class Wish:
    """The parameters of the form."""

    letter: str
    seed: int = 1
    level: int | None = None  # of the paper, if a level determines the digging
    order: str | None = None
    cells: int | None = None  # random cells that a Las Vegas grid starts from

    @property
    def system(self) -> System:
        """The system that generates it."""
        return SYSTEMS[self.letter]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a choice in the form."""

    value: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Tried:
    """The outcome of a digit in the hole."""

    digit: int
    words: str
    kind: str  # own, clash, dead, found


@dataclass(frozen=True, slots=True)
class Try:
    """A cell in the drawing of the digging order."""

    cell: int
    number: int  # from 1
    kind: str  # hole, kept, ahead
    now: bool


def wish_of(fields: Mapping[str, str]) -> Wish:
    """Parse a query; parameters that a system doesn't use are ignored. Raises BadInput by field."""
    letter = fields.get("system", "a")
    letter = letter if letter in SYSTEMS else "a"
    method = SYSTEMS[letter].method
    order = fields.get("order", "") or None
    if order is not None and order not in [each.value for each in Order]:
        raise BadInput(order=_("Choose one of the orders."))
    level = _number(fields, "level", 1, max(1, method.level_count))
    cells = _number(fields, "cells", 0, MOST_CELLS)
    return Wish(
        letter,
        _number(fields, "seed", 0, MOST_SEED) or 0 if fields.get("seed", "").strip() else 1,
        level if method.paper_levels else None,
        order if method.solved_grid is not None else None,
        cells if method.solved_grid == "las_vegas" else None,
    )


def _number(fields: Mapping[str, str], name: str, least: int, most: int) -> int | None:
    text = fields.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
        raise BadInput(
            **{name: _("Enter a number from %(least)s to %(most)s.", least=least, most=format_decimal(most))}
        )
    return int(text)


def made(wish: Wish, who: str, now: datetime) -> MakingTrace:
    """Return the trace of generating a puzzle.

    who: whose limit it counts against. Raises TooMany; BadInput if no puzzle of the level turns up in time;
    NotReady while the generators are being compiled.
    """
    if not warm.ready():
        raise NotReady(_("The generators are still loading. Try again in a minute."))
    known = _made.get(wish)
    if known is None:
        limits.demand([Taker(RUNS, who)], now)
        end = thread_time() + PROCESSOR
        try:
            known = make(
                engine.Recipe(wish.system.key, paper_level=wish.level, order=wish.order, cells=wish.cells),
                wish.seed,
                lambda: thread_time() > end,
            )
        except (engine.RecipeError, OutOfTime):
            raise BadInput(level=_("No puzzle of this level turned up. Try another seed.")) from None
        _made.put(wish, known)
    return known


class Making(Panel):
    """A system at one step of generating a puzzle."""

    part: ClassVar[str] = "making/_making.html"
    endpoint: ClassVar[str] = "lab.make"

    def __init__(self, wish: Wish, trace: MakingTrace, step: int) -> None:
        super().__init__(wish.letter, step, len(trace))
        self.wish, self.trace = wish, trace
        self.grid = trace.grid_at(self.step)
        self.line = str(trace.puzzle)
        self.done = self.step == self.count
        self._step: MakingStep | None = trace.steps[self.step - 1] if self.step else None
        self._before = trace.grid_at(max(0, self.step - 1))
        self.said = self._words()
        self.lit = self._lit()
        self.facts = self._facts()

    @property
    def query(self) -> dict[str, str | int | None]:
        """The parameters."""
        wish = self.wish
        return {
            "system": wish.letter,
            "seed": wish.seed,
            "level": wish.level,
            "order": wish.order,
            "cells": wish.cells,
        }

    @property
    def levels(self) -> list[Option]:
        """The levels that determine the digging; empty if none does."""
        method = self.wish.system.method
        names = method.level_names if method.paper_levels else ()
        return [
            Option(
                str(level),
                _("Level %(level)s of %(count)s", level=level, count=len(names)),
                level == self.wish.level,
            )
            for level in range(1, len(names) + 1)
        ]

    @property
    def orders(self) -> list[Option]:
        """The four digging orders; empty if nothing is dug."""
        if self.wish.system.method.solved_grid is None:
            return []
        return [Option(key, name, key == self.wish.order) for key, name in orders_of_digging()]

    @property
    def cell_count(self) -> int | None:
        """The number of random cells that the grid starts from; None for another start."""
        las_vegas = self.wish.system.method.solved_grid == "las_vegas"
        return (LAS_VEGAS_CELLS if self.wish.cells is None else self.wish.cells) if las_vegas else None

    @cached_property
    def tried(self) -> list[Tried]:
        """The outcome of each digit in the hole; empty if no hole is tried, or a limit rules it out."""
        step = self._step
        if step is None or not step.trials:
            return []
        own = self._before[step.cells[0]]
        found = {own: Tried(own, _("Stood here"), "own")}
        for trial in step.trials:
            if trial.clash is not None:
                words = _("Already in %(cell)s: contradiction", cell=cell_name(trial.clash))
                found[trial.digit] = Tried(trial.digit, words, "clash")
            elif trial.solution is None:
                found[trial.digit] = Tried(trial.digit, _("No solution: contradiction"), "dead")
            else:
                found[trial.digit] = Tried(trial.digit, _("A second solution"), "found")
        return [found.get(digit, Tried(digit, _("Not tried any more"), "clash")) for digit in range(1, 10)]

    @cached_property
    def tries(self) -> list[Try]:
        """The cells in digging order, each with its outcome so far; empty if nothing is dug."""
        outcome = {
            step.cells[0]: step.kind
            for step in self.trace.steps[: self.step]
            if step.kind in ("hole", "kept")
        }
        now = self._step.cells[0] if self._step and self._step.kind in ("hole", "kept") else None
        return [
            Try(cell, number, outcome.get(cell, "ahead"), cell == now)
            for number, cell in enumerate(self.trace.order, 1)
        ]

    def _lit(self) -> frozenset[int]:
        step = self._step
        if step is None or step.kind in ("completed", "again", "transposed", "rows", "columns", "digits"):
            return frozenset()
        second = step.trials[-1].solution if step.reason == "solution" else None
        if second is None:
            return frozenset(step.cells)
        first = next(each.grid for each in self.trace.steps if each.kind == "completed")
        return frozenset(cell for cell in range(81) if first[cell] != second[cell])

    def _facts(self) -> list[Fact]:
        kinds = [step.kind for step in self.trace.steps[: self.step]]
        found = [Fact(_("Givens"), str(self.grid.givens))]
        if self.trace.order:
            plan = self.trace.plan
            found += [
                Fact(_("Holes"), str(kinds.count("hole"))),
                Fact(_("Kept"), str(kinds.count("kept"))),
            ]
            if plan.stop_low:
                found.append(Fact(_("Stops at"), ngettext("%(num)s given", "%(num)s givens", plan.stop_low)))
            if plan.fewest_in_line:
                least = _("%(count)s or more", count=plan.fewest_in_line)
                found.append(Fact(_("In every row and column"), least))
        elif self._step is not None and self._step.solutions is not None:
            found.append(Fact(_("Solutions left"), _solutions(self._step.solutions)))
        if self.done and self.trace.level is not None:
            total = self.wish.system.method.level_count
            found.append(Fact(_("Level by its own rating"), part_of(self.trace.level, total)))
        if self.trace.discarded:
            found.append(Fact(_("Discarded before: another level"), whole(self.trace.discarded)))
        return found

    def _words(self) -> str:
        step = self._step
        if step is None:
            return self._beginning()
        cell = cell_name(step.cells[0]) if step.cells else ""
        digit = (step.grid if step.kind != "hole" else self._before)[step.cells[0]] if step.cells else 0
        sentences: dict[str, Callable[[], str]] = {
            "draw": lambda: _("Draw %(digit)s at random for %(cell)s.", digit=digit, cell=cell),
            "box": lambda: _("Write 1 to 9 in random order in a box of the diagonal."),
            "row": lambda: _("Choose a row at random: %(digit)s in %(cell)s.", digit=digit, cell=cell),
            "row_back": lambda: _("Take %(cell)s back: it leads nowhere.", cell=cell),
            "again": lambda: _("This beginning has no solution. Start over."),
            "completed": self._completed,
            "hole": lambda: _(
                "Dig %(cell)s. Any digit but %(digit)s leads to a contradiction, so one solution is left.",
                cell=cell,
                digit=digit,
            ),
            "kept": lambda: self._kept(step, cell),
            "given": lambda: _("Put a random digit in %(cell)s: %(digit)s.", cell=cell, digit=digit),
            "skipped": lambda: _("Skip %(cell)s: only one digit fits, so it settles nothing.", cell=cell),
            "transposed": lambda: _("Swap rows and columns."),
            "rows": lambda: _("Reorder the rows in each band, then the bands."),
            "columns": lambda: _("Reorder the columns in each stack, then the stacks."),
            "digits": lambda: _("Rename the digits."),
        }
        words, last = sentences[step.kind](), _("This is the puzzle.")
        return f"{words} {last}" if self.done else words

    def _beginning(self) -> str:
        maker = self.wish.system.method.solved_grid
        if maker is None:
            return _("An empty grid. Random digits go in until one solution is left.")
        if maker == "las_vegas":
            return ngettext(
                "An empty grid. A random digit goes in %(num)s random cell, then a search fills the rest.",
                "An empty grid. Random digits go in %(num)s random cells, then a search fills the rest.",
                self.cell_count or 0,
            )
        return _("An empty grid. The boxes of the diagonal share no house, so each can be filled at random.")

    def _completed(self) -> str:
        return {
            "las_vegas": _("Depth-first search fills the rest: a solved grid."),
            "diagonal_boxes": _("The rest is one of its solutions, each as likely as any other."),
            "linked_boxes": _("No column is left: a solved grid."),
        }[self.wish.system.method.solved_grid or ""]

    def _kept(self, step: MakingStep, cell: str) -> str:
        if step.reason == "givens":
            return _("Stop: this puzzle keeps %(count)s givens.", count=self.trace.plan.stop_low)
        if step.reason == "line":
            return _("Keep %(cell)s: its row or column would have too few givens.", cell=cell)
        return _(
            "Keep %(cell)s: %(other)s leads to a second solution. It won’t be tried again.",
            cell=cell,
            other=step.trials[-1].digit,
        )


def _solutions(count: int) -> str:
    return _("%(most)s or more", most=whole(count)) if count == MOST_COUNTED else whole(count)
