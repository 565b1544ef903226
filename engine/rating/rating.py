"""Rating: the scores of all schemes in SCHEMES for one grid, its level, and the steps of its solution
path.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from ..arguments import bounded, number, one_of
from ..arguments import whole as whole_number
from ..given import Given
from ..grid import Grid
from ..kernels.state import LEFT
from ..position import Position
from ..search.bitboard import solution as solution_of
from ..techniques import TECHNIQUES
from ..techniques.entry import HARDEST_TIER
from ..techniques.keys import KEYS
from ..techniques.limits import MOST_SPENT
from ..text import puzzle_of
from ..uniqueness import verdict
from ..verdicts import Verdict
from . import explainer, hodoku, lines, weighted_rules
from .compiled_walk import LOG_KEY, LOG_PRICE, SOLVED
from .openings import FEW_RUNS, OPEN, openings
from .scheme import MOST_EFFORT, Scheme, Subject, image_of
from .steady import STEADY_TIER, time_of
from .walk import Order, OrderedTechnique, Walk

SCHEMES: Final[dict[str, Scheme]] = {
    scheme.key: scheme for module in (explainer, hodoku, weighted_rules, lines) for scheme in module.SCHEMES
}
"""Every scheme by the key of its score, in the order of `rate`'s results."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How hard a puzzle is. Without a unique solution it has only a verdict.

    Scores, counts and hardest come from the puzzle's own path, level and expected time from its canonical
    form if paths can differ: so hardest can be of another tier than level.

    >>> from engine import parse, rate
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> rating = rate(grid)
    >>> rating.level, rating.hardest, rating.scores["explainer"]
    (2, 'hidden_single', 1.5)
    """

    verdict: Verdict
    level: int | None = None  # 1..5: the least tier whose techniques solve it, 5 where none does
    scores: Mapping[str, float | None] = field(default_factory=dict)  # by scheme; None where it gave up
    counts: Mapping[str, int] = field(default_factory=dict)  # how often logic used each technique
    # The technique latest in TECHNIQUES that logic needed, or the Explainer's name for it (`hardest_of`).
    hardest: str | None = None
    expected_seconds: float | None = None  # what an average player takes
    expected_interval: tuple[float, float] | None = None  # seconds; four players' means of five lie in it
    openings: tuple[float, ...] = ()  # cells that a single fills, at each step, mean over a few orders
    gave_up: frozenset[str] = frozenset()  # schemes that exceeded a limit or ran out of techniques

    def members(self) -> dict[str, Any]:
        """Return the rating as JSON members."""
        return {
            "verdict": self.verdict.value,
            "level": self.level,
            "scores": dict(self.scores),
            "counts": dict(self.counts),
            "hardest": self.hardest,
            "expected_seconds": self.expected_seconds,
            "gave_up": sorted(self.gave_up),
        }

    def to_json(self) -> str:
        """Return the rating as JSON: verdict, level, scores, counts, hardest, expected_seconds, gave_up."""
        return json.dumps(self.members())

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks, one figure a row. Needs no escaping: all keys are ours."""
        rows: dict[str, object] = {"verdict": self.verdict.value, "level": self.level}
        rows |= {key: "gave up" if score is None else score for key, score in self.scores.items()}
        rows["hardest"] = self.hardest
        if self.expected_seconds is not None:
            rows["expected_seconds"] = f"{self.expected_seconds:.0f}"
        if self.expected_interval is not None:
            rows["expected_interval"] = "{:.0f} to {:.0f}".format(*self.expected_interval)
        rows |= self.counts
        cells = (
            f'<tr><th scope="row">{key}</th><td>{shown}</td></tr>'
            for key, shown in rows.items()
            if shown is not None
        )
        return f"<table>{''.join(cells)}</table>"


EFFORT_OF_SECOND: Final = 5_000  # with a margin for uncounted work

# Logic finds some of the Explainer's chains as others that come before them.
NETS: Final = frozenset({"forcing_chain_contradiction", "forcing_chain_verity"})
BEHIND_NETS: Final = frozenset({"nishio", "cell_forcing_chain"})


def hardest_of(logic: Walk, explained: Walk) -> str | None:
    """The hardest technique of logic's path; of NETS, the Explainer's costliest if that alone is behind them.

    None where logic does not solve the puzzle.
    """
    if logic.end != SOLVED or not len(logic.log):
        return None
    key = KEYS[int(logic.log[:, LOG_KEY].max())]
    if key not in NETS or explained.end != SOLVED:
        return key
    prices = explained.log[:, LOG_PRICE]
    costliest = {KEYS[number] for number in explained.log[prices == prices.max(), LOG_KEY].tolist()}
    only = costliest.pop() if len(costliest) == 1 else key
    return only if only in BEHIND_NETS else key


@cache
def logic_order(tier: int = HARDEST_TIER, uniqueness: bool = True, effort: int = MOST_SPENT) -> Order:
    """Return the order of TECHNIQUES up to a tier, as hints use it. The price of a step is its tier.

    uniqueness: whether to include techniques that assume a unique solution.
    effort: the limit of nested chains.
    """
    asked = [
        each
        for each in TECHNIQUES.values()
        if not each.on_request
        and not each.found_by
        and each.tier_of(0) <= tier
        and (uniqueness or not each.needs_unique)
    ]
    # Of all, since a search under one key finds others too.
    prices = {each.key: (each.tier_of(0), each.tier - each.tier_of(0)) for each in TECHNIQUES.values()}
    entries = (
        OrderedTechnique(
            each.key,
            each.on_path("logic") | ({"bound": effort} if each.key == "nested_forcing_chain" else {}),
        )
        for each in asked
    )
    return Order(entries, prices, passing=True)


def level_of(position: Position, most: int = HARDEST_TIER - 1) -> int:
    """Return the lowest tier whose techniques solve a position with one solution; `most` + 1 if it is higher.

    A step is taken only if no lower tier has one, so the result is the highest tier of the path. Above
    STEADY_TIER the path goes through the canonical form, if the position is a puzzle, so that its equivalents
    share it.
    """
    low = min(most, STEADY_TIER)
    level = _level(logic_order(low).walk(position), low + 1)
    if most <= low or level <= low:
        return level
    image = image_of(position)
    return _level(logic_order(most).walk(image.start if image else position), most + 1)


def _level(walk: Walk, unsolved: int) -> int:
    return max(walk.log[:, LOG_PRICE].tolist(), default=1) if walk.end == SOLVED else unsolved


def rate(
    puzzle: Given,
    *,
    schemes: str | Iterable[str] = "default",
    explainer_set: str = "default",
    effort: int = MOST_SPENT,
    seconds: float | None = None,
) -> Rating:
    """Return the rating of a puzzle, or of the rest of it from a position.

    A position whose printed digits have one solution is rated with its placed digits and struck candidates;
    its verdict is NONE if that contradicts the solution. If they have several, it is a Sukaku: the candidates
    are the puzzle. Only whole puzzles of printed digits have an expected time.

    schemes: 'default'; 'all' to include HoDoKu's and those that count a plain search; or some keys, then only
    their scores are computed.
    explainer_set: the technique set of the explainer scheme, one of explainer.SETS.
    effort: the limit of the Explainer's nested chains, those above ER 9.5, on the whole path, in about tenths
    of a
    millisecond: 2 for each search of chains under an assumption, 4 if they have several branches, 10 if they
    are dynamic. A search is only made if something has arisen. Past the limit the scheme gives up. The path
    of the canonical form, for the expected time, may cost as much again, and the solution path as much as the
    default. The effort counts searches, not time, so a puzzle has the same result on every machine.
    seconds: instead of an effort, an approximate time: it is converted to an effort that a current core
    completes in that time, so the result is the same on every machine, too. ArgumentError, a ValueError, for
    another name or an effort out of range.

    >>> from engine import parse, rate
    >>> grid = parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    >>> rate(grid, schemes=["step_score"]).scores
    {'step_score': 212}
    """
    puzzle = puzzle_of("puzzle", puzzle)
    one_of("explainer_set", explainer_set, explainer.SETS)
    keys = keys_of(schemes)
    effort = whole_number("effort", effort, 1, MOST_EFFORT)
    if seconds is not None:
        effort = max(1, int(number("seconds", seconds, 0, MOST_EFFORT / EFFORT_OF_SECOND) * EFFORT_OF_SECOND))
    orders = 2 if isinstance(schemes, str) else len({SCHEMES[key].order for key in keys})
    subject = Subject(puzzle, explainer_set, effort, orders=orders)
    found = _judged(subject.position, printed=isinstance(puzzle, Grid))
    if found is not Verdict.UNIQUE:
        return Rating(found)
    of_digits = subject.position.unique
    scores = {key: SCHEMES[key].score(subject) for key in keys if of_digits or SCHEMES[key].of_candidates}
    gave_up = frozenset(key for key, value in scores.items() if value is None)
    if not isinstance(schemes, str):
        return Rating(found, scores=scores, gave_up=gave_up)
    return _by_logic(subject, scores, gave_up)


def keys_of(schemes: object) -> list[str]:
    """Return the schemes that `rate`'s argument requests, in the order of SCHEMES."""
    if isinstance(schemes, str):
        one_of("schemes", schemes, ("default", "all"))
        return [key for key, scheme in SCHEMES.items() if scheme.by_default or schemes == "all"]
    wanted = bounded("schemes", schemes, len(SCHEMES))
    for key in wanted:
        one_of("schemes", key, SCHEMES)
    return [key for key in SCHEMES if key in wanted]


def _judged(position: Position, *, printed: bool) -> Verdict:
    """Return the verdict on a position. printed: it has all that its printed digits allow, so nothing is
    wrong.
    """
    found = position.verdict
    if found is Verdict.MULTIPLE:
        return verdict(position)
    if found is Verdict.UNIQUE and not printed and position.wrong():
        return Verdict.NONE
    return found


def _by_logic(subject: Subject, scores: Mapping[str, float | None], gave_up: frozenset[str]) -> Rating:
    """Return the rating with the results of the solution path and of the openings."""
    position = subject.position
    order = explainer.order("default", subject.effort)
    ranked = explainer.rating_of(subject.walk(order))
    logic = logic_order(uniqueness=position.unique, effort=min(subject.effort, MOST_SPENT))
    steps = subject.walk(logic, after=order)
    level = _level(steps, HARDEST_TIER)
    image = subject.image
    if image is not None:
        time, seen = time_of(image, None if ranked is None else ranked.rating, order, subject.memo)
        if level > STEADY_TIER:
            level = _level(
                logic_order(HARDEST_TIER - 1).walk(image.start, subject.memo, image.origin), HARDEST_TIER
            )
    else:
        solution = position.solution or solution_of(position)
        assert solution is not None
        time, seen = None, openings(position.array, solution.array(), FEW_RUNS)
    uses = steps.uses()
    return Rating(
        verdict=Verdict.UNIQUE,
        level=level,
        scores=scores,
        counts={KEYS[number]: count for number, count in sorted(uses.items())},
        hardest=hardest_of(steps, subject.walk(order)),
        expected_seconds=time.seconds if time else None,
        expected_interval=(time.low, time.high) if time else None,
        openings=tuple(seen[: position._state[LEFT], OPEN].round(1).tolist()),
        gave_up=gave_up,
    )
