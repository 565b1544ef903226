"""Rating: the scores of all schemes in SCHEMES for one grid, its level, and the steps that logic needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from engine.arguments import bounded, instance, one_of
from engine.arguments import whole as whole_number
from engine.grid import Grid
from engine.kernels.state import LEFT
from engine.position import Position
from engine.rating import explainer
from engine.rating.openings import FEW_RUNS, OPEN, openings
from engine.rating.scheme import MOST_EFFORT, Subject
from engine.rating.schemes import SCHEMES
from engine.rating.steady import STEADY_TIER, image_of, time_of
from engine.rating.walk import LOG_PRICE, SOLVED, Order, OrderedTechnique, Walk
from engine.search.bitboard import solution as solution_of
from engine.techniques import TECHNIQUES
from engine.techniques.entry import HARDEST_TIER
from engine.techniques.keys import KEYS
from engine.techniques.limits import MOST_SPENT
from engine.verdict import Verdict, verdict


@dataclass(frozen=True, slots=True)
class Rating:
    """How hard a puzzle is. Without a single solution there is only its verdict.

    Scores, counts and hardest are of the puzzle's own path, level and expected time of its canonical form
    where paths can differ: so hardest can be of another tier than level.
    """

    verdict: Verdict
    level: int | None = None  # 1..5: the least tier whose techniques solve it, 5 where none does
    scores: Mapping[str, float | None] = field(default_factory=dict)  # by scheme; None where it gave up
    counts: Mapping[str, int] = field(default_factory=dict)  # how often logic used each technique
    hardest: str | None = None  # the technique latest in TECHNIQUES that logic needed
    expected_seconds: float | None = None  # what an average player takes
    expected_interval: tuple[float, float] | None = None  # seconds; four players' means of five lie in it
    openings: tuple[float, ...] = ()  # cells that a single fills, at each step, mean over a few orders
    gave_up: frozenset[str] = frozenset()  # schemes that went past a bound or ran out of techniques

    def _repr_html_(self) -> str:
        """The table in a notebook: what is known, one figure a row. Safe as it is: all keys are ours."""
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


@cache
def logic_order(tier: int = HARDEST_TIER, uniqueness: bool = True) -> Order:
    """The order of TECHNIQUES up to a tier, as hints use it. The price of a step is its tier.

    uniqueness: whether techniques that take one solution of the printed digits for granted are among them.
    """
    asked = [
        each
        for each in TECHNIQUES.values()
        if not each.on_request
        and not each.found_by
        and each.tier_of(0) <= tier
        and (uniqueness or not each.needs_unique)
    ]
    # Of all, since a search asked under one key finds others too.
    prices = {each.key: (each.tier_of(0), each.tier - each.tier_of(0)) for each in TECHNIQUES.values()}
    entries = (OrderedTechnique(each.key, each.on_path("logic")) for each in asked)
    return Order(entries, prices, passing=True)


def level_of(position: Position, most: int = HARDEST_TIER - 1) -> int:
    """The least tier whose techniques solve a position with one solution; `most` + 1 where it is above that.

    A step is taken only where no lower tier has one, so it is the highest tier of the path: above STEADY_TIER
    of that through the canonical form, where the position is a puzzle, so that its equivalents share it.
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
    puzzle: Grid | Position,
    *,
    schemes: str | Iterable[str] = "default",
    explainer_set: str = "default",
    effort: int = MOST_SPENT,
) -> Rating:
    """The rating of a puzzle, or of what is left of it in a position.

    A position whose printed digits have one solution is rated with what is placed and struck; its verdict is
    NONE where that contradicts the solution. If they have several, it is a Sukaku: the candidates are the
    puzzle. An expected time is told of whole puzzles of printed digits only.

    schemes: 'default'; 'all' for those of SCHEMES too that count a plain search; or the keys of some, then
    nothing but their scores is computed.
    explainer_set: the technique set of the explainer scheme, one of explainer.SETS.
    effort: the most that the Explainer's nested chains, those above ER 9.5, may cost on the whole path, in
    about tenths of a millisecond: 2 for each search of chains under an assumption, 4 where they have several
    branches, 10 where they are dynamic. A search is made only where something has arisen. Past it the scheme
    gives up. The path of the canonical form, for the expected time, may cost as much again, and the path of
    logic as much as the default. It counts searches, not time, so a puzzle has one answer on every machine.
    ArgumentError, a ValueError, for another name or an effort out of range.
    """
    instance("puzzle", puzzle, Grid, Position)
    one_of("explainer_set", explainer_set, explainer.SETS)
    keys = keys_of(schemes)
    effort = whole_number("effort", effort, 1, MOST_EFFORT)
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
    """The schemes that the argument `schemes` of `rate` asks for, in the order of SCHEMES."""
    if isinstance(schemes, str):
        one_of("schemes", schemes, ("default", "all"))
        return [key for key, scheme in SCHEMES.items() if scheme.by_default or schemes == "all"]
    wanted = bounded("schemes", schemes, len(SCHEMES))
    for key in wanted:
        one_of("schemes", key, SCHEMES)
    return [key for key in SCHEMES if key in wanted]


def _judged(position: Position, *, printed: bool) -> Verdict:
    """The verdict on a position.  printed: it holds all that its printed digits leave, so none is wrong."""
    found = position.verdict
    if found is Verdict.MULTIPLE:
        return verdict(position)
    if found is Verdict.UNIQUE and not printed and position.wrong():
        return Verdict.NONE
    return found


def _by_logic(subject: Subject, scores: Mapping[str, float | None], gave_up: frozenset[str]) -> Rating:
    """The rating with what comes of the path of logic and of the openings."""
    position = subject.position
    order = explainer.order("default", subject.effort)
    ranked = explainer.rating_of(subject.walk(order))
    steps = subject.walk(logic_order(uniqueness=position.unique), after=order)
    level = _level(steps, HARDEST_TIER)
    image = image_of(position)
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
        hardest=KEYS[max(uses)] if uses and steps.end == SOLVED else None,
        expected_seconds=time.seconds if time else None,
        expected_interval=(time.low, time.high) if time else None,
        openings=tuple(seen[: position._state[LEFT], OPEN].round(1).tolist()),
        gave_up=gave_up,
    )
