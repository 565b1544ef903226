"""A player's standing in a group today, for the home page."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.competition.daily.dailies import Day
from webapp.competition.groups import groups
from webapp.models import Group


@dataclass(frozen=True, slots=True)
class GroupToday:
    """A player's standing in a group today: on the hardest daily they solved, if any."""

    group: Group
    level: int | None = None
    rank: int | None = 0
    total: int = 0


def of_player(player_id: int, day: Day) -> GroupToday | None:
    """Return the player's place in their oldest group; None without a group."""
    group = next(iter(groups.of_player(player_id)), None)
    if group is None:
        return None
    for entry in reversed(day.entries):
        page = groups.day(group, entry.daily.id, player_id)
        if page.mine is not None:
            return GroupToday(group, entry.daily.level, page.mine.rank, page.total)
    return GroupToday(group)
