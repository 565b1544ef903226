"""The effect of other work on players: their batches alone, and during that work."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.moves import Player, drive
from benchmarks.tables import SMALLEST, sized

PLAYERS = 2 if SMALLEST else 8
EVERY = 0.1  # seconds between two batches of a player
SECONDS = 0.5 if SMALLEST else 4.0
RUNS = sized("RUNS", 3)  # the best counts, since machines are seldom idle
MOST_MEDIAN, MOST_99 = 1.5, 4.0  # relative to the idle ones


COLUMNS = ("ms alone: median, 99 %", "ms meanwhile: median, 99 %", "times")


def new_players(port: int) -> list[Player]:
    """Create players."""
    return [Player(port) for _ in range(PLAYERS)]


def play(players: list[Player]) -> list[float]:
    """Send batches for SECONDS. Returns their milliseconds, sorted."""
    return sorted(1000 * took for took in drive(players, Player.batch, SECONDS, EVERY))


def in_parallel(work: list[tuple[Callable[..., None], tuple[object, ...]]]) -> None:
    """Run all of it at once, wait for its end, and raise the first exception."""
    with ThreadPoolExecutor(len(work)) as threads:
        for done in [threads.submit(target, *arguments) for target, arguments in work]:
            done.result()


@dataclass(frozen=True)
class Run:
    """Sorted milliseconds of batches, alone and during other work."""

    idle: list[float]
    busy: list[float]

    @property
    def median(self) -> float:
        """The median, relative to the idle one."""
        return statistics.median(self.busy) / statistics.median(self.idle)

    @property
    def late(self) -> float:
        """The 99th percentile, relative to the idle one."""
        return _late(self.busy) / _late(self.idle)

    @property
    def within(self) -> bool:
        """Whether the effect on players is within bounds."""
        return self.median <= MOST_MEDIAN and self.late <= MOST_99

    @property
    def cells(self) -> tuple[str, str, str]:
        """The table's columns: milliseconds alone and meanwhile, and their ratios."""
        alone, busy = (f"{statistics.median(each):.1f}, {_late(each):.1f}" for each in (self.idle, self.busy))
        return alone, busy, f"{self.median:.2f}, {self.late:.2f}"


def best(runs: Iterable[Run]) -> Run:
    """Return the run with the least effect on players."""
    return min(runs, key=lambda run: max(run.median / MOST_MEDIAN, run.late / MOST_99))


def _late(times: list[float]) -> float:
    """Return the 99th percentile of sorted times."""
    return times[min(len(times) - 1, int(0.99 * len(times)))]
