"""Groups: leaderboards of friends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp.capability import Capability, Link, Panel, Records
from webapp.competition.groups import groups, routes, today
from webapp.models import Group, Membership
from webapp.process.words import gettext as _


def on_home(about: Mapping[str, Any]) -> dict[str, Any] | None:
    """Show the player's standing in their oldest group."""
    group = today.of_player(about["player_id"], about["day"]) if about["player_id"] is not None else None
    return None if group is None else {"group": group}


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
