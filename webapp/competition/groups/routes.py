"""Routes of groups: create, join by link, leaderboards, leave, and the owner's actions."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.competition.daily import schedule
from webapp.competition.groups import groups
from webapp.competition.leaderboard.routes import read_choice
from webapp.competition.leaderboard.rows import LeaderboardPage
from webapp.competition.leaderboard.views import LeaderboardView
from webapp.models import Scope
from webapp.process.clock import now
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id, named_player
from webapp.web.htmx import wants_fragment
from webapp.web.inputs import row_number
from webapp.web.links import public_url

bp = Blueprint("groups", __name__)


@bp.get("/groups")
def index() -> str:
    """Show the player's groups, and a form for a new one."""
    return render_template(
        "competition/groups/index.html", groups=groups.of_player(named_player().id), problem="", name=""
    )


@bp.post("/groups")
def create() -> Response | tuple[str, int]:
    """Create a group: `name`."""
    player = named_player()
    try:
        group = groups.create(player.id, request.form.get("name", ""), now())
    except BadInput as error:
        name = request.form.get("name", "")[:80]
        page = render_template(
            "competition/groups/index.html",
            groups=groups.of_player(player.id),
            problem=error.fields["name"],
            name=name,
        )
        return page, 422
    return redirect(url_for(".show", group_id=group.id), 303)


@bp.get("/groups/<int:group_id>")
def show(group_id: int) -> str:
    """Show a group's leaderboard, with the usual filters, and its members."""
    player_id = named_player().id
    group = groups.seen_by(player_id, group_id)
    choice = replace(read_choice(apart=False), at=None)
    if choice.scope == "day":
        daily = schedule.between(choice.day, choice.day).get((choice.day, choice.level))
        page = groups.day(group, daily.id, player_id) if daily is not None else LeaderboardPage([], 0, None)
    else:
        daily = None
        page = groups.points(group, Scope(choice.scope), choice.day, choice.level, player_id)
    view = LeaderboardView(choice, now(), daily, page, among=group.name)
    if wants_fragment():
        return render_template("competition/leaderboard/_reply.html", board=view)
    return render_template(
        "competition/groups/show.html",
        group=group,
        board=view,
        members=groups.members(group),
        own=player_id,
        link=public_url("groups.invitation", key=group.key),
    )


@bp.get("/groups/<key>/join")
def invitation(key: str) -> str:
    """Show an invitation with a form to join."""
    group = groups.invited(key)
    members = groups.members(group)
    joined = current_player_id() in [member.id for member in members]
    return render_template("competition/groups/invitation.html", group=group, members=members, joined=joined)


@bp.post("/groups/<key>/join")
def join(key: str) -> Response:
    """Join the group."""
    group = groups.join(key, named_player().id, now())
    return redirect(url_for(".show", group_id=group.id), 303)


@bp.post("/groups/<int:group_id>/departures")
def leave(group_id: int) -> Response:
    """Leave or, with `member`, remove a member as the owner."""
    player = named_player()
    member = request.form.get("member")
    if member is None:
        groups.leave(player.id, group_id)
        return redirect(url_for(".index"), 303)
    number = row_number(member)
    if number is None:
        raise BadInput(member=_("member: expected a number, found “%(found)s”", found=member[:20]))
    groups.remove(player.id, group_id, number)
    return redirect(url_for(".show", group_id=group_id), 303)


@bp.post("/groups/<int:group_id>/key")
def renew(group_id: int) -> Response:
    """Create a new link; the old one stops working."""
    groups.renew(named_player().id, group_id)
    return redirect(url_for(".show", group_id=group_id), 303)


@bp.post("/groups/<int:group_id>/deletion")
def delete(group_id: int) -> Response:
    """Delete the group."""
    groups.delete(named_player().id, group_id)
    return redirect(url_for(".index"), 303)
