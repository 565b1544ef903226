"""What becomes of made-up solves: on the leaderboard, provisional, under review, or asked about paper.

`python -m benchmarks fair [others|strangers|newcomers] [COUNT [SEED...]]`: logs of each kind of
tests/players/, mostly knowing nothing of judging, with the seeds that the weights were fitted on and with
others, which cheats would be first on a leaderboard of all honest ones, and the processor time of a judgment.
`python -m benchmarks fair_lookup`: finding the nearest order among 100,000 others.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from time import process_time

import engine
from tests.logs import Log as PlainLog
from tests.players import CHEATS, HONEST, LATER, NEWCOMERS, OTHERS, STRANGERS, Log, Player, logs, puzzles
from tests.players.log import Account
from tests.players.puzzles import image
from webapp.competition.fair_play.traces import MOST, MOST_A_KEY
from webapp.competition.ranking import BACKING, DISPUTED, FAST, PODIUM, RECENT, SLACK
from webapp.game import plausibility
from webapp.game.evidence import likeness, score
from webapp.game.evidence.habits import SPAN, Habits
from webapp.game.evidence.solve import Solve
from webapp.game.plausibility import PAPER, Judgment

START = datetime(2026, 3, 1, tzinfo=UTC)
FITTED_SEED, OTHER_SEED = 100, 240_617
COUNT = 60
NEW_FOR = 5  # PROVISIONAL_DAILIES
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


def judged(log: Log, day: Day, earlier: Sequence[Habits] = ()) -> Judgment:
    """The judgment of a log among the games of a day, those of its own story, and earlier ones."""
    for before in log.before:
        day.add(before)
    solve = solve_of(log)
    shared = any(before.account.device == log.account.device for before in log.before)
    return plausibility.judge(solve, day.nearest(log, solve), shared=shared, earlier=earlier)


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
    """What became of a log, by itself or beside others."""

    kind: str
    honest: bool
    outcome: str
    puzzle: str
    seconds: float
    told: tuple[str, ...]  # doubts
    against: bool  # whether something speaks against it, though for no review
    disputed: Callable[[], bool]  # whether enough speaks against the account's latest; found when asked

    def questioned(self, *, histories: bool) -> bool:
        """Whether it takes none of the first places.

        histories: whether what speaks against the account's earlier solves is heard.
        """
        return self.against or (histories and self.disputed())

    def among(self, podium: Mapping[str, Sequence[float]], *, histories: bool) -> Came:
        """The same beside solves that nothing speaks against: `podium` has the first of each puzzle."""
        before = podium.get(self.puzzle, ())
        behind = len(before) == PODIUM and self.seconds // 1 > before[-1] // 1
        waits = self.outcome == "board" and not behind and self.questioned(histories=histories)
        return replace(self, outcome="waits") if waits else self


def came_of(player: Player, count: int, seed: int, day: Day) -> list[Came]:
    """What becomes of logs of a kind by themselves."""
    found = []
    for at, log in enumerate(logs(player, count, seed)):
        past = _past(player, log, seed + at)
        judgment = judged(log, day, _shown(past))
        came = outcome(log, judgment)
        found.append(
            Came(
                player.name,
                player.honest,
                came,
                log.puzzle.givens,
                log.seconds,
                () if log.assisted else tuple(judgment.doubts),
                _spoken_against(log, judgment),
                partial(_disputed, past),
            )
        )
    return found


def _spoken_against(log: Log, judgment: Judgment) -> bool:
    return score.against(judgment.shares, log.pace) >= score.TOLD


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier solve of an account, and what becomes of it by itself."""

    log: Log
    judgment: Judgment
    outcome: str


def _past(player: Player, log: Log, seed: int) -> list[Earlier]:
    """The latest solves of the account, latest first, if its owner was as they are."""
    rng, found = random.Random(seed), []
    for past in log.account.past[:-SPAN:-1]:
        alike = [puzzle for puzzle in puzzles() if puzzle.level == past.level and puzzle != log.puzzle]
        turned = image(rng.choice(alike), engine.Transformation.random(rng.randrange))
        earlier = player.again(log.puzzle, seed, turned)
        judgment = judged(earlier, Day([]))
        found.append(Earlier(earlier, judgment, outcome(earlier, judgment)))
    return found


def _shown(past: Iterable[Earlier]) -> list[Habits]:
    """What solves without help showed."""
    return [
        each.judgment.habits
        for each in past
        if each.judgment.habits is not None and each.outcome != "assisted"
    ]


def _disputed(past: Sequence[Earlier]) -> bool:
    """Whether enough speaks against the latest of these, each by itself."""
    disputes = 0
    for each in past[:RECENT]:
        if each.outcome in ("review", "asked"):
            disputes += 2
        elif each.outcome != "assisted":
            disputes += _spoken_against(each.log, each.judgment)
    return disputes >= DISPUTED


def fastest(found: Iterable[Came], most: int, counts: Callable[[Came], bool]) -> dict[str, list[float]]:
    """The times of the first so many of each puzzle that count, fastest first."""
    times: dict[str, list[float]] = defaultdict(list)
    for each in sorted(found, key=lambda each: each.seconds):
        if len(times[each.puzzle]) < most and counts(each):
            times[each.puzzle].append(each.seconds)
    return times


def beside_others(found: Sequence[Came], *, histories: bool) -> tuple[list[Came], list[Came]]:
    """What becomes of all logs on leaderboards of the honest ones, and the cheats who are first there."""
    crowd = [each for each in found if each.honest and each.outcome == "board"]
    podium = fastest(crowd, PODIUM, lambda each: not each.questioned(histories=histories))
    placed = [each.among(podium, histories=histories) for each in found]
    first = fastest(placed, 1, lambda each: each.honest and each.outcome == "board")
    ahead = [
        each
        for each in placed
        if not each.honest
        and each.outcome == "board"
        and each.seconds < min(first[each.puzzle], default=float("inf"))
    ]
    return placed, ahead


def _parted(name: str, players: Sequence[Player]) -> dict[str, Sequence[Player]]:
    return {
        f"{name} honest": [player for player in players if player.honest],
        f"{name} cheats": [player for player in players if not player.honest],
    }


GROUPS: dict[str, dict[str, Sequence[Player]]] = {
    "first": {"honest": HONEST, "cheats": CHEATS, **_parted("later", LATER)},
    "others": {"honest": HONEST, **_parted("other", OTHERS)},
    "strangers": {"honest": HONEST, **_parted("strange", STRANGERS)},
    "newcomers": {"honest": HONEST, **_parted("new", NEWCOMERS)},
}


def show(groups: Mapping[str, Sequence[Player]], count: int, seed: int) -> None:
    """Print the table of all kinds of these groups."""
    day = Day(crowd(max(1, count // 5), seed + 500_000))
    alone = [
        each
        for players in groups.values()
        for player in players
        for each in came_of(player, count, seed, day)
    ]
    found, ahead = beside_others(alone, histories=True)
    print(f"\nSeed {seed}, {count} logs of a kind\n")
    print("First: faster than every honest player of the puzzle who is on the board.\n")
    print("| kind | " + " | ".join(OUTCOMES) + " | first | doubts told |")
    print("|---|" + "---|" * len(OUTCOMES) + "---|---|")
    first = Counter(each.kind for each in ahead)
    for name, players in groups.items():
        total = Counter[str]()
        for player in players:
            came = Counter(each.outcome for each in found if each.kind == player.name)
            told = Counter(key for each in found if each.kind == player.name for key in each.told)
            total += came
            doubts = ", ".join(f"{key} {number}" for key, number in told.most_common(4))
            print(
                f"| {player.name} |",
                " | ".join(str(came[each]) for each in OUTCOMES),
                f"| {'' if player.honest else first[player.name]} | {doubts} |",
            )
        shares = (f"{total[each] / total.total():.1%}" for each in OUTCOMES)
        of_all = sum(first[player.name] for player in players) if "cheats" in name else ""
        print(f"| **all {name}** |", " | ".join(shares), f"| {of_all} | |", flush=True)
    _, known = beside_others(alone, histories=False)
    print(f"\nFirst if no earlier solve had been doubted: {dict(Counter(each.kind for each in known))}.")
    podiums: dict[str, list[Came]] = defaultdict(list)
    for each in found:
        if each.honest and each.outcome in ("board", "waits"):
            podiums[each.puzzle].append(each)
    best = [
        each for of_it in podiums.values() for each in sorted(of_it, key=lambda one: one.seconds)[:PODIUM]
    ]
    waiting = Counter(each.kind for each in best if each.outcome == "waits")
    of_kinds = Counter(each.kind for each in best)
    each_kind = ", ".join(f"{kind} {number} of {of_kinds[kind]}" for kind, number in waiting.most_common())
    print(f"\nOf {len(best)} honest solves among the first three {waiting.total()} wait: {each_kind}.")


def costs(count: int = 12) -> None:
    """Print the processor time of a judgment with its trace: the first of a puzzle in a process, later ones.

    The first of all, which loads the engine's kernels, is left out.
    """
    solves = [solve_of(log) for player in HONEST for log in logs(player, count, FITTED_SEED)]
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
    count, *seeds = [int(word) for word in sys.argv[1:] if word.isdecimal()] or [COUNT]
    named = next((name for name in GROUPS if name in sys.argv), "first")
    for seed in seeds or (FITTED_SEED, OTHER_SEED):
        show(GROUPS[named], count, seed)
    costs()


if __name__ == "__main__":
    main()
