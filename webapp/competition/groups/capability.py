"""Groups: leaderboards of friends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.capability import Capability, Link, Panel, Records
from webapp.competition.groups import groups, routes
from webapp.competition.groups.tables import Group, Membership
from webapp.process.words import gettext as _


def on_home(about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show a player's oldest group, with its page of the hardest daily that they solved today, if any."""
    player_id = about["player_id"]
    group = None if player_id is None else next(iter(groups.of_player(player_id)), None)
    if group is None:
        return None
    for entry in reversed(about["dailies"]):
        page = groups.day(group, entry.daily.id, player_id)
        if page.mine is not None:
            return {"group": group, "level": entry.daily.level, "page": page}
    return {"group": group, "level": None}


CAPABILITY = Capability(
    key="groups",
    tab="leaderboard.show",
    pages=(routes.bp,),
    links=(Link("leaderboard", "groups.index", lambda: _("Group leaderboards"), position=1),),
    panels=(Panel("home", "competition/groups/_home.html", on_home),),
    records=(Records(Membership), Records(Group)),
    exported=lambda player_id: iter([("groups", groups.exported(player_id))]),
    forget=groups.bequeath,
)
