"""`python -m tests.players [SEED]`: what kinds there are, with a log of each."""

from __future__ import annotations

import sys

from tests.players import PLAYERS, logs

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
for player in PLAYERS.values():
    print(f"{player.name} ({'honest' if player.honest else 'cheat'}): {player.told}")
    log = logs(player, 1, seed)[0]
    print(
        f"    level {log.puzzle.level}, {len(log.moves)} moves in {log.seconds:.0f} s, {log.pace:.2f} times "
        f"the expected time; {log.account.standing}, {len(log.account.past)} solves before"
    )
