"""What a player's solves show together: chance that hides in one evens out over twenty.

Each solve shifts the odds between a person and a program a little, as in a sequential test (A. Wald,
Sequential Tests of Statistical Hypotheses, 1945): a figure that is normal for both, with means m and n and a
spread of s, by (m - n) / s² times how far it lies beyond the middle of the means, in ln odds. The means are
those of programs in the made-up logs, and of the people who come nearest to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import log, sqrt
from statistics import StatisticsError, correlation
from typing import Any

from webapp.game.evidence.leaps import LAST, Leaps
from webapp.game.evidence.order import Choice, togetherness
from webapp.game.evidence.solve import Solve

SPAN = 20  # solves, with the one at hand
FEWEST = 5  # of which something must be known
FEWEST_WAITS = 8
HASTE = 0.05  # seconds, the least that is told apart
TRIED = 2  # wrong digits that stay: whoever tries digits out waits for other reasons
PLAIN = 0.9  # of the solves


@dataclass(frozen=True, slots=True)
class Habits:
    """What a solve shows of how its player plays; the defaults where that is not known."""

    searched: float | None = None  # how much longer singles took the harder to find: standard deviations
    linked: float | None = None  # how much more often than by chance the next one was near, likewise
    stopped: float | None = None  # ln of the shortest wait where no single was left, over those at singles
    choices: int = 0  # singles that were placed while easier or harder ones lay open
    harder: int = 0  # of these, while easier ones did
    plain: bool = False  # whether nothing was marked and no digit was wrong

    def stored(self) -> dict[str, Any]:
        """What is kept with the solve."""
        found = asdict(self).items()
        return {name: round(value, 3) if isinstance(value, float) else value for name, value in found}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Habits:
        """What was kept, by this version of Ninefold or another."""
        return cls(**{each.name: stored[each.name] for each in fields(cls) if each.name in stored})


def habits(solve: Solve, choices: Sequence[Choice], of: Leaps) -> Habits:
    """Measure one solve."""
    open_to_choice = [choice for choice in choices if len({*choice.open.values()}) > 1]
    tries_out = of.tried >= TRIED
    return Habits(
        None if tries_out else _searched(solve, choices),
        None if tries_out else togetherness(choices),
        None if tries_out or not of.shortest else log(of.shortest),
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
    return _odds([each.searched for each in latest], middle=0.5)


def unlinked(latest: Iterable[Habits]) -> float | None:
    """How much their orders do, with little to link one digit to the next: ln odds; None for few solves."""
    return _odds([each.linked for each in latest], middle=1.4)


def unstopped(latest: Iterable[Habits]) -> float | None:
    """How much it does that they went on where no single was left: ln odds; None for few solves.

    A single wait may be short by a lost connection or a guess, so no solve counts much. The middle lies near
    programs, which wait as at singles: an expert sees what a locked candidate leads to in twice that time.
    """
    stops = [None if each.stopped is None else min(max(each.stopped, 0.0), 1.7) for each in latest]
    return _odds(stops, middle=0.6, slope=2.5)


def _odds(figures: Iterable[float | None], middle: float, slope: float = 1.0) -> float | None:
    known = [figure for figure in figures if figure is not None]
    return slope * sum(middle - figure for figure in known) if len(known) >= FEWEST else None


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
