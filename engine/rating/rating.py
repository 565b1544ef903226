"""Rating: the scores of all schemes in SCHEMES for one grid, its level, and the steps that logic needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from engine.grid import Grid
from engine.position import Position
from engine.rating import explainer
from engine.rating.expected_time import expected_time
from engine.rating.openings import FEW_RUNS, OPEN, RUNS, openings
from engine.rating.scheme import Subject
from engine.rating.schemes import SCHEMES
from engine.rating.time_model import TREND_FROM
from engine.rating.walk import LOG_KEY, LOG_PRICE, SOLVED, Order, OrderedTechnique, Walk
from engine.techniques import TECHNIQUES
from engine.techniques.entry import HARDEST_TIER
from engine.techniques.keys import KEYS
from engine.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Rating:
    """How hard a grid is. Without a single solution there is only its verdict."""

    verdict: Verdict
    level: int | None = None  # 1..5: the least tier whose techniques solve it, 5 where none does
    scores: Mapping[str, float | None] = field(default_factory=dict)  # by scheme; None where it gave up
    counts: Mapping[str, int] = field(default_factory=dict)  # how often logic used each technique
    hardest: str | None = None  # the technique latest in TECHNIQUES that logic needed
    expected_seconds: float | None = None  # what an average player takes
    expected_interval: tuple[float, float] | None = None  # seconds; four players' means of five lie in it
    openings: tuple[float, ...] = ()  # cells that a single fills, at each step, mean over a few orders
    gave_up: frozenset[str] = frozenset()  # schemes that went past a bound or ran out of techniques


@cache
def logic_order(tier: int = HARDEST_TIER) -> Order:
    """The order of TECHNIQUES up to a tier, as hints use it. The price of a step is its tier."""
    asked = [
        each
        for each in TECHNIQUES.values()
        if not each.on_request and not each.found_by and each.tier_of(0) <= tier
    ]
    prices = {each.key: (each.tier_of(0), each.tier - each.tier_of(0)) for each in asked}
    return Order((OrderedTechnique(each.key, each.on_path("logic")) for each in asked), prices)


def level_of(position: Position, most: int = HARDEST_TIER - 1) -> int:
    """The least tier whose techniques solve a position with one solution; `most` + 1 where it is above that.

    A step is taken only where no lower tier has one, so it is the highest tier of the path.
    """
    return _level(logic_order(most).walk(position), most + 1)


def _level(walk: Walk, unsolved: int) -> int:
    return int(walk.log[:, LOG_PRICE].max(initial=1)) if walk.end == SOLVED else unsolved


def rate(grid: Grid, *, schemes: str = "default", explainer_set: str = "default") -> Rating:
    """The rating of a grid.

    schemes: 'default', or 'all' for those of SCHEMES too that count a plain search.
    explainer_set: the technique set of the explainer scheme, one of explainer.SETS. ValueError for another
    name.
    """
    if schemes not in ("default", "all"):
        raise ValueError(f"expected schemes 'default' or 'all', found {schemes!r}")
    if explainer_set not in explainer.SETS:
        raise ValueError(f"expected one of {', '.join(explainer.SETS)}, found {explainer_set!r}")
    subject = Subject(grid, explainer_set)
    position = subject.position
    if not position.unique:
        return Rating(position.verdict)
    walk = subject.walk(explainer.order("default"))
    ranked = explainer.rating_of(walk)
    scores = {
        scheme.key: scheme.score(subject)
        for scheme in SCHEMES.values()
        if scheme.by_default or schemes == "all"
    }
    solution = position.solution
    assert solution is not None  # position.unique says so
    beyond = ranked is None or ranked.rating > TREND_FROM  # no expected time is read from the openings
    seen = openings(position.array, solution.array(), FEW_RUNS if beyond else RUNS)
    time = expected_time(ranked.rating, seen) if ranked else None
    steps = subject.walk(logic_order())
    numbers = steps.log[:, LOG_KEY].tolist()
    return Rating(
        verdict=Verdict.UNIQUE,
        level=_level(steps, HARDEST_TIER),
        scores=scores,
        counts={KEYS[number]: count for number, count in sorted(Counter(numbers).items())},
        hardest=KEYS[max(numbers)] if numbers and steps.end == SOLVED else None,
        expected_seconds=time.seconds if time else None,
        expected_interval=(time.low, time.high) if time else None,
        openings=tuple(round(value, 1) for value in seen[: 81 - grid.givens, OPEN].tolist()),
        gave_up=frozenset(key for key, value in scores.items() if value is None),
    )
