"""The six rules of fair play. Each tests the log of a solve for one property and explains it in a sentence.

A rule that matches puts the solve under review; a curator decides, and the player reads the same sentence.
Speed alone never does. The thresholds leave a margin around simulated honest players (`make bench NAME=fair`,
docs/fair-play/players.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from webapp.game.fair_play.solve import Solve, Source
from webapp.process.words import gettext as _

TYPING = 0.4  # seconds per digit: the best typists need as long without looking at the board
# Share of steps that take the next cell of a sweep: 1 for a typed solution, whose digits the board doesn't
# all imply.
SWEPT, UNTOLD = 0.7, 0.05
# Digits that nothing implied while easy ones were available. They count one more if there were many
# alternatives, and if very many digits were easy. Wrong digits are subtracted: players who guess make
# mistakes.
EARLY, EASY_OPEN, MANY_OPEN, LAST = 4, 6, 15, 14
STEP, DRIFT = timedelta(seconds=5), 0.001  # the largest clock correction that isn't suspicious
# Share of the time, and of the expected time: a faster solve was hardly done on paper
SILENCE, SHORTEST = 0.5, 0.3


def faster_than_typing(solve: Solve) -> bool:
    return solve.elapsed.total_seconds() < TYPING * len(solve.order)


def typed(solve: Solve) -> bool:
    """Whether most steps take the next empty cell of a sweep, in either direction, implied or not."""
    untold = sum(step.source is not Source.SINGLE for step in solve.steps)
    return solve.onward > SWEPT and untold >= UNTOLD * len(solve.order)


def early(solve: Solve) -> bool:
    counted = [
        step
        for step in solve.steps[:-LAST]
        if step.source in (Source.OPEN, Source.WIDE) and len(step.singles) >= EASY_OPEN
    ]
    weight = sum(1 + (step.source is Source.WIDE) + (len(step.singles) >= MANY_OPEN) for step in counted)
    return weight - solve.wrong >= EARLY


def clock_set(solve: Solve) -> bool:
    return solve.step is not None and abs(solve.step) > STEP + DRIFT * abs(solve.elapsed)


def from_paper(solve: Solve) -> bool:
    times = list(solve.placings.values())
    silence = (times[0] - solve.started_at) / solve.elapsed if times and solve.elapsed else 0.0
    return silence >= SILENCE and (solve.pace is None or solve.pace >= SHORTEST) and typed(solve)


@dataclass(frozen=True, slots=True)
class Rule:
    """A test of a solve."""

    words: Callable[[], str]  # why the solve is under review, for the player and the curator
    doubts: Callable[[Solve], bool] = lambda _solve: False


# Found by comparing games; not under review, but the solve has no rank
ALIKE, PAPER = "alike", "paper"
RULES = {
    "hand": Rule(lambda: _("The digits came faster than a hand can type them."), faster_than_typing),
    "order": Rule(lambda: _("The cells were filled in a fixed order, the way you’d copy a list."), typed),
    "early": Rule(lambda: _("Many digits came before the board showed why they fit."), early),
    ALIKE: Rule(lambda: _("The digits came in the same order as in an earlier game of this puzzle.")),
    "clock": Rule(
        lambda: _("The server’s clock was adjusted during this game. That’s not the player’s fault."),
        clock_set,
    ),
    PAPER: Rule(lambda: _("All digits were typed in one go after a long silence, as if from paper.")),
}


def doubts(solve: Solve, *, copy: bool = False) -> list[str]:
    """Return the keys of the rules that match a solve; only `PAPER` for one typed as if from paper.

    copy: whether an earlier game of the puzzle has the same order.
    """
    found = [key for key, rule in RULES.items() if rule.doubts(solve)]
    if not {"hand", "clock"} & {*found} and from_paper(solve):
        return [PAPER]
    return [*found, ALIKE] if copy else found


def under_review(found: Sequence[str]) -> bool:
    """Return whether a curator must decide; a solve typed as if from paper has no rank."""
    return bool(found) and [*found] != [PAPER]


def words(key: str) -> str:
    """Explain a rule's match to the player; for a removed rule, only that there was one."""
    rule = RULES.get(key)
    return rule.words() if rule is not None else _("A rule we no longer use flagged this solve.")
