"""How the rules of fair play classify simulated players: `python -m benchmarks fair [COUNT [SEED]]`.

Ranked: verified, with a rank at once. No rank: verified, but typed in one go after a silence. Review: a
curator decides. Docs: docs/fair-play/players.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from time import process_time

from benchmarks.players import KINDS, Game, games
from benchmarks.tables import sized
from webapp.game.fair_play import likeness, rules
from webapp.game.fair_play.solve import Solve

COUNT, SEED = sized("COUNT", 200, 2), 240_617
START = datetime(2026, 3, 1, tzinfo=UTC)


def solve_of(game: Game) -> Solve:
    """Convert a game to the form that the rules take."""
    received = [START + timedelta(seconds=seconds) for seconds in game.received]
    log = list(zip(game.moves, received, strict=True))
    return Solve(game.puzzle.givens, game.puzzle.expected_seconds, START, received[-1] - START, log)


def doubts_of(game: Game) -> list[str]:
    """Return the doubts that the rules raise about a game, given the one before it."""
    solve, copy = solve_of(game), False
    if game.before is not None:
        one, other = likeness.trace(solve), likeness.trace(solve_of(game.before))
        near = float(likeness.nearness(one.places, [other.places])[0])
        copy = likeness.alike(near, one, other) >= likeness.COPIED
    return rules.doubts(solve, copy=copy)


def main() -> None:
    given = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    count, seed = (*given, *(COUNT, SEED)[len(given) :])
    spent: list[float] = []
    print(f"{count} games of each kind, seed {seed}\n")
    print("| kind | ranked | no rank | review | why |\n|---|---|---|---|---|")
    for kind in KINDS:
        came, why = Counter[str](), Counter[str]()
        for game in games(kind, count, seed):
            begun = process_time()
            found = doubts_of(game)
            spent.append(1000 * (process_time() - begun))
            came["review" if rules.under_review(found) else "no rank" if found else "ranked"] += 1
            why.update(found)
        shares = (f"{came[each] / count:.1%}" for each in ("ranked", "no rank", "review"))
        mark = "" if kind.honest or kind.stopped else " (not stopped)"
        print(
            f"| {kind.name}{mark} |",
            " | ".join(shares),
            f"| {', '.join(key for key, _n in why.most_common(3))} |",
        )
    spent.sort()
    print(f"\nA solve takes {spent[len(spent) // 2]:.1f} ms to assess, at most {spent[-1]:.0f}.")


if __name__ == "__main__":
    main()
