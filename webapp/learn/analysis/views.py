"""Views for the analysis board: plain values made from the service's objects, without decisions."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from flask import url_for

import engine
from engine.formats import FORMATS
from engine.geometry import cell_name
from webapp.game import exports
from webapp.game.cells import CellView, position_view
from webapp.game.steps import StepView
from webapp.game.steps.names import technique_name
from webapp.learn.analysis.analysis import MOST_COUNTED, Analysis, Found
from webapp.learn.analysis.states import COLOURS, State
from webapp.learn.path import PathView
from webapp.process.words import format_decimal, ngettext
from webapp.process.words import gettext as _

MOST_REASONS = 9


def effect_text(step: engine.Step) -> str:
    """Return a step's effect in short notation: `r4c5=3`, `r1c2, r4c2≠3 · r7c7≠5`."""
    parts = [f"{cell_name(cell)}={digit}" for cell, digit in sorted(step.placements)]
    gone: dict[int, list[int]] = {}
    for cell, digit in sorted(step.eliminations):
        gone.setdefault(digit, []).append(cell)
    parts += [f"{', '.join(map(cell_name, cells))}≠{digit}" for digit, cells in sorted(gone.items())]
    return " · ".join(parts)


class Board:
    """The page of a position."""

    effect_of = staticmethod(effect_text)
    name_of = staticmethod(technique_name)

    def __init__(
        self,
        analysis: Analysis,
        *,
        cell: int | None,
        digit: int | None,
        technique: str,
        number: int | None,
        step: int | None,
        done: str = "",
    ) -> None:
        """cell: the selected one; digit: which of its candidates to color.

        technique, number: which of all steps is shown; step: which of the path.

        done: the last change in short notation.
        """
        self._analysis = analysis
        self.state: State = analysis.state
        self.verdict = analysis.verdict
        self.rating, self.rated = analysis.rating, analysis.rated
        self.selected = cell
        colorable = not self.placed and digit in self.candidates | self.struck
        self.digit = digit if colorable else None
        self.done = done
        self.way = PathView(self.state.position, analysis.path, step, self.address)
        self._chosen = (technique, number) if not self.way.step else ("", None)

    def address(self, **more: Any) -> str:
        """Return the link of this state, with `more` parameters."""
        return url_for("analysis.show", **self.state.query, **more)

    @property
    def link(self) -> str:
        """The link that restores it."""
        return url_for("analysis.show", _external=True, **self.state.query)

    def picture(self, endpoint: str) -> str:
        """Return the address of a picture of it, with its colors unless a step is shown."""
        if self.way.step:
            return url_for(endpoint, grid=self.state.text, step=self.way.step)
        return url_for(endpoint, **self.state.query_without_note)

    # The board

    @cached_property
    def cells(self) -> list[CellView]:
        """The board, or the position at a step of the path."""
        if self.way.step:
            return self.way.cells
        givens, clash, struck = str(self.state.givens), self.state.conflicts(), self.state.struck
        cells = (position_view(givens, self.state.position, cell) for cell in range(81))
        coloured: dict[int, dict[int, tuple[int, ...]]] = {}
        for cell, digit, colour in self.state.candidate_colours:
            coloured.setdefault(cell, {})[digit] = (int(colour),)
        return [
            replace(
                view,
                conflict=view.cell in clash,
                struck=tuple(digit for digit in range(1, 10) if (view.cell, digit) in struck),
                colours=tuple(int(colour) for colour in self.state.colours[view.cell].strip(".")),
                candidate_colours=coloured.get(view.cell, {}),
            )
            for view in cells
        ]

    @cached_property
    def shown(self) -> StepView | None:
        """The step drawn on the board."""
        if self.way.step or self._step is None:
            return self.way.told
        return StepView(self._step, self.state.position)

    @cached_property
    def _step(self) -> engine.Step | None:
        key, number = self._chosen
        for found in self.groups:
            if found.key == key and number is not None and 0 < number <= len(found.steps):
                return found.steps[number - 1]
        return None

    @property
    def asked(self) -> str:
        """The address of a requested step while the steps are still being computed; else empty."""
        key, number = self._chosen
        return self.address(technique=key, number=number) if key and number and self.steps_left else ""

    @property
    def applied(self) -> str:
        """The link after the shown step."""
        step = self.shown
        if step is None:
            return ""
        position = self.way.position if self.way.step else self.state.position
        after = replace(self.state, position=position).after(step.step)
        return url_for("analysis.show", **after.query)

    # The selected cell

    @property
    def changeable(self) -> bool:
        """Whether a cell is selected that is no given."""
        return self.selected is not None and not self.state.givens[self.selected]

    @property
    def placed(self) -> int:
        """The digit in the selected cell; 0 for an empty one, or without a selection."""
        return 0 if self.selected is None else self.state.position.grid[self.selected]

    @cached_property
    def candidates(self) -> frozenset[int]:
        """The remaining candidates of the selected cell."""
        cell = self.selected
        return frozenset() if cell is None else frozenset(self.state.position.candidates(cell))

    @cached_property
    def struck(self) -> frozenset[int]:
        """Its candidates that were removed, though the digits allow them."""
        return frozenset(digit for cell, digit in self.state.struck if cell == self.selected)

    @property
    def colours(self) -> list[tuple[int, str, bool]]:
        """The colors for the selected cell or candidate: the number, its link, and whether it is set."""
        cell = self.selected
        if cell is None:
            return []
        return [
            (
                int(colour),
                url_for(
                    "analysis.show",
                    **self.state.coloured(cell, colour, self.digit).query,
                    cell=cell,
                    digit=self.digit,
                ),
                self.state.colour_of(cell, self.digit) == colour,
            )
            for colour in COLOURS
        ]

    def colour_of(self, digit: int) -> str:
        """Return the color of a candidate of the selected cell; empty for none."""
        return "" if self.selected is None else self.state.colour_of(self.selected, digit).strip(".")

    @property
    def selected_name(self) -> str:
        """The selected cell: r4c7."""
        return "" if self.selected is None else cell_name(self.selected)

    # The analysis

    @property
    def answer(self) -> str:
        """Whether it is still solvable, in a sentence."""
        found = self.verdict
        if self.state.position.solved and found.solvable:
            return _("Solved.")
        if found.solvable:
            return _("Yes, it has exactly one solution.")
        if not found.solutions:
            return (
                _("No, this position has no solution.") if found.counted else _("We couldn’t tell in time.")
            )
        if not found.counted:
            return _(
                "Not by logic alone: it has more than %(most)s solutions.", most=format_decimal(MOST_COUNTED)
            )
        return _("Not by logic alone: it has %(count)s solutions.", count=found.solutions)

    @property
    def reasons(self) -> list[str]:
        """The evidence that it has no solution, or several."""
        found, position = self.verdict, self.state.position
        reasons = [str(fault) for fault in position.grid.faults()]
        for cell, digit in () if reasons else found.wrong:
            reasons.append(
                _("%(cell)s can’t be %(digit)s.", cell=cell_name(cell), digit=digit)
                if position.grid[cell]
                else _("%(cell)s must be %(digit)s, but that’s ruled out.", cell=cell_name(cell), digit=digit)
            )
        reasons += [
            _("%(cell)s can be %(one)s or %(other)s.", cell=cell_name(cell), one=one, other=other)
            for cell, one, other in found.differ
        ]
        return reasons[:MOST_REASONS]

    @property
    def steps_left(self) -> bool:
        """Whether the steps are still being computed."""
        return self._analysis.steps is None

    @property
    def groups(self) -> tuple[Found, ...]:
        """All steps by technique, easiest first."""
        return self._analysis.steps.found if self._analysis.steps else ()

    def chosen(self, key: str, number: int | None = None) -> bool:
        """Whether the shown step is of this technique, and has this number."""
        return self._chosen == (key, self._chosen[1] if number is None else number)

    @property
    def total(self) -> int:
        """How many steps there are."""
        return sum(group.count for group in self.groups)

    @property
    def gave_up(self) -> tuple[str, ...]:
        """The techniques whose search was cut off."""
        return self._analysis.steps.gave_up if self._analysis.steps else ()

    @property
    def words(self) -> str:
        """The line below the title."""
        givens = ngettext("%(num)s given", "%(num)s givens", self.state.givens.givens)
        left = ngettext("%(num)s cell left", "%(num)s cells left", 81 - self.state.position.grid.givens)
        return f"{givens} · {left}"

    @cached_property
    def exports(self) -> exports.Exports:
        """The position for other programs."""
        return exports.of_position(self.state.givens, self.state.position, "ninefold-analysis")

    @property
    def formats(self) -> list[tuple[str, str, str]]:
        """The position in every format: title, suffix, text."""
        return [(_(form.title), form.suffix, form.write(self.state.entry)) for form in FORMATS.values()]
