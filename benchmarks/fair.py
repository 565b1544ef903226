"""What becomes of made-up solves: on the leaderboard, provisional, under review, or asked about paper.

`python -m benchmarks fair [COUNT]`: logs of each kind of tests/players/, mostly knowing nothing of judging,
with the seeds that the weights were fitted on and with others, which cheats would be first on a leaderboard
of all honest ones, and the processor time of a judgment.
`python -m benchmarks fair_lookup`: finding the nearest order among 100,000 others.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from time import process_time

import engine
from tests.logs import Log as PlainLog
from tests.players import CHEATS, HONEST, LATER, Log, Player, logs
from tests.players.log import Account
from webapp.competition.fair_play.traces import MOST, MOST_A_KEY
from webapp.competition.ranking import BACKING, FAST, SLACK
from webapp.game import plausibility
from webapp.game.evidence import likeness
from webapp.game.evidence.solve import Solve
from webapp.game.plausibility import PAPER, Judgment

START = datetime(2026, 3, 1, tzinfo=UTC)
FITTED, OTHERS = 100, 280_108  # seeds
COUNT = 60
NEW_FOR = 5  # PROVISIONAL_DAILIES
PODIUM = 3
OUTCOMES = ("board", "waits", "provisional", "review", "asked", "assisted")


def solve_of(log: Log | PlainLog) -> Solve:
    """A made-up log as the rules are shown it."""
    puzzle = log.puzzle
    received = [START + timedelta(seconds=seconds) for seconds in log.received]
    return Solve(
        puzzle.givens,
        puzzle.level,
        getattr(puzzle, "explainer", None),
        puzzle.expected_seconds,
        START,
        received[-1] - START,
        list(zip(log.moves, received, strict=True)),
        paces=[past.pace for past in log.account.past] if isinstance(log, Log) else (),
    )


@dataclass(frozen=True, slots=True)
class Kept:
    """A game that others are compared with."""

    account: Account
    begins: float
    trace: likeness.Trace


class Day:
    """The games of a day's puzzles, found by their keys as webapp/competition/traces.py finds them."""

    def __init__(self, played: Iterable[Log]) -> None:
        self._kept: list[Kept] = []
        self._by_key: dict[int, list[int]] = defaultdict(list)
        for log in played:
            self.add(log)

    def add(self, log: Log) -> None:
        trace = likeness.trace(solve_of(log))
        for key in likeness.keys(trace.order, _number(log.puzzle.givens)):
            self._by_key[key].append(len(self._kept))
        self._kept.append(Kept(log.account, log.begins, trace))

    def nearest(self, log: Log, solve: Solve) -> float:
        """How near the order is to that of another's game that began earlier, 0 to 1."""
        trace = likeness.trace(solve)
        shared = Counter(
            at
            for key in likeness.keys(trace.order, _number(log.puzzle.givens))
            for at in self._by_key[key][:MOST_A_KEY]
        )
        near = (self._kept[at] for at, _keys in shared.most_common(MOST))
        return max(
            (
                likeness.alike(trace, kept.trace)
                for kept in near
                if kept.account != log.account and kept.begins < log.begins
            ),
            default=0.0,
        )


@lru_cache(None)
def _number(givens: str) -> int:
    """The number of a puzzle; that of its turned and relabeled images as well."""
    return int(engine.canonical_key(engine.parse(givens))[:8], 16)


def judged(log: Log, day: Day) -> Judgment:
    """The judgment of a log among the games of a day and those of its own story."""
    for before in log.before:
        day.add(before)
    solve = solve_of(log)
    shared = any(before.account.device == log.account.device for before in log.before)
    return plausibility.judge(solve, day.nearest(log, solve), shared=shared)


def outcome(log: Log, judgment: Judgment) -> str:
    """One of OUTCOMES. Doubts come before history: what is doubted is shown to nobody."""
    if log.assisted:
        return "assisted"
    if judgment.doubts:
        return "asked" if judgment.doubts == [PAPER] else "review"
    if len(log.account.past) < NEW_FOR:
        return "provisional"
    return "board" if log.pace >= FAST or _backed(log) else "waits"


def _backed(log: Log) -> bool:
    """Whether enough of the account's solves were as fast; none of them is taken to have been doubted."""
    return sum(past.pace <= SLACK * log.pace for past in log.account.past) >= BACKING


def crowd(count: int, seed: int) -> list[Log]:
    """What honest players have played of the same puzzles."""
    return [log for player in HONEST for log in logs(player, count, seed)]


@dataclass(frozen=True, slots=True)
class Came:
    """What became of a log."""

    outcome: str
    puzzle: str
    seconds: float
    told: tuple[str, ...]  # doubts


def came_of(player: Player, count: int, seed: int, day: Day) -> list[Came]:
    """What becomes of logs of a kind."""
    found = []
    for log in logs(player, count, seed):
        judgment = judged(log, day)
        told = () if log.assisted else tuple(judgment.doubts)
        found.append(Came(outcome(log, judgment), log.puzzle.givens, log.seconds, told))
    return found


def outcomes(player: Player, count: int, seed: int, day: Day) -> tuple[Counter[str], Counter[str]]:
    """How many logs of a kind come to what, and how often each doubt is told."""
    found = came_of(player, count, seed, day)
    told = Counter(key for each in found for key in each.told)
    return Counter(each.outcome for each in found), told


def show(count: int, seed: int) -> None:
    """Print the table of all kinds."""
    day = Day(crowd(max(1, count // 5), seed + 500_000))
    fastest: dict[str, float] = {}  # honest time by puzzle
    settled: dict[str, list[tuple[float, str]]] = defaultdict(list)  # honest ones with enough solves
    print(f"\nSeed {seed}, {count} logs of a kind\n")
    print("First: faster than every honest player of the puzzle who is on the board.\n")
    print("| kind | " + " | ".join(OUTCOMES) + " | first | doubts told |")
    print("|---|" + "---|" * len(OUTCOMES) + "---|---|")
    groups = {
        "honest": HONEST,
        "cheats": CHEATS,
        "later honest": tuple(player for player in LATER if player.honest),
        "later cheats": tuple(player for player in LATER if not player.honest),
    }
    for name, players in groups.items():
        total, first = Counter[str](), 0
        for player in players:
            found = came_of(player, count, seed, day)
            came = Counter(each.outcome for each in found)
            told = Counter(key for each in found for key in each.told)
            total += came
            ahead = 0
            for each in found:
                if each.outcome in ("board", "waits") and player.honest:
                    settled[each.puzzle].append((each.seconds, each.outcome))
                if each.outcome == "board" and player.honest:
                    fastest[each.puzzle] = min(each.seconds, fastest.get(each.puzzle, each.seconds))
                elif each.outcome == "board":
                    ahead += each.seconds < fastest.get(each.puzzle, float("inf"))
            first += ahead
            doubts = ", ".join(f"{key} {number}" for key, number in told.most_common(4))
            print(
                f"| {player.name} |",
                " | ".join(str(came[each]) for each in OUTCOMES),
                f"| {'' if player.honest else ahead} | {doubts} |",
                flush=True,
            )
        shares = (f"{total[each] / total.total():.1%}" for each in OUTCOMES)
        print(f"| all {name} |", " | ".join(shares), f"| {first if 'cheats' in name else ''} | |", flush=True)
    podiums = [came for solves in settled.values() for _seconds, came in sorted(solves)[:PODIUM]]
    waiting = podiums.count("waits")
    print(f"\nOf {len(podiums)} honest solves among the first three {waiting} wait to be backed.")


def costs(count: int = 12) -> None:
    """Print the processor time of a judgment with its trace: the first of a puzzle in a process, later ones.

    The first of all, which loads the engine's kernels, is left out.
    """
    solves = [solve_of(log) for player in HONEST for log in logs(player, count, FITTED)]
    spent: dict[str, list[float]] = {"the first of its puzzle": [], "a later one": []}
    met: set[str] = set()
    for number, solve in enumerate(solves):
        begun = process_time()
        likeness.trace(solve)
        plausibility.judge(solve)
        took = 1000 * (process_time() - begun)
        if number:
            spent["a later one" if solve.givens in met else "the first of its puzzle"].append(took)
        met.add(solve.givens)
    spent["any"] = [time for times in spent.values() for time in times]
    print("\n| a judgment | solves | ms at the median | ms at 99 % | at most |\n|---|---|---|---|---|")
    for name, times in spent.items():
        times.sort()
        middle, late = times[len(times) // 2], times[int(0.99 * len(times))]
        print(f"| {name} | {len(times)} | {middle:.1f} | {late:.1f} | {times[-1]:.1f} |")


def main() -> None:
    count = next((int(word) for word in sys.argv[1:] if word.isdecimal()), COUNT)
    for seed in (FITTED, OTHERS):
        show(count, seed)
    costs()


if __name__ == "__main__":
    main()
