"""Plausibility: why a solve is doubted, by its move log as the server received it.

Some rules doubt by themselves; other figures weigh together (`webapp/game/evidence/score.py`). A doubt is no
verdict: it puts a ranked solve under review, with its words. Only receipts count, of which a batch has one
for all its moves, so a solve that comes whole, played without a connection, is measured from the start to its
receipt alone. Measured on made-up logs: benchmarks/fair.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from statistics import fmean, median, pstdev

from engine.geometry import BOX_OF, COL_OF
from webapp.game.evidence import score
from webapp.game.evidence.figures import Figures, figures
from webapp.game.evidence.habits import Habits
from webapp.game.evidence.score import WEIGHTS, Weight
from webapp.game.evidence.solve import Solve
from webapp.process.words import gettext as _

# Seconds a digit that even the fastest need to see and type, at levels 1 to 5. The fastest people of the logs
# took 1.1, 1.4, 1.9, 2.5 and 3.0.
FLOOR = (0.6, 0.7, 1.0, 1.2, 1.5)
# A beat: the waits differ by less than this share of their mean, and the longest tenth lasts less than so
# many times the middle one. Waits drawn evenly between 1 and 4 s have 0.35 and 1.5; 19 in 20 people have
# more than 0.55 and 2.6. Where the receipts of several moves fall together the beat must be stricter: the
# page sends every two seconds, so of people who type fast 2 in 100 come to 0.27 to 0.29.
BEAT_SPREAD, BEAT_SPREAD_MERGED = 0.36, 0.2
BEAT_LONGEST, BEAT_LONGEST_MERGED = 1.75, 1.6
MERGED = 0.6  # receipts a move, below which they count as merged
FEWEST_WAITS = 12
# Of people who play with a single switch, which a frame that moves at a beat leads over the board, 17 in 100
# would be doubted; none was faster than 1.9 times the expected time. So slow a program gains nothing.
SLOW = 1.5
# Share of the steps from one placing to the next that go on along one sweep of the board: 1 for a copied
# solution, and near it for people who go over the board in order, round after round. But these pass over
# what nothing calls for yet and turn back: their share of placings that nothing called for stays below the
# share of steps that turn back, and comes to 0.04 more, rarely 0.07, where they see lines through boxes too.
# A copied solution has 0.07 more at the least at the levels of the dailies, and 0.2 mostly.
SWEPT, UNASKED = 0.85, 0.06
# Typed from paper: a sweep over nearly all of the board, after a silence of half the time.
WHOLE, SILENCE = 0.8, 0.5
SHORTEST = 0.3  # of the expected time: whoever needs less has no paper
# The machine's time may be pulled right by a few seconds and 500 parts in a million; more is a step.
STEP, DRIFT = timedelta(seconds=5), 0.001


def too_fast(solve: Solve) -> bool:
    """Less time than it takes to see and type the digits."""
    return solve.elapsed.total_seconds() < FLOOR[solve.level - 1] * solve.givens.count(".")


def on_a_beat(solve: Solve) -> bool:
    """Waits that hardly differ, and none of them long."""
    if (solve.pace or 0.0) > SLOW:
        return False
    receipts = len({at for _move, at in solve.log})
    waits = sorted(solve.waits)
    merged = receipts < MERGED * len(solve.log)
    if (
        min(receipts, len(waits)) < FEWEST_WAITS
        or fmean(waits) == 0
        or pstdev(waits) / fmean(waits) >= (BEAT_SPREAD_MERGED if merged else BEAT_SPREAD)
    ):
        return False
    longest = fmean(waits[-max(1, len(waits) // 10) :])
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


def clock_stepped(solve: Solve) -> bool:
    """The machine's time was set during the solve, so its duration is unknown."""
    if solve.step is None:
        return False
    return abs(solve.step) > STEP + DRIFT * abs(solve.elapsed)


def from_paper(solve: Solve, of: Figures) -> bool:
    """Typed in one sweep, after a silence long enough to have solved the puzzle."""
    return (
        of.longest_run >= WHOLE * len(solve.order)
        and of.timing.silence >= SILENCE
        and (of.timing.pace is None or of.timing.pace >= SHORTEST)
    )


RULES: dict[str, Callable[[Solve], bool]] = {
    "floor": too_fast,
    "cadence": on_a_beat,
    "order": swept,
    "clock": clock_stepped,
}
PAPER = "paper"

# What each key says to the player, with those of rules that are no more.
_WORDS: dict[str, Callable[[], str]] = {
    "floor": lambda: _("The solve was faster than anyone can read and type the digits."),
    "cadence": lambda: _("The moves came at an unusually even pace."),
    "order": lambda: _("The cells were filled one after another, the way you’d copy a solution."),
    "clock": lambda: _("The server’s clock was adjusted during this game. That’s not the player’s fault."),
    PAPER: lambda: _("All digits were typed in one go after a long silence, as if from paper."),
    "leaps": lambda: _("Many digits came before the board gave a reason for them."),
    "wild": lambda: _("Some digits came where the board still left three or more to choose from."),
    "unmarked": lambda: _("Hard digits came without a single pencil mark, try or slip."),
    "quick": lambda: _("Hard digits came as quickly as easy ones."),
    "prompt": lambda: _("Hard digits came sooner than anyone can see that nothing easy is left."),
    "stalled": lambda: _("Even with nothing easy left, digits came as fast as elsewhere."),
    "stalled_once": lambda: _("Even with nothing easy left, one digit came as fast as elsewhere."),
    "scattered": lambda: _("The digits jumped around the board, with little to link one to the next."),
    "unlinked": lambda: _(
        "Across the latest ranked solves, digits jumped around the board, with little to link them."
    ),
    "searched": lambda: _(
        "Across the latest ranked solves, digits that are hard to find came about as fast as easy ones."
    ),
    "unhalted": lambda: _(
        "Across the latest ranked solves, digits came fast even where nothing easy was left."
    ),
    "easiest": lambda: _(
        "Across the latest ranked solves, the easiest digit nearly always came next, without marks or slips."
    ),
    "path": lambda: _("The digits came in our solver’s own order, without the pencil marks that it takes."),
    "pace": lambda: _("The solve took a small part of this puzzle’s expected time."),
    "own_pace": lambda: _("The solve was much faster than the player’s other recent solves."),
    "marks_fast": lambda: _("Pencil marks came faster than anyone can write them."),
    "marks_odd": lambda: _("Most pencil marks had nothing to do with the digits that followed."),
    "marks_posed": lambda: _("Most pencil marks came just before the digit of their own cell."),
    "alike": lambda: _("The digits came in the same order as in an earlier game of this puzzle."),
    "device": lambda: _("Another player on this device had started the same puzzle before."),
    "uncalled": lambda: _(
        "The solve was fast, and many digits came before the board gave a reason for them."
    ),
    "marks": lambda: _("This puzzle needs chains, but there were no pencil marks."),
}


@dataclass(frozen=True, slots=True)
class Judgment:
    """What is found of a solve."""

    doubts: list[str]  # the keys to store and to tell; none for a solve that counts
    shares: dict[str, float]  # how much of a doubt each figure is
    values: dict[str, float]  # the figures themselves
    habits: Habits | None = None  # to be weighed with later solves; None where they are not known


def judge(
    solve: Solve,
    alike: float = 0.0,
    *,
    shared: bool = False,
    compiled: bool = True,
    weights: Sequence[Weight] = WEIGHTS,
    earlier: Sequence[Habits] = (),
) -> Judgment:
    """Weigh a solve.

    alike: how near its order is to that of another game of the puzzle that began earlier, 0 to 1.
    shared: whether another player of the same device began the puzzle earlier.
    compiled: whether the engine's techniques are; else only the rules that need none of them are asked.
    weights: what each figure weighs on this site.
    earlier: what the player's latest solves showed.
    """
    if not compiled:
        return Judgment([key for key, doubts in RULES.items() if doubts(solve)], {}, {})
    found = figures(solve, alike, shared=shared, earlier=earlier)
    values = score.measured(found)
    weighed = score.shares(values, weights)
    broken = [key for key, doubts in RULES.items() if doubts(solve)]
    if from_paper(solve, found) and not {"floor", "clock"} & {*broken}:
        return Judgment([PAPER], weighed, values)
    doubts = dict.fromkeys([*broken, *score.doubted(weighed, solve.pace)])
    return Judgment(list(doubts), weighed, values, found.habits)


def words(key: str) -> str:
    """What a doubt says to the player; for a rule of which nothing is left, that there was one."""
    said = _WORDS.get(key)
    return said() if said is not None else _("A rule we no longer use flagged this solve.")
