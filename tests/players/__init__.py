"""Made-up players: honest people and cheats, each kind a maker of solving logs (docs/fair-play/players.md).

Written by people who had not read how logs are judged, but for `LATER`, and to stay so: what is found out
about the judging changes nothing here. `OTHERS` and `STRANGERS` were then used to correct it. `NEWCOMERS`
were made last, to try it once more; they corrected it for honest players only. `HONEST` and `CHEATS` are the
first ones alone.
`PLAYERS["what_if"].play(puzzle, seed)` gives a `Log`; `puzzles()` are sixty to play.
`python -m tests.players [SEED]` lists the kinds with a log of each.
"""

from __future__ import annotations

from tests.players import copies, helped, honest, later, newcomers, others, programs, strangers
from tests.players.log import Account, Log, Past, Standing
from tests.players.puzzles import Puzzle, puzzles
from tests.players.stage import PLAYERS, Player

__all__ = [
    "CHEATS",
    "HONEST",
    "LATER",
    "NEWCOMERS",
    "OTHERS",
    "PLAYERS",
    "STRANGERS",
    "Account",
    "Log",
    "Past",
    "Player",
    "Puzzle",
    "Standing",
    "copies",
    "helped",
    "honest",
    "later",
    "logs",
    "newcomers",
    "others",
    "programs",
    "puzzles",
    "strangers",
]


def _of(package: str) -> tuple[Player, ...]:
    """The players whose modules are in that package, not in one below it."""
    return tuple(each for each in PLAYERS.values() if each.make.__module__.rpartition(".")[0] == package)


LATER = tuple(player for player in PLAYERS.values() if player.make.__module__ == later.__name__)
OTHERS, STRANGERS = _of(others.__name__), _of(strangers.__name__)
NEWCOMERS = _of(newcomers.__name__)
HONEST = tuple(player for player in _of(__name__) if player.honest and player not in LATER)
CHEATS = tuple(player for player in _of(__name__) if not (player.honest or player in LATER))


def logs(player: Player, count: int, seed: int) -> list[Log]:
    """That many logs of a kind, in turn over the puzzles of the levels they play."""
    of_them = [puzzle for puzzle in puzzles() if puzzle.level in player.levels]
    spread = sorted(range(len(of_them)), key=lambda at: (at % 12, at))  # from level to level
    return [player.play(of_them[spread[at % len(spread)]], seed + at) for at in range(count)]
