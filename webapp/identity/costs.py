"""Limits on what requests may use within an hour: games, moves, work on positions, and processor time.

Each cost is charged twice: to the player, and to the address, which `CROWD` people may share. Work without a
request, such as a job's or an operator's, is free.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace

from sqlalchemy.exc import SQLAlchemyError

from webapp.identity import limits
from webapp.identity.limits import Limit, Taker
from webapp.process.clock import now
from webapp.process.database import Busy

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Payer:
    """The player and address that a request is charged to."""

    address: str  # from limits.network()
    player_id: int | None
    newcomer: str | None = None  # the key of the guest created by the first game of this browser

    def takers(self, cost: Limit, amount: float = 1.0) -> list[Taker]:
        """Return the buckets that a cost is taken from."""
        everyone = Taker(replace(cost, name=f"{cost.name}-from"), self.address, amount)
        if self.player_id is None:
            return [everyone]
        return [Taker(replace(cost, shared=0), str(self.player_id), amount), everyone]


_asking: ContextVar[Callable[[], Payer] | None] = ContextVar("asking", default=None)


def begin(payer: Callable[[], Payer] | None) -> None:
    """Set who pays in this context; evaluated only when something costs."""
    _asking.set(payer)


def payer() -> Payer | None:
    """Return who pays; None outside requests."""
    asking = _asking.get()
    return None if asking is None else asking()


def demand(cost: Limit, amount: float = 1.0) -> None:
    """Charge a cost. Raises TooMany."""
    paying = payer() if amount else None
    if paying is not None:
        limits.demand(paying.takers(cost, amount), now())


def spend(cost: Limit) -> None:
    """Charge a cost inside `write_tx()`, which must end with TooMany."""
    paying = payer()
    if paying is not None:
        limits.spend(paying.takers(cost), now())


def refuse(cost: Limit) -> None:
    """Raise TooMany if less is left; charges nothing."""
    paying = payer()
    if paying is not None:
        limits.refuse(paying.takers(cost), now())


def owe(paying: Payer, cost: Limit, amount: float) -> None:
    """Charge a cost that was only known afterwards."""
    try:
        limits.owe(paying.takers(cost, amount), now())
    except (Busy, SQLAlchemyError):
        log.warning("could not count %s of %s", amount, cost.name, exc_info=True)
