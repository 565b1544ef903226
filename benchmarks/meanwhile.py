"""What players notice of something else that goes on: their batches alone, and meanwhile."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.moves import Player, drive

PLAYERS = 8
EVERY = 0.1  # seconds between two batches of a player
SECONDS = 4.0
RUNS = 3  # of which the best counts, since machines are seldom idle
MOST_MEDIAN, MOST_99 = 1.5, 4.0  # times the idle ones


def seated(port: int) -> list[Player]:
    """Players who have just come."""
    return [Player(port) for _ in range(PLAYERS)]


def play(players: list[Player]) -> list[float]:
    """Milliseconds of every batch within SECONDS, sorted."""
    return sorted(1000 * took for took in drive(players, Player.batch, SECONDS, EVERY))


def in_parallel(work: list[tuple[Callable[..., None], tuple[object, ...]]]) -> None:
    """Do all of it at once, and wait for its end; raises what any of it raised."""
    with ThreadPoolExecutor(len(work)) as threads:
        for done in [threads.submit(target, *arguments) for target, arguments in work]:
            done.result()


@dataclass(frozen=True)
class Run:
    """How long batches took alone and meanwhile: sorted milliseconds."""

    idle: list[float]
    busy: list[float]

    @property
    def median(self) -> float:
        """Times the idle one."""
        return statistics.median(self.busy) / statistics.median(self.idle)

    @property
    def late(self) -> float:
        """The 99th percentile, times the idle one."""
        return _late(self.busy) / _late(self.idle)

    @property
    def within(self) -> bool:
        """Whether players notice little enough."""
        return self.median <= MOST_MEDIAN and self.late <= MOST_99

    def __str__(self) -> str:
        return (
            f"idle {statistics.median(self.idle):5.1f} ms, 99 % {_late(self.idle):6.1f} ms;"
            f"  meanwhile {statistics.median(self.busy):5.1f} ms, 99 % {_late(self.busy):6.1f} ms"
            f"  ({self.median:.2f} and {self.late:.2f} times)"
        )


def best(runs: Iterable[Run]) -> Run:
    """The run of which players noticed least."""
    return min(runs, key=lambda run: max(run.median / MOST_MEDIAN, run.late / MOST_99))


def verdict(run: Run) -> str:
    """The best run beside its bounds."""
    return (
        f"best: {run.median:.2f} times the median (at most {MOST_MEDIAN}),"
        f" {run.late:.2f} times the 99 % (at most {MOST_99})"
    )


def _late(times: list[float]) -> float:
    """What 99 % of sorted times stay under."""
    return times[min(len(times) - 1, int(0.99 * len(times)))]
