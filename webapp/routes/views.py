"""What templates are given: plain values made from services' objects. Decides nothing."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask_babel import gettext as _

from engine.geometry import BOX_OF, COL_OF, ROW_OF
from webapp.i18n import level_name
from webapp.models import Attempt
from webapp.services.board import ALL_DIGITS, Board, in_conflict
from webapp.services.moves import Move
from webapp.services.play import Game, Summary


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell as it is drawn; marks are digits in ascending order."""

    cell: int
    row: int  # 1..9
    col: int
    box: int
    digit: int  # 0 for an empty cell
    given: bool
    conflict: bool
    corner: tuple[int, ...]
    centre: tuple[int, ...]
    colours: tuple[int, ...]
    candidates: tuple[int, ...]
    struck: tuple[int, ...]
    candidate_colours: dict[int, tuple[int, ...]]  # digit -> colours


@dataclass(frozen=True, slots=True)
class AttemptView:
    """An attempt as the pages show it."""

    id: str
    seq: int
    state: str
    level: int
    givens: int
    filled: int
    title: str
    elapsed_ms: int
    assisted: bool
    updated: datetime
    finished_at: datetime | None
    cells: list[CellView]
    remaining: list[tuple[int, int]]  # (digit, how many are left)
    fill: tuple[int, ...]
    can_undo: bool
    can_redo: bool
    givens_line: str
    log: str  # JSON: [[seq, kind, cell, digit or ""], ...]


def attempt_view(game: Game, moves: list[Move] | None = None) -> AttemptView:
    """Everything about a game; the log only where `moves` are given."""
    attempt, board = game.attempt, game.board
    counts = Counter(board.digits)
    return AttemptView(
        id=attempt.id,
        seq=board.seq,
        state=game.state,
        level=attempt.level,
        givens=81 - board.givens.count(0),
        filled=81 - counts[0],
        title=_("%(level)s puzzle %(number)s", level=level_name(attempt.level), number=attempt.puzzle_id),
        elapsed_ms=game.elapsed_ms,
        assisted=board.assisted,
        updated=attempt.updated_at,
        finished_at=attempt.finished_at,
        cells=[cell_view(board, cell) for cell in range(81)],
        remaining=[(digit, max(0, 9 - counts[digit])) for digit in range(1, 10)],
        fill=digits_of(board.layers.fill),
        can_undo=board.done is not None,
        can_redo=board.undone is not None,
        givens_line=attempt.puzzle.givens,
        log=json.dumps([[move.seq, move.kind, move.cell, move.digit or ""] for move in moves or []]),
    )


def cell_view(board: Board, cell: int) -> CellView:
    layers = board.layers
    open_candidates, struck = board.candidates(cell)
    return CellView(
        cell=cell,
        row=ROW_OF[cell] + 1,
        col=COL_OF[cell] + 1,
        box=BOX_OF[cell] + 1,
        digit=layers.digits[cell],
        given=board.givens[cell] != 0,
        conflict=in_conflict(layers.digits, cell),
        corner=digits_of(layers.corner[cell]),
        centre=digits_of(layers.centre[cell]),
        colours=digits_of(layers.colour[cell]),
        candidates=digits_of(open_candidates),
        struck=digits_of(struck),
        candidate_colours={
            digit: digits_of(mask)
            for digit in range(1, 10)
            if (mask := layers.candidate_colour[9 * cell + digit - 1])
        },
    )


def digits_of(mask: int) -> tuple[int, ...]:
    """The digits of a mask, ascending."""
    return tuple(digit for digit in range(1, 10) if mask & ALL_DIGITS & 1 << digit - 1)


def finished_view(attempt: Attempt) -> dict[str, Any]:
    """A finished attempt as lists show it."""
    return {
        "id": attempt.id,
        "level": attempt.level,
        "elapsed_ms": attempt.elapsed_ms,
        "finished_at": attempt.finished_at,
        "assisted": attempt.assisted,
    }


def summary_view(summary: Summary) -> dict[str, Any]:
    """What home and the list of attempts show of a player."""
    return {
        "current": [attempt_view(game) for game in summary.current],
        "finished": [finished_view(attempt) for attempt in summary.finished],
        "best": summary.best,
    }
