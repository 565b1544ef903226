"""The laboratory's view of a system that solves a puzzle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from engine.geometry import cell_name
from engine.rating import RULE_OF, WEIGHTED_RULES
from engine.search import TreeNode
from engine.traces import CoverTrace, DepthFirstTrace, RoundsTrace, RulesTrace, TreeTrace
from webapp.game.steps import StepView
from webapp.game.steps.names import technique_name
from webapp.play.lab import matrix, scores, tree
from webapp.play.lab.lab import Bench
from webapp.play.lab.panel import Panel, Solving
from webapp.play.lab.views import Fact, over, part_of, whole
from webapp.process.words import gettext as _
from webapp.process.words import ngettext
from webapp.web.i18n.lists import listed

MOST_STACKED = 12  # shown cells of the stack


@dataclass(frozen=True, slots=True)
class Rule:
    """One of the fourteen rules."""

    number: int
    printed: str  # its name in the paper, in the paper's language
    name: str  # in the reader's language; empty if that is the paper's
    weight: int
    count: int  # so far
    total: int
    now: bool  # applied at this step


@dataclass(frozen=True, slots=True)
class Stacked:
    """A cell of the stack."""

    place: int  # from the bottom, from 1
    cell: str
    digit: int  # 0 for none yet
    now: bool


class DepthFirst(Solving[DepthFirstTrace]):
    """A: the search, and its paper's score."""

    part = "systems/_a.html"

    def _read(self) -> None:
        trace = self.trace
        searches = 0
        self.said = _("This is the puzzle. The search goes through its empty cells from the top left.")
        if self.step:
            step = trace.steps[self.step - 1]
            searches = step.searches
            if step.cell is None:
                self.said = _("Every cell is filled: a solution.")
            else:
                self.lit = frozenset({step.cell})
                place = cell_name(step.cell)
                self.said = (
                    _(
                        "Search %(number)s: write %(digit)s in %(cell)s.",
                        number=searches,
                        digit=step.digit,
                        cell=place,
                    )
                    if step.kind == "write"
                    else _("No digit is left for %(cell)s. Clear it and go back a cell.", cell=place)
                )
        total = None if trace.exceeded else trace.searches
        self.facts = [
            Fact(_("Searches so far"), whole(searches)),
            Fact(_("Searches in all"), over(total, trace.searches)),
            Fact(_("Empty cells"), str(81 - sum(map(bool, self.grid.digits)))),
        ]

    @property
    def chart(self) -> scores.Chart | None:
        """The three figures that A scores."""
        return scores.by_givens_and_search(self.bench.system, self.trace.figures)


class Rules(Solving[RulesTrace]):
    """B: the rule of each step, n1 to n14 and D. The page after the last step shows the rules' result."""

    part = "systems/_b.html"

    @classmethod
    def count_of(cls, trace: RulesTrace) -> int:
        """Return one more than the number of steps if the rules solve the puzzle."""
        return len(trace) if trace.solved_at is None else len(trace) + 1

    def _read(self) -> None:
        trace = self.trace
        over_all = self.step > len(trace)
        position = trace.position_at(self.step - 1 if self.step else 0)
        self.grid = position.grid
        self.marks = {cell: position.candidates(cell) for cell in range(81)}
        difficulty = 1.0
        self.said = _("This is the puzzle with all its candidates. Rules are tried from 1 to 14.")
        if not self.count:
            self.said = _("None of the fourteen rules applies here.")
        if over_all:
            difficulty = trace.steps[-1].difficulty
            self.said = _("Every cell is filled: a solution.")
        elif self.step:
            step = trace.steps[self.step - 1]
            difficulty = step.difficulty
            self.review = StepView(step.step, position)
            self.said = _(
                "Rule %(number)s: %(name)s.", number=step.rule, name=technique_name(step.step.technique)
            )
            if step.booked != step.rule:
                self.said += " " + _("It counts as rule %(number)s.", number=step.booked)
        self.solved_at = len(trace) + 1 if trace.solved_at else None
        self.facts = [
            Fact(_("D so far"), f"{difficulty:.2f}" if self.step else "–"),
            Fact(
                _("D of the canonical form"), "–" if trace.difficulty is None else f"{trace.difficulty:.2f}"
            ),
            Fact(_("Level"), "–" if trace.level is None else _("%(level)s of 5", level=trace.level)),
        ]

    @property
    def rules(self) -> list[Rule]:
        """The fourteen rules with n1 to n14."""
        text = self.bench.system.method.text
        names: dict[int, list[str]] = {}
        for key, number in RULE_OF.items():
            names.setdefault(number, []).append(technique_name(key))
        steps = self.trace.steps
        counts = steps[min(self.step, len(steps)) - 1].counts if self.step else (0,) * 14
        booked = steps[self.step - 1].booked if 0 < self.step <= len(steps) else None
        return [
            Rule(
                number,
                *scores.rule_name(text, number, " / ".join(names[number])),
                WEIGHTED_RULES[number - 1],
                counts[number - 1],
                self.trace.counts[number - 1],
                number == booked,
            )
            for number in range(1, 15)
        ]


class Cover(Solving[CoverTrace]):
    """C: the matrix."""

    part = "systems/_c.html"

    def _read(self) -> None:
        trace = self.trace
        live = trace.live_at(self.step)
        nodes = updates = 0
        self.said = _("The whole matrix: 729 rows, 324 columns. Nothing is covered yet.")
        if self.step:
            step = trace.steps[self.step - 1]
            nodes, updates = step.nodes, step.updates
            row = "" if step.row is None else matrix.row_name(step.row)
            names = listed(list(map(matrix.column_words, step.columns)))
            if step.row is not None:
                self.lit = frozenset({step.row // 9})
            self.said = {
                "given": lambda: _("Given %(row)s: cover %(columns)s.", row=row, columns=names),
                "column": lambda: ngettext(
                    "Cover “%(columns)s”: only %(num)s row is left for it.",
                    "Cover “%(columns)s”: %(num)s rows are left for it, the fewest of any.",
                    step.rows or 0,
                    columns=names,
                ),
                "row": lambda: _("Choose row %(row)s: cover %(columns)s.", row=row, columns=names),
                "row_back": lambda: _("Take row %(row)s back: uncover %(columns)s.", row=row, columns=names),
                "column_back": lambda: _("No row is left to try: uncover “%(columns)s”.", columns=names),
                "solution": lambda: _("No column is left: a solution."),
            }[step.kind]()
            if step.kind == "column" and not step.rows:
                self.said = _("Cover “%(columns)s”: no row is left for it, a dead end.", columns=names)
        self.facts = [
            Fact(_("Columns left"), str(len(live.columns))),
            Fact(_("Rows left"), str(len(live.rows))),
            Fact(_("Nodes"), part_of(nodes, None if trace.exceeded else trace.nodes)),
            Fact(_("Updates"), part_of(updates, None if trace.exceeded else trace.updates)),
        ]

    @cached_property
    def matrix(self) -> matrix.Drawing:
        """The matrix of C at this step."""
        return matrix.drawn(self.trace, self.step, whole=self.whole)


class Tree(Solving[TreeTrace]):
    """D: the decision tree."""

    part = "systems/_d.html"

    def _read(self) -> None:
        trace = self.trace
        node = trace.nodes[self.step]
        seen = trace.nodes[: self.step + 1]
        passed = [
            Fact(_("Dead so far"), str(sum(each.dead for each in seen))),
            Fact(_("Final so far"), str(sum(each.final for each in seen))),
        ]
        self.said = _(
            "The original layout: %(m)s empty cells, fewest candidates %(n)s.",
            m=node.blanks,
            n=node.fewest,
        )
        if node.cell is not None:
            self.lit = frozenset({node.cell})
            self.said = _(
                "Layout %(number)s: %(edge)s. %(words)s",
                number=whole(self.number),
                edge=tree.edge_text(node),
                words=_node_words(node),
            )
        self.facts = [
            Fact("(m, n)", f"({node.blanks}, {node.fewest})"),
            Fact(_("Layouts"), over(trace.layouts, self.bench.system.most_nodes or 0)),
            *(passed if self.number == self.step else []),
            *([Fact(_("Grade"), _("%(grade)s of 4", grade=trace.grade))] if trace.grade else []),
        ]

    @cached_property
    def tree(self) -> tree.Drawing:
        """The part of D's tree around this step."""
        return tree.drawn(self.trace.nodes, self.step, whole=self.whole)

    @property
    def chart(self) -> scores.Chart | None:
        """The three figures that D scores."""
        return scores.by_tree(self.trace.figures)

    @property
    def way(self) -> list[str]:
        """The edges from the puzzle to this layout."""
        nodes = self.trace.nodes
        return [tree.edge_text(nodes[number]) for number in tree.path_to(nodes, self.step)[1:]]

    @property
    def can_be_whole(self) -> bool:
        """Whether the drawing can show everything."""
        return len(self.trace.nodes) <= tree.MOST_WHOLE


class Rounds(Solving[RoundsTrace]):
    """E: rounds, then the stack."""

    part = "systems/_e.html"

    def _read(self) -> None:
        trace = self.trace
        rounds = len(trace.rounds)
        nodes, top = 0, 0
        self.said = _(
            "This is the puzzle. Each round notes what every empty cell can be, then fixes lone digits."
        )
        if 0 < self.step <= rounds:
            each = trace.rounds[self.step - 1]
            self.lit = frozenset(cell for cell, _digit in each.fixed)
            self.clash = each.contradiction
            self.marks = {
                cell: digits for cell, digits in enumerate(each.possible) if digits and not self.grid[cell]
            }
            self.said = _round_words(self.step, each.fixed, each.contradiction, full=self.grid.full)
        elif self.step:
            step = trace.steps[self.step - rounds - 1]
            nodes, top = step.nodes, step.top
            if step.cell is None:
                self.said = _("Every cell is filled: a solution.")
            else:
                self.lit = frozenset({step.cell})
                place = cell_name(step.cell)
                self.said = (
                    _("Push %(digit)s in %(cell)s.", digit=step.digit, cell=place)
                    if step.kind == "push"
                    else _("Nothing more fits %(cell)s. Pop it.", cell=place)
                )
        self._top = top
        self.facts = [
            Fact(_("Round"), part_of(min(self.step, rounds), rounds)),
            Fact(_("Left for the stack"), str(len(trace.review))),
            Fact(_("On the stack"), str(top)),
            Fact(_("Nodes"), part_of(nodes, None if trace.exceeded else trace.nodes)),
        ]

    @property
    def chart(self) -> scores.Chart | None:
        """The three figures that E scores, as A does."""
        return scores.by_givens_and_search(self.bench.system, self.trace.figures)

    @property
    def stack(self) -> list[Stacked]:
        """The top of E's stack, below the cell that is tried next; empty during rounds."""
        trace = self.trace
        if self.step <= len(trace.rounds) or not trace.review:
            return []
        first = max(0, self._top - MOST_STACKED + 1)
        shown = list(enumerate(trace.review))[first : self._top + 1]
        return [
            Stacked(place + 1, cell_name(cell), self.grid[cell], cell in self.lit) for place, cell in shown
        ][::-1]


def _round_words(number: int, fixed: Iterable[tuple[int, int]], clash: int | None, *, full: bool) -> str:
    cells = [f"{cell_name(cell)}={digit}" for cell, digit in fixed]
    if clash is not None:
        return _(
            "Round %(number)s: nothing is left for %(cell)s, a contradiction.",
            number=number,
            cell=cell_name(clash),
        )
    if full and not cells:
        return _("Round %(number)s: every cell is filled.", number=number)
    if not cells:
        return _("Round %(number)s: no cell has a lone digit. The stack takes over.", number=number)
    return ngettext(
        "Round %(number)s fixes one cell: %(cells)s.",
        "Round %(number)s fixes %(num)s cells: %(cells)s.",
        len(cells),
        number=number,
        cells=listed(cells),
    )


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


def panel_of(bench: Bench, step: int, *, view: str, zoom: int) -> Panel:
    """Return the panel of the selected system."""
    trace = bench.trace
    if isinstance(trace, DepthFirstTrace):
        return DepthFirst(bench, trace, step, view, zoom)
    if isinstance(trace, RulesTrace):
        return Rules(bench, trace, step, view, zoom)
    if isinstance(trace, CoverTrace):
        return Cover(bench, trace, step, view, zoom)
    if isinstance(trace, TreeTrace):
        return Tree(bench, trace, step, view, zoom)
    assert isinstance(trace, RoundsTrace)
    return Rounds(bench, trace, step, view, zoom)
