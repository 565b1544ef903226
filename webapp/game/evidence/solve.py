"""A solve as it is judged: the log as the server received it, and what is known of its player.

What a browser says of time is not heard: only receipts count, of which a batch has one for all its moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise

import engine
from engine.geometry import HOUSES, HOUSES_OF, PEERS
from webapp.game.moves import Kind, Move

MARKS = frozenset({Kind.CORNER, Kind.CENTRE, Kind.STRIKE, Kind.FILL, Kind.COLOUR})
# Receipts less than this apart, with so many moves or more, are a connection that came back.
MOMENT, BURST = timedelta(seconds=0.4), 8
SOON = timedelta(seconds=2)  # after which the browser sends what it has


@dataclass(frozen=True)
class Solve:
    """What the rules are shown."""

    givens: str
    level: int
    explainer: float | None  # ER; None for a puzzle that is not rated
    expected_seconds: float | None
    started_at: datetime
    elapsed: timedelta  # as it counts: to the receipt of the last move
    log: Sequence[tuple[Move, datetime]]  # every move with its receipt
    step: timedelta | None = None  # how much more the wall clock ran than a steady one; None: unknown
    paces: Sequence[float] = ()  # of earlier ranked solves, oldest first

    @cached_property
    def answer(self) -> str:
        solved = engine.solution(engine.parse(self.givens))
        assert solved is not None, "a finished attempt has a puzzle with a solution"
        return str(solved)

    @cached_property
    def placings(self) -> dict[int, datetime]:
        """The cells in the order in which each first got its right digit, and when that was received."""
        placed: dict[int, datetime] = {}
        for move, at in self.log:
            if move.kind is Kind.DIGIT:
                for cell in move.cells:
                    if str(move.digit) == self.answer[cell]:
                        placed.setdefault(cell, at)
        return placed

    @cached_property
    def order(self) -> list[int]:
        """The cells in the order in which each first got its right digit."""
        return list(self.placings)

    @cached_property
    def _caught_up(self) -> dict[datetime, datetime]:
        """The first receipt of each burst for the others in it.

        Moves played without a connection arrive in many requests within a moment; nobody plays as fast.
        The request after these carries what was played just before, too.
        """
        together = Counter(at for _move, at in self.log)
        bursts: list[list[datetime]] = []
        for at in sorted(together):
            if bursts and at - bursts[-1][-1] < MOMENT:
                bursts[-1].append(at)
            else:
                bursts.append([at])
        found: dict[datetime, datetime] = {}
        for burst, after in zip(bursts, [*bursts[1:], []], strict=True):
            if sum(together[at] for at in burst) >= BURST:
                late = [at for at in after[:1] if at - burst[-1] < SOON]
                found |= dict.fromkeys([*burst, *late], burst[0])
        return found

    def caught_up(self, cell: int) -> bool:
        """Whether its right digit came when a lost connection was back, so that its own wait is not known."""
        return self.placings[cell] in self._caught_up

    @cached_property
    def came(self) -> dict[int, datetime]:
        """When each right digit first came; those of a connection that came back, with the first of them."""
        return {cell: self._caught_up.get(at, at) for cell, at in self.placings.items()}

    @cached_property
    def thoughts(self) -> dict[int, float]:
        """Seconds before each first right digit since the receipt of the one before; together, the same."""
        found, before, at_once = {}, self.started_at, self.started_at
        for cell, at in self.came.items():
            if at > at_once:
                before, at_once = at_once, at
            found[cell] = (at - before).total_seconds()
        return found

    @cached_property
    def uncalled(self) -> int:
        """How many right digits came into cells where nothing on the board asked for one."""
        digits = [int(char) if char != "." else 0 for char in self.givens]
        surprises = 0
        for cell in self.order:
            digit = int(self.answer[cell])
            surprises += not _called_for(digits, cell, digit)
            digits[cell] = digit
        return surprises

    @cached_property
    def waits(self) -> list[float]:
        """Seconds before each move after the first receipt, pauses left out.

        What came together shares its wait evenly.
        """
        together: Counter[datetime] = Counter()
        paused, since = timedelta(), None
        for move, at in self.log:
            if move.kind is Kind.PAUSE:
                since = at
            elif move.kind is Kind.RESUME and since is not None:
                paused, since = paused + (at - since), None
            else:
                together[at - paused] += 1
        return [
            (at - before).total_seconds() / together[at]
            for before, at in pairwise(sorted(together))
            for _ in range(together[at])
        ]

    @cached_property
    def marks(self) -> int:
        """How many moves wrote or struck marks."""
        return sum(move.kind in MARKS for move, _at in self.log)

    @property
    def pace(self) -> float | None:
        """Its time over the puzzle's expected time; None where nothing is expected."""
        if self.expected_seconds is None:
            return None
        return self.elapsed.total_seconds() / self.expected_seconds


def _called_for(digits: Sequence[int], cell: int, digit: int) -> bool:
    """Whether the digit is the only one for this cell, or the cell the only one for the digit in a house."""
    if len({digits[peer] for peer in PEERS[cell]} - {0}) == 8:
        return True
    return any(
        all(
            digits[other] or other == cell or any(digits[peer] == digit for peer in PEERS[other])
            for other in HOUSES[house]
        )
        for house in HOUSES_OF[cell]
    )
