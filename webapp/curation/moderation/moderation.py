"""Moderation: solves of dailies, under review or not, and players. Owns its transactions.

curator: None for an operator on the command line. Only operators and administrators change a curator's
account.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import joinedload

from engine.geometry import cell_name
from webapp.competition import standing as standings
from webapp.competition import suspensions
from webapp.competition.leaderboard import days
from webapp.game.fair_play import rules
from webapp.identity import audit, names, texts
from webapp.identity.players import Identity
from webapp.models import Attempt, Daily, Leaderboard, Listing, Player, Role, Standing
from webapp.models.daily import SCHEDULED, WINDOW
from webapp.play.replays.review import Review
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _

MOST_LISTED = 100
LONGEST_NOTE = 500
MOST_DAYS = 3650  # of a temporary suspension
LOOKED_BACK = timedelta(days=7)
LOOKED_AT = 3  # first places of a closed day
VERDICTS = (Standing.VERIFIED, Standing.REMOVED)


def waiting() -> Sequence[Attempt]:
    """Return the solves under review, oldest first."""
    under_review = sa.select(Attempt).where(Attempt.standing == Standing.REVIEW)
    return db.session.scalars(under_review.order_by(Attempt.finished_at).limit(MOST_LISTED)).all()


def unranked(now: datetime) -> list[tuple[Attempt, list[str]]]:
    """Return the solves of the last days that were typed in one go, with the reason for each."""
    return [(attempt, [rules.words(rules.PAPER)]) for attempt in standings.typed(now, MOST_LISTED)]


def wait(attempt: Attempt) -> list[str]:
    """Return why a verified solve has no rank, and what would give it one; empty if it has one."""
    if not standings.asked_about_paper(attempt):
        return []
    end = _("It gets its rank once you count it. The player can say that it came from paper.")
    return [rules.words(rules.PAPER), end]


def firsts(now: datetime) -> list[Attempt]:
    """Return the first three of leaderboards that closed in the past week, if they have no verdict."""
    last = now - WINDOW
    over = Daily.date.between((last - LOOKED_BACK).date(), last.date() - timedelta(days=1))
    closed = sa.select(Daily.id).where(over, SCHEDULED)
    found: list[Attempt] = []
    for daily_id in db.session.scalars(closed.order_by(Daily.date.desc(), Daily.level)).all():
        on_it = sa.select(Attempt).where(Attempt.daily_id == daily_id, Attempt.board == Leaderboard.DAY)
        first = on_it.order_by(*days.ORDER).limit(LOOKED_AT)
        of_it = first.options(joinedload(Attempt.player), joinedload(Attempt.daily))
        found += [attempt for attempt in db.session.scalars(of_it) if attempt.verdict is None]
    return found


def decided() -> Sequence[Attempt]:
    """Return the solves decided most recently."""
    verdicts = sa.select(Attempt).where(Attempt.standing.in_(VERDICTS), Attempt.verdict.is_not(None))
    return db.session.scalars(verdicts.order_by(Attempt.updated_at.desc()).limit(20)).all()


def flag(attempt_id: str) -> Attempt:
    """Return a solve of a daily, under review or not. Raises NotFound for any other."""
    found = db.session.get(Attempt, attempt_id)
    if found is None or found.standing is None:
        raise NotFound(_("We couldn’t find that solve."))
    return found


def player(player_id: int) -> Player:
    """Return a player with an account. Raises NotFound for any other."""
    found = db.session.get(Player, player_id)
    if found is None or found.name is None:
        raise NotFound(_("We couldn’t find that player."))
    return found


def with_name(name: str) -> tuple[int, str]:
    """Return the id and the name of the player with a name. Raises NotFound."""
    row = db.session.execute(
        sa.select(Player.id, Player.name).where(Player.name_key == names.fold(name[: 10 * names.LONGEST]))
    ).one_or_none()
    if row is None or row.name is None:
        raise NotFound(_("No player is named %(name)s.", name=name))
    return row.id, row.name


def solves(player_id: int) -> Sequence[Attempt]:
    """Return a player's latest solves of dailies, newest first."""
    theirs = sa.select(Attempt).where(Attempt.player_id == player_id, Attempt.standing.is_not(None))
    return db.session.scalars(theirs.order_by(Attempt.finished_at.desc()).limit(MOST_LISTED)).all()


def appeals() -> Sequence[Player]:
    """Return the suspended players who have appealed."""
    said = sa.select(Player).where(Player.suspended, Player.appeal.is_not(None)).order_by(Player.id)
    return db.session.scalars(said.limit(MOST_LISTED)).all()


def appealed() -> Sequence[Attempt]:
    """Return the removed solves whose players have appealed."""
    said = sa.select(Attempt).where(Attempt.standing == Standing.REMOVED, Attempt.appeal.is_not(None))
    return db.session.scalars(said.order_by(Attempt.finished_at).limit(MOST_LISTED)).all()


def doubts(attempt: Attempt) -> list[str]:
    """Return the descriptions of the rules that flagged a solve."""
    return [rules.words(key) for key in json.loads(attempt.doubts or "[]")]


def original(attempt: Attempt) -> Attempt | None:
    """Return the earlier game with the same order as a solve; None if it isn't a copy."""
    return None if attempt.original_id is None else db.session.get(Attempt, attempt.original_id)


@dataclass(frozen=True, slots=True)
class MoveTime:
    """A move of a solve and when it was received, in seconds on the clock."""

    kind: str
    cell: str  # such as r4c7; empty for none, and a count for several
    digit: int | None
    at: float
    waited: float  # since the previous move


def times(solve: Review) -> list[MoveTime]:
    """Return the moves of a solve with their times, for curators to compare with human play."""
    found, before = [], 0
    for moment in solve.moments:
        cells = moment.move.cells
        cell = cell_name(cells[0]) if len(cells) == 1 else str(len(cells) or "")
        at, waited = moment.elapsed_ms / 1000, (moment.elapsed_ms - before) / 1000
        found.append(MoveTime(moment.move.kind.value, cell, moment.move.digit, at, waited))
        before = moment.elapsed_ms
    return found


def mark(attempt: Attempt) -> str:
    """Return the state of a solve for a form to send back, so that a verdict refers to what was seen."""
    return f"{attempt.standing} {attempt.updated_at.isoformat()}"


def record_verdict(
    curator: Identity, attempt_id: str, seen: str, standing: str, note: str, now: datetime
) -> None:
    """Record a curator's verdict on a solve and its reason. Raises BadInput, Changed, NotFound."""
    if standing not in VERDICTS:
        raise BadInput(standing=_("Choose whether the solve counts."))
    note = reason_for(note)
    with write_tx():
        standings.hold_player_of(attempt_id)
        attempt = flag(attempt_id)
        if attempt.player_id == curator.id:
            raise BadInput(standing=_("This is your own solve. Another curator has to decide."))
        if mark(attempt) != seen:
            last = next(iter(audit.of("attempt", attempt_id)), None)
            raise Changed(
                _(
                    "%(who)s changed this solve while you were looking. Take another look.",
                    who=last.curator_name,
                )
                if last is not None
                else _("The player changed this solve while you were looking. Take another look."),
                attempt_id,
            )
        before = {"standing": attempt.standing, "verdict": attempt.verdict}
        words = note
        if attempt.appeal is not None:
            before["appeal"] = attempt.appeal
            if standing == Standing.REMOVED:  # the answer comes below the reason
                words = f"{attempt.verdict}\n{note}"
        if standing == Standing.VERIFIED and attempt.assisted:
            standing = Standing.ASSISTED  # restored as assisted
        standings.verdict(attempt_id, Standing(standing), words, now)
        after = {"standing": str(standing), "verdict": note}
        audit.record(curator, "judge", ("attempt", attempt_id), at=now, before=before, after=after, note=note)


def reason_for(note: str) -> str:
    """Return the cleaned reason of a verdict. Raises BadInput."""
    missing = _("Give a reason. The player will see it.")
    return texts.checked("note", note, LONGEST_NOTE, missing=missing, lines=True)


def named(search: str = "") -> Sequence[Player]:
    """Return players whose name contains `search`, newest first."""
    query = sa.select(Player).where(Player.name.is_not(None))
    if search:
        query = query.where(Player.name.icontains(search, autoescape=True))
    return db.session.scalars(query.order_by(Player.named_at.desc(), Player.id.desc()).limit(30)).all()


def rename(curator: Identity | None, player_id: int, seen: str, name: str, note: str, now: datetime) -> None:
    """Rename a player whose name is still the one seen. Raises BadInput, Changed, NotFound."""
    name = names.checked(name)
    try:
        with write_tx():
            player = _named(player_id, seen, curator)
            player.name, player.name_key = name, names.fold(name)
            db.session.flush()
            audit.record(
                curator,
                "rename",
                ("player", player_id),
                at=now,
                before={"name": seen},
                after={"name": name},
                note=texts.checked("note", note, lines=True)[:LONGEST_NOTE] or None,
            )
    except IntegrityError:
        raise BadInput(name=_("That name, or one that looks like it, is taken. Try another.")) from None


def hide(curator: Identity | None, player_id: int, seen: str, note: str, now: datetime) -> None:
    """Hide a player's name on all leaderboards; the times stay. Raises BadInput, Changed, NotFound."""
    with write_tx():
        player = _named(player_id, seen, curator)
        before = {"listing": str(player.listing)}
        player.listing = Listing.ANONYMOUS
        standings.relist(player_id)
        audit.record(
            curator,
            "hide",
            ("player", player_id),
            at=now,
            before=before,
            after={"listing": str(Listing.ANONYMOUS)},
            note=texts.checked("note", note, lines=True)[:LONGEST_NOTE] or None,
        )


def state(player: Player) -> str:
    """Return a player’s suspension for a form to send back, so that a decision refers to what was seen."""
    until, appeal = player.suspended_until, player.appeal
    seen = (player.name, player.suspended, until and until.isoformat(), player.suspension_reason, appeal)
    return sha256(json.dumps(seen).encode()).hexdigest()[:16]


def suspend(
    curator: Identity | None, player_id: int, seen: str, days: int | None, reason: str, now: datetime
) -> None:
    """Suspend a player from all leaderboards for so many days, or for good.

    Raises BadInput, Changed, NotFound.
    """
    reason = reason_for(reason)
    if days is not None and not 1 <= days <= MOST_DAYS:
        raise BadInput(days=_("Enter a number of days from 1 to %(most)s.", most=MOST_DAYS))
    with write_tx():
        player = _as_seen(player_id, seen, curator)
        before: dict[str, object] = {"suspended": player.suspended}
        if player.appeal is not None:
            before["appeal"] = player.appeal  # it ends with the suspension
        until = None if days is None else now + timedelta(days=days)
        suspensions.begin(player, until, reason)
        after = {"suspended": True, "until": None if until is None else until.isoformat()}
        audit.record(
            curator, "suspend", ("player", player_id), at=now, before=before, after=after, note=reason
        )


def keep(curator: Identity, player_id: int, seen: str, answer: str, now: datetime) -> None:
    """Answer a player's appeal and keep the suspension. Raises BadInput, Changed, NotFound."""
    answer = reason_for(answer)
    with write_tx():
        player = _as_seen(player_id, seen, curator)
        if player.appeal is None:
            raise BadInput(note=_("This player hasn’t appealed."))
        before, after = {"appeal": player.appeal}, {"answer": answer}
        suspensions.answer(player, answer)
        audit.record(curator, "keep", ("player", player_id), at=now, before=before, after=after, note=answer)


def lift(curator: Identity | None, player_id: int, seen: str, note: str, now: datetime) -> None:
    """End a player's suspension. Raises BadInput, Changed, NotFound."""
    with write_tx():
        player = _as_seen(player_id, seen, curator)
        if not player.suspended:
            raise BadInput(reason=_("This player isn’t suspended from leaderboards."))
        before, after = {"suspended": True, "appeal": player.appeal}, {"suspended": False}
        suspensions.end(player)
        note = texts.checked("note", note, lines=True)[:LONGEST_NOTE]
        audit.record(
            curator, "lift", ("player", player_id), at=now, before=before, after=after, note=note or None
        )


def _named(player_id: int, seen: str, by: Identity | None) -> Player:
    player = _player(player_id, by)
    if player.name != seen:
        message = _("This player is now called %(name)s. Take another look.", name=player.name)
        raise Changed(message, player_id)
    return player


def _as_seen(player_id: int, seen: str, by: Identity | None) -> Player:
    player = _player(player_id, by)
    if state(player) != seen:
        raise Changed(
            _("The name, suspension or appeal changed while you were looking. Take another look."), player_id
        )
    return player


def _player(player_id: int, by: Identity | None) -> Player:
    player = db.session.scalar(sa.select(Player).where(Player.id == player_id).with_for_update())
    if player is None or player.name is None:
        raise NotFound(_("We couldn’t find that player."))
    if player.curator and by is not None and by.role != Role.ADMINISTRATOR:
        raise BadInput(name=_("This is a curator’s account. Only an administrator can change it."))
    return player
