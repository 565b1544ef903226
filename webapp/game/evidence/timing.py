"""When the moves came: how fast, how evenly, and how that fits what is known of the player."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import log
from statistics import median, pstdev

from webapp.game.evidence.solve import MARKS, Solve
from webapp.game.moves import Kind

RECENT = 15  # solves of the player's own that a new one is compared with
FEWEST = 5


@dataclass(frozen=True, slots=True)
class Timing:
    """Figures of the receipts."""

    pace: float | None  # the solve's time over the expected time
    against_own: float | None  # its pace over the median of the player's recent ones
    spread: float  # of the waits before the right digits, in ln seconds, those that came together left out
    silence: float  # the share of the time that had passed when the first digit was received
    typing: float  # seconds a digit from the first digit on
    mark_seconds: float | None  # seconds a mark up to the first digit; None for fewer than forty


def timing(solve: Solve) -> Timing:
    """Measure."""
    started, times = solve.started_at, list(solve.placings.values())
    seconds = max(solve.elapsed.total_seconds(), 0.001)
    first = (times[0] - started).total_seconds() if times else 0.0
    waits = [(after - at).total_seconds() for at, after in pairwise(times) if after > at]
    own = list(solve.paces)[-RECENT:]
    pace = solve.pace
    before = 0
    for move, _at in solve.log:
        if move.kind is Kind.DIGIT:
            break
        before += move.kind in MARKS
    return Timing(
        pace,
        pace / median(own) if pace is not None and len(own) >= FEWEST and median(own) > 0 else None,
        pstdev([log(wait) for wait in waits]) if len(waits) > 1 else 0.0,
        first / seconds,
        (times[-1] - times[0]).total_seconds() / max(1, len(times) - 1) if times else 0.0,
        first / before if before >= 40 else None,
    )
