"""A player's statistics: all for themselves, the public part for others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import sqlalchemy as sa

from webapp.bank import bank
from webapp.competition.statistics import BARRED, COUNTED
from webapp.game import tour
from webapp.identity import names
from webapp.models import Attempt, Listing, Player, Puzzle, Standing, Status
from webapp.process.database import db
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

MOST_SOLVES = 5_000  # the latest; more wouldn't visibly change a median


# A solve that counts: level, elapsed_ms, paused_ms, finished_at and the hardest technique, None while unrated
Solve = Any


@dataclass(frozen=True, slots=True)
class Profile:
    """The statistics of one player."""

    player: Player
    solves: Sequence[Solve]  # oldest first
    # The level, solves, median and best of each level; times in milliseconds, None before the first solve.
    # Pauses don't count for the best: a browser may say that one began hours ago.
    levels: list[dict[str, int | None]]
    # Key -> solved puzzles of which it was the hardest technique, most first
    techniques: list[tuple[str, int]]
    own: Any  # numbers that only the player sees; None in the public view

    @property
    def is_public(self) -> bool:
        """Whether others can see the page."""
        return self.player.listing == Listing.NAMED


def profile(name: str, viewer_id: int | None, *, as_others: bool = False) -> Profile:
    """Return the statistics of the player of this name, as visible to `viewer_id`.

    Raises NotFound for an unknown name, and for others if the player is not listed by name.
    `as_others`: return the public view even to the player.
    """
    player = db.session.scalar(sa.select(Player).where(Player.name_key == names.fold(name[:100])))
    if player is None or (player.listing != Listing.NAMED and player.id != viewer_id):
        raise NotFound(_("We couldn’t find a public profile with that name."))
    latest = db.session.execute(
        sa.select(Attempt.level, Attempt.elapsed_ms, Attempt.paused_ms, Attempt.finished_at, Puzzle.hardest)
        .join(Attempt.puzzle)
        .where(_ON_PROFILE, Attempt.player_id == player.id, Puzzle.status != Status.ENTERED)
        .order_by(Attempt.finished_at.desc())
        .limit(MOST_SOLVES)
    ).all()
    solves = latest[::-1]
    by_level = {level: [solve for solve in solves if solve.level == level] for level in bank.LEVELS}
    levels = [
        {
            "level": level,
            "solves": len(some),
            "median": round(median(solve.elapsed_ms for solve in some)) if some else None,
            "best": min((solve.elapsed_ms for solve in some if not solve.paused_ms), default=None),
        }
        for level, some in by_level.items()
    ]
    techniques = Counter(solve.hardest for solve in solves if solve.hardest is not None)
    own = None
    if not as_others and player.id == viewer_id:
        own = db.session.execute(
            sa.select(
                sa.func.count().filter(Attempt.finished_at.is_(None)).label("in_play"),
                sa.func.count().filter(Attempt.finished_at.is_not(None), Attempt.assisted).label("assisted"),
                sa.func.count().filter(Attempt.finished_at.is_not(None), _ENTERED).label("entered"),
                sa.func.count().filter(Attempt.standing == Standing.REVIEW).label("under_review"),
            )
            .select_from(Attempt)
            .join(Attempt.puzzle)
            .where(Attempt.player_id == player.id)
        ).one()
    return Profile(player, solves, levels, techniques.most_common(), own)


# Solves that count in statistics, and those that the player declared as solved on paper.
_ON_PROFILE = sa.or_(sa.and_(*COUNTED), sa.and_(Attempt.standing == Standing.PAPER, ~BARRED))


_ENTERED = sa.and_(Puzzle.status == Status.ENTERED, Puzzle.givens != tour.GIVENS)  # otherwise the site's
