"""Groups of players. Anyone with the key can join; only members see the group.

A group's leaderboards list members by name, whatever their setting for public ones; the invitation says so.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import sqlalchemy as sa

from webapp.competition.groups.tables import Group, Membership
from webapp.competition.leaderboard.rows import LeaderboardPage, Row
from webapp.competition.points import monday
from webapp.competition.statistics import BARRED
from webapp.identity import players, texts
from webapp.identity.players import plain
from webapp.models import Attempt, Daily, Listing, Player, Scope, Score, Standing
from webapp.models.attempt import PUBLIC_ID
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

LONGEST_NAME = 40
MOST_MEMBERS = 200
MOST_OWNED = 20  # groups of one owner


def of_player(player_id: int) -> list[Group]:
    """Return the groups of a player, oldest first."""
    mine = sa.select(Group).join(Membership, Membership.group_id == Group.id)
    return list(db.session.scalars(mine.where(Membership.player_id == player_id).order_by(Group.id)))


def create(player_id: int, name: str, now: datetime) -> Group:
    """Create a group with its creator as owner and first member. Raises BadInput."""
    name = texts.checked("name", name, LONGEST_NAME, missing=_("Give the group a name."))
    players.refuse_names_of_accounts(name)
    with write_tx():
        db.session.execute(sa.select(Player.id).where(Player.id == player_id).with_for_update())
        owned = sa.select(sa.func.count()).select_from(Group).where(Group.owner_id == player_id)
        if (db.session.scalar(owned) or 0) >= MOST_OWNED:
            raise BadInput(name=_("You already own %(most)s groups. Delete one first.", most=MOST_OWNED))
        group = Group(name=name, owner_id=player_id, created_at=now)
        db.session.add(group)
        db.session.flush()
        db.session.add(Membership(group_id=group.id, player_id=player_id, joined_at=now))
        return group


def seen_by(player_id: int, group_id: int, *, lock: bool = False) -> Group:
    """Return a group for one of its members. Raises NotFound for anyone else."""
    found = (
        sa.select(Group)
        .join(Membership, Membership.group_id == Group.id)
        .where(Group.id == group_id, Membership.player_id == player_id)
    )
    group = db.session.scalar(found.with_for_update(of=Group) if lock else found)
    if group is None:
        raise NotFound(_("We couldn’t find that group."))
    return group


def members(group: Group) -> Sequence[Any]:
    """Return the members of a group: `id`, `name`, and `listing`; the owner first, then by name."""
    return db.session.execute(
        sa.select(Player.id, Player.name, Player.listing)
        .join(Membership, Membership.player_id == Player.id)
        .where(Membership.group_id == group.id)
        .order_by(Player.id != group.owner_id, Player.name_key)
    ).all()


def join(key: str, player_id: int, now: datetime) -> Group:
    """Join a group; idempotent. Raises NotFound, and BadInput for a full group."""
    with write_tx():
        group = invited(key, lock=True)
        if db.session.get(Membership, (group.id, player_id)) is None:
            size = sa.select(sa.func.count()).select_from(Membership).where(Membership.group_id == group.id)
            if (db.session.scalar(size) or 0) >= MOST_MEMBERS:
                raise BadInput(key=_("This group is full."))
            db.session.add(Membership(group_id=group.id, player_id=player_id, joined_at=now))
        return group


def invited(key: str, *, lock: bool = False) -> Group:
    """Return the group that an invitation is for. Raises NotFound if the key isn't valid."""
    found = sa.select(Group).where(Group.key == key)
    group = (
        db.session.scalar(found.with_for_update() if lock else found) if PUBLIC_ID.fullmatch(key) else None
    )
    if group is None:
        raise NotFound(_("This invitation link no longer works. Ask for a new one."))
    return group


def leave(player_id: int, group_id: int) -> None:
    """Leave a group. If the owner leaves, the longest-standing member takes over, or the group is deleted."""
    with write_tx():
        _take_out(seen_by(player_id, group_id, lock=True), player_id)


def remove(owner_id: int, group_id: int, player_id: int) -> None:
    """Remove a member, as the owner. Raises NotFound."""
    with write_tx():
        group = _owned(owner_id, group_id)
        if player_id == owner_id or db.session.get(Membership, (group_id, player_id)) is None:
            raise NotFound(_("We couldn’t find that member."))
        _take_out(group, player_id)


def _take_out(group: Group, player_id: int) -> None:
    db.session.execute(
        sa.delete(Membership).where(Membership.group_id == group.id, Membership.player_id == player_id)
    )
    if group.owner_id != player_id:
        return
    heir = db.session.scalar(
        sa.select(Membership.player_id)
        .where(Membership.group_id == group.id)
        .order_by(Membership.joined_at, Membership.player_id)
        .limit(1)
    )
    if heir is None:
        db.session.delete(group)
    else:
        group.owner_id = heir


def renew(owner_id: int, group_id: int) -> None:
    """Renew the key, so that earlier links stop working."""
    with write_tx():
        _owned(owner_id, group_id).key = secrets.token_urlsafe(16)


def delete(owner_id: int, group_id: int) -> None:
    """Delete the group, as its owner."""
    with write_tx():
        db.session.delete(_owned(owner_id, group_id))


def exported(player_id: int) -> list[dict[str, Any]]:
    """Return a player's groups, for their data export."""
    query = (
        sa.select(Group.name, (Group.owner_id == player_id).label("owner"), Membership.joined_at)
        .join(Membership, Membership.group_id == Group.id)
        .where(Membership.player_id == player_id)
    )
    return plain(db.session.execute(query))


def bequeath(player_id: int) -> None:
    """Leave every group before a player is deleted; groups they own get another owner."""
    for group in db.session.scalars(sa.select(Group).where(Group.owner_id == player_id)).all():
        _take_out(group, player_id)
    db.session.flush()


def _owned(owner_id: int, group_id: int) -> Group:
    group = seen_by(owner_id, group_id, lock=True)
    if group.owner_id != owner_id:
        raise NotFound(_("Only the group’s owner can do that."))
    return group


# Boards


def day(group: Group, daily_id: int, player_id: int) -> LeaderboardPage:
    """Return the members' ranked, verified solves of a daily, each their first attempt at the puzzle."""
    rows = db.session.execute(
        sa.select(Attempt.player_id, Player.name, Player.listing, Attempt.elapsed_ms, Attempt.finished_at)
        .join(Membership, sa.and_(Membership.player_id == Attempt.player_id, Membership.group_id == group.id))
        .join(Player, Player.id == Attempt.player_id)
        .join(Daily, Daily.id == Attempt.daily_id)
        .where(
            Attempt.daily_id + 0 == daily_id,
            Attempt.ranked,
            Attempt.standing == Standing.VERIFIED,
            ~Player.suspended,
            ~BARRED,
        )
        .order_by(Attempt.elapsed_ms, Attempt.finished_at)
    ).all()
    daily = db.session.get_one(Daily, daily_id)
    on_time = [row for row in rows if row.finished_at < daily.closes_at]
    return _page(on_time, [row.elapsed_ms // 1000 for row in on_time], player_id)


def points(group: Group, scope: Scope, day: date, level: int, player_id: int) -> LeaderboardPage:
    """Return the members' points for the week of a day, or for all time."""
    starts_on = monday(day) if scope == Scope.WEEK else FIRST_DAY
    rows = db.session.execute(
        sa.select(Score.player_id, Player.name, Player.listing, Score.points, Score.solves)
        .join(Membership, sa.and_(Membership.player_id == Score.player_id, Membership.group_id == group.id))
        .join(Player, Player.id == Score.player_id)
        .where(Score.scope == scope, Score.starts_on == starts_on, Score.level == level)
        .order_by(Score.points.desc(), Player.name_key)
    ).all()
    return _page(rows, [row.points for row in rows], player_id)


def _page(rows: Sequence[Any], values: Sequence[float], player_id: int) -> LeaderboardPage:
    lines = [
        Row(
            values.index(value) + 1,
            row.name,
            row.player_id == player_id,
            elapsed_ms=getattr(row, "elapsed_ms", None),
            finished_at=getattr(row, "finished_at", None),
            points=getattr(row, "points", None),
            solves=getattr(row, "solves", None),
            public=row.listing == Listing.NAMED,
        )
        for row, value in zip(rows, values, strict=True)
    ]
    return LeaderboardPage(lines, len(lines), next((line for line in lines if line.mine), None))
