"""What every generator is given, and the list of generators by name."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.logs import Script, each_at_once, through_the_outbox
from tests.players.log import Account, Log, Past, Standing
from tests.players.puzzles import LEVELS, Puzzle

BEGINS, LATEST = (
    20 * 3600.0,
    22.5 * 3600.0,
)  # seconds after its opening in which a puzzle is begun, a copy of it too
Send = Callable[[list[float], random.Random], list[float]]


@dataclass
class Scene:
    """A puzzle to play, and chance."""

    player: Player
    puzzle: Puzzle
    rng: random.Random
    others: tuple[
        Log, ...
    ] = ()  # logs of the same puzzle that may be copied; a generator makes its own without
    past: tuple[Past, ...] = ()  # this player's own earlier solves; a generator makes them up without

    def log(
        self,
        script: Script,
        account: Account,
        send: Send = through_the_outbox,
        before: tuple[Log, ...] = (),
        begins: float | None = None,
    ) -> Log:
        """The log of a script, as the server gets it."""
        if begins is None and before:
            earlier = max(log.begins + log.seconds for log in before)
            begins = earlier + self.rng.uniform(30, max(600.0, LATEST - earlier))
        elif begins is None:
            begins = self.rng.uniform(0, BEGINS)
        times = send([round(at, 3) for at in script.times()], self.rng)
        received = [round(at, 3) for at in times]
        player = self.player
        return Log(player.name, player.honest, self.puzzle, account, begins, script.moves(), received, before)

    def fresh(self, standing: Standing = Standing.FRESH, device: str = "") -> Account:
        """A new account; on a device of its own, unless one is named."""
        return Account(f"new-{self.rng.getrandbits(32):08x}", device or self.device(), standing)

    def device(self) -> str:
        return f"device-{self.rng.getrandbits(32):08x}"

    def established(self, pace: float, solves: tuple[int, int] = (6, 120)) -> Account:
        """An account with solves of earlier days at about that pace, unless the scene says which."""
        rng = self.rng
        past = self.past or tuple(
            Past(day, rng.choice(self.player.levels), round(pace * rng.lognormvariate(0, 0.25), 3))
            for day in range(rng.randint(*solves), 0, -1)
            if rng.random() < 0.85 or day == 1
        )
        return Account(f"player-{rng.getrandbits(32):08x}", self.device(), Standing.ESTABLISHED, past)

    def anyone(self, pace: float) -> Account:
        """Six in ten times a new account, otherwise one with a history at about that pace."""
        return self.fresh() if self.rng.random() < 0.6 else self.established(pace)


Make = Callable[[Scene], Log]


@dataclass(frozen=True)
class Player:
    """A kind of player: call `play`."""

    name: str
    honest: bool
    levels: tuple[int, ...]  # of the puzzles they play
    paces: tuple[float, float] | None  # what their skill allows, times the expected time; None: as they like
    make: Make = field(repr=False)

    @property
    def told(self) -> str:
        """What they do, in a sentence."""
        return (self.make.__doc__ or "").strip()

    def play(self, puzzle: Puzzle, seed: int, others: Sequence[Log] = (), past: Sequence[Past] = ()) -> Log:
        """The log of this player at a puzzle; the same arguments give the same log.

        others: logs of the same puzzle that may be copied. past: the player's own earlier solves.
        """
        rng = random.Random(f"{self.name} {puzzle.givens} {seed}")
        return self.make(Scene(self, puzzle, rng, tuple(others), tuple(past)))

    def again(self, puzzle: Puzzle, seed: int, other: Puzzle) -> Log:
        """The log at another puzzle of whoever plays `puzzle` with this seed.

        What somebody is like is drawn before anything else, so it is the same here.
        """
        rng = random.Random(f"{self.name} {puzzle.givens} {seed}")
        return self.make(Scene(self, other, rng))


PLAYERS: dict[str, Player] = {}  # filled as the modules with generators are imported


def player(
    honest: bool, levels: tuple[int, ...] = LEVELS, paces: tuple[float, float] | None = None
) -> Callable[[Make], Make]:
    """Enter a generator under its own name."""

    def enter(make: Make) -> Make:
        name = make.__name__
        assert name not in PLAYERS
        PLAYERS[name] = Player(name, honest, levels, paces, make)
        return make

    return enter


def sender(rng: random.Random) -> Send:
    """How a program sends: each move in a request of its own, or through the site's page."""
    return rng.choice((each_at_once, each_at_once, through_the_outbox))
