"""The laboratory's view of a system that makes a puzzle, and the choices it offers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import log
from typing import Final

import engine
from engine import traces
from engine.generation import LAS_VEGAS_CELLS
from engine.geometry import cell_name
from engine.traces import MOST_COUNTED, MakingStep, MakingTrace
from webapp.play.lab import matrix
from webapp.play.lab.panel import Panel, candidates_of, so_far
from webapp.play.lab.solving import MOST_STACKED
from webapp.play.lab.systems import (
    LETTERS,
    choices_of,
    level_label,
    level_word,
    query_of,
    rules_of,
    verdict,
    whole,
)
from webapp.process.words import format_decimal, ngettext
from webapp.process.words import gettext as _

DRAWN: Final = 9  # final layouts


class Making(Panel):
    """A system at one step of making a puzzle."""

    endpoint = "lab.make"

    def __init__(self, trace: MakingTrace, step: int) -> None:
        query = query_of(trace.recipe, trace.method, trace.seed)
        super().__init__(LETTERS[trace.recipe.method], trace.puzzle, query, step, len(trace))
        self.trace, self.choices = trace, choices_of(trace.recipe, trace.method)
        # The seed holds how many puzzles of other levels were discarded, and the number of this one.
        self.discarded, self.number = divmod(trace.seed, 1 << 32)
        self.another = self.number + 1
        self.grid = trace.grid_at(self.step)
        self.done = self.step == self.count
        self._step: MakingStep | None = trace.steps[self.step - 1] if self.step else None
        self._before = trace.grid_at(max(0, self.step - 1))
        self.lead, self.said = self._words()
        self._draw()

    @property
    def chosen(self) -> str:
        """The chosen options in short."""
        return " · ".join(
            text if choice.name in ("start", "search", "order") else f"{choice.label} {text}"
            for choice in self.choices
            for value, text, chosen in choice.options
            if chosen and (value is not None or choice.name in ("start", "search"))
        )

    def _draw(self) -> None:
        """Choose the drawings of the step, and what they need."""
        step, kinds = self._step, [each.kind for each in self.trace.steps[: self.step]]
        if step is not None and len(step.cells) == 1:
            self.now = step.cells[0]
        elif step is not None and step.kind in ("box", "shifted", "round", "withdrawn"):
            self.lit = frozenset(step.cells)
        if self.trace.order and ("hole" in kinds or "kept" in kinds):
            self.parts = ["digging"]
        if step is not None and step.reason == "givens":
            self.now = None
        if step is not None and step.reason == "solution":
            self.lit = self.trace.differing(self.step)
        if self.letter == "b" and ("hole" in kinds or self.done):
            self.parts = [*(["tried"] if self.tried else []), "rules"]
        if self.letter == "c" and step is not None and step.kind in ("row", "row_back"):
            self.parts = ["matrix"]
        if self.letter == "d":
            self.parts = ["layouts"]
            self.marks = candidates_of(self.grid)
            fewest = min(map(len, self.marks.values()), default=0)
            self.lit = frozenset(cell for cell, marks in self.marks.items() if len(marks) == fewest)
            self.facts = [(f"({len(self.marks)}, {fewest})", _("blanks and fewest candidates"))]
        if self.letter == "e" and step is not None and step.kind == "completed":
            self.parts = ["stack"]
        if self.done and self.verdict and self.verdict.parts:
            self.parts = [*self.parts, "score"] if self.letter == "d" else ["digging"]
        if self.letter != "d":
            self.facts = self._counts(kinds.count("hole"), kinds.count("kept"))

    def _counts(self, holes: int, kept: int) -> list[tuple[str, str]]:
        if self.parts == ["matrix"]:
            return [
                (so_far(str(self.column.rows_left), "729"), _("rows left")),
                (so_far(str(self.column.columns_left), "324"), _("columns left")),
            ]
        if self.parts == ["stack"]:
            found = self.trace.completing()
            rounds = len(found.rounds)
            return [
                (str(rounds), ngettext("round", "rounds", rounds)),
                (str(len(found.review)), _("on the stack")),
                (whole(found.nodes), _("pushes")),
            ]
        plan, facts = self.trace.plan, [(str(self.grid.givens), _("digits"))]
        if holes or kept:
            facts += [(str(holes), _("holes")), (str(kept), _("kept"))]
            if plan.stop_low:
                facts.append((str(plan.stop_low), _("givens to stop at")))
            if plan.fewest_in_line:
                facts.append((str(plan.fewest_in_line), _("or more in every line")))
        return facts

    @cached_property
    def column(self) -> traces.Column:
        """C: the column that the row is drawn from."""
        assert self._step is not None
        (cell,) = self._step.cells
        back = self._step.kind == "row_back"
        grid, other = (self.grid, self._before) if back else (self._before, self.grid)
        return traces.column_of(traces.live_rows(grid), None, 9 * cell + other[cell] - 1)

    @property
    def table(self) -> matrix.Table:
        """C: the same, drawn."""
        return matrix.table(self.column)

    @property
    def rules(self) -> list[tuple[int, str, int, int, bool]]:
        """B: the fourteen rules with n1 to n14 of the puzzle as it is now."""
        found = verdict("b", self.grid)
        return rules_of(found.counts if found else (0,) * 14)

    @property
    def stack(self) -> list[tuple[int, str, int, bool]]:
        """E: the top of the stack with the digits that complete the grid."""
        shown = list(enumerate(self.trace.completing().review, 1))[-MOST_STACKED:]
        return [(at, cell_name(cell), self.grid[cell], False) for at, cell in shown][::-1]

    @cached_property
    def tried(self) -> list[tuple[int, str, str]]:
        """Each digit in the hole, what became of it, and its kind; empty if none is tried."""
        step = self._step
        if step is None or not step.trials:
            return []
        found = {self._before[step.cells[0]]: (_("stood here"), "own")}
        for trial in step.trials:
            if trial.clash is not None:
                found[trial.digit] = _("in %(cell)s", cell=cell_name(trial.clash)), "clash"
            elif trial.solution is None:
                found[trial.digit] = self._dead(self.trace.cost(self.step, trial.digit)), "dead"
            else:
                found[trial.digit] = _("second solution"), "found"
        return [(digit, *found.get(digit, ("–", "clash"))) for digit in range(1, 10)]

    def _dead(self, nodes: int) -> str:
        """Say what the system's own search takes to find that a digit has no solution."""
        if self.letter == "c":
            return ngettext("dead, %(num)s row", "dead, %(num)s rows", nodes)
        if self.letter == "e":
            return ngettext("dead, %(num)s push", "dead, %(num)s pushes", nodes)
        return ngettext("dead, %(num)s search", "dead, %(num)s searches", nodes)

    @property
    def tries(self) -> list[tuple[int, int, str, bool]]:
        """The cells in digging order: x and y, hole or kept or ahead, whether it is tried now."""
        dug = self.trace.outcomes(self.step)
        return [
            (24 * (cell % 9), 24 * (cell // 9), dug.get(cell, "ahead"), cell == self.now and cell in dug)
            for cell in self.trace.order
        ]

    @property
    def layouts(self) -> list[dict[str, str]]:
        """D: the final layouts, if few: the squares of g(ivens), s(ame as the puzzle's own), o(thers)."""
        own, drawn = self.trace.solved, []
        for each in self.trace.final_layouts(self.step, DRAWN):
            paths = dict.fromkeys("gso", "")
            for at in range(81):
                kind = "g" if self.grid[at] else "s" if each[at] == own[at] else "o"
                paths[kind] += f"M{10 * (at % 9) + 1} {10 * (at // 9) + 1}h8v8h-8z"
            drawn.append(paths)
        return drawn

    @property
    def layouts_left(self) -> tuple[str, str]:
        """D: how many final layouts are left, and how many were before this step."""
        counts = [MOST_COUNTED, *(each.solutions or 1 for each in self.trace.steps)]
        return _solutions(counts[self.step]), _solutions(counts[max(0, self.step - 1)])

    @property
    def bars(self) -> list[tuple[int, float, str]]:
        """D: the final layouts left after each step: x, height of 100 by logarithm; past, now or ahead."""
        counts = [each.solutions or 1 for each in self.trace.steps]
        return [
            (
                10 * at - 9,
                round(4 + 96 * log(count) / log(MOST_COUNTED), 1),
                "now" if at == self.step else "past" if at < self.step else "ahead",
            )
            for at, count in enumerate(counts, 1)
        ]

    def _words(self) -> tuple[str, str]:
        step = self._step
        if step is None:
            return _("An empty grid."), self._beginning()
        cell = cell_name(step.cells[0]) if step.cells else ""
        digit = (step.grid if step.kind != "hole" else self._before)[step.cells[0]] if step.cells else 0
        sentences: dict[str, Callable[[], tuple[str, str]]] = {
            "draw": lambda: (
                _("%(digit)s goes into %(cell)s.", digit=digit, cell=cell),
                _("Cell and digit are random, among those the rules allow."),
            ),
            "box": lambda: (
                _("A box is filled at random."),
                _("It shares no row or column with the others."),
            ),
            "shifted": lambda: (_("Another box has the same digits."), _("Its rows and columns are moved.")),
            "row": self._row_words,
            "row_back": lambda: (_("Take %(cell)s back.", cell=cell), _("It leads nowhere.")),
            "again": lambda: (_("This beginning has no solution."), _("Start over.")),
            "round": lambda: (
                ngettext("The round fixes %(num)s cell.", "The round fixes %(num)s cells.", len(step.cells)),
                _("Rounds (有限递推) fix the cells that have one possibility left."),
            ),
            "completed": lambda: (_("A solved grid."), self._completed()),
            "hole": lambda: (
                _("Dig %(cell)s.", cell=cell),
                _("Any digit but %(digit)s leads to a contradiction, so one solution is left.", digit=digit),
            ),
            "kept": lambda: self._kept(step, cell),
            "given": lambda: (
                _("%(digit)s goes into %(cell)s.", cell=cell, digit=digit),
                _("Drawn from the digits that still have a final layout."),
            ),
            "skipped": lambda: (
                _("Skip %(cell)s.", cell=cell),
                _("Only one digit fits, so it settles nothing."),
            ),
            "eased": lambda: (
                _("%(digit)s goes into %(cell)s.", cell=cell, digit=digit),
                _("The puzzle is too hard for its grade. Another given makes it easier."),
            ),
            "withdrawn": lambda: (
                _("Half of the givens come out."),
                _("The puzzle is too easy for its grade. Others are tried."),
            ),
            "transposed": lambda: (_("Swap rows and columns."), ""),
            "rows": lambda: (_("Reorder the rows in each band, then the bands."), ""),
            "columns": lambda: (_("Reorder the columns in each stack, then the stacks."), ""),
            "digits": lambda: (_("Rename the digits."), ""),
        }
        lead, said = sentences[step.kind]()
        return lead, f"{said} {_('This is the puzzle.')}".strip() if self.done else said

    def _row_words(self) -> tuple[str, str]:
        found = self.column
        assert found.chosen is not None
        return (
            _(
                "“%(column)s” has the fewest rows: %(count)s.",
                column=matrix.column_name(found.column),
                count=len(found.rows),
            ),
            _(
                "One is drawn at random: %(row)s. It covers four columns and takes %(count)s rows away.",
                row=matrix.row_name(found.chosen),
                count=len(found.rows) + len(found.leaving),
            ),
        )

    def _beginning(self) -> str:
        method = self.trace.method
        maker = method.solved_grid
        if maker is None:
            return _("Random digits go in until one final layout is left.")
        if maker == "las_vegas":
            cells = LAS_VEGAS_CELLS if method.cells is None else method.cells
            return ngettext(
                "A random digit goes in %(num)s random cell, then a search fills the rest.",
                "Random digits go in %(num)s random cells, then a search fills the rest.",
                cells,
            )
        if maker == "centre_box":
            return _("The center box is filled at random, and the other boxes follow from it.")
        return _("The boxes of the diagonal share no row or column, so each can be filled at random.")

    def _completed(self) -> str:
        if self.letter == "e":
            return _("The stack fills the cells that the rounds left.")
        return {
            "las_vegas": _("Depth-first search fills the rest."),
            "diagonal_boxes": _("The rest is one of its solutions, each as likely as any other."),
            "linked_boxes": _("No column is left."),
            "centre_box": _("The last box follows from the center box."),
        }[self.trace.method.solved_grid or ""]

    def _kept(self, step: MakingStep, cell: str) -> tuple[str, str]:
        if step.reason == "givens":
            return _("Stop."), _("This puzzle keeps %(count)s givens.", count=self.trace.plan.stop_low)
        lead = _("Keep %(cell)s.", cell=cell)
        if step.reason == "line":
            return lead, _("Its row or column would have too few givens.")
        other = step.trials[-1].digit
        return lead, _("%(other)s leads to a second solution. It won’t be tried again.", other=other)


def _solutions(count: int) -> str:
    return _("%(most)s or more", most=whole(count)) if count == MOST_COUNTED else whole(count)


def waiting(recipe: engine.Recipe, seed: int) -> dict[str, str]:
    """Say how far making has come that discards puzzles of other levels."""
    letter = LETTERS[recipe.method]
    label = f"{level_word(letter)} {level_label(letter, recipe.paper_level or 0)}"
    return {"label": label, "discarded": format_decimal(seed >> 32)}
