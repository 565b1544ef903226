"""The course of a race, drawn once it is over: how much of the puzzle each racer had filled in, and when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import sqlalchemy as sa

import engine
from webapp.competition import logs
from webapp.competition.races.standings import TENTHS, RacerRow, tenths
from webapp.competition.races.tables import Race, Racer
from webapp.game.board import Board
from webapp.models import Attempt
from webapp.process.database import db

WIDTH: Final = 320
TOP: Final = 6
FLOOR: Final = 96
HUES: Final = 5

Point = tuple[int, int]  # milliseconds since the start, and the tenths reached by then
Line = tuple[str, str, str]  # a racer's name, the class of their line, and its points as SVG writes them


def drawn(key: str, entries: Sequence[RacerRow], me: int | None) -> tuple[list[Line], int]:
    """Draw the course of a race for racer number `me`. Returns the lines, and the time of the last finish."""
    racers = db.session.scalars(
        sa.select(Attempt)
        .select_from(Racer)
        .join(Race, Race.id == Racer.race_id)
        .join(Attempt, Attempt.id == Racer.attempt_id, isouter=True)
        .where(Race.key == key)
        .order_by(Racer.joined_at, Racer.player_id)
    )
    reached = {number: _points(attempt) for number, attempt in enumerate(racers, 1) if attempt is not None}
    finishes = [entry.elapsed_ms for entry in entries if entry.elapsed_ms is not None]
    until = max(finishes or [points[-1][0] for points in reached.values()], default=0) or 1
    lines = [
        (
            entry.name,
            "course__line--mine" if entry.number == me else f"hue--{(entry.number - 1) % HUES + 1}",
            " ".join(
                f"{WIDTH * at / until:.1f},{FLOOR - (FLOOR - TOP) * done / TENTHS:.1f}"
                for at, done in reached[entry.number]
                if at <= until
            ),
        )
        for entry in entries
        if len(reached.get(entry.number, ())) > 1
    ]
    return lines, until


def _points(attempt: Attempt) -> list[Point]:
    """Return the moments at which a racer had reached more; the first is the start."""
    board, points = Board.of(engine.parse(attempt.givens)), [(0, 0)]
    for move, at in logs.part(attempt.id, 1, attempt.last_seq):
        board = board.after(move, at)
        done = tenths(board.givens, board.digits)
        if done > points[-1][1]:
            points.append(((at - attempt.started_at) // timedelta(milliseconds=1), done))
    return points
