"""Players at the desk: names, hiding and suspensions. Owns its transactions.

curator: None for an operator on the command line. Only operators and administrators change a curator's
account. A change refers to what its curator saw: `state` of the player.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from webapp.competition import standing, suspensions
from webapp.identity import audit, names, texts
from webapp.identity.players import Identity
from webapp.models import Attempt, AuditEntry, Listing, Player, Role, SignIn
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _

MOST_LISTED = 30
LONGEST_NOTE = 500
MOST_DAYS = 3650  # of a temporary suspension
NEW = timedelta(days=7)  # how long a name is looked at
DISGUISED = re.compile(r"[^\W\d_]\d+[^\W\d_]")  # digits between letters, as in names that filters would stop


def player(player_id: int) -> Player:
    """Return a player with an account. Raises NotFound for any other."""
    found = db.session.get(Player, player_id)
    if found is None or found.name is None:
        raise NotFound(_("We couldn’t find that player."))
    return found


def named(search: str) -> Sequence[Player]:
    """Return players whose name contains `search`, newest first."""
    query = sa.select(Player).where(Player.name.is_not(None))
    if search:
        query = query.where(Player.name.icontains(search, autoescape=True))
    return db.session.scalars(
        query.order_by(Player.named_at.desc(), Player.id.desc()).limit(MOST_LISTED)
    ).all()


def solves(ids: Sequence[int]) -> dict[int, int]:
    """Count the finished games of each of these players."""
    count = sa.select(Attempt.player_id, sa.func.count()).where(
        Attempt.player_id.in_(ids), Attempt.finished_at.is_not(None)
    )
    rows = db.session.execute(count.group_by(Attempt.player_id))
    return {row[0]: row[1] for row in rows}


def last_seen(ids: Sequence[int]) -> dict[int, datetime]:
    """Return when each of these players was last here, to the hour."""
    seen = sa.select(SignIn.player_id, sa.func.max(SignIn.seen_at)).where(SignIn.player_id.in_(ids))
    return {number: at for number, at in db.session.execute(seen.group_by(SignIn.player_id)) if at}


def latest_dailies(player_id: int) -> Sequence[Attempt]:
    """Return a player's latest solves of dailies, newest first."""
    theirs = sa.select(Attempt).where(Attempt.player_id == player_id, Attempt.standing.is_not(None))
    return db.session.scalars(theirs.order_by(Attempt.finished_at.desc()).limit(20)).all()


def appeals() -> Sequence[Player]:
    """Return the suspended players who have appealed."""
    said = sa.select(Player).where(Player.suspended, Player.appeal.is_not(None))
    return db.session.scalars(said.order_by(Player.id).limit(MOST_LISTED)).all()


def new_names(now: datetime) -> list[Player]:
    """Return the players with a new name that hides letters behind digits and that no curator has kept."""
    new = sa.select(Player).where(Player.named_at > now - NEW, Player.listing == Listing.NAMED)
    found = [
        each for each in db.session.scalars(new.order_by(Player.id)) if DISGUISED.search(each.name or "")
    ]
    last = sa.select(AuditEntry.subject_id, AuditEntry.action).where(AuditEntry.subject == "name")
    theirs = last.where(AuditEntry.subject_id.in_([str(each.id) for each in found])).order_by(AuditEntry.id)
    decided = {row.subject_id: row.action for row in db.session.execute(theirs)}
    return [each for each in found if decided.get(str(each.id)) != "keep"][:MOST_LISTED]


def state(found: Player) -> str:
    """Return what a player's row shows, for a form to send back."""
    until = found.suspended_until
    seen = (
        *(found.name, found.listing, found.suspended, until and until.isoformat()),
        *(found.suspension_reason, found.appeal),
    )
    return sha256(json.dumps(seen).encode()).hexdigest()[:16]


def keep_name(
    curator: Identity, player_id: int, seen: str, now: datetime, *, off: bool = False
) -> AuditEntry:
    """Keep a name that was looked at, or with `off` look at it again. Raises Changed, NotFound."""
    with write_tx():
        found = _as_seen(player_id, seen, curator)
        before, after = {"kept": off}, {"kept": not off, "name": found.name}
        action = "undo" if off else "keep"
        entry = audit.record(curator, action, ("name", player_id), at=now, before=before, after=after)
        db.session.flush()
        return entry


def rename(curator: Identity | None, player_id: int, seen: str, name: str, now: datetime) -> None:
    """Rename a player. Raises BadInput, Changed, NotFound."""
    name = names.checked(name)
    try:
        with write_tx():
            found = _as_seen(player_id, seen, curator)
            before = {"name": found.name}
            found.name, found.name_key = name, names.fold(name)
            db.session.flush()
            after = {"name": name}
            audit.record(curator, "rename", ("player", player_id), at=now, before=before, after=after)
    except IntegrityError:
        raise BadInput(name=_("That name, or one that looks like it, is taken. Try another.")) from None


def hide(curator: Identity, player_id: int, seen: str, now: datetime, *, off: bool = False) -> None:
    """Hide a player's name on all leaderboards, or show it with `off`; the times stay.

    Raises BadInput, Changed, NotFound.
    """
    listing, action = (Listing.NAMED, "show") if off else (Listing.ANONYMOUS, "hide")
    with write_tx():
        found = _as_seen(player_id, seen, curator)
        before = {"listing": str(found.listing)}
        found.listing = listing
        standing.relist(player_id)
        after = {"listing": str(listing)}
        audit.record(curator, action, ("player", player_id), at=now, before=before, after=after)


def suspend(
    curator: Identity, player_id: int, seen: str, days: int | None, reason: str, now: datetime
) -> None:
    """Suspend a player from all leaderboards for so many days, or for good.

    Raises BadInput, Changed, NotFound.
    """
    reason = reason_for(reason)
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise BadInput(days=_("Enter a number of days from 1 to %(most)s.", most=MOST_DAYS))
    with write_tx():
        found = _as_seen(player_id, seen, curator)
        before: dict[str, object] = {"suspended": found.suspended}
        if found.appeal is not None:
            before["appeal"] = found.appeal  # it ends with the suspension
        until = None if days is None else now + timedelta(days=days)
        suspensions.begin(found, until, reason)
        after = {"suspended": True, "until": None if until is None else until.isoformat()}
        audit.record(
            curator, "suspend", ("player", player_id), at=now, before=before, after=after, note=reason
        )


def keep(curator: Identity, player_id: int, seen: str, answer: str, now: datetime) -> None:
    """Answer a player's appeal and keep the suspension. Raises BadInput, Changed, NotFound."""
    answer = reason_for(answer)
    with write_tx():
        found = _as_seen(player_id, seen, curator)
        if found.appeal is None:
            raise BadInput(note=_("This player hasn’t appealed."))
        before, after = {"appeal": found.appeal}, {"answer": answer}
        suspensions.answer(found, answer)
        audit.record(curator, "keep", ("player", player_id), at=now, before=before, after=after, note=answer)


def lift(curator: Identity | None, player_id: int, seen: str, now: datetime) -> AuditEntry:
    """End a player's suspension. Raises BadInput, Changed, NotFound."""
    with write_tx():
        found = _as_seen(player_id, seen, curator)
        if not found.suspended:
            raise BadInput(reason=_("This player isn’t suspended from leaderboards."))
        until = found.suspended_until
        before = {
            "suspended": True,
            "until": None if until is None else until.isoformat(),
            "reason": found.suspension_reason,
            "appeal": found.appeal,
        }
        suspensions.end(found)
        after = {"suspended": False}
        entry = audit.record(curator, "lift", ("player", player_id), at=now, before=before, after=after)
        db.session.flush()
        return entry


def undo_lift(curator: Identity, entry: AuditEntry, now: datetime) -> None:
    """Suspend a player again as before a lift. Raises Changed, NotFound."""
    before = json.loads(entry.before or "{}")
    until = before.get("until")
    with write_tx():
        found = _locked(int(entry.subject_id), curator)
        if found.suspended:
            raise Changed(_("Someone has changed this meanwhile. Take another look."), found.id)
        moment = None if until is None else datetime.fromisoformat(until)
        suspensions.begin(found, moment, before.get("reason") or "")
        found.appeal = before.get("appeal")
        facts = {"suspended": False}, {"suspended": True, "until": until}
        audit.record(curator, "undo", ("player", found.id), at=now, before=facts[0], after=facts[1])


def reason_for(note: str) -> str:
    """Return a cleaned reason that a player reads. Raises BadInput."""
    missing = _("Give a reason. The player will see it.")
    return texts.checked("note", note, LONGEST_NOTE, missing=missing, lines=True)


def _as_seen(player_id: int, seen: str, by: Identity | None) -> Player:
    found = _locked(player_id, by)
    if state(found) != seen:
        raise Changed(
            _("The name, suspension or appeal changed while you were looking. Take another look."), player_id
        )
    return found


def _locked(player_id: int, by: Identity | None) -> Player:
    found = db.session.scalar(sa.select(Player).where(Player.id == player_id).with_for_update())
    if found is None or found.name is None:
        raise NotFound(_("We couldn’t find that player."))
    if found.curator and by is not None and by.role != Role.ADMINISTRATOR:
        raise BadInput(name=_("This is a curator’s account. Only an administrator can change it."))
    return found
