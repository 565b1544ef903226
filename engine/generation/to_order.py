"""Aim at a level, an ER, a time or a technique, instead of generating puzzles until one happens to match.

The cells emptied on the way from a solved grid to a dug puzzle form a chain: each of its puzzles has one
solution, and is nearly always at least as hard as the one before. So the point where a chain enters the
target range is found by bisection, with about six ratings of mostly easy puzzles. A chain that skips the
range, or ends before it, is a near miss: then a few givens are put back and the rest is dug again.

Digging keeps the method's order of cells and its limits on lines. Givens that were put back are tried again,
after all others. No published system refills a cell, so puzzles changed here have the method `TO_ORDER`.

Hardly any chain reaches an ER above 9. For those, givens are exchanged for others, and the solution with
them, as long as a plain search needs as many nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, partial
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..errors import NearestPuzzle, OutOfTime, RecipeError
from ..given import parse
from ..grid import Grid
from ..kernels import bitboard, digging, harder
from ..kernels.rng import below, shuffle
from ..position import Position
from ..rating import explainer
from ..rating.compiled_walk import LOG_KEY, SOLVED
from ..rating.rating import BEHIND_NETS, NETS, hardest_of, level_of, logic_order, rate
from ..rating.scheme import image_of
from ..rating.steady import time_of
from ..rating.walk import Order
from ..techniques.entry import HARDEST_TIER
from ..techniques.keys import KEYS, NUMBER
from .dig import Order as DigOrder
from .dig import drawn_groups, groups_of
from .recipe import Plan, Recipe
from .symmetry import Symmetry
from .transform import redraw

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

MOST_JUDGED: Final = 600_000  # puzzles rated before an order counts as impossible: some 40 s
ROUNDS: Final = 12  # consecutive fruitless changes of givens before a near miss is abandoned
ROUNDS_OF_LEVEL: Final = 3  # the same for a level, too coarse to measure progress
MOST_CHANGED: Final = 3  # groups of givens put back at a time
FEW_AT_RANDOM: Final = 90  # tenths; digging hardly ever reaches a higher ER
MOST_JUDGED_HARD: Final = 5_000  # puzzles rated for such an ER, some 15 ms each
# Consecutive fruitless exchanges before a puzzle is abandoned for such an ER
ROUNDS_OF_EXCHANGES: Final = 1_000
ROUNDS_FROM_START: Final = 200  # the same from a start that matches, some seconds
ENOUGH_NODES: Final = 100  # search nodes of half the puzzles above ER 10
LEAST_NODES: Final = (
    0.7  # the share of a puzzle's nodes, capped by that number, that the next one needs to be rated
)
MOST_EXCHANGES: Final = 300  # exchanges tried; then the required nodes are lowered
MOST_ER: Final = 120  # tenths
# The Explainer's names for chains and nets that the solution path finds first under other names.
NEVER_HARDEST: Final = frozenset({"forcing_chain", "dynamic_forcing_chain"})
EFFORT_OF_NEAREST: Final = 10_000  # a second or so, after the requested time
STARTS_FROM: Final = 94  # tenths; a path of exchanges from a dug puzzle hardly ever reaches a higher ER
# Puzzles of ER 9.5 to 10 that such paths have reached: the one stock of the engine.
STARTS: Final = (
    "9....73...24....7.........6.....49......23..1..78...5.3...58....5.7..8...1.4.2...",
    ".7.1.4...5..9.......3.2..6...6...49.1..6....5.8............3..12...6.3.....49.72.",
    "..93..8......5...7....24.1.7...9...2.45...9.........6..1.5......8.9.2..32...38...",
    "8.92......5...7..1..3.4.......6..........1.83..1.9.4..7.5...9..91..5..7..3.....2.",
    "..672....8....5...37.8.6..2.9..6...3..5....2.4.....1.....45..8...2....7......3..9",
    ".7.........1.82...4..5...1....4..93.....6..823...9...1.6....84...9..1..35......2.",
    "..9....41.8.7..5..6.......3...5.93......1..8.5....871...2.......7.3.4...1...6...7",
)
MOST_OF_LENGTH: Final = 15  # tenths that the length of a chain adds


@dataclass(frozen=True)
class Aim:
    """A target range on a scale that rises along a chain, and further requirements."""

    field: str  # the recipe's field that errors name
    measure: Callable[[Position], float]  # inf if it is harder than the solver's limit
    low: float
    high: float
    filters: tuple[Callable[[Position], bool], ...] = ()
    rounds: int = ROUNDS  # allowed fruitless ones
    most: int = 81  # givens; puzzles with more count as too easy and aren't rated
    scale: str = ""  # the field whose scale it is; empty if that is `field`
    hard: bool = False  # whether digging hardly ever reaches it
    starts: Sequence[str] = ()  # puzzles from which exchanges lead to it


def aim_of(recipe: Recipe) -> Aim | None:
    """Return the target of a recipe; None if it requires no rating."""
    aims = [] if recipe.hardest is None else [_technique_aim(recipe.hardest)]
    if recipe.level is not None:
        # Anything that lower tiers can't solve is of the highest level.
        measure = partial(level_of, most=min(recipe.level, HARDEST_TIER - 1))
        aims.append(Aim("level", measure, recipe.level, recipe.level, rounds=ROUNDS_OF_LEVEL))
    if recipe.er is not None:
        low, high = recipe.er
        aims.append(replace(_er_aim("er", round(10 * low), round(10 * high)), low=low, high=high))
    if recipe.minutes is not None:
        low, high = recipe.minutes
        aims.append(Aim("minutes", _seconds, 60 * low, 60 * high))
    filters = []
    if recipe.must or recipe.must_not:
        filters.append(uses(frozenset(recipe.must), frozenset(recipe.must_not)))
    if not aims:
        if not filters:
            return None
        least = max((NUMBER[key] for key in recipe.must), default=0)
        field = "must" if recipe.must else "must_not"
        aims = [Aim(field, _hardest_up_to(NUMBER["trial"] - 1), least, NUMBER["trial"] - 1)]
    first, *others = aims
    within = (Within(other) for other in reversed(others))
    return replace(first, filters=(*within, *first.filters, *filters), most=recipe.plan().most)


def _technique_aim(key: str) -> Aim:
    if key in NEVER_HARDEST:
        raise RecipeError(
            "hardest", "expected a technique that solution paths use, found %(found)s", found=f"{key!r}"
        )
    number = NUMBER[key]
    by_logic = Aim("hardest", _hardest_up_to(number), number, number)
    called = (partial(_is_called, key),)
    if key in BEHIND_NETS:
        low = explainer.PRICES[key][0]
        return replace(_er_aim("hardest", low, low + MOST_OF_LENGTH), filters=called)
    if key == "nested_forcing_chain":  # its distance can't be measured technique by technique
        return replace(_er_aim("hardest", explainer.PRICES[key][0], MOST_ER), filters=(Within(by_logic),))
    return replace(by_logic, filters=called) if key in NETS else by_logic


def _er_aim(field: str, low: int, high: int) -> Aim:
    """Return the target of an ER of low..high tenths."""
    aim = Aim(field, _er(low - 1, high), low / 10, high / 10, scale="er")
    if low <= FEW_AT_RANDOM:
        return aim
    return replace(aim, hard=True, starts=STARTS if low > STARTS_FROM else ())


@dataclass(frozen=True)
class Within:
    """Whether a position is in the range of an aim that comes after the first."""

    aim: Aim

    def __call__(self, position: Position) -> bool:
        return self.holds(position, self.aim.measure(position))

    def holds(self, position: Position, reached: float) -> bool:
        """Return the same for a position whose measure is known."""
        in_range = self.aim.low <= reached <= self.aim.high
        return in_range and all(each(position) for each in self.aim.filters)


def _is_called(key: str, position: Position) -> bool:
    """Whether `rate` names a technique as the hardest."""
    return hardest_of(logic_order().walk(position), explainer.order().walk(position)) == key


def uses(must: frozenset[str], must_not: frozenset[str]) -> Callable[[Position], bool]:
    """Whether the solution path uses all of `must` and none of `must_not`."""

    def holds(position: Position) -> bool:
        walk = logic_order().walk(position)
        used = {KEYS[number] for number in walk.log[:, LOG_KEY].tolist()}
        return walk.end == SOLVED and must <= used and not must_not & used

    return holds


@cache
def _explainer_up_to(tenths: int) -> Order:
    """Return the Explainer's path without the classes above this ER: a puzzle it solves has the resulting
    ER.
    """
    entries = (each for each in explainer.order().entries if explainer.PRICES[each.key][0] <= tenths)
    return Order(entries, explainer.PRICES)


def _er(easy: int, most: int) -> Callable[[Position], float]:
    """Return a position's ER, inf above `most` tenths. Faster if `easy` tenths solve it."""

    def measure(position: Position) -> float:
        for tenths in (easy, most) if easy >= 12 else (most,):
            found = explainer.rating_of(_explainer_up_to(tenths).walk(position))
            if found is not None and 10 * found.rating <= tenths + 0.01:
                return found.rating
        return inf

    return measure


@cache
def logic_up_to(number: int) -> Order:
    """Return the solution path without techniques after that number, for compiled walks."""
    entries = logic_order().entries
    return Order((each for each in entries if NUMBER[each.key] <= number), {})


def _hardest_up_to(number: int) -> Callable[[Position], float]:
    """Return the number of the hardest technique needed, inf if those up to `number` don't suffice."""

    def measure(position: Position) -> float:
        walk = logic_up_to(number).walk(position)
        return float(walk.log[:, LOG_KEY].max(initial=0)) if walk.end == SOLVED else inf

    return measure


def _seconds(position: Position) -> float:
    order = explainer.order()
    found, image = explainer.rating_of(order.walk(position)), image_of(position)
    time = None if found is None or image is None else time_of(image, found.rating, order)[0]
    return inf if time is None else time.seconds


@dataclass
class Nearest:
    """How many puzzles a search has rated, and the nearest one."""

    field: str = ""  # the recipe's field whose scale it is; the failed one, if another was met
    reached: float | None = None  # on that scale: ER, level, seconds, number of a technique
    gap: float = inf  # distance to the range on that scale; at most 0 within it
    met: int = 0  # number of aims and filters met before that field
    judged: int = 0
    puzzle: str = ""  # 81 characters

    def found(self) -> NearestPuzzle | None:
        """Return the nearest puzzle, rated; None if there is none."""
        if not self.puzzle:
            return None
        grid = parse(self.puzzle)
        rating = rate(grid, effort=EFFORT_OF_NEAREST)
        return NearestPuzzle(self.puzzle, grid.givens, rating.scores["explainer"], rating.hardest)

    def hear(self, aim: Aim, reached: float, puzzle: Digits) -> None:
        """Count a rated puzzle, and keep it if none was nearer."""
        self.judged += 1
        self.compare(aim, reached, puzzle, 0)

    def compare(self, aim: Aim, reached: float, puzzle: Digits, met: int) -> None:
        """Keep a puzzle that met `met` aims and reached `reached` of the next, if none was nearer."""
        gap = max(aim.low - reached, reached - aim.high)
        if reached != inf and (-met, gap) < (-self.met, self.gap):
            self.field, self.reached, self.gap, self.met = aim.scale or aim.field, reached, gap, met
            self.puzzle = str(Grid(puzzle.tobytes()))

    def keep(self, puzzle: Digits, *, more: bool) -> None:
        """Keep an unrated puzzle if it has fewer givens than the previous one.

        more: or more givens, because it has too few.
        """
        givens, kept = np.count_nonzero(puzzle), 81 - self.puzzle.count(".")
        if not self.puzzle or (givens > kept if more else givens < kept):
            self.puzzle = str(Grid(puzzle.tobytes()))


class Way(Enum):
    """How a puzzle that misses may be changed."""

    CHAIN = "chain"  # fewer or more givens
    MINIMAL = "minimal"  # other givens, none redundant
    EXCHANGE = "exchange"  # the same, with other solutions
    FIXED = "fixed"  # not at all: the cells of the givens are prescribed


class Search:
    """One search for one puzzle; counts its ratings, so that it ends the same on every machine."""

    def __init__(
        self,
        aim: Aim,
        way: Way,
        state: State,
        plan: Plan,
        symmetry: Symmetry,
        stop: Callable[[], bool],
        nearest: Nearest | None = None,
    ) -> None:
        """plan: the order in which cells are tried, and how many givens stay.

        symmetry: which cells are tried together. stop: called before each rating. nearest: receives each.
        """
        self.aim = aim
        self._nearest = nearest or Nearest()
        self._way = way
        self._state = state
        self._plan = plan
        self._fewest = plan.fewest
        self._symmetry = symmetry
        self._groups = groups_of(plan.order, symmetry)
        self._stop = stop
        self._stack = bitboard.workspace()
        self.judged = 0

    def near(self, dug: Digits) -> Digits | None:
        """Return a puzzle in the range with the solution of uint8[81] `dug` and most of its givens, or None.

        It is `dug` itself if that is in the range.
        """
        if self._plan.stop_low < self._plan.stop_high:  # the stopping point was drawn at random
            self._fewest = min(int(np.count_nonzero(dug)), self._plan.stop_high)
        if self._way is Way.EXCHANGE:
            return self._climbed(dug)
        best, reached = dug, self._measure(dug)
        if self._fits(best, reached):
            return best
        if self._way is Way.FIXED:
            return None
        solutions = np.zeros((1, 81), np.uint8)
        bitboard.start(dug, self._stack[0])
        bitboard.search(1, bitboard.UNBOUNDED, self._stack, solutions)
        solution: Digits = solutions[0]
        if reached > self.aim.high and self._way is Way.CHAIN:
            order = drawn_groups(self._plan.order, self._symmetry, self._state).tolist()
            best, reached = self._halved(solution, [row for row in order if not dug[row[0]]])
        fruitless = 0
        while fruitless < self.aim.rounds:
            if self._fits(best, reached):
                return best
            changed, found = self._nearer(solution, best, reached)
            fruitless = 0 if self._distance(found) < self._distance(reached) else fruitless + 1
            if self._distance(found) <= self._distance(reached):
                best, reached = changed, found
        return None

    def _climbed(self, puzzle: Digits) -> Digits | None:
        """Return the first matching puzzle on a path of exchanges along which ER never falls; None if it
        ends. The path begins at one of the aim's starts, if it has any, and leaves it; a start that matches
        is returned, transformed, if no other puzzle is found in ROUNDS_FROM_START.

        Puzzles with few search nodes hardly ever have a high ER, and counting nodes costs a hundredth of a
        rating: so only those with nearly as many as the last one are rated. Nodes alone would lead to puzzles
        that only mislead the search.
        """
        starts = self.aim.starts
        if starts:
            puzzle = parse(starts[below(self._state, len(starts))]).array()
            redraw(self._state, Symmetry.NONE, puzzle)
        reached = self._measure(puzzle)
        start = puzzle if self._fits(puzzle, reached) else None
        if start is not None and not starts:
            return start
        nodes, trial, fruitless = harder.nodes_of(puzzle, self._stack), puzzle.copy(), 0
        while fruitless < (ROUNDS_OF_EXCHANGES if start is None else ROUNDS_FROM_START):
            fruitless += 1
            least = int(LEAST_NODES * min(nodes, ENOUGH_NODES))
            taken = harder.exchanged(self._state, MOST_EXCHANGES, least, puzzle, self._stack, trial)
            if not taken:
                nodes = least
                continue
            found = self._measure(trial)
            if self._fits(trial, found):
                return trial
            if reached <= found <= self.aim.high:
                fruitless = 0 if found > reached else fruitless
                puzzle, reached, nodes = trial.copy(), found, taken
        return start

    def meets(self, grid: Grid) -> bool:
        """Whether a puzzle meets the target."""
        puzzle = grid.array()
        return self._fits(puzzle, self._measure(puzzle))

    def _distance(self, reached: float) -> float:
        if reached > self.aim.high:
            return inf
        return max(0.0, self.aim.low - reached)

    def _halved(self, solution: Digits, emptied: list[list[int]]) -> tuple[Digits, float]:
        """Return the puzzle along a chain that is in the range, else the last one below it."""
        low, high = 0, len(emptied)  # numbers of emptied groups: not above the range, above it
        best, reached = solution, 0.0
        while high - low > 1:
            middle = (low + high) // 2
            puzzle = solution.copy()
            puzzle[[cell for row in emptied[:middle] for cell in row if cell >= 0]] = 0
            found = self._measure(puzzle)
            if found > self.aim.high:
                high = middle
            else:
                low, best, reached = middle, puzzle, found
                if found >= self.aim.low:
                    break
        return best, reached

    def _nearer(self, solution: Digits, puzzle: Digits, reached: float) -> tuple[Digits, float]:
        """Return another puzzle below or in the range: put some givens back, then dig while it gets no
        harder.
        """
        trial = puzzle.copy()
        empty = np.flatnonzero(puzzle[self._groups[:, 0]] == 0)
        places = np.arange(len(empty))
        shuffle(self._state, places)
        empty = empty[places]
        back = self._groups[empty[: 1 + below(self._state, MOST_CHANGED)]]
        for row in back.tolist():
            cells = [cell for cell in row if cell >= 0]
            trial[cells] = solution[cells]
        order = drawn_groups(self._plan.order, self._symmetry, self._state)
        if self._plan.order is not DigOrder.RANDOM:
            again = np.isin(order[:, 0], back[:, 0])
            order = np.concatenate((order[~again], order[again]))
        # Empty all that is possible at once, which costs one rating; only if that overshoots, one by one.
        whole = trial.copy()
        least = self._fewest, self._plan.fewest_in_line, self._plan.fewest_in_box
        digging.dig(solution, order, *least, self._stack, whole)
        found = self._measure(whole)
        if found <= self.aim.high or self._way is Way.MINIMAL:
            return whole, found
        emptied = [row for row in order.tolist() if trial[row[0]] and not whole[row[0]]]
        return self._halved(trial, emptied) if emptied else (puzzle, reached)

    def _measure(self, puzzle: Digits) -> float:
        if np.count_nonzero(puzzle) > self.aim.most:
            return -1.0
        self.judged += 1
        if self._stop():
            raise OutOfTime
        reached = self.aim.measure(Position.from_grid(Grid(puzzle.tobytes())))
        self._nearest.hear(self.aim, reached, puzzle)
        return reached

    def _fits(self, puzzle: Digits, reached: float) -> bool:
        if not self.aim.low <= reached <= self.aim.high:
            return False
        position = Position.from_grid(Grid(puzzle.tobytes()))
        for met, holds in enumerate(self.aim.filters, 1):
            if isinstance(holds, Within):
                found = holds.aim.measure(position)
                if not holds.holds(position, found):
                    self._nearest.compare(holds.aim, found, puzzle, met)
                    return False
            elif not holds(position):
                return False
        return True
