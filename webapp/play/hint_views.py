"""Views for hints and checks: plain values made from the services' objects, without decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import session

from webapp.game import hints
from webapp.game.moves import Kind, Move
from webapp.game.steps import Overlay, Removal, StepView, removals_of, struck
from webapp.game.steps.parts import box_of
from webapp.learn.path import house_name
from webapp.play.play import Game
from webapp.process.words import comma
from webapp.process.words import gettext as _

BEGINNERS = 2  # the last level whose hints call a cell "row 4, column 7"


@dataclass(frozen=True, slots=True)
class HintView:
    """A hint at the requested depth; at the last depth it is already applied."""

    depth: int
    hint: hints.Hint
    step: StepView | None = None
    gone: hints.RuledOut | None = None  # where it is applied
    explains_names: bool = False  # whether it says what r4c7 means: once a browser

    @property
    def wrong(self) -> hints.Mistakes:
        return self.hint.mistakes

    @property
    def title(self) -> str:
        """The heading of the note."""
        if self.wrong:
            return _("Something’s wrong")
        if self.step is not None and self.depth > hints.TECHNIQUE:
            return self.step.name
        return _("Hint")

    @property
    def removals(self) -> tuple[Removal, ...]:
        """The eliminations of the applied hint, grouped by cells that lose the same digits."""
        return removals_of(self.gone.candidates if self.gone else ())

    @property
    def described(self) -> list[tuple[int, str]]:
        """The descriptions of cells, from the reasoning of the hint."""
        if self.step is None or self.depth < hints.REASONING:
            return []
        texts: dict[int, list[str]] = {}
        drawn = self.step.overlay.rings
        for cell in sorted({fact.cell for fact in self.step.step.cells} | {ring.cell for ring in drawn}):
            texts.setdefault(cell, []).append(_("part of the pattern"))
        for removal in self.step.removals:
            for cell in removal.cells:
                digits = " ".join(map(str, removal.digits))
                texts.setdefault(cell, []).append(_("%(digits)s ruled out by the hint", digits=digits))
        for cell, digit in self.step.placements:
            texts[cell] = [_("%(digit)s goes here", digit=digit)]
        return [(cell, comma().join(texts[cell])) for cell in sorted(texts)]

    @property
    def places(self) -> str:
        """The placements of the step as `cell:digit` with commas."""
        return ",".join(f"{cell}:{digit}" for cell, digit in self.step.placements) if self.step else ""

    @property
    def removes(self) -> str:
        """The eliminations of the step as `cell:digit` with commas."""
        return ",".join(f"{cell}:{digit}" for cell, digit in self.step.eliminations) if self.step else ""

    @property
    def mends(self) -> tuple[int, ...]:
        """The wrong cells, once it names them."""
        return (self.wrong.digits or self.wrong.marks) if self.depth >= hints.REASONING else ()

    @property
    def struck(self) -> Overlay:
        """The same, crossed out on the board."""
        return struck(self.gone.candidates if self.gone else ())

    @property
    def box(self) -> str:
        """The box of the first mistake, in words."""
        first = (self.wrong.digits or self.wrong.marks)[0]
        return house_name(box_of(first))

    @property
    def asks(self) -> bool:
        """Whether it asks a question instead of naming the technique: singles, for beginners."""
        return self.step is not None and self.step.plain

    @property
    def at_end(self) -> bool:
        """Whether this is the last depth."""
        return not (self.wrong or self.step)

    @property
    def deeper(self) -> int:
        return self.depth + 1

    @property
    def more(self) -> str:
        """The label of the button for the next depth."""
        if self.wrong:
            return (_("Show where"), _("Show cells"), _("Fix it"))[self.depth - 1]
        first = _("Give me a question") if self.asks else _("Show technique")
        return (first, _("Show me"), _("Apply"))[self.depth - 1]


@dataclass(frozen=True, slots=True)
class CheckView:
    """The result of a check."""

    digits: tuple[int, ...]
    marks: tuple[int, ...]
    went_back: bool

    @property
    def wrong(self) -> int:
        """The number of wrong cells."""
        return len(self.digits) + len(self.marks)

    @property
    def mends(self) -> tuple[int, ...]:
        """The wrong cells that are still on the board."""
        return () if self.went_back else self.digits + self.marks


def help_view(game: Game) -> dict[str, Any]:
    """Return `advice` and `check` for the latest help; none once the board has changed."""
    asked = game.board.asked
    if asked is None or game.state == "solved":
        return {"advice": None, "check": None}
    if asked.kind is Kind.CHECK:
        found = hints.mistakes(game.board)
        return {"advice": None, "check": CheckView(found.digits, found.marks, went_back=False)}
    depth = asked.digit or hints.WHERE
    hint = hints.hint(game.board)
    beginner = game.attempt.level <= BEGINNERS
    position = hints.position_of(game.board)
    step = None if hint.step is None else StepView(hint.step, position, beginner=beginner)
    explains = depth == hints.REASONING and step is not None and not step.plain and _is_first_reason(game)
    return {"advice": HintView(depth, hint, step, explains_names=explains), "check": None}


def _is_first_reason(game: Game) -> bool:
    """Whether this is the first reason with names of cells in this browser; remembers it."""
    reason = f"{game.attempt.id} {game.board.hints}"
    return bool(session.setdefault("names", reason) == reason)


def carried_out(kind: Kind, game: Game, log: Sequence[Move]) -> dict[str, Any]:
    """Return the notes after an applied hint, or after undoing a mistake; `log` leads to the game."""
    if kind is Kind.CHECK:
        return {"advice": None, "check": CheckView((), (), went_back=True)}
    nothing = hints.Hint(hints.Mistakes((), ()), None)
    applied = HintView(hints.APPLY, nothing, gone=hints.ruled_out(game.board, log))
    return {"advice": applied, "check": None}
