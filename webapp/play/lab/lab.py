"""Run the five systems on a puzzle. Stores nothing.

An open or future daily isn't run in any form, since every step would reveal some of its solution. Nor is a
game that the same player still plays without help.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter, thread_time
from typing import Any, Final, Generic, TypeVar

import engine
from engine import warm
from engine.generation import METHODS, Method
from engine.rating import order_of_rules
from engine.search import ABOUT, SEARCHERS
from engine.traces import MOST_STEPS, Trace, trace
from webapp.bank import offer
from webapp.competition.daily import dailies, kept
from webapp.identity import limits
from webapp.identity.limits import Limit, Taker
from webapp.play import entered
from webapp.process.database import db
from webapp.process.errors import BadInput, NotFound, NotReady
from webapp.process.words import gettext as _

# By address: puzzles run, and traces recomputed.
RUNS = Limit("lab", 12, timedelta(minutes=10), shared=True)
PROCESSOR = 2.0  # processor seconds for the five systems of one page
MOST_TIMED = 5  # repetitions of a search; the shortest counts, since other processes use the machine too
TIMED = 0.02  # seconds; longer searches aren't repeated
KEPT_RUNS = 1_000  # cached figures of a system and a puzzle, some hundred bytes each
KEPT_TRACES = 48  # cached traces, some hundred KB each

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class System:
    """One of the five, by its letter on the pages."""

    letter: str
    key: str  # of its generation method
    most_nodes: int | None  # limit of its search, some tenths of a second; None if it needs none

    @property
    def method(self) -> Method:
        """The system as a generation method."""
        return METHODS[self.key]

    @property
    def solver_source(self) -> str:
        """The source of its solver."""
        return ABOUT[self.method.solver].source


SYSTEMS: Final[dict[str, System]] = {
    system.letter: system
    for system in (
        System("a", "dig_hole", 1_000_000),
        System("b", "weighted_rules", None),
        System("c", "exact_cover", 100_000),
        System("d", "min_candidates", 100_000),
        System("e", "propagation", 1_000_000),
    )
}


@dataclass(frozen=True, slots=True)
class Run:
    """One system's result for a puzzle, in figures."""

    measures: Mapping[str, float | None]  # by name; None if given up
    seconds: float  # time of its search, or of its rules


@dataclass(frozen=True, slots=True)
class Bench:
    """A puzzle with the figures of all systems, and the trace of the selected one."""

    grid: engine.Grid
    solutions: int  # 0, 1 or 2, where 2 means several
    solution: engine.Grid | None  # if it is unique
    runs: Mapping[str, Run | None]  # by letter; None if the page's time was used up
    system: System
    trace: Trace


class Kept(Generic[Value]):
    """A least-recently-used cache, shared by all threads of this process."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Value | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: Value) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)


_runs: Kept[Run] = Kept(KEPT_RUNS)
_traces: Kept[Trace] = Kept(KEPT_TRACES)


def of_text(text: str, player_id: int | None, now: datetime) -> engine.Grid:
    """Return the puzzle of a text, checked. Raises BadInput naming `grid`."""
    return _fit(entered.check(text, player_id, now), "grid")


def of_file(content: bytes, player_id: int | None, now: datetime) -> engine.Grid:
    """Return the first puzzle of a file, checked. Raises BadInput naming `file`."""
    return _fit(entered.check_file(content, player_id, now), "file")


def of_number(number: int, player_id: int | None, now: datetime) -> engine.Grid:
    """Return a puzzle of the bank, or a past daily that this player has begun. Raises BadInput naming
    `puzzle`.
    """
    entry = dailies.with_puzzle(number, player_id, now)
    if entry is None:
        try:
            return engine.parse(offer.shown(number).givens)
        except NotFound:
            raise BadInput(puzzle=_("We couldn’t find puzzle %(number)s.", number=number)) from None
    if entry.open:
        raise BadInput(
            puzzle=_("Puzzle %(number)s is a daily whose leaderboard is still open.", number=number)
        )
    if not entry.attempts:
        raise BadInput(puzzle=_("Puzzle %(number)s is a daily. Start it first.", number=number))
    return engine.parse(entry.daily.puzzle.givens)


def _fit(checked: entered.Checked, field: str) -> engine.Grid:
    """Return a valid grid with empty cells; it may have no solution, or several."""
    if checked.grid is None or checked.open_daily or checked.in_play or checked.faults or checked.grid.full:
        raise BadInput(**{field: checked.reason})
    return checked.grid


def solved(grid: engine.Grid, player_id: int | None, who: str, now: datetime) -> engine.Grid:
    """Return the unique solution of a checked puzzle. Raises NotFound without one, and the errors of
    `bench`.
    """
    found = bench(grid, next(iter(SYSTEMS)), player_id, who, now).solution
    if found is None:
        raise NotFound(_("This puzzle doesn’t have one solution."))
    return found


def bench(grid: engine.Grid, letter: str, player_id: int | None, who: str, now: datetime) -> Bench:
    """Run the five systems on a checked puzzle, and record the trace of one.

    who: whose limit it counts against. Raises TooMany; BadStart for a daily that isn't over and for a game
    that the player still plays; NotReady while the solvers are being compiled.
    """
    if not warm.ready():
        raise NotReady(_("The solvers are still loading. Try again in a minute."))
    solutions = engine.solution_count(grid, 2)
    solution = engine.solution(grid) if solutions == 1 else None
    kept.refuse_open_daily(grid, now)
    kept.refuse_own_game(grid, player_id)
    db.session.rollback()  # no open transaction while the engine works
    line, watched = str(grid), SYSTEMS[letter]
    if any(_runs.get((each, line)) is None for each in SYSTEMS) or _traces.get((letter, line)) is None:
        limits.demand([Taker(RUNS, who)], now)
    spent = -thread_time()
    watched_trace = _trace(watched, grid)
    runs: dict[str, Run | None] = {}
    for each in sorted(SYSTEMS.values(), key=lambda each: each is not watched):  # the selected one first
        known = _runs.get((each.letter, line))
        if known is None and spent + thread_time() < PROCESSOR:
            known = _run(each, grid)
            _runs.put((each.letter, line), known)
        runs[each.letter] = known
    return Bench(grid, solutions, solution, runs, watched, watched_trace)


def _run(system: System, grid: engine.Grid) -> Run:
    found = _trace(system, grid)
    times: list[float] = []
    while not times or (len(times) < MOST_TIMED and sum(times) < TIMED):
        start = perf_counter()
        if system.most_nodes is None:
            order_of_rules().walk(engine.Position.from_grid(grid))
        else:
            SEARCHERS[system.method.solver](grid, 2, system.most_nodes)
        times.append(perf_counter() - start)
    return Run(found.measures, min(times))


def _trace(system: System, grid: engine.Grid) -> Trace:
    key = system.letter, str(grid)
    known = _traces.get(key)
    if known is None:
        bound: dict[str, Any] = {} if system.most_nodes is None else {"most_nodes": system.most_nodes}
        known = trace(system.key, grid, MOST_STEPS, **bound)
        _traces.put(key, known)
    return known
