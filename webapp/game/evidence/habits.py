"""What a player's solves show together: chance that hides in one evens out over twenty.

Whether waits grow where digits are harder to find is a regression over all of them, and what counts is the
most that the growth can be, so that solves in which little could differ say little. Two other figures are
scores as in a sequential test (A. Wald, Sequential Tests of Statistical Hypotheses, 1945): each solve adds
how far it lies beyond the middle between people and programs, and none adds much. As the test is repeated
with every solve, its error rates don't hold; those of made-up players are in benchmarks/fair.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import log, sqrt
from statistics import fmean
from typing import Any

from webapp.game.evidence.leaps import LAST, Leaps
from webapp.game.evidence.order import Choice, togetherness
from webapp.game.evidence.solve import MOMENT, Solve

SPAN = 20  # solves, with the one at hand
FEWEST = 5  # of which something must be known
FEWEST_WAITS, FEWEST_CHOICES = 60, 100
SURE = 3.0  # standard errors
SHORT = 0.5  # seconds beyond the hand's own time, below which waits are hardly told apart
TRIED = 2  # wrong digits that stay: whoever tries digits out waits for other reasons
NOTED = 0.5  # of the empty cells: whoever notes all candidates looks at these, not at the digits
PLAIN = 0.9  # of the solves
MOST = 1.5  # that a solve adds to a score, or takes off


@dataclass(frozen=True, slots=True)
class Habits:
    """What a solve shows of how its player plays; the defaults where that is not known.

    Kept with ranked solves: what changes its meaning needs another name.
    """

    waits: int = 0  # before singles that came alone
    efforts: float = 0.0  # squares of how hard these were to find, ln, about their mean: their sum
    grown: float = 0.0  # products of these and of the waits, ln seconds, likewise
    varied: float = 0.0  # squares of the waits, likewise
    linked: float | None = None  # how much more often than by chance the next single was near
    halted: float | None = None  # ln of the shortest wait at a hard digit, over those at singles
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
    looks = not tries_out and of.weighed <= NOTED * len(solve.order)
    # At level 1 all singles are in boxes: who goes over box by box finds each as soon as the others.
    asked = looks and solve.level > 1
    waits, efforts, grown, varied = _searched(solve, choices) if asked else (0, 0.0, 0.0, 0.0)
    return Habits(
        waits,
        efforts,
        grown,
        varied,
        togetherness(choices) if looks else None,
        None if tries_out or not of.halted else log(of.halted),
        len(open_to_choice),
        sum(choice.open[choice.cell] > min(choice.open.values()) for choice in open_to_choice),
        not (solve.marks or of.tried or of.slips),
    )


def _searched(solve: Solve, choices: Sequence[Choice]) -> tuple[int, float, float, float]:
    """How many waits there are, and the sums of squares and products of efforts and waits.

    The effort of a single is how hard it is to see, over how many lie open. Only digits that came alone
    count, before the last ones, which everybody sees at once, and of their waits what is beyond the fastest
    tenth: the time of the hand, which may be long.
    """
    thoughts, apart = solve.thoughts, MOMENT.total_seconds()
    own = {cell: wait for cell, wait in thoughts.items() if wait > apart and not solve.caught_up(cell)}
    together, last = Counter(solve.came.values()), {*solve.order[-LAST:]}
    found = [
        choice
        for choice in choices
        if choice.cell in own and choice.cell not in last and together[solve.came[choice.cell]] == 1
    ]
    if not found:
        return 0, 0.0, 0.0, 0.0
    hand = sorted(own.values())[len(own) // 10]
    waits = _about_mean([log(max(own[choice.cell] - hand, 0.0) + SHORT) for choice in found])
    efforts = _about_mean([log(choice.open[choice.cell] / len(choice.open)) for choice in found])
    return len(found), _products(efforts, efforts), _products(efforts, waits), _products(waits, waits)


def _about_mean(values: Sequence[float]) -> list[float]:
    mean = fmean(values)
    return [value - mean for value in values]


def _products(left: Iterable[float], right: Iterable[float]) -> float:
    return sum(one * other for one, other in zip(left, right, strict=True))


def searched(latest: Iterable[Habits]) -> float | None:
    """The most that waits can have grown with the effort of finding: ln seconds by ln effort.

    The slope of a regression within each solve, and SURE standard errors. None for few solves or waits.
    """
    known = [each for each in latest if each.waits]
    waits, efforts = sum(each.waits for each in known), sum(each.efforts for each in known)
    if len(known) < FEWEST or waits < FEWEST_WAITS or not efforts:
        return None
    grown, varied = sum(each.grown for each in known), sum(each.varied for each in known)
    slope = grown / efforts
    rest = max(varied - slope * grown, 0.0) / (waits - len(known) - 1)
    return slope + SURE * sqrt(rest / efforts)


def unlinked(latest: Iterable[Habits]) -> float | None:
    """How much the orders speak for picking digits anywhere; None for few solves."""
    return _score([None if each.linked is None else 1.4 - each.linked for each in latest])


def unhalted(latest: Iterable[Habits]) -> float | None:
    """How much the waits at hard digits, to which nothing easy and no mark led, speak for having them ready.

    None for few solves. A single wait may be short by a guess.
    """
    return _score([None if each.halted is None else 2.5 * (0.6 - each.halted) for each in latest])


def _score(beyond: Iterable[float | None]) -> float | None:
    known = [min(max(each, -MOST), MOST) for each in beyond if each is not None]
    return sum(known) if len(known) >= FEWEST else None


def harder_first(latest: Sequence[Habits]) -> float | None:
    """How often a single was placed while an easier one lay open, of solves without marks or wrong digits.

    None for few choices, and where more than one solve in ten has some: nobody always sees the easiest first,
    but an expert who notes and errs like others comes near it.
    """
    choices = sum(each.choices for each in latest)
    plain = sum(each.plain for each in latest)
    if len(latest) < FEWEST or plain < PLAIN * len(latest) or choices < FEWEST_CHOICES:
        return None
    return sum(each.harder for each in latest) / choices
