"""The laboratory's view of a system that solves a puzzle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cached_property
from typing import Any, Generic, TypeVar

import engine
from engine.geometry import cell_name
from engine.search import TreeNode
from engine.traces import (
    Around,
    Column,
    CoverTrace,
    DepthFirstTrace,
    RoundsTrace,
    RulesTrace,
    Trace,
    TreeTrace,
    around,
    column_of,
    columns_of,
    live_rows,
)
from webapp.game.steps import StepView
from webapp.play.lab import matrix
from webapp.play.lab.lab import Bench, Run
from webapp.play.lab.panel import Panel, candidates_of, so_far
from webapp.play.lab.systems import rule_name, rules_of, system_name, verdict, whole
from webapp.process.words import comma, format_decimal, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n.lists import listed

MOST_STACKED = 10  # shown cells of the stack

T = TypeVar("T", bound=Trace)


class Solving(Panel, ABC, Generic[T]):
    """A trace at one step."""

    endpoint = "lab.show"

    def __init__(self, bench: Bench, trace: T, step: int) -> None:
        letter, grid = bench.system.letter, bench.grid
        super().__init__(letter, grid, {"grid": str(grid), "system": letter}, step, self.count_of(trace))
        self.bench, self.trace = bench, trace
        self.measured = bench.solution is not None or letter == "e"
        self.solved_at = trace.solved_at
        self.given = [digit > 0 for digit in grid.digits]
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
    def total(self) -> float | None:
        """The cost of the whole run, in the system's own count; None if it was stopped."""
        return self.trace.measures[_COUNTED[self.letter]]

    def _of_total(self, count: int) -> str:
        return so_far(whole(count), None if self.total is None else whole(self.total))

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
        if self.letter in "acde" and self.total is None:
            most = whole(self.bench.system.most_nodes)
            found.append(_("The search was stopped after %(most)s nodes.", most=most))
        return found


class DepthFirst(Solving[DepthFirstTrace]):
    """A: the search."""

    def _read(self) -> None:
        self.parts = ["score"]
        searches = 0
        self.lead = _("This is the puzzle.")
        self.said = _("The search goes through its empty cells from the top left.")
        if self.step:
            step = self.trace.steps[self.step - 1]
            searches, self.now = step.nodes, step.cell
            self.said = ""
            if step.cell is None:
                self.lead = _("Every cell is filled: a solution.")
            elif step.kind == "write":
                self.lead = _("Write %(digit)s in %(cell)s.", digit=step.digit, cell=cell_name(step.cell))
                self.said = _("It’s the next digit that no row, column or box has yet.")
            else:
                self.lead = _("No digit is left for %(cell)s.", cell=cell_name(step.cell))
                self.said = _("Clear it and go back a cell.")
        self.facts = [
            (self._of_total(searches), _("searches")),
            (str(81 - self.grid.givens), _("empty cells")),
        ]


class Rules(Solving[RulesTrace]):
    """B: the rule of each step, n1 to n14 and D. The page after the last step shows the rules' result."""

    @classmethod
    def count_of(cls, trace: RulesTrace) -> int:
        """Return one more than the number of steps if the rules solve the puzzle."""
        return len(trace) if trace.solved_at is None else len(trace) + 1

    def _read(self) -> None:
        trace, self.parts = self.trace, ["rules"]
        position = trace.position_at(self.step - 1 if self.step else 0)
        self.grid = position.grid
        self.marks = {cell: position.candidates(cell) for cell in range(81)}
        self.solved_at = len(trace) + 1 if trace.solved_at else None
        self.lead = _("This is the puzzle with all its candidates.")
        self.said = _("Rules are tried from 1 to 14, and from 1 again after each use.")
        if not self.count:
            self.lead, self.said = _("None of the fourteen rules applies here."), ""
        difficulty = 1.0
        if self.step > len(trace):
            self.lead, self.said = _("Every cell is filled: a solution."), ""
        elif self.step:
            step = trace.steps[self.step - 1]
            self.review, self.said = StepView(step.step, position), ""
            self.lead = _("Rule %(number)s: %(name)s.", number=step.rule, name=rule_name(step.rule))
            if step.booked != step.rule:
                self.lead += " " + _("It counts as rule %(number)s.", number=step.booked)
        if self.step:
            difficulty = trace.steps[min(self.step, len(trace)) - 1].difficulty
        self.facts = [(format_decimal(difficulty, "0.00") if self.step else "–", _("D so far"))]

    @property
    def rules(self) -> list[tuple[int, str, int, int, bool]]:
        """The fourteen rules with n1 to n14 so far."""
        steps = self.trace.steps
        if not self.step:
            return rules_of((0,) * 14)
        step = steps[min(self.step, len(steps)) - 1]
        return rules_of(step.counts, step.booked if self.step <= len(steps) else None)


class Cover(Solving[CoverTrace]):
    """C: the matrix."""

    column: Column | None = None

    @property
    def table(self) -> matrix.Table | None:
        """The part of the matrix that the step is about."""
        return None if self.column is None else matrix.table(self.column)

    def _read(self) -> None:
        trace = self.trace
        live = trace.live_at(self.step)
        self.lead = _("The whole matrix: 729 rows, 324 columns.")
        self.said = _("Nothing is covered yet.")
        nodes = 0
        if self.step:
            step = trace.steps[self.step - 1]
            nodes, self.said = step.nodes, ""
            if step.kind == "solution":
                self.lead = _("No column is left: a solution.")
            elif step.row is not None:
                self._show_row(step.kind, step.row)
            else:
                name = matrix.column_name(step.columns[0])
                self.column = column_of(live_rows(self.grid), step.columns[0])
                if step.kind == "column_back":
                    self.lead = _("No row is left to try for “%(column)s”.", column=name)
                    self.said = _("Uncover it and go back.")
                else:
                    self.lead = _(
                        "“%(column)s” has the fewest rows: %(count)s.", column=name, count=step.rows
                    )
                    self.said = _("Cover it.") if step.rows else _("Without a row, this is a dead end.")
        self.parts = ["matrix"] if self.column else []
        self.facts = [
            (so_far(str(len(live.rows)), "729"), _("rows left")),
            (so_far(str(len(live.columns)), "324"), _("columns left")),
            (self._of_total(nodes), _("rows chosen")),
        ]

    def _show_row(self, kind: str, row: int) -> None:
        self.now, name = row // 9, matrix.row_name(row)
        if kind == "given":
            self.column = column_of(self.trace.live_at(self.step - 1).rows, columns_of(row)[0], row)
            self.lead, self.said = (
                _("Given: %(row)s.", row=name),
                _("Its row covers four columns and takes the rows that share one away."),
            )
            return
        before = bytearray(self.grid.digits)
        before[row // 9] = 0
        self.column = column_of(live_rows(engine.Grid(bytes(before))), None, row)
        if kind == "row":
            self.lead = _("Choose the row %(row)s.", row=name)
            self.said = _("It covers four columns and takes the rows that share one away.")
        else:
            self.lead = _("Take the row %(row)s back.", row=name)
            self.said = _("It leads nowhere, so its columns and rows return.")


class Tree(Solving[TreeTrace]):
    """D: the decision tree."""

    def _read(self) -> None:
        trace, self.parts = self.trace, ["tree", "score"]
        node = trace.nodes[self.step]
        self.marks = candidates_of(self.grid)
        self.lead, self.said = _("The original layout."), _node_words(node)
        if node.cell is not None:
            self.now = node.cell
            number = whole(self.trace.number(self.step))
            edge = f"{cell_name(node.cell)}={node.digit}"
            self.lead = _("Layout %(number)s: %(edge)s.", number=number, edge=edge)
        if not node.final:
            self.lit = frozenset(cell for cell, marks in self.marks.items() if len(marks) == node.fewest)
        self.facts = [
            (f"({node.blanks}, {node.fewest})", "(m, n)"),
            ("–" if trace.layouts is None else whole(trace.layouts), _("layouts in all")),
        ]

    @cached_property
    def tree(self) -> Around:
        """The part of D's tree around this step."""
        return around(self.trace.nodes, self.step)


class Rounds(Solving[RoundsTrace]):
    """E: rounds, then the stack."""

    _top = 0

    def _read(self) -> None:
        trace, self.parts = self.trace, ["stack"]
        rounds, nodes = len(trace.rounds), 0
        self.lead = _("This is the puzzle. First come the rounds (有限递推).")
        self.said = _("Each notes what every empty cell can be, then fixes lone digits.")
        if 0 < self.step <= rounds:
            each = trace.rounds[self.step - 1]
            self.lit = frozenset(cell for cell, _digit in each.fixed)
            self.clash = each.contradiction
            self.marks = {
                cell: digits for cell, digits in enumerate(each.possible) if digits and not self.grid[cell]
            }
            self.lead, self.said = _round_words(self.step, each.fixed, each.contradiction)
        elif self.step:
            step = trace.steps[self.step - rounds - 1]
            nodes, self._top, self.now, self.said = step.nodes, step.top, step.cell, ""
            if step.cell is None:
                self.lead = _("Every cell is filled: a solution.")
            elif step.kind == "write":
                self.lead = _("Push %(digit)s in %(cell)s.", digit=step.digit, cell=cell_name(step.cell))
            else:
                self.lead = _("Nothing more fits %(cell)s. Pop it.", cell=cell_name(step.cell))
        self.facts = [
            (so_far(str(min(self.step, rounds)), str(rounds)), ngettext("round", "rounds", rounds)),
            (so_far(str(self._top), str(len(trace.review))), _("on the stack")),
            (self._of_total(nodes), _("pushes")),
        ]

    @property
    def stack(self) -> list[tuple[int, str, int, bool]]:
        """The top of E's stack: place from 1, cell, digit, whether it is the step's; empty during rounds."""
        trace = self.trace
        if self.step <= len(trace.rounds) or not trace.review:
            return []
        first = max(0, self._top - MOST_STACKED + 1)
        shown = list(enumerate(trace.review))[first : self._top + 1]
        return [(at + 1, cell_name(cell), self.grid[cell], cell == self.now) for at, cell in shown][::-1]


def _round_words(number: int, fixed: Iterable[tuple[int, int]], clash: int | None) -> tuple[str, str]:
    cells = [f"{cell_name(cell)}={digit}" for cell, digit in fixed]
    if clash is not None:
        lead = _("Round %(number)s: a contradiction.", number=number)
        return lead, _("Nothing is left for %(cell)s.", cell=cell_name(clash))
    if not cells:
        lead = _("Round %(number)s: no cell has a lone digit.", number=number)
        return lead, _("The stack takes over.")
    lead = ngettext(
        "Round %(number)s fixes %(num)s cell.",
        "Round %(number)s fixes %(num)s cells.",
        len(cells),
        number=number,
    )
    return lead, listed(cells)


def _node_words(node: TreeNode) -> str:
    if node.final:
        return _("Final: no cell is empty, a solution.")
    if node.dead:
        return _("Dead: an empty cell has no candidate.")
    return ngettext(
        "%(num)s empty cell, fewest candidates %(fewest)s.",
        "%(num)s empty cells, fewest candidates %(fewest)s.",
        node.blanks,
        fewest=node.fewest,
    )


def panel_of(bench: Bench, step: int) -> Panel:
    """Return the panel of the selected system."""
    return _PANELS[bench.system.letter](bench, bench.trace, step)


_PANELS: dict[str, type[Solving[Any]]] = {"a": DepthFirst, "b": Rules, "c": Cover, "d": Tree, "e": Rounds}
_COUNTED = {"a": "searches", "b": "steps", "c": "nodes", "d": "layouts", "e": "nodes"}


def beside(bench: Bench) -> list[tuple[str, str, str, str]]:
    """Return letter and name of the five systems, what each says of the puzzle, and the time it took."""
    return [
        (letter, system_name(letter), _figures(letter, run, bench) if run else "–", _time(run))
        for letter, run in bench.runs.items()
    ]


def _time(run: Run | None) -> str:
    if run is None:
        return "–"
    form = "0.00" if run[1] < 0.01 else "#,##0"
    return _("%(number)s ms", number=format_decimal(1000 * run[1], form))


def _figures(letter: str, run: Run, bench: Bench) -> str:
    """Return a system's own measure; where it has none, the nodes of its run."""
    found = verdict(letter, bench.grid) if bench.solution or letter == "e" else None
    if found is not None:
        return comma().join((found.lead, found.words))
    amount = run[0][_COUNTED[letter]]
    return ngettext("%(count)s node", "%(count)s nodes", int(amount or 0), count=whole(amount))


def words_of(bench: Bench) -> str:
    """Say how many givens and solutions the puzzle has."""
    givens = ngettext("%(num)s given", "%(num)s givens", bench.grid.givens)
    return comma().join(
        (givens, (_("no solution"), _("one solution"), _("several solutions"))[bench.solutions])
    )
