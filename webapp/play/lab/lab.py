"""What the laboratory runs: which puzzles it takes, and what the five systems did with one. Stores nothing.

Of a daily that is open or yet to come nothing is run, in whatever form it is brought: every step would tell
some of its solution. Nor of a game that the same player still plays without help.
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
from engine.generation.methods import METHODS, Method
from engine.rating import weighted_rules
from engine.search import ABOUT, SEARCHERS
from engine.traces import MOST_STEPS, Trace, trace
from webapp.bank import bank
from webapp.competition.daily import dailies, kept
from webapp.identity import limits
from webapp.identity.limits import Limit, Taker
from webapp.play import entered
from webapp.process.database import db
from webapp.process.errors import BadInput, NotFound, NotReady
from webapp.process.words import gettext as _

RUNS = Limit("lab", 120, timedelta(minutes=10))  # an address: puzzles run, and traces made once more
PROCESSOR = 2.0  # seconds of one processor for the five systems of one page
MOST_TIMED = 5  # times that a search is repeated, of which the shortest counts: others use the machine too
TIMED = 0.02  # seconds after which it is not
KEPT_RUNS = 1_000  # figures of a system and a puzzle, some hundred bytes each
KEPT_TRACES = 48  # some hundred KB each

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class System:
    """One of the five, by the letter that the pages call it."""

    letter: str
    key: str  # of its method
    most_nodes: int | None  # of its search, some tenths of a second; None where it has no such bound

    @property
    def method(self) -> Method:
        """What it is as a generation method."""
        return METHODS[self.key]

    @property
    def solver_source(self) -> str:
        """Where its solver comes from."""
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
    """What one system made of a puzzle, in figures."""

    measures: Mapping[str, float | None]  # its own, by name; None for one that was given up
    seconds: float  # of its search, or of its rules, on the clock
    steps: int  # kept, to be looked at
    cut_off: bool  # it took more


@dataclass(frozen=True, slots=True)
class Bench:
    """A puzzle on the bench: the figures of all systems, and the trace of the one that is watched."""

    grid: engine.Grid
    solutions: int  # 0, 1 or 2, where 2 says several
    runs: Mapping[str, Run | None]  # by letter; None where the time of the page was spent
    system: System
    trace: Trace


class _Kept(Generic[Value]):
    """The values used last, for all threads of this process."""

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


_runs: _Kept[Run] = _Kept(KEPT_RUNS)
_traces: _Kept[Trace] = _Kept(KEPT_TRACES)


def of_text(text: str, player_id: int | None, now: datetime) -> engine.Grid:
    """The puzzle that a text is, fit to be run. Raises BadInput naming `grid`."""
    return _fit(entered.judge(text, player_id, now), "grid")


def of_file(content: bytes, player_id: int | None, now: datetime) -> engine.Grid:
    """The first puzzle of a file, fit to be run. Raises BadInput naming `file`."""
    return _fit(entered.judge_file(content, player_id, now), "file")


def of_number(number: int, player_id: int | None, now: datetime) -> engine.Grid:
    """A puzzle of the bank, or a past daily that this player has begun. Raises BadInput naming `puzzle`."""
    entry = dailies.with_puzzle(number, player_id, now)
    if entry is None:
        try:
            return engine.parse(bank.shown(number).givens)
        except NotFound:
            raise BadInput(puzzle=_("We couldn’t find puzzle %(number)s.", number=number)) from None
    if entry.open:
        raise BadInput(
            puzzle=_("Puzzle %(number)s is a daily whose leaderboard is still open.", number=number)
        )
    if not entry.attempts:
        raise BadInput(puzzle=_("Puzzle %(number)s is a daily. Start it first.", number=number))
    return engine.parse(entry.daily.puzzle.givens)


def _fit(judged: entered.Judgment, field: str) -> engine.Grid:
    """A grid without faults with something left to do; it may have no solution, or several."""
    if judged.grid is None or judged.open_daily or judged.in_play or judged.faults or judged.grid.full:
        raise BadInput(**{field: judged.reason})
    return judged.grid


def bench(grid: engine.Grid, letter: str, player_id: int | None, who: str, now: datetime) -> Bench:
    """Run the five systems on a puzzle that is fit, and keep the trace of one.

    who: whose limit it counts against. Raises TooMany; BadStart for a daily that is not over and for a
    game that the player still plays; NotReady while the solvers are still being compiled.
    """
    if not warm.ready():
        raise NotReady(_("The solvers are still loading. Try again in a minute."))
    solutions = engine.solution_count(grid, 2)
    kept.refuse_open_daily(grid, now)
    kept.refuse_own_game(grid, player_id)
    db.session.rollback()  # no transaction stays open while the engine works
    line, watched = str(grid), SYSTEMS[letter]
    if any(_runs.get((each, line)) is None for each in SYSTEMS) or _traces.get((letter, line)) is None:
        limits.demand([Taker(RUNS, who)], now)
    spent = -thread_time()
    watched_trace = _trace(watched, grid)
    runs: dict[str, Run | None] = {}
    for each in sorted(SYSTEMS.values(), key=lambda each: each is not watched):  # what is watched, before all
        known = _runs.get((each.letter, line))
        if known is None and spent + thread_time() < PROCESSOR:
            known = _run(each, grid)
            _runs.put((each.letter, line), known)
        runs[each.letter] = known
    return Bench(grid, solutions, runs, watched, watched_trace)


def _run(system: System, grid: engine.Grid) -> Run:
    found = _trace(system, grid)
    times: list[float] = []
    while not times or (len(times) < MOST_TIMED and sum(times) < TIMED):
        start = perf_counter()
        if system.most_nodes is None:
            weighted_rules.order().walk(engine.Position.from_grid(grid))
        else:
            SEARCHERS[system.method.solver](grid, 2, system.most_nodes)
        times.append(perf_counter() - start)
    return Run(found.measures, min(times), len(found), found.cut_off)


def _trace(system: System, grid: engine.Grid) -> Trace:
    key = system.letter, str(grid)
    known = _traces.get(key)
    if known is None:
        bound: dict[str, Any] = {} if system.most_nodes is None else {"most_nodes": system.most_nodes}
        known = trace(system.key, grid, MOST_STEPS, **bound)
        _traces.put(key, known)
    return known
