"""What the laboratory's templates are given: figures in words, a board, what one system shows at a step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.geometry import BOX_OF, COL_OF, ROW_OF, cell_name
from engine.rating import figures, weights
from engine.rating.weighted_rules import RULE_OF
from engine.search.min_candidates import TreeNode
from engine.traces import CoverTrace, DepthFirstTrace, RoundsTrace, RulesTrace, TreeTrace
from webapp.game.cells import CellView
from webapp.game.steps import StepView
from webapp.game.steps.names import technique_name
from webapp.play.lab import matrix, tree
from webapp.play.lab.lab import SYSTEMS, Bench, Run, System
from webapp.process.words import comma, format_decimal, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n.lists import listed

ZOOMS = (1, 2, 4)
MOST_STACKED = 12  # cells of the stack that are shown


@dataclass(frozen=True, slots=True)
class Row:
    """One system beside the others."""

    letter: str
    name: str
    source: str
    figures: tuple[str, ...]  # what it counted, in words
    time: str
    here: bool  # the one that is watched


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure with its name."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Part:
    """One of the three figures that A and D score."""

    name: str
    value: str
    score: int
    weight: float


@dataclass(frozen=True, slots=True)
class Rule:
    """One of the fourteen rules."""

    number: int
    name: str
    weight: int
    count: int  # so far
    total: int
    now: bool  # booked at this step


@dataclass(frozen=True, slots=True)
class Stacked:
    """A cell of the stack."""

    place: int  # from the bottom, from 1
    cell: str
    digit: int  # 0 where none stands yet
    now: bool


def system_name(letter: str) -> str:
    """What a system is called."""
    return {
        "a": _("Depth-first search"),
        "b": _("Fourteen weighted rules"),
        "c": _("Exact cover"),
        "d": _("Decision tree"),
        "e": _("Propagation and a stack"),
    }[letter]


def sources_of(system: System) -> list[Fact]:
    """Where its parts come from."""
    found = [
        Fact(_("Published as"), system.method.source),
        Fact(_("Solver"), system.solver_source),
    ]
    scheme = {"a": "givens_and_search", "b": "weighted_rules", "d": "decision_tree"}.get(system.letter)
    return [*found, Fact(_("Rating"), figures.SOURCES[scheme])] if scheme else found


def rows_of(bench: Bench) -> list[Row]:
    """The five side by side."""
    return [
        Row(
            letter,
            system_name(letter),
            system.method.source,
            _spent() if (run := bench.runs[letter]) is None else _figures(letter, run),
            "–" if run is None else milliseconds(run.seconds),
            letter == bench.system.letter,
        )
        for letter, system in SYSTEMS.items()
    ]


def milliseconds(seconds: float) -> str:
    """A time on the clock."""
    form = "0.00" if seconds < 0.01 else "#,##0"
    return _("%(number)s ms", number=format_decimal(1000 * seconds, form))


def _spent() -> tuple[str, ...]:
    return (_("Not run: this page ran out of time. Open this system on its own."),)


def _figures(letter: str, run: Run) -> tuple[str, ...]:
    found = run.measures
    if letter == "a":
        return (
            _counted(found["searches"], "searches", letter),
            *_rated(found, _("score %(value)s", value=found.get("score"))),
        )
    if letter == "b":
        steps = ngettext("%(num)s step", "%(num)s steps", int(found["steps"] or 0))
        if found["difficulty"] is None:
            return steps, _("not solved by these rules")
        return steps, *_rated(found, f"D {found['difficulty']:.2f}")
    if letter == "c":
        return tuple(_counted(found[name], name, letter) for name in ("nodes", "updates"))
    if letter == "d":
        grade = found.get("grade")
        return (
            _counted(found["layouts"], "layouts", letter),
            *((_("grade %(grade)s", grade=int(grade)),) if grade else ()),
        )
    rounds = int(found["rounds"] or 0)
    return (
        ngettext("%(num)s round", "%(num)s rounds", rounds),
        ngettext(
            "%(count)s cell fixed",
            "%(count)s cells fixed",
            int(found["fixed"] or 0),
            count=whole(found["fixed"]),
        ),
        _counted(found["nodes"], "nodes", letter),
    )


def _rated(found: Mapping[str, float | None], words: str) -> tuple[str, ...]:
    level = found.get("level")
    return () if level is None else (words, _("level %(level)s", level=int(level)))


def _counted(value: float | None, what: str, letter: str) -> str:
    if value is None:
        return _("stopped after %(amount)s", amount=_amount(SYSTEMS[letter].most_nodes, what))
    return _amount(value, what)


def _amount(value: float | None, what: str) -> str:
    number, count = int(value or 0), whole(value)
    if what == "searches":
        return ngettext("%(count)s search", "%(count)s searches", number, count=count)
    if what == "layouts":
        return ngettext("%(count)s layout", "%(count)s layouts", number, count=count)
    if what == "nodes":
        return ngettext("%(count)s node", "%(count)s nodes", number, count=count)
    return ngettext("%(count)s update", "%(count)s updates", number, count=count)


def whole(value: float | None) -> str:
    """A count."""
    return "–" if value is None else format_decimal(int(value))


class Panel:
    """One system at one step. What a template asks for is made then."""

    def __init__(self, bench: Bench, step: int, *, view: str, zoom: int) -> None:
        """step: clipped to what the trace keeps. view: `whole` or anything else. zoom: one of ZOOMS."""
        self._bench, self._trace = bench, bench.trace
        self.letter = bench.system.letter
        self.name = system_name(self.letter)
        self.line = str(bench.grid)
        self.count = len(bench.trace)
        self.step = min(max(step, 0), self.count)
        self.whole = view == "whole"
        self.zoom = zoom if zoom in ZOOMS else 1
        self.sources = sources_of(bench.system)
        self.lit: frozenset[int] = frozenset()
        self.clash: int | None = None
        self.said = ""
        self.facts: list[Fact] = []
        self.review: StepView | None = None
        self._marks: Mapping[int, tuple[int, ...]] = {}
        self._grid = self._trace.grid_at(self.step)
        self._read()

    @cached_property
    def cells(self) -> list[CellView]:
        """The board."""
        return [
            CellView(
                cell=cell,
                row=ROW_OF[cell] + 1,
                col=COL_OF[cell] + 1,
                box=BOX_OF[cell] + 1,
                digit=self._grid[cell],
                given=self.line[cell] != ".",
                conflict=cell == self.clash,
                wrong=False,
                corner=(),
                centre=(),
                colours=(),
                candidates=self._marks.get(cell, ()),
                struck=(),
                candidate_colours={},
            )
            for cell in range(81)
        ]

    @property
    def tabs(self) -> list[tuple[str, str]]:
        """The five by letter and name."""
        return [(letter, system_name(letter)) for letter in SYSTEMS]

    @property
    def notices(self) -> list[str]:
        """What is not shown, and why."""
        found = []
        trace = self._trace
        if trace.cut_off:
            found.append(
                _("This run has more steps. The first %(count)s are shown.", count=whole(self.count))
            )
        gave_up = (isinstance(trace, TreeTrace) and trace.layouts is None) or getattr(
            trace, "exceeded", False
        )
        if gave_up:
            most = whole(self._bench.system.most_nodes)
            if self._bench.solutions > 1 and isinstance(trace, (TreeTrace, CoverTrace)):
                found.append(
                    _(
                        "This grid has several solutions, and its tree has over %(most)s layouts. "
                        "Add givens to see all of it.",
                        most=most,
                    )
                )
            else:
                found.append(_("The search was stopped after %(most)s nodes.", most=most))
        return found

    def _read(self) -> None:
        trace = self._trace
        if isinstance(trace, DepthFirstTrace):
            self._depth_first(trace)
        elif isinstance(trace, RulesTrace):
            self._rules(trace)
        elif isinstance(trace, CoverTrace):
            self._cover(trace)
        elif isinstance(trace, TreeTrace):
            self._tree(trace)
        elif isinstance(trace, RoundsTrace):
            self._rounds(trace)

    # A

    def _depth_first(self, trace: DepthFirstTrace) -> None:
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
            Fact(_("Searches in all"), _over(total, trace.searches)),
            Fact(_("Empty cells"), str(81 - sum(map(bool, self._grid.digits)))),
        ]

    @property
    def parts(self) -> list[Part]:
        """The three figures that A scores; empty where it scores nothing."""
        if not isinstance(self._trace, DepthFirstTrace) or self._trace.figures is None:
            return []
        found = self._trace.figures
        searched = whole(found.searched)
        values = (
            (_("Givens"), str(found.givens)),
            (_("Fewest givens in a line"), str(found.fewest_in_line)),
            (_("Searches"), _("%(count)s or more", count=searched) if found.at_least else searched),
        )
        return [
            Part(name, value, score, weight)
            for (name, value), score, weight in zip(
                values, found.scores, weights.GIVENS_AND_SEARCH, strict=True
            )
        ]

    @property
    def score(self) -> str:
        """What the three come to."""
        assert isinstance(self._trace, DepthFirstTrace)
        found = self._trace.figures
        assert found is not None
        names = self._bench.system.method.level_names
        return _(
            "Score %(score)s: level %(level)s of 5, “%(name)s” in the paper.",
            score=format_decimal(found.score),
            level=found.level,
            name=names[found.level - 1],
        )

    # B

    def _rules(self, trace: RulesTrace) -> None:
        position = trace.position_at(max(0, self.step - 1))
        self._grid = position.grid
        self._marks = {cell: position.candidates(cell) for cell in range(81)}
        difficulty = 1.0
        self.said = _("This is the puzzle with all its candidates. Rules are tried from 1 to 14.")
        if not self.count:
            self.said = _("None of the fourteen rules applies here.")
        if self.step:
            step = trace.steps[self.step - 1]
            difficulty = step.difficulty
            self.review = StepView(step.step, position)
            self.said = _(
                "Rule %(number)s: %(name)s.", number=step.rule, name=technique_name(step.step.technique)
            )
            if step.booked != step.rule:
                self.said += " " + _("It counts as rule %(number)s.", number=step.booked)
        self.facts = [
            Fact(_("D so far"), f"{difficulty:.2f}" if self.step else "–"),
            Fact(_("D of the puzzle"), "–" if trace.difficulty is None else f"{trace.difficulty:.2f}"),
            Fact(_("Level"), "–" if trace.level is None else _("%(level)s of 5", level=trace.level)),
        ]

    @property
    def rules(self) -> list[Rule]:
        """The fourteen rules with n1 to n14."""
        assert isinstance(self._trace, RulesTrace)
        names: dict[int, list[str]] = {}
        for key, number in RULE_OF.items():
            names.setdefault(number, []).append(technique_name(key))
        steps = self._trace.steps
        counts = steps[self.step - 1].counts if self.step else (0,) * 14
        booked = steps[self.step - 1].booked if self.step else None
        return [
            Rule(
                number,
                " / ".join(names[number]),
                weights.WEIGHTED_RULES[number - 1],
                counts[number - 1],
                self._trace.counts[number - 1],
                number == booked,
            )
            for number in range(1, 15)
        ]

    # C

    def _cover(self, trace: CoverTrace) -> None:
        columns, rows = matrix.size(trace.live_at(self.step))
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
            Fact(_("Columns left"), str(columns)),
            Fact(_("Rows left"), str(rows)),
            Fact(_("Nodes"), _of(nodes, None if trace.exceeded else trace.nodes)),
            Fact(_("Updates"), _of(updates, None if trace.exceeded else trace.updates)),
        ]

    @cached_property
    def matrix(self) -> matrix.Drawing:
        """The matrix of C at this step."""
        assert isinstance(self._trace, CoverTrace)
        return matrix.drawn(self._trace, self.step, whole=self.whole)

    # D

    def _tree(self, trace: TreeTrace) -> None:
        node = trace.nodes[self.step]
        seen = trace.nodes[: self.step + 1]
        self.said = _(
            "The original layout: %(m)s empty cells, fewest candidates %(n)s.",
            m=node.blanks,
            n=node.fewest,
        )
        if node.cell is not None:
            self.lit = frozenset({node.cell})
            self.said = _(
                "Layout %(number)s: %(edge)s. %(words)s",
                number=self.step,
                edge=tree.edge_text(node),
                words=_node_words(node),
            )
        self.facts = [
            Fact("(m, n)", f"({node.blanks}, {node.fewest})"),
            Fact(_("Layouts"), _over(trace.layouts, self._bench.system.most_nodes or 0)),
            Fact(_("Dead so far"), str(sum(each.dead for each in seen))),
            Fact(_("Final so far"), str(sum(each.final for each in seen))),
            *([Fact(_("Grade"), _("%(grade)s of 4", grade=trace.grade))] if trace.grade else []),
        ]

    @cached_property
    def tree(self) -> tree.Drawing:
        """The part of D's tree around this step."""
        assert isinstance(self._trace, TreeTrace)
        return tree.drawn(self._trace.nodes, self.step, whole=self.whole)

    @property
    def way(self) -> list[str]:
        """The edges from the puzzle to this layout."""
        assert isinstance(self._trace, TreeTrace)
        nodes = self._trace.nodes
        return [tree.edge_text(nodes[number]) for number in tree.path_to(nodes, self.step)[1:]]

    @property
    def can_be_whole(self) -> bool:
        """Whether the drawing can show all there is."""
        return not isinstance(self._trace, TreeTrace) or len(self._trace.nodes) <= tree.MOST_WHOLE

    # E

    def _rounds(self, trace: RoundsTrace) -> None:
        rounds = len(trace.rounds)
        nodes, top = 0, 0
        self.said = _(
            "This is the puzzle. Each round notes what every empty cell can be, then fixes lone digits."
        )
        if 0 < self.step <= rounds:
            each = trace.rounds[self.step - 1]
            self.lit = frozenset(cell for cell, _digit in each.fixed)
            self.clash = each.contradiction
            self._marks = {
                cell: digits for cell, digits in enumerate(each.possible) if digits and not self._grid[cell]
            }
            self.said = _round_words(self.step, each.fixed, each.contradiction, full=self._grid.full)
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
            Fact(_("Round"), _of(min(self.step, rounds), rounds)),
            Fact(_("Left for the stack"), str(len(trace.review))),
            Fact(_("On the stack"), str(top)),
            Fact(_("Nodes"), _of(nodes, None if trace.exceeded else trace.nodes)),
        ]

    @property
    def stack(self) -> list[Stacked]:
        """The top of E's stack, the cell that is tried next above it; empty while rounds go on."""
        assert isinstance(self._trace, RoundsTrace)
        trace = self._trace
        if self.step <= len(trace.rounds) or not trace.review:
            return []
        first = max(0, self._top - MOST_STACKED + 1)
        shown = list(enumerate(trace.review))[first : self._top + 1]
        return [
            Stacked(place + 1, cell_name(cell), self._grid[cell], cell in self.lit) for place, cell in shown
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


def _of(value: int, total: float | None) -> str:
    return (
        whole(value) if total is None else _("%(value)s of %(total)s", value=whole(value), total=whole(total))
    )


def _over(total: int | None, most: int) -> str:
    return _("over %(most)s", most=whole(most)) if total is None else whole(total)


def solutions_words(bench: Bench) -> str:
    """How many solutions the puzzle has."""
    givens = ngettext("%(num)s given", "%(num)s givens", bench.grid.givens)
    how_many = (_("no solution"), _("one solution"), _("several solutions"))[bench.solutions]
    return comma().join((givens, how_many))
