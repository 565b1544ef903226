"""All figures of one solve, from its log and from what was found beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.game.evidence.habits import Habits, habits
from webapp.game.evidence.leaps import LAST, Leaps, leaps, way
from webapp.game.evidence.order import along_path, choices, longest_run, togetherness
from webapp.game.evidence.solve import Solve
from webapp.game.evidence.timing import Timing, timing

FEWEST_MARKS = 6
UNCALLED = 2  # digits that came although others lay open
ON_PATH = 0.95
PENSIVE = 3.0  # times the wait at singles
SILENT = 0.6  # digits: what those in the mind count in all, so that nobody waits for a habit alone
FEW_WEIGHED = 3  # cells; who marks to get through hard steps weighs more


@dataclass(frozen=True, slots=True)
class Figures:
    """What the log says, and what other games and players add."""

    leaps: Leaps
    timing: Timing
    longest_run: int
    early_run: int  # the longest before the last digits, which people may fill in one after the other
    togetherness: float | None
    along_path: float
    marks: int
    hard: int  # steps of the path beyond pairs and locked candidates
    habits: Habits
    latest: tuple[Habits, ...]  # of this and the player's solves before it
    alike: float = 0.0  # how near the order is to that of another game that began earlier, 0 to 1
    shared: bool = False  # whether another player of the same device began the puzzle earlier

    @property
    def erred(self) -> int:
        """How many wrong digits were entered."""
        return self.leaps.tried + self.leaps.slips

    @property
    def swept(self) -> float | None:
        """The longest sweep before the last digits; None for who reads on and places what is called for."""
        return float(self.early_run) if self.leaps.bold_uncalled >= UNCALLED else None

    @property
    def odd_marks(self) -> float | None:
        """The share of the marks that nobody would write to solve; None for few marks."""
        of = self.leaps
        if of.written < FEWEST_MARKS:
            return None
        return max(of.absurd, of.lone if self.along_path >= ON_PATH else 0) / of.written

    @property
    def posed_marks(self) -> float | None:
        """The share of the marks that came just before the digit of their own cell; None for few marks.

        A digit that was marked by mistake, and then entered, is not among them.
        """
        of = self.leaps
        written = of.written - of.meant
        return None if written < FEWEST_MARKS else of.posed / written

    @property
    def stalled(self) -> float | None:
        """The wait where no single was left, over that of singles; None for who tries digits out."""
        return None if self._tries_out else self.leaps.stalled

    @property
    def shortest_stall(self) -> float | None:
        """The same of the shortest such wait."""
        return None if self._tries_out else self.leaps.shortest

    @property
    def _tries_out(self) -> bool:
        """Whether wrong digits stayed as often as no single was left, but not one alone: it may be a slip."""
        return self.leaps.tried >= max(2, self.leaps.stalls)

    @property
    def flawless(self) -> bool:
        """Whether nothing was marked, tried out or mistyped."""
        return not (self.marks or self.leaps.prepared or self.erred)

    @property
    def unmarked(self) -> float | None:
        """How many digits nothing in sight led to; None where something was marked, tried or mistyped.

        Whoever stops for long where no single is left may have followed chains in the mind: that is no doubt.
        """
        of = self.leaps
        if not self.flawless:
            return None
        return min(of.leaps, SILENT) if (of.stalled or 0.0) >= PENSIVE else of.leaps

    @property
    def unprepared(self) -> bool:
        """Whether hard steps were passed without marks that led there and without trying."""
        of = self.leaps
        return self.hard > 0 and of.weighed <= FEW_WEIGHED and not (of.prepared or of.tried)


def figures(
    solve: Solve, alike: float = 0.0, *, shared: bool = False, earlier: Sequence[Habits] = ()
) -> Figures:
    """Measure a solve: 5 to 10 ms of processor time."""
    of_log, placed = leaps(solve), choices(solve)
    own = habits(solve, placed, of_log)
    return Figures(
        of_log,
        timing(solve),
        longest_run(solve),
        longest_run(solve, LAST),
        togetherness(placed),
        along_path(solve),
        solve.marks,
        way(solve.givens).hard,
        own,
        (own, *earlier),
        alike,
        shared,
    )
