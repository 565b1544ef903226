"""Moderation: solves under review, and names. Owns its transactions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from webapp.competition import ranking
from webapp.game import plausibility
from webapp.identity import audit, names
from webapp.identity.players import Identity
from webapp.learn.strength import strength
from webapp.models import Attempt, Listing, Player, Standing
from webapp.process.database import Busy, db, write_tx
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _

MOST_LISTED = 100
LONGEST_NOTE = 500
VERDICTS = (Standing.VERIFIED, Standing.REMOVED)


def waiting() -> Sequence[Attempt]:
    """Return the solves under review, oldest first."""
    under_review = sa.select(Attempt).where(Attempt.standing == Standing.REVIEW)
    return db.session.scalars(under_review.order_by(Attempt.finished_at).limit(MOST_LISTED)).all()


def decided() -> Sequence[Attempt]:
    """Return the solves decided most recently."""
    judged = sa.select(Attempt).where(Attempt.standing.in_(VERDICTS), Attempt.verdict.is_not(None))
    return db.session.scalars(judged.order_by(Attempt.updated_at.desc()).limit(20)).all()


def flag(attempt_id: str) -> Attempt:
    """Return a solve that is or was under review. Raises NotFound for any other."""
    found = db.session.get(Attempt, attempt_id)
    if found is None or found.standing is None or (found.doubts is None and found.verdict is None):
        raise NotFound(_("We couldn’t find that solve under review."))
    return found


def doubts(attempt: Attempt) -> list[str]:
    """Return the descriptions of the rules that flagged a solve."""
    return [plausibility.words(key) for key in json.loads(attempt.doubts or "[]")]


def mark(attempt: Attempt) -> str:
    """Return the state of a solve for a form to send back, so that a verdict refers to what was seen."""
    return f"{attempt.standing} {attempt.updated_at.isoformat()}"


def judge(curator: Identity, attempt_id: str, seen: str, standing: str, note: str, now: datetime) -> None:
    """Record a curator's verdict on a solve and its reason. Raises BadInput, Changed, NotFound."""
    note = note.strip()
    if standing not in VERDICTS:
        raise BadInput(standing=_("Choose whether the solve counts."))
    if not note:
        raise BadInput(note=_("Give a reason. The player will see it."))
    if len(note) > LONGEST_NOTE:
        raise BadInput(note=_("Use at most %(most)s characters.", most=LONGEST_NOTE))
    with write_tx():
        ranking.hold_player_of(attempt_id)
        attempt = flag(attempt_id)
        if attempt.player_id == curator.id:
            raise BadInput(standing=_("This is your own solve. Another curator has to decide."))
        if mark(attempt) != seen:
            last = next(iter(audit.of("attempt", attempt_id)), None)
            who = last.curator_name if last is not None else _("the player")
            raise Changed(
                _(
                    "%(who)s changed this solve while you were looking. It’s now %(standing)s. "
                    "Take another look.",
                    who=who,
                    standing=attempt.standing,
                ),
                attempt_id,
            )
        before = {"standing": attempt.standing, "verdict": attempt.verdict}
        ranking.give_verdict(attempt_id, Standing(standing), note, now)
        after = {"standing": standing, "verdict": note}
        audit.record(curator, "judge", "attempt", attempt_id, at=now, before=before, after=after, note=note)
        player_id, finished_at = attempt.player_id, attempt.finished_at
        if standing == Standing.REMOVED:
            strength.withdraw(attempt_id)
    if standing == Standing.VERIFIED:
        with suppress(Busy):  # then it counts in no rating, as its verdict stands already
            strength.settle(player_id, now, since=finished_at)


def named(search: str = "") -> Sequence[Player]:
    """Return players whose name contains `search`, newest first."""
    query = sa.select(Player).where(Player.name.is_not(None))
    if search:
        query = query.where(Player.name.icontains(search, autoescape=True))
    return db.session.scalars(query.order_by(Player.named_at.desc(), Player.id.desc()).limit(30)).all()


def rename(curator: Identity, player_id: int, seen: str, name: str, note: str, now: datetime) -> None:
    """Rename a player whose name is still the one seen. Raises BadInput, Changed, NotFound."""
    name = names.checked(name)
    try:
        with write_tx():
            player = _player(player_id, seen)
            player.name, player.name_key = name, names.fold(name)
            db.session.flush()
            audit.record(
                curator,
                "rename",
                "player",
                player_id,
                at=now,
                before={"name": seen},
                after={"name": name},
                note=note.strip()[:LONGEST_NOTE] or None,
            )
    except IntegrityError:
        raise BadInput(name=_("That name, or one that looks like it, is taken. Try another.")) from None


def hide(curator: Identity, player_id: int, seen: str, note: str, now: datetime) -> None:
    """Hide a player's name on all leaderboards; the times stay. Raises Changed, NotFound."""
    with write_tx():
        player = _player(player_id, seen)
        before = {"listing": str(player.listing)}
        player.listing = Listing.ANONYMOUS
        ranking.settle_player(player_id)
        audit.record(
            curator,
            "hide",
            "player",
            player_id,
            at=now,
            before=before,
            after={"listing": str(Listing.ANONYMOUS)},
            note=note.strip()[:LONGEST_NOTE] or None,
        )


def _player(player_id: int, seen: str) -> Player:
    player = db.session.scalar(sa.select(Player).where(Player.id == player_id).with_for_update())
    if player is None or player.name is None:
        raise NotFound(_("We couldn’t find that player."))
    if player.name != seen:
        message = _("This player is now called %(name)s. Take another look.", name=player.name)
        raise Changed(message, player_id)
    return player
