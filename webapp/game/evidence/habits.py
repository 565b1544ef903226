"""What a player's solves show together: chance that hides in one evens out over twenty.

Each solve that is looked at shifts the odds between a person and a program a little, as in a sequential test
(A. Wald, Sequential Tests of Statistical Hypotheses, 1945): of two normal figures with a spread of one and
means of m and n, by (m - n) times what lies beyond the middle between them. Both means are people's and
programs' of the made-up logs, a little less than one apart, so that the factor is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import StatisticsError, correlation

from webapp.game.evidence.leaps import LAST, Leaps
from webapp.game.evidence.order import Choice, togetherness
from webapp.game.evidence.solve import Solve

SPAN = 20  # solves, with the one at hand
FEWEST = 5  # of which something must be known
FEWEST_WAITS = 8
HASTE = 0.05  # seconds, the least that is told apart
TRIED = 2  # wrong digits that stay: whoever tries digits out waits for other reasons
# Halfway from programs to the people of a kind who show least of it.
SEARCHED, LINKED = 0.5, 1.4
PLAIN = 0.9  # of the solves


@dataclass(frozen=True, slots=True)
class Habits:
    """What a solve shows of how its player plays."""

    searched: float | None  # how much longer singles took the harder they were to find: standard deviations
    linked: float | None  # how much more often than by chance the next one was near, likewise
    choices: int  # singles that were placed while easier or harder ones lay open
    harder: int  # of these, while easier ones did
    plain: bool  # whether nothing was marked and no digit was wrong


def habits(solve: Solve, choices: Sequence[Choice], of: Leaps) -> Habits:
    """Measure one solve."""
    open_to_choice = [choice for choice in choices if len({*choice.open.values()}) > 1]
    return Habits(
        None if of.tried >= TRIED else _searched(solve, choices),
        None if of.tried >= TRIED else togetherness(choices),
        len(open_to_choice),
        sum(choice.open[choice.cell] > min(choice.open.values()) for choice in open_to_choice),
        not (solve.marks or of.tried or of.slips),
    )


def _searched(solve: Solve, choices: Sequence[Choice]) -> float | None:
    """The correlation of waits with how hard the single was to see, and how few lay open, over its own error.

    Of digits that came alone, before the last ones, which everybody sees at once.
    """
    together, last = Counter(solve.came.values()), {*solve.order[-LAST:]}
    found = [choice for choice in choices if choice.cell not in last and not solve.caught_up(choice.cell)]
    alone = [choice for choice in found if together[solve.came[choice.cell]] == 1]
    if len(alone) < FEWEST_WAITS:
        return None
    waits = [log(max(solve.thoughts[choice.cell], HASTE)) for choice in alone]
    efforts = [log(choice.open[choice.cell] / len(choice.open)) for choice in alone]
    try:
        return correlation(waits, efforts) * sqrt(len(alone) - 1)
    except StatisticsError:  # all the same
        return None


def unsearched(latest: Iterable[Habits]) -> float | None:
    """How much the waits of these solves speak for knowing the digits: ln odds; None for few solves."""
    return _odds([each.searched for each in latest], SEARCHED)


def unlinked(latest: Iterable[Habits]) -> float | None:
    """How much their orders do, with little to link one digit to the next: ln odds; None for few solves."""
    return _odds([each.linked for each in latest], LINKED)


def _odds(figures: Iterable[float | None], middle: float) -> float | None:
    known = [figure for figure in figures if figure is not None]
    return sum(middle - figure for figure in known) if len(known) >= FEWEST else None


def harder_first(latest: Sequence[Habits]) -> float | None:
    """How often a single was placed while an easier one lay open, of solves without marks or wrong digits.

    None for few solves, and where more than one in ten has some: nobody always sees the easiest first, but
    an expert who notes and errs like others comes near it.
    """
    choices = sum(each.choices for each in latest)
    plain = sum(each.plain for each in latest)
    if len(latest) < FEWEST or plain < PLAIN * len(latest) or not choices:
        return None
    return sum(each.harder for each in latest) / choices
