"""Counts of solves per second, stored in `TimeCount`, and ranks and percentiles computed from them.

A count changes in the same transaction as its solve, so a rank is a sum over few rows. Ties within a second
share a rank. A percentile compares listed players only: anyone can create hundreds of guests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from webapp.models import Leaderboard, TimeCount
from webapp.process.database import db, upsert

ALONE = 50.0  # percentile of a solve without others: half, as for a tie

_count = TimeCount.__table__


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a leaderboard around one second."""

    total: int
    faster: int
    same: int  # including the attempt in question

    @property
    def rank(self) -> int:
        """Return the rank of a solve in this second; equal times share the better rank."""
        return self.faster + 1

    @property
    def percentile(self) -> float:
        """Return the share, 0 to 100, of other solves that were slower; ties count half."""
        return _share(self.total, self.total - self.faster - self.same, self.same)


def around(daily_id: int, board: str, second: int) -> Counts:
    """Count the solves on a leaderboard, those faster than this second, and those within it."""
    solves = sa.func.sum(_count.c.solves)
    row = db.session.execute(
        sa.select(
            solves, solves.filter(_count.c.second < second), solves.filter(_count.c.second == second)
        ).where(_count.c.daily_id == daily_id, _count.c.board == board)
    ).one()
    return Counts(*(int(value or 0) for value in row))


def change(connection: sa.Connection, daily_id: int, board: str, second: int, by: int) -> None:
    """Add `by` solves, 1 or -1, to the count of one second."""
    key = {"daily_id": daily_id, "board": board, "second": second}
    if by > 0:
        one_more = upsert(_count).values(**key, solves=by)
        connection.execute(
            one_more.on_conflict_do_update(index_elements=list(key), set_={"solves": _count.c.solves + by})
        )
        return
    this = sa.and_(*(_count.c[name] == value for name, value in key.items()))
    connection.execute(sa.update(_count).where(this).values(solves=_count.c.solves + by))
    connection.execute(sa.delete(_count).where(this, _count.c.solves == 0))


def share_if_added(daily_id: int, second: int) -> float:
    """Return the percentile of a solve added to a frozen leaderboard; the others keep theirs."""
    now = around(daily_id, Leaderboard.DAY, second)
    return Counts(now.total + 1, now.faster, now.same + 1).percentile


def shares(daily_id: int) -> dict[int, float]:
    """Return the percentile of each second of a day's leaderboard."""
    by_second = db.session.execute(
        sa.select(_count.c.second, _count.c.solves).where(
            _count.c.daily_id == daily_id, _count.c.board == Leaderboard.DAY
        )
    )
    return shares_of({row.second: row.solves for row in by_second})


def shares_of(by_second: Mapping[int, int]) -> dict[int, float]:
    """Return the percentile of each second from the number of solves at each."""
    total = slower = sum(by_second.values())
    found = {}
    for second, solves in sorted(by_second.items()):
        slower -= solves
        found[second] = _share(total, slower, solves)
    return found


def _share(total: int, slower: int, same: int) -> float:
    return ALONE if total <= 1 else 100 * (slower + (same - 1) / 2) / (total - 1)
