"""Run the five systems on a puzzle, or let one make a puzzle. Stores nothing but caches.

An open or future daily isn't run in any form, since every step would reveal some of its solution. Nor is a
game that the same player still plays without help.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from time import perf_counter, thread_time
from typing import Any, Final, TypeVar

import engine
from engine import OutOfTime, warm
from engine.generation import Method
from engine.rating import order_of_rules
from engine.search import SEARCHERS
from engine.traces import MOST_STEPS, MakingTrace, Trace, make, trace
from webapp.competition.daily import secrecy
from webapp.identity import limits
from webapp.identity.limits import Taker
from webapp.play import entered
from webapp.play.lab.systems import SYSTEMS, System
from webapp.process.database import db
from webapp.process.errors import BadInput, NotReady
from webapp.process.words import gettext as _

PROCESSOR: Final = 2.0  # of one page
MOST_TIMED: Final = 5  # repetitions of a search, of which the shortest counts
TIMED: Final = 0.02  # seconds; longer searches aren't repeated

Value = TypeVar("Value")

Run = tuple[Mapping[str, float | None], float]  # figures by name, None if given up; seconds of its search


@dataclass(frozen=True, slots=True)
class Bench:
    """A puzzle with the figures of all systems, and the trace of the selected one."""

    grid: engine.Grid
    solutions: int  # 0, 1 or 2, where 2 means several
    solution: engine.Grid | None  # if it is unique
    runs: Mapping[str, Run | None]  # by letter; None if the page's time was used up
    system: System
    trace: Trace


class Kept(OrderedDict[Hashable, Any]):
    """The values used last, for all threads of this process: each operation of a dictionary is atomic."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def of(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the value of a key, computed at the first time."""
        found: Value | None = self.pop(key, None)
        self[key] = value = compute() if found is None else found
        if len(self) > self._most:
            self.popitem(last=False)
        return value


_runs = Kept(1_000)  # some hundred bytes each
_traces = Kept(48)  # some hundred KB each
_made = Kept(48)


@contextmanager
def _paid(who: str, now: datetime) -> Iterator[None]:
    """Count the processor time of a block against the limit; TooMany if that is used up before."""
    taker = Taker(limits.LAB, who, 0.05)
    limits.refuse([taker], now)
    db.session.rollback()  # no open transaction while the engine works
    began = thread_time()
    try:
        yield
    finally:
        limits.owe([Taker(limits.LAB, who, max(0.01, thread_time() - began))], now)


def of_text(text: str, player_id: int | None, now: datetime) -> engine.Grid:
    """Return the puzzle of a text, checked: valid, with empty cells; it may have no solution, or several.
    Raises BadInput naming `grid`.
    """
    checked = entered.check(text, player_id, now)
    if checked.grid is None or checked.open_daily or checked.in_play or checked.faults or checked.grid.full:
        raise BadInput(grid=checked.reason)
    return checked.grid


def bench(grid: engine.Grid, letter: str, player_id: int | None, who: str, now: datetime) -> Bench:
    """Run the five systems on a checked puzzle, and record the trace of one.

    who: whose limit it counts against. Raises TooMany; BadStart for a daily that isn't over and for a game
    that the player still plays; NotReady while the solvers are being compiled.
    """
    if not warm.ready():
        raise NotReady(_("The solvers are still loading. Try again in a minute."))
    secrecy.refuse(grid, player_id, now)
    solutions = engine.solution_count(grid, 2)
    solution = engine.solution(grid) if solutions == 1 else None
    watched = SYSTEMS[letter]
    done = (letter, grid) in _traces and all((each, grid) in _runs for each in SYSTEMS)
    with nullcontext() if done else _paid(who, now):
        watched_trace = _traced(watched, grid)
        return Bench(grid, solutions, solution, _ran(grid, watched), watched, watched_trace)


def _ran(grid: engine.Grid, watched: System) -> dict[str, Run | None]:
    """Run all systems, the watched one first, as long as the page's time lasts."""
    end = thread_time() + PROCESSOR
    runs: dict[str, Run | None] = dict.fromkeys(SYSTEMS)
    for each in sorted(SYSTEMS.values(), key=lambda each: each is not watched):
        if (each.letter, grid) in _runs or thread_time() < end:
            runs[each.letter] = _runs.of((each.letter, grid), partial(_run, each, grid))
    return runs


def _run(system: System, grid: engine.Grid) -> Run:
    found = _traced(system, grid)
    times: list[float] = []
    while not times or (len(times) < MOST_TIMED and sum(times) < TIMED):
        start = perf_counter()
        if system.most_nodes is None:
            order_of_rules().walk(engine.Position.from_grid(grid))
        else:
            SEARCHERS[system.method.solver](grid, 2, system.most_nodes)
        times.append(perf_counter() - start)
    return found.measures, min(times)


def _traced(system: System, grid: engine.Grid) -> Trace:
    bound: dict[str, Any] = {} if system.most_nodes is None else {"most_nodes": system.most_nodes}
    return _traces.of((system.letter, grid), lambda: trace(system.key, grid, MOST_STEPS, **bound))


def made(recipe: engine.Recipe, method: Method, seed: int, who: str, now: datetime) -> MakingTrace | int:
    """Return how a puzzle is made, or the seed to continue with if a page has no time to discard more.

    who: whose limit it counts against. Raises TooMany; BadInput if no puzzle of the level turns up; NotReady
    while the generators are being compiled.
    """
    if not warm.ready():
        raise NotReady(_("The generators are still loading. Try again in a minute."))
    key = recipe, method, seed
    if key in _made:
        return _made.of(key, lambda: make(recipe, seed, method=method))
    tried = 0

    def stop() -> bool:
        nonlocal tried
        if thread_time() > end:
            return True
        tried += 1
        return False

    with _paid(who, now):
        end = thread_time() + PROCESSOR
        try:
            return _made.of(key, lambda: make(recipe, seed, stop, method))
        except OutOfTime:
            # The last try may have been stopped in its own search, so it is made again.
            done = max(0, tried - 1) if method.own else tried
            return seed + (done << 32)
        except engine.RecipeError:
            raise BadInput(level=_("No puzzle of this level turned up. Try another seed.")) from None
