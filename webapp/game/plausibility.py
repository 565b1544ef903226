"""Plausibility: rules that doubt a solve by its move log as the server received it.

What a browser says of time is not heard: only receipts count, of which a batch has one for all its moves. So
no rule needs the time of a single move, and a solve that comes whole, played without a connection, is
measured from the start to its receipt alone. A doubt is no verdict: it puts a ranked solve under review, with
the words of the rule. The settings were measured on made-up logs: benchmarks/plausibility.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise
from statistics import fmean, median, pstdev

import engine
from engine.geometry import BOX_OF, COL_OF, HOUSES, HOUSES_OF, PEERS
from webapp.game.moves import Kind, Move
from webapp.process.words import gettext as _

MARKS = frozenset({Kind.CORNER, Kind.CENTRE, Kind.STRIKE, Kind.FILL, Kind.COLOUR})

# Seconds a digit that even the fastest need to see and type, at levels 1 to 5. The fastest people of the logs
# took 1.1, 1.4, 1.9, 2.5 and 3.0.
FLOOR = (0.6, 0.7, 1.0, 1.2, 1.5)
# A beat: the waits differ by less than this share of their mean, and the longest tenth lasts less than so
# many times the middle one. Waits drawn evenly between 1 and 4 s have 0.35 and 1.5; 19 in 20 people have
# more than 0.55 and 2.6. Where the receipts of several moves fall together the beat must be stricter.
BEAT_SPREAD = 0.42
BEAT_LONGEST, BEAT_LONGEST_MERGED = 1.75, 1.6
MERGED = 0.6  # receipts a move, below which they count as merged
FEWEST_WAITS = 12
# Share of the steps from one placing to the next that go on along one sweep of the board: 1 for a copied
# solution, and near it for people who go over the board in order, round after round. But these pass over
# what nothing calls for yet and turn back: their share of placings that nothing called for stays below the
# share of steps that turn back, and comes to 0.04 more, rarely 0.07, where they see lines through boxes too.
# A copied solution has 0.07 more at the least at the levels of the dailies, and 0.2 mostly.
SWEPT, UNASKED = 0.85, 0.06
# Share of placings that no house or cell called for and no mark prepared, and the share of the expected time
# that is fast: the one without the other is a style of play.
UNCALLED, FAST = 0.2, 0.7
# Seconds. Longer expectations are an assumption (docs/expected-time.md), so no solve is fast by them alone.
LONGEST_MEASURED = 15 * 60.0
CHAINS_FROM = 6.2  # ER: above it the path needs chains
CHAIN_LEVEL = 5  # the level above that ER, for a puzzle that is not rated
# The machine's time may be pulled right by a few seconds and 500 parts in a million; more is a step.
STEP, DRIFT = timedelta(seconds=5), 0.001


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
    step: timedelta | None = None  # how much more the clock on the wall ran than a steady one; None: unknown

    @cached_property
    def answer(self) -> str:
        solved = engine.solution(engine.parse(self.givens))
        assert solved is not None, "a finished attempt has a puzzle with a solution"
        return str(solved)

    @cached_property
    def order(self) -> list[int]:
        """The cells in the order in which each first got its right digit."""
        placed: dict[int, None] = {}
        for move, _at in self.log:
            if move.kind is Kind.DIGIT:
                placed |= {cell: None for cell in move.cells if str(move.digit) == self.answer[cell]}
        return list(placed)

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


def too_fast(solve: Solve) -> bool:
    """Less time than it takes to see and type the digits."""
    return solve.elapsed.total_seconds() < FLOOR[solve.level - 1] * solve.givens.count(".")


def on_a_beat(solve: Solve) -> bool:
    """Waits that hardly differ, and none of them long."""
    receipts = len({at for _move, at in solve.log})
    waits = sorted(solve.waits)
    if (
        min(receipts, len(waits)) < FEWEST_WAITS
        or fmean(waits) == 0
        or pstdev(waits) / fmean(waits) >= BEAT_SPREAD
    ):
        return False
    longest = fmean(waits[-max(1, len(waits) // 10) :])
    merged = receipts < MERGED * len(solve.log)
    return longest < (BEAT_LONGEST_MERGED if merged else BEAT_LONGEST) * median(waits)


def swept(solve: Solve) -> bool:
    """Filled along the rows, the columns, the boxes or the digits from one to nine, either way, and not by
    turning back for what nothing had called for before.
    """
    answer, order = solve.answer, solve.order
    if len(order) < 10:
        return False
    sweeps: tuple[Callable[[int], tuple[int | str, int]], ...] = (
        lambda cell: (0, cell),
        lambda cell: (COL_OF[cell], cell),
        lambda cell: (BOX_OF[cell], cell),
        lambda cell: (answer[cell], cell),
    )
    for place in sweeps:
        onward = sum(place(before) < place(after) for before, after in pairwise(order)) / (len(order) - 1)
        onward = max(onward, 1 - onward)
        if onward > SWEPT and solve.uncalled / len(order) > UNASKED + 1 - onward:
            return True
    return False


def uncalled(solve: Solve) -> bool:
    """Fast, with many right digits in cells where nothing on the board asked for one."""
    if solve.expected_seconds is None:
        return False
    if solve.elapsed.total_seconds() > FAST * min(solve.expected_seconds, LONGEST_MEASURED):
        return False
    return solve.uncalled - solve.marks > UNCALLED * len(solve.order)


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


def without_marks(solve: Solve) -> bool:
    """Not one mark on a puzzle that asks for chains."""
    hard = solve.level >= CHAIN_LEVEL if solve.explainer is None else solve.explainer > CHAINS_FROM
    return hard and solve.marks == 0


def clock_stepped(solve: Solve) -> bool:
    """The machine's time was set during the solve, so its duration is unknown."""
    if solve.step is None:
        return False
    return abs(solve.step) > STEP + DRIFT * abs(solve.elapsed)


@dataclass(frozen=True, slots=True)
class Rule:
    """One reason to doubt a solve. The key is stored, the words are for the player."""

    key: str
    doubts: Callable[[Solve], bool]
    words: Callable[[], str]


RULES: dict[str, Rule] = {
    rule.key: rule
    for rule in (
        Rule(
            "floor",
            too_fast,
            lambda: _("The solve was faster than anyone can read and type the digits."),
        ),
        Rule(
            "cadence",
            on_a_beat,
            lambda: _("The moves came at an unusually even pace."),
        ),
        Rule(
            "order",
            swept,
            lambda: _("The cells were filled one after another, the way you’d copy a solution."),
        ),
        Rule(
            "uncalled",
            uncalled,
            lambda: _("The solve was fast, and many digits came before the board gave a reason for them."),
        ),
        Rule("marks", without_marks, lambda: _("This puzzle needs chains, but there were no pencil marks.")),
        Rule(
            "clock",
            clock_stepped,
            lambda: _("The server’s clock was adjusted during this game. That’s not the player’s fault."),
        ),
    )
}


def doubts(solve: Solve) -> list[str]:
    """The keys of the rules that doubt a solve, in the order of RULES."""
    return [rule.key for rule in RULES.values() if rule.doubts(solve)]


def words(key: str) -> str:
    """What a rule says to the player; for a rule that is no more, that there was one."""
    rule = RULES.get(key)
    return rule.words() if rule is not None else _("A rule we no longer use flagged this solve.")
