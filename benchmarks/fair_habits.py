"""How often honest made-up players are doubted for what their latest solves show together.

`python -m benchmarks fair_habits [LEVEL] [PEOPLE]`: people of each kind play 45 dailies, of all levels they
play or of one alone, and each solve is judged with those before it.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

import engine
from benchmarks.fair import solve_of
from tests.players import HONEST, LATER, NEWCOMERS, OTHERS, PLAYERS, STRANGERS, Log, puzzles
from tests.players.puzzles import image
from webapp.game.evidence import score
from webapp.game.evidence.figures import figures
from webapp.game.evidence.habits import SPAN, Habits, harder_first, searched, unhalted, unlinked

DAILIES, PEOPLE = 45, 2
BY_KEY = {"searched": searched, "unlinked": unlinked, "unhalted": unhalted, "easiest": harder_first}


def of_one_player(name: str, level: int | None, count: int, seed: int) -> list[Log]:
    """Solves of one player of a kind, each of another puzzle of the level; None: of all that they play."""
    player, rng = PLAYERS[name], random.Random(f"{name} {seed}")
    to_play = [puzzle for puzzle in puzzles() if puzzle.level in player.levels]
    of_level = [puzzle for puzzle in to_play if level in (None, puzzle.level)]
    turned = (
        image(rng.choice(of_level), engine.Transformation.random(rng.randrange)) for _solve in range(count)
    )
    return [player.again(to_play[0], seed, puzzle) for puzzle in turned]


def doubted(latest: list[Habits]) -> dict[str, float]:
    """How much of a doubt the figures of these are, the latest first."""
    values = {key: value for key, figure in BY_KEY.items() if (value := figure(latest)) is not None}
    return score.shares(values)


def main() -> None:
    words = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    level = words[0] if words else None
    people = words[1] if len(words) > 1 else PEOPLE
    kinds = [
        player
        for player in (*HONEST, *LATER, *OTHERS, *STRANGERS, *NEWCOMERS)
        if player.honest
        and level in (None, *player.levels)
        and not player.name.startswith(("from_paper", "auto_candidates"))
    ]
    solves, doubts, of_players = 0, Counter[str](), 0
    for player in kinds:
        for seed in range(people):
            shown = [
                figures(solve_of(log)).habits for log in of_one_player(player.name, level, DAILIES, seed)
            ]
            found = [
                key
                for end in range(1, DAILIES + 1)
                for key, share in doubted(shown[max(0, end - SPAN) : end][::-1]).items()
                if share >= score.ENOUGH
            ]
            solves += DAILIES
            doubts.update(f"{player.name} {key}" for key in found)
            of_players += bool(found)
    of = "all levels" if level is None else f"level {level} alone"
    of_people = f"{of_players} of {len(kinds) * people} people"
    print(f"{of}: {doubts.total()} doubts in {solves:,} solves, of {of_people}")
    print(dict(doubts))


if __name__ == "__main__":
    main()
