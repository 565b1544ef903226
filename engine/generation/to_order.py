"""To order: puzzles that aim at a level, an ER, a time or a technique instead of waiting for one to turn up.

The cells emptied on the way from a solved grid to a dug puzzle make a chain: each puzzle of it has one
solution, and nearly always it is no easier than the one before. So the place where a chain enters the range
wanted is found by halving, some six ratings of puzzles that are mostly easy. A chain that jumps over the
range, or ends before it, is a near miss: there a few clues are put back and the rest is dug again.

Digging keeps to the method's order of cells and to what every line keeps. Clues put back have another try,
after all others. No published system refills a cell, so what changed here has the method `TO_ORDER`; but a
paper's level that has a `Band` is aimed at this way by documented choice and keeps its method.

Hardly any chain comes to an ER above 9. There givens are exchanged for others, and the solution with them, as
long as a plain search has as much to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, partial
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.errors import NearestPuzzle
from engine.formats import parse
from engine.generation.dig import Groups, drawn_groups, groups_of
from engine.generation.dig import Order as DigOrder
from engine.generation.recipe import Plan, Recipe
from engine.generation.symmetry import Symmetry
from engine.grid import Grid
from engine.kernels import bitboard, digging, harder
from engine.kernels.rng import below, shuffle
from engine.position import Position
from engine.rating import explainer
from engine.rating.rating import level_of, logic_order, rate
from engine.rating.steady import image_of, time_of
from engine.rating.walk import LOG_KEY, LOG_PRICE, SOLVED, Order
from engine.techniques.entry import HARDEST_TIER
from engine.techniques.keys import KEYS, NUMBER

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

MOST_JUDGED: Final = 50_000  # puzzles rated before an order counts as one that cannot be met
ROUNDS: Final = 12  # changes of clues in a row that bring a near miss no nearer before it is left
ROUNDS_OF_LEVEL: Final = 3  # the same for a level, a scale too coarse to tell nearer from farther
ROUNDS_OF_BAND: Final = (3, 400)  # the same for a band of a paper's measure, without and with promise
MOST_CHANGED: Final = 3  # groups of clues put back at a time
FEW_AT_RANDOM: Final = 90  # tenths; digging hardly ever comes to an ER above
MOST_JUDGED_HARD: Final = 5_000  # puzzles rated for such an ER, some 15 ms each
ROUNDS_OF_EXCHANGES: Final = 1_000  # in a row that bring a puzzle no nearer to such an ER before it is left
ENOUGH_NODES: Final = 100  # what a search takes for half of the puzzles above ER 10
LEAST_NODES: Final = (
    0.7  # the share of a puzzle's nodes, or of those, that the next one must take to be rated
)
MOST_EXCHANGES: Final = 300  # tried for that; then fewer nodes are asked for
MOST_ER: Final = 120  # tenths
# What logic finds as nets of any digits before it comes to them: the Explainer's path decides there.
BEHIND_NETS: Final = frozenset({"forcing_chain", "nishio", "cell_forcing_chain", "dynamic_forcing_chain"})
MOST_OF_LENGTH: Final = 15  # tenths that the length of a chain adds


class OutOfTime(Exception):
    """The caller's budget ended before the puzzle was found."""


def _rounds(reached: float) -> int:
    del reached
    return ROUNDS


@dataclass(frozen=True)
class Aim:
    """A range on a scale that rises along a chain, and what else a puzzle in it must be."""

    field: str  # of the recipe, named where it cannot be met
    measure: Callable[[Position], float]  # inf where it is harder than what is solved for it
    low: float
    high: float
    filters: tuple[Callable[[Position], bool], ...] = ()
    rounds: Callable[[float], int] = _rounds  # fruitless rounds allowed to what has reached so much
    most: int = 81  # givens; with more of them a puzzle counts as too easy and is not rated
    scale: str = ""  # the field whose scale it is; empty where that is `field`
    hard: bool = False  # whether digging hardly ever comes to it


def aim_of(recipe: Recipe) -> Aim | None:
    """What a recipe aims at; None where it asks for nothing that needs a rating."""
    filters: list[Callable[[Position], bool]] = []
    aims = [*_technique_aims(recipe), *_level_aims(recipe), *_er_aims(recipe)]
    aims += [*_time_aims(recipe), *_band_aims(recipe)]
    if recipe.must or recipe.must_not:
        filters.append(uses(frozenset(recipe.must), frozenset(recipe.must_not)))
    if not aims:
        if not filters:
            return None
        low = max((NUMBER[key] for key in recipe.must), default=0)
        field = "must" if recipe.must else "must_not"
        aims = [Aim(field, _hardest_up_to(NUMBER["trial"] - 1), low, NUMBER["trial"] - 1)]
    first, *others = aims
    filters[:0] = first.filters
    for other in others:
        filters.insert(0, Within(other))
    most = recipe.plan().most
    if recipe.band is None:
        return replace(first, filters=tuple(filters), most=most)
    filters.insert(0, lambda position: position.givens.givens <= most)
    return replace(first, filters=tuple(filters))


def _technique_aims(recipe: Recipe) -> Iterator[Aim]:
    key = recipe.hardest
    if key is None:
        return
    number = NUMBER[key]
    by_logic = Aim("hardest", _hardest_up_to(number), number, number)
    if key in BEHIND_NETS:
        low = explainer.PRICES[key][0]
        aim = _er_aim("hardest", low, low + MOST_OF_LENGTH)
        yield replace(aim, filters=(partial(_is_costliest, key),))
    elif key == "nested_forcing_chain":  # technique by technique nothing tells how near a puzzle is to them
        yield replace(_er_aim("hardest", explainer.PRICES[key][0], MOST_ER), filters=(Within(by_logic),))
    else:
        yield by_logic


def _level_aims(recipe: Recipe) -> Iterator[Aim]:
    level = recipe.level
    if level is not None:
        # What lower tiers leave unsolved is of the highest level: nothing more needs to be known.
        measure = partial(level_of, most=min(level, HARDEST_TIER - 1))
        yield Aim("level", measure, level, level, rounds=lambda _: ROUNDS_OF_LEVEL)


def _er_aims(recipe: Recipe) -> Iterator[Aim]:
    if recipe.er is not None:
        low, high = recipe.er
        yield replace(_er_aim("er", round(10 * low), round(10 * high)), low=low, high=high)


def _er_aim(field: str, low: int, high: int) -> Aim:
    """An ER of low..high tenths."""
    aim = Aim(field, _er(low - 1, high), low / 10, high / 10, scale="er")
    if low <= FEW_AT_RANDOM:
        return aim
    return replace(aim, hard=True)


def _time_aims(recipe: Recipe) -> Iterator[Aim]:
    if recipe.minutes is not None:
        low, high = recipe.minutes
        yield Aim("minutes", _seconds, 60 * low, 60 * high)


def _band_aims(recipe: Recipe) -> Iterator[Aim]:
    band = recipe.band
    if band is not None:
        few, many = ROUNDS_OF_BAND

        def rounds(reached: float) -> int:
            return many if reached >= band.promising else few

        yield Aim("paper_level", band.measure, band.low, band.high, rounds=rounds)


@dataclass(frozen=True)
class Within:
    """Whether a position is in the range of an aim that comes after the first."""

    aim: Aim

    def __call__(self, position: Position) -> bool:
        return self.holds(position, self.aim.measure(position))

    def holds(self, position: Position, reached: float) -> bool:
        """The same of a position that has been measured."""
        in_range = self.aim.low <= reached <= self.aim.high
        return in_range and all(each(position) for each in self.aim.filters)


def _is_costliest(key: str, position: Position) -> bool:
    """Whether the Explainer's path asks for a technique, and for no other that costs as much."""
    log = explainer.order().walk(position).log
    costliest = log[log[:, LOG_PRICE] == log[:, LOG_PRICE].max(initial=0), LOG_KEY]
    return {KEYS[number] for number in costliest.tolist()} == {key}


def uses(must: frozenset[str], must_not: frozenset[str]) -> Callable[[Position], bool]:
    """Whether logic's path solves a position with all of the one and none of the other techniques."""

    def holds(position: Position) -> bool:
        walk = logic_order().walk(position)
        used = {KEYS[number] for number in walk.log[:, LOG_KEY].tolist()}
        return walk.end == SOLVED and must <= used and not must_not & used

    return holds


@cache
def _explainer_up_to(tenths: int) -> Order:
    """The Explainer's path without the classes that cost more: a puzzle it solves has the ER it says."""
    entries = (each for each in explainer.order().entries if explainer.PRICES[each.key][0] <= tenths)
    return Order(entries, explainer.PRICES)


def _er(easy: int, most: int) -> Callable[[Position], float]:
    """ER of a position, inf above `most` tenths. What `easy` tenths solve is told sooner."""

    def measure(position: Position) -> float:
        for tenths in (easy, most) if easy >= 12 else (most,):
            found = explainer.rating_of(_explainer_up_to(tenths).walk(position))
            if found is not None and 10 * found.rating <= tenths + 0.01:
                return found.rating
        return inf

    return measure


@cache
def logic_up_to(number: int) -> Order:
    """The path of logic without the techniques behind that number, for walks in compiled code."""
    entries = logic_order().entries
    return Order((each for each in entries if NUMBER[each.key] <= number), {})


def _hardest_up_to(number: int) -> Callable[[Position], float]:
    """Number of the hardest technique logic needs, inf where those up to `number` do not suffice."""

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
    """What a search has rated, and what came nearest to what it aims at."""

    field: str = ""  # of the recipe, whose scale it is; the one that failed, where another was met
    reached: float | None = None  # on that scale: ER, level, seconds, number of a technique
    gap: float = inf  # to the range on that scale; not above 0 within it
    met: int = 0  # aims and filters before that field
    judged: int = 0
    puzzle: str = ""  # what reached it, 81 characters

    def found(self) -> NearestPuzzle | None:
        """What came nearest, rated; None where nothing was found."""
        if not self.puzzle:
            return None
        grid = parse(self.puzzle)
        rating = rate(grid)
        return NearestPuzzle(self.puzzle, grid.givens, rating.scores["explainer"], rating.hardest)

    def hear(self, aim: Aim, reached: float, puzzle: Digits) -> None:
        """Count a rated puzzle, and keep it if none was nearer."""
        self.judged += 1
        self.compare(aim, reached, puzzle, 0)

    def compare(self, aim: Aim, reached: float, puzzle: Digits, met: int) -> None:
        """Keep a puzzle that met so many aims and reached so much of the next, if none was nearer."""
        gap = max(aim.low - reached, reached - aim.high)
        if reached != inf and (-met, gap) < (-self.met, self.gap):
            self.field, self.reached, self.gap, self.met = aim.scale or aim.field, reached, gap, met
            self.puzzle = str(Grid(puzzle.tobytes()))

    def keep(self, puzzle: Digits, *, more: bool) -> None:
        """Keep what was not rated if it has fewer givens than what was kept before.

        more: or more givens, because it has too few.
        """
        givens, kept = np.count_nonzero(puzzle), 81 - self.puzzle.count(".")
        if not self.puzzle or (givens > kept if more else givens < kept):
            self.puzzle = str(Grid(puzzle.tobytes()))


class Way(Enum):
    """What may be done to a puzzle that misses."""

    CHAIN = "chain"  # fewer or more clues
    MINIMAL = "minimal"  # other clues, none of which can be spared
    EXCHANGE = "exchange"  # the same, of other solutions
    FIXED = "fixed"  # nothing: the cells of the clues are prescribed


class Search:
    """One search for one puzzle: counts what it judges, so that it ends alike on every machine."""

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

        symmetry: which cells are tried together.  stop: asked before each rating.  nearest: is told of each.
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
        """A puzzle in the range with the solution of uint8[81] `dug` and most of its clues, or None.

        It is `dug` itself where that is in the range.
        """
        if self._plan.stop_low < self._plan.stop_high:  # where digging stopped has been drawn
            self._fewest = min(int(np.count_nonzero(dug)), self._plan.stop_high)
        best, reached = dug, self._measure(dug)
        if self._fits(best, reached):
            return best
        if self._way is Way.FIXED:
            return None
        if self._way is Way.EXCHANGE:
            return self._climbed(best, reached)
        solution = self._solved(dug)
        if reached > self.aim.high and self._way is Way.CHAIN:
            best, reached = self._halved(solution, _empty_rows(self._drawn_order(), dug))
        fruitless = 0
        while fruitless < self.aim.rounds(reached):
            if self._fits(best, reached):
                return best
            changed, found = self._nearer(solution, best, reached)
            fruitless = 0 if self._distance(found) < self._distance(reached) else fruitless + 1
            if self._distance(found) <= self._distance(reached):
                best, reached = changed, found
        return None

    def _climbed(self, puzzle: Digits, reached: float) -> Digits | None:
        """The first puzzle that fits on a way of exchanges on which ER never falls; None where it ends.

        What takes a search few nodes hardly ever has a high ER, and they cost a hundredth of it: so only what
        takes nearly as many as the last is rated. Nodes alone lead to puzzles that mislead the search.
        """
        nodes, trial, fruitless = harder.nodes_of(puzzle, self._stack), puzzle.copy(), 0
        while fruitless < ROUNDS_OF_EXCHANGES:
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
        return None

    def meets(self, grid: Grid) -> bool:
        """Whether a puzzle is what is aimed at."""
        puzzle = grid.array()
        return self._fits(puzzle, self._measure(puzzle))

    def _distance(self, reached: float) -> float:
        if reached > self.aim.high:
            return inf
        return max(0.0, self.aim.low - reached)

    def _halved(self, solution: Digits, emptied: list[list[int]]) -> tuple[Digits, float]:
        """The puzzle along a chain that is in the range, else the last one below it."""
        low, high = 0, len(emptied)  # so many groups emptied: not above the range, above it
        best, reached = solution, 0.0
        while high - low > 1:
            middle = (low + high) // 2
            puzzle = _emptied(solution, emptied[:middle])
            found = self._measure(puzzle)
            if found > self.aim.high:
                high = middle
            else:
                low, best, reached = middle, puzzle, found
                if found >= self.aim.low:
                    break
        return best, reached

    def _nearer(self, solution: Digits, puzzle: Digits, reached: float) -> tuple[Digits, float]:
        """Another puzzle below or in the range: some clues put back, then dug as long as it is no harder."""
        trial = puzzle.copy()
        empty = np.flatnonzero(puzzle[self._groups[:, 0]] == 0)
        empty = empty[self._drawn(len(empty))]
        back = self._groups[empty[: 1 + below(self._state, MOST_CHANGED)]]
        for row in back.tolist():
            cells = [cell for cell in row if cell >= 0]
            trial[cells] = solution[cells]
        order = self._drawn_order()
        if self._plan.order is not DigOrder.RANDOM:
            again = np.isin(order[:, 0], back[:, 0])
            order = np.concatenate((order[~again], order[again]))
        # All that can be emptied at once, which costs one rating; only where that goes too far, one by one.
        whole = trial.copy()
        least = self._fewest, self._plan.fewest_in_line, self._plan.fewest_in_box
        digging.dig(solution, order, *least, self._stack, whole)
        found = self._measure(whole)
        if found <= self.aim.high or self._way is Way.MINIMAL:
            return whole, found
        emptied = [row for row in order.tolist() if trial[row[0]] and not whole[row[0]]]
        return self._halved(trial, emptied) if emptied else (puzzle, reached)

    def _drawn_order(self) -> Groups:
        return drawn_groups(self._plan.order, self._symmetry, self._state)

    def _solved(self, puzzle: Digits) -> Digits:
        out = np.zeros((1, 81), np.uint8)
        bitboard.start(puzzle, self._stack[0])
        bitboard.search(1, bitboard.UNBOUNDED, self._stack, out)
        solved: Digits = out[0]
        return solved

    def _drawn(self, count: int) -> NDArray[np.int64]:
        places = np.arange(count)
        shuffle(self._state, places)
        return places

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


def _empty_rows(order: Groups, puzzle: Digits) -> list[list[int]]:
    """The groups of `order` that are empty in a puzzle."""
    return [row for row in order.tolist() if not puzzle[row[0]]]


def _emptied(puzzle: Digits, groups: list[list[int]]) -> Digits:
    out = puzzle.copy()
    out[[cell for row in groups for cell in row if cell >= 0]] = 0
    return out
