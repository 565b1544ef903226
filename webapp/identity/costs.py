"""What requests may cost: games, moves, grids, paper and seconds of the processor, within an hour.

Everything is counted twice: for the player, and for the address, which many may share: `CROWD` people, by the
setting. Whoever asks without a request, such as a job or an operator, pays nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta

from flask import current_app
from sqlalchemy.exc import SQLAlchemyError

from webapp.identity import limits
from webapp.identity.limits import Limit, Taker
from webapp.process.clock import now
from webapp.process.database import Busy

log = logging.getLogger(__name__)

HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Cost:
    """One kind of cost."""

    name: str
    person: int  # what one person may use within an hour
    shared: float = 1.0  # the share of that for each of the people at an address


# A quick player finishes an Easy puzzle in a minute, with 60 moves and as many marks.
GAMES = Cost("games", 120)
GUESTS = Cost("guests", 10)  # new ones: an address alone
MOVES = Cost("moves", 30_000)  # cells that moves name, counted by the hundred
GRIDS = Cost("grids", 200)  # entered ones
PAPER = Cost("paper", 300)  # puzzles printed
PROCESSOR = Cost("processor", 60, shared=0.1)  # seconds, for what outlasts a request


@dataclass(frozen=True, slots=True)
class Payer:
    """Who makes a request."""

    address: str  # from limits.network()
    player_id: int | None

    def takers(self, cost: Cost, amount: float) -> list[Taker]:
        """The buckets that a cost is taken from."""
        crowd: int = current_app.extensions["settings"].crowd
        everyone = Limit(f"{cost.name}-from", max(cost.person, int(cost.person * crowd * cost.shared)), HOUR)
        takers = [Taker(everyone, self.address, amount)]
        if self.player_id is not None:
            takers.insert(0, Taker(Limit(cost.name, cost.person, HOUR), str(self.player_id), amount))
        return takers


_asking: ContextVar[Callable[[], Payer] | None] = ContextVar("asking", default=None)


def begin(payer: Callable[[], Payer] | None) -> None:
    """Say who pays in this context; asked only when something costs."""
    _asking.set(payer)


def payer() -> Payer | None:
    """Return who pays; None for what nobody has asked for by a request."""
    asking = _asking.get()
    return None if asking is None else asking()


def demand(cost: Cost, amount: float = 1.0) -> None:
    """Take what something costs. Raises TooMany."""
    paying = payer() if amount else None
    if paying is not None:
        limits.demand(paying.takers(cost, amount), now())


def spend(cost: Cost, amount: float = 1.0) -> None:
    """Take it inside `write_tx()`, which is to end with TooMany."""
    paying = payer()
    if paying is not None:
        limits.spend(paying.takers(cost, amount), now())


def refuse(cost: Cost, amount: float = 1.0) -> None:
    """Raise TooMany where there is not as much left; takes nothing."""
    paying = payer()
    if paying is not None:
        limits.refuse(paying.takers(cost, amount), now())


def owe(paying: Payer, cost: Cost, amount: float) -> None:
    """Take what something has cost, which nobody knew before it was done."""
    try:
        limits.owe(paying.takers(cost, amount), now())
    except (Busy, SQLAlchemyError):
        log.warning("could not count %s of %s", amount, cost.name, exc_info=True)
