"""The bank: the puzzles that the site stores and offers."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import chain

from flask import current_app

from engine import warm
from webapp.bank import bank, systems, traits
from webapp.capability import Capability
from webapp.process.jobs import DAILY, STOCK, Job, work_through

RATING = timedelta(seconds=20)  # per run; after restocking, the next run continues


def fill(now: datetime) -> int:
    """Restock the bank: from the first stock while it lasts, then with generated puzzles.

    Dailies of the first stock are rated in between: players see them, and generating takes minutes.
    """
    target = bank.wanted(current_app.extensions["settings"].bank_stock, now)
    added = bank.stock_up(target, now, rated=False)
    promised = bank.rate_anew(promised_only=True) if warm.ready() else ()
    made = bank.stock_up(target, now, rated=True) if warm.ready() else ()
    of_systems = systems.stock_up(now) if warm.ready() else ()
    return work_through(chain(added, promised, made, of_systems))


def is_low(now: datetime) -> bool:
    """Whether a level has fewer fresh puzzles than are kept there."""
    stock, target = bank.fresh_stock(), bank.wanted(current_app.extensions["settings"].bank_stock, now)
    return any(stock[level] < target[level] for level in bank.LEVELS)


def rate_anew(_now: datetime) -> int:
    """Rate entered puzzles, and update ratings of older versions, once the techniques are compiled."""
    return work_through(bank.rate_anew(), RATING) if warm.ready() else 0


CAPABILITY = Capability(
    key="bank",
    # Restock first: rating players' hard puzzles must not delay others' next puzzle.
    jobs=(
        Job("fill_bank", STOCK, fill, is_low),
        Job("rate_anew", STOCK, rate_anew, lambda _now: warm.ready() and bank.is_unrated()),
        Job("trace", STOCK, lambda _now: work_through(traits.trace(), RATING)),
        Job("fill_canonical", DAILY, lambda _now: work_through(bank.fill_canonical())),
    ),
)
