"""How many made-up logs of people and of programs the rules put under review, and which rule does it.

`python -m benchmarks plausibility`: 200 of each at the levels of the dailies and at all levels,
with five seeds. The logs come from tests/logs.py, which knows nothing of the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from tests.logs import DAILY_LEVELS, Log, people, programs
from webapp.game import plausibility
from webapp.game.plausibility import Solve

START = datetime(2026, 3, 1, tzinfo=UTC)
COUNT = 200
SEEDS = (1, 2, 3, 4, 5)


def solve_of(log: Log) -> Solve:
    """A made-up log as the rules are shown it."""
    puzzle = log.puzzle
    received = [START + timedelta(seconds=seconds) for seconds in log.received]
    return Solve(
        puzzle.givens,
        puzzle.level,
        puzzle.explainer,
        puzzle.expected_seconds,
        START,
        received[-1] - START,
        list(zip(log.moves, received, strict=True)),
    )


def under_review(logs: Iterable[Log]) -> list[tuple[Log, list[str]]]:
    """The logs that a rule doubts, with the keys of the rules."""
    judged = ((log, plausibility.doubts(solve_of(log))) for log in logs)
    return [(log, keys) for log, keys in judged if keys]


def main() -> None:
    print("| levels | seed | programs under review | people under review | rules on programs | on people |")
    print("|---|---|---|---|---|---|")
    for levels in (DAILY_LEVELS, (1, 2, 3, 4, 5)):
        for seed in SEEDS:
            doubted = under_review(programs(COUNT, seed, levels)), under_review(people(COUNT, seed, levels))
            tallies = (Counter(key for _log, keys in logs for key in keys) for logs in doubted)
            rules = (", ".join(f"{key} {count}" for key, count in tally.most_common()) for tally in tallies)
            found = (f"{len(logs)} of {COUNT}" for logs in doubted)
            print("|", " | ".join([", ".join(map(str, levels)), str(seed), *found, *rules]), "|", flush=True)


if __name__ == "__main__":
    main()
