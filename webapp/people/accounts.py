"""Accounts: register, sign in, change, export, delete. Owns its transactions; independent of requests.

A guest who registers keeps their row, with all attempts and start times. When a guest signs in to an
account, their games move to it; see `_merge`. Rate limits are checked before any password is hashed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from flask import current_app
from sqlalchemy.exc import IntegrityError

from webapp.competition import logs, ranking
from webapp.competition.fair_play import footprints, traces
from webapp.competition.groups import groups
from webapp.competition.races import races
from webapp.identity import audit, limits, names, passwords, players, sessions
from webapp.identity.limits import Limit, Taker
from webapp.learn.practice import cards
from webapp.learn.rush import rush
from webapp.learn.strength import strength
from webapp.models import (
    ApiToken,
    Attempt,
    DeskMail,
    Group,
    League,
    LeaguePlayer,
    LessonProgress,
    Listing,
    Membership,
    Passkey,
    Peek,
    Player,
    PlayerRating,
    Puzzle,
    RatedGame,
    Score,
    Seat,
    SignIn,
    Status,
    Submission,
)
from webapp.process.database import Busy, db, rows_changed, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

SIGN_INS = Limit("sign-in", 20, timedelta(days=1))  # an account
SIGN_INS_FROM = Limit("sign-in-from", 20, timedelta(hours=1))  # an address
SIGN_INS_KNOWN = Limit("sign-in-known", 20, timedelta(days=1))  # a device that has signed in before
CONFIRMATIONS = Limit("confirm", 20, timedelta(days=1))  # password confirmations by a signed-in player
RENAMES = Limit("rename", 5, timedelta(days=1))
EXPORTS = Limit("export", 10, timedelta(hours=1))


class WrongPassword(BadInput):
    """Wrong password or unknown name; the message does not reveal which."""

    def __init__(self, player_id: int | None, **fields: str) -> None:
        super().__init__(**fields)
        self.player_id = player_id  # the account that was tried, for the log


@dataclass(frozen=True, slots=True)
class Caller:
    """The origin of a request, as used by rate limits."""

    address: str  # from limits.network()
    devices: Mapping[str, str]  # digest of a player's key -> name of this device for that player


def register(player_id: int | None, name: str, password: str, address: str, now: datetime) -> Player:
    """Give a guest or a new player a name and a password. Raises BadInput by field, TooMany.

    Increments the epoch, which ends all earlier sessions.
    """
    name = names.checked(name)
    passwords.checked(password, name)
    _refuse_taken(name, player_id)
    limits.demand([Taker(_sign_ups(), address), *passwords.for_stranger(address)], now)
    password_hash = passwords.hashed(password)
    try:
        with write_tx():
            player = _locked(player_id) if player_id is not None else None
            if player is None:
                player = Player(created_at=now, epoch=-1)
                db.session.add(player)
            if player.name is not None:
                raise BadInput(name=_("You already have an account."))
            player.name, player.name_key = name, names.fold(name)
            player.password_hash, player.named_at = password_hash, now
            player.epoch += 1  # ends what this guest's cookie is on other devices
            db.session.flush()  # assigns the id of a new player
            ranking.settle_player(player.id)
            return player
    except IntegrityError:  # lost a race for the name
        raise BadInput(name=_taken()) from None


def _sign_ups() -> Limit:
    """How many accounts an address can make; a school's needs more than a home's."""
    most: int = current_app.extensions["settings"].sign_ups
    return Limit("sign-up", most, timedelta(days=1))


def sign_in(guest_id: int | None, name: str, password: str, caller: Caller, now: datetime) -> Player:
    """Return the player of this name, who takes over the games of `guest_id`. Raises WrongPassword, TooMany.

    An unknown name costs as much time and as many tokens as a known one.
    """
    key = names.fold(name[: 10 * names.LONGEST])
    player = db.session.scalar(sa.select(Player).where(Player.name_key == key)) if key else None
    device = caller.devices.get(players.fingerprint(player.key)) if player is not None else None
    takers = [Taker(SIGN_INS_FROM, caller.address), Taker(SIGN_INS, key)]
    hashes = passwords.for_stranger(caller.address)
    if player is not None and device is not None:
        # An attacker who uses up an account's guesses must not lock its owner out.
        takers = [Taker(SIGN_INS_KNOWN, f"{player.id} {device}")]
        hashes = passwords.for_known(f"{player.id} {device}")
    limits.demand([*takers, *hashes], now)
    password_hash = player.password_hash if player is not None else None
    try:
        right = passwords.matches(password_hash, password)
    except Busy:
        limits.give_back(takers)  # no password was checked
        raise
    if not right or player is None:
        raise WrongPassword(
            player.id if player is not None else None,
            password=_no_match(),
        )
    anew = passwords.hashed(password) if password_hash and passwords.is_outdated(password_hash) else None
    player_id = player.id
    with write_tx():
        player = _locked(player_id)
        if player is None or player.password_hash != password_hash:  # deleted or changed in the meantime
            raise WrongPassword(player_id, password=_no_match())
        if anew:
            player.password_hash = anew
        _take_over(guest_id, player)
    limits.give_back(takers)
    return player


def arrive(guest_id: int | None, player_id: int) -> Player:
    """Return a player who has proved who they are, and who takes over the games of `guest_id`.

    Raises NotFound if they have been deleted meanwhile.
    """
    with write_tx():
        player = _named(player_id)
        _take_over(guest_id, player)
        return player


def player(player_id: int) -> Player:
    """Return the row of a player."""
    found = db.session.get(Player, player_id)
    if found is None:
        raise NotFound(_("We couldn’t find that player."))
    return found


def rename(player_id: int, name: str, now: datetime) -> Player:
    """Change the name; the old one becomes available immediately. Raises BadInput, TooMany."""
    name = names.checked(name)
    _refuse_taken(name, player_id)
    limits.demand([Taker(RENAMES, str(player_id))], now)
    try:
        with write_tx():
            player = _named(player_id)
            player.name, player.name_key = name, names.fold(name)
            db.session.flush()
            return player
    except IntegrityError:
        raise BadInput(name=_taken()) from None


def change_password(player_id: int, current: str, password: str, now: datetime) -> Player:
    """Change the password and end every session except the current one.

    Raises WrongPassword(current=...), BadInput, TooMany.
    """
    passwords.checked(password, player(player_id).name or "")
    confirm(player_id, current, now)
    limits.demand(passwords.for_known(str(player_id)), now)
    password_hash = passwords.hashed(password)
    with write_tx():
        changed = _named(player_id)
        changed.password_hash = password_hash
        changed.epoch += 1
        sessions.end_all(player_id)
        return changed


def confirm(player_id: int, password: str, now: datetime) -> None:
    """Verify the player's password. Raises WrongPassword(current=...), TooMany."""
    password_hash = player(player_id).password_hash
    limits.demand([Taker(CONFIRMATIONS, str(player_id)), *passwords.for_known(str(player_id))], now)
    if not passwords.matches(password_hash, password):
        raise WrongPassword(player_id, current=_("Wrong password. Try again."))
    limits.give_back([Taker(CONFIRMATIONS, str(player_id))])


def sign_out_everywhere(player_id: int) -> None:
    """End every session of the player."""
    with write_tx():
        _named(player_id).epoch += 1
        sessions.end_all(player_id)


def sign_out_everybody() -> int:
    """End every session of every player with a name, curators too. Returns how many sessions were listed.

    Guests stay: their cookie is the only key to their games.
    """
    with write_tx():
        db.session.execute(sa.update(Player).where(Player.name.is_not(None)).values(epoch=Player.epoch + 1))
        return rows_changed(sa.delete(SignIn))


def set_listing(player_id: int, listing: str) -> None:
    """Set how a player appears on leaderboards: named, anonymous, none."""
    if listing not in set(Listing):
        raise BadInput(listing=_("Choose one of the three options."))
    with write_tx():
        _named(player_id).listing = Listing(listing)
        ranking.settle_player(player_id)


def delete(player_id: int, password: str | None, now: datetime) -> None:
    """Delete a player and all their data; with an account, this requires the password.

    Also deletes puzzles they entered, unless someone else has played them.
    """
    if player(player_id).name is not None:
        confirm(player_id, password or "", now)
    forget(player_id)


def forget(player_id: int) -> None:
    """Delete a player and all their data, as `delete` does, without asking. Raises NotFound."""
    with write_tx():
        player(player_id)
        entered = list(
            db.session.scalars(
                sa.select(Puzzle.id)
                .join(Attempt, Attempt.puzzle_id == Puzzle.id)
                .where(Attempt.player_id == player_id, Puzzle.status == Status.ENTERED)
                .distinct()
            )
        )
        entered += _withdrawn(player_id)
        audit.forget(player_id)
        ranking.unlist(player_id)
        groups.bequeath(player_id)
        db.session.execute(sa.delete(Player).where(Player.id == player_id))  # the rest is deleted by cascade
        played = sa.exists().where(Attempt.puzzle_id == Puzzle.id)
        db.session.execute(sa.delete(Puzzle).where(Puzzle.id.in_(entered), ~played))


def _withdrawn(player_id: int) -> list[int]:
    """Take the titles from what a player has submitted; returns the puzzles that no player can get."""
    submitted = list(
        db.session.scalars(sa.select(Submission.puzzle_id).where(Submission.player_id == player_id))
    )
    db.session.execute(sa.update(Puzzle).where(Puzzle.id.in_(submitted)).values(title=None))
    closed = Puzzle.status.in_((Status.CANDIDATE, Status.REJECTED))
    return list(db.session.scalars(sa.select(Puzzle.id).where(Puzzle.id.in_(submitted), closed)))


def demand_export(player_id: int, now: datetime) -> None:
    """Check the limit on exports. Raises TooMany."""
    limits.demand([Taker(EXPORTS, str(player_id))], now)


def export(player_id: int) -> Iterator[tuple[str, Any]]:
    """Return all data of a player in named parts, ready for JSON; attempts are lazy, as there can be many."""
    row = player(player_id)
    yield (
        "player",
        {
            "name": row.name,
            "email": row.email,
            "listing": row.listing,
            "rated_since": _iso(row.rated_since),
            "reminder_hour": row.reminder_hour,
            "time_zone": row.time_zone,
            "language": row.language,
            "reminded_on": None if row.reminded_on is None else row.reminded_on.isoformat(),
            "created_at": _iso(row.created_at),
            "named_at": _iso(row.named_at),
            "has_password": row.password_hash is not None,
        },
    )
    groups = db.session.execute(
        sa.select(Group.name, Group.owner_id, Membership.joined_at)
        .join(Membership, Membership.group_id == Group.id)
        .where(Membership.player_id == player_id)
    )
    yield (
        "groups",
        [
            {"name": name, "owner": owner_id == player_id, "joined_at": _iso(joined_at)}
            for name, owner_id, joined_at in groups
        ],
    )
    seats = db.session.execute(
        sa.select(League.period, League.starts_on, League.number, Seat.rank, Seat.points)
        .join(Seat, Seat.league_id == League.id)
        .where(Seat.player_id == player_id)
        .order_by(League.starts_on, League.period)
    )
    yield (
        "leagues",
        [
            {
                "period": seat.period,
                "starts_on": seat.starts_on.isoformat(),
                "league": seat.number,
                "rank": seat.rank,
                "points": seat.points,
            }
            for seat in seats
        ],
    )
    memberships = db.session.scalars(
        sa.select(LeaguePlayer).where(LeaguePlayer.player_id == player_id).order_by(LeaguePlayer.period)
    )
    yield (
        "league_memberships",
        [{"period": one.period, "tier": one.tier, "joined_at": _iso(one.joined_at)} for one in memberships],
    )
    sign_ins = db.session.scalars(
        sa.select(SignIn).where(SignIn.player_id == player_id).order_by(SignIn.created_at, SignIn.id)
    )
    yield (
        "sessions",
        [
            {
                "device": one.device,
                "addresses": one.place,
                "created_at": _iso(one.created_at),
                "seen_at": _iso(one.seen_at),
            }
            for one in sign_ins
        ],
    )
    own_passkeys = db.session.scalars(
        sa.select(Passkey).where(Passkey.player_id == player_id).order_by(Passkey.id)
    )
    yield (
        "passkeys",
        [
            {
                "name": one.label,
                "created_at": _iso(one.created_at),
                "used_at": _iso(one.used_at),
                "uses_counted": one.sign_count,
            }
            for one in own_passkeys
        ],
    )
    own_tokens = db.session.scalars(
        sa.select(ApiToken).where(ApiToken.player_id == player_id).order_by(ApiToken.id)
    )
    yield (
        "api_tokens",
        [
            {"name": one.name, "created_at": _iso(one.created_at), "used_at": _iso(one.used_at)}
            for one in own_tokens
        ],
    )
    mail = db.session.get(DeskMail, player_id)
    yield "desk_mail", [] if mail is None else mail.kinds.split()
    scores = db.session.scalars(sa.select(Score).where(Score.player_id == player_id))
    yield (
        "scores",
        [
            {
                "scope": score.scope,
                "starts_on": score.starts_on.isoformat(),
                "level": score.level,
                "points": score.points,
                "solves": score.solves,
            }
            for score in scores
        ],
    )
    ratings = db.session.scalars(sa.select(PlayerRating).where(PlayerRating.player_id == player_id))
    yield (
        "ratings",
        [
            {
                "family": one.family,
                "rating": one.rating,
                "deviation": one.deviation,
                "volatility": one.volatility,
                "games": one.games,
                "rated_at": _iso(one.rated_at),
            }
            for one in ratings
        ],
    )
    rated = db.session.scalars(
        sa.select(RatedGame).where(RatedGame.player_id == player_id).order_by(RatedGame.rated_at)
    )
    yield (
        "rated_games",
        [
            {
                "attempt": game.attempt_id,
                "puzzle": game.puzzle_id,
                "at": _iso(game.rated_at),
                "score": game.score,
                "puzzle_rating": game.puzzle_rating,
                "rating": game.rating,
                "deviation": game.deviation,
            }
            for game in rated
        ],
    )
    peeks = db.session.scalars(sa.select(Peek).where(Peek.player_id == player_id))
    yield ("seen", [{"puzzle": peek.puzzle_id, "at": _iso(peek.seen_at)} for peek in peeks])
    lessons = db.session.scalars(sa.select(LessonProgress).where(LessonProgress.player_id == player_id))
    yield (
        "lessons",
        [
            {
                "technique": lesson.technique,
                "seen_at": _iso(lesson.seen_at),
                "practiced_at": _iso(lesson.practiced_at),
                "mastered_at": _iso(lesson.mastered_at),
            }
            for lesson in lessons
        ],
    )
    offered = db.session.scalars(sa.select(Submission).where(Submission.player_id == player_id))
    yield (
        "submissions",
        [
            {
                "puzzle": each.puzzle_id,
                "givens": each.puzzle.givens,
                "title": each.puzzle.title,
                "at": _iso(each.created_at),
            }
            for each in offered
        ],
    )
    yield from cards.exported(player_id)
    yield "races", races.exported(player_id)
    yield "rush", rush.exported(player_id)
    own = sa.select(Attempt.id).where(Attempt.player_id == player_id).order_by(Attempt.started_at, Attempt.id)
    for attempt_id in db.session.scalars(own).all():
        yield "attempts", _exported_attempt(attempt_id)
        db.session.expire_all()


def _exported_attempt(attempt_id: str) -> dict[str, Any]:
    attempt = db.session.get_one(Attempt, attempt_id)
    return {
        "id": attempt.id,
        "puzzle": attempt.puzzle_id,
        "givens": attempt.givens,
        "level": attempt.level,
        "daily": attempt.daily.date.isoformat() if attempt.daily is not None else None,
        "ranked": attempt.ranked,
        "assisted": attempt.assisted,
        "started_at": _iso(attempt.started_at),
        "finished_at": _iso(attempt.finished_at),
        "elapsed_ms": attempt.elapsed_ms,
        "standing": attempt.standing,
        "doubts": attempt.doubts,
        "verdict": attempt.verdict,
        "percentile": attempt.percentile,
        "moves": [
            {
                "seq": move.seq,
                "kind": move.kind,
                "cell": move.cell,
                "digit": move.digit,
                "received_at": _iso(received_at),
            }
            for move, received_at in logs.part(attempt_id, 1, attempt.last_seq)
        ],
    }


def _take_over(guest_id: int | None, player: Player) -> None:
    if guest_id is not None and guest_id != player.id:
        _merge(guest_id, player)
        ranking.settle_player(player.id)


def _merge(guest_id: int, into: Player) -> None:
    """Move a guest's games to an account and delete the guest; does nothing for a player with a name.

    If both have played a puzzle, only the very first attempt can be ranked: a second attempt by someone who
    has seen the puzzle is never ranked.
    """
    guest = _locked(guest_id)
    if guest is None or guest.name is not None:
        return
    first_met: dict[int, Attempt] = {}
    for attempt in db.session.scalars(
        sa.select(Attempt)
        .where(Attempt.player_id.in_((guest_id, into.id)), Attempt.puzzle_id.in_(_puzzles_of(guest_id)))
        .order_by(Attempt.started_at, Attempt.id)
    ):
        if first_met.setdefault(attempt.puzzle_id, attempt) is not attempt:
            attempt.ranked = False
    db.session.flush()  # before the merge: a player can have only one ranked attempt per puzzle
    db.session.execute(sa.update(Attempt).where(Attempt.player_id == guest_id).values(player_id=into.id))
    seen = {
        peek.puzzle_id: peek for peek in db.session.scalars(sa.select(Peek).where(Peek.player_id == into.id))
    }
    for peek in db.session.scalars(sa.select(Peek).where(Peek.player_id == guest_id)):
        own = seen.get(peek.puzzle_id)
        if own is None:
            db.session.add(Peek(player_id=into.id, puzzle_id=peek.puzzle_id, seen_at=peek.seen_at))
        else:
            own.seen_at = min(own.seen_at, peek.seen_at)
    _merge_lessons(guest_id, into.id)
    strength.merge(guest_id, into.id)
    footprints.merge(guest_id, into.id)
    traces.merge(guest_id, into.id)
    joined = set(db.session.scalars(sa.select(Membership.group_id).where(Membership.player_id == into.id)))
    for member in db.session.scalars(sa.select(Membership).where(Membership.player_id == guest_id)):
        if member.group_id not in joined:
            db.session.add(
                Membership(group_id=member.group_id, player_id=into.id, joined_at=member.joined_at)
            )
    db.session.execute(sa.update(Group).where(Group.owner_id == guest_id).values(owner_id=into.id))
    cards.merge(guest_id, into.id)
    races.merge(guest_id, into.id)
    rush.merge(guest_id, into.id)
    into.created_at = min(into.created_at, guest.created_at)
    db.session.flush()
    db.session.execute(sa.delete(Player).where(Player.id == guest_id))


def _merge_lessons(guest_id: int, into_id: int) -> None:
    """Keep the earliest moment of each state."""
    known = {
        lesson.technique: lesson
        for lesson in db.session.scalars(sa.select(LessonProgress).where(LessonProgress.player_id == into_id))
    }
    for lesson in db.session.scalars(sa.select(LessonProgress).where(LessonProgress.player_id == guest_id)):
        own = known.get(lesson.technique)
        if own is None:
            own = LessonProgress(player_id=into_id, technique=lesson.technique, seen_at=lesson.seen_at)
            db.session.add(own)
        own.seen_at = min(own.seen_at, lesson.seen_at)
        own.practiced_at = _earlier(own.practiced_at, lesson.practiced_at)
        own.mastered_at = _earlier(own.mastered_at, lesson.mastered_at)


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min(filter(None, (one, other)), default=None)


def _puzzles_of(player_id: int) -> sa.Select[int]:
    return sa.select(Attempt.puzzle_id).where(Attempt.player_id == player_id)


def _locked(player_id: int) -> Player | None:
    return db.session.scalar(sa.select(Player).where(Player.id == player_id).with_for_update())


def _named(player_id: int) -> Player:
    found = _locked(player_id)
    if found is None or found.name is None:
        raise NotFound(_("We couldn’t find that player."))
    return found


def _refuse_taken(name: str, player_id: int | None) -> None:
    holder = db.session.scalar(sa.select(Player.id).where(Player.name_key == names.fold(name)))
    if holder is not None and holder != player_id:
        raise BadInput(name=_taken())


def _taken() -> str:
    return _("That name, or one that looks like it, is taken. Try another.")


def _no_match() -> str:
    return _("Wrong name or password.")


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
