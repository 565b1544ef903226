"""Accounts: register, sign in, change, export, delete. Owns its transactions; independent of requests.

A guest who registers keeps their row, with all attempts and start times. When a guest signs in to an
account, their games move to it; see `_take_over`. Rate limits are checked before any password is hashed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from webapp.capability import capabilities
from webapp.competition import standing
from webapp.identity import costs, limits, names, passwords, players, sessions
from webapp.identity.limits import Taker
from webapp.identity.players import move_rows, plain, rows_of
from webapp.models import Attempt, Listing, Player, SignIn
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

# Wrong ones, by name and range of addresses, by known device, and by player who is asked for it
RENAMING = 180  # as much work as so many positions: five an hour
# Columns of a player in their data export.
EXPORTED = ("name", "email", "listing", "language", "created_at", "named_at")


class WrongPassword(BadInput):
    """Wrong password or unknown name; the message does not reveal which."""

    def __init__(self, player_id: int | None, **fields: str) -> None:
        super().__init__(**fields)
        self.player_id = player_id  # the account that was tried, for the log


def register(player_id: int | None, name: str, password: str, address: str, now: datetime) -> Player:
    """Give a guest or a new player a name and a password. Raises BadInput by field, TooMany.

    Increments the epoch, which ends all earlier sessions.
    """
    name = names.checked(name)
    passwords.checked(password, name)
    _refuse_taken(name, player_id)
    takers = [Taker(limits.SIGN_UPS, address), *passwords.for_stranger(address, now)]
    try:
        with limits.paid(takers, now), passwords.hashed_first(password) as password_hash:
            player = _locked(player_id) if player_id is not None else None
            if player is None:
                player = Player(created_at=now, epoch=-1)
                db.session.add(player)
            if player.name is not None:
                raise BadInput(name=_("You already have an account."))
            player.name, player.name_key = name, names.fold(name)
            player.password_hash, player.named_at = password_hash, now
            player.epoch += 1  # invalidates the guest's cookie on other devices
            db.session.flush()  # assigns the id of a new player
            standing.relist(player.id)
            return player
    except IntegrityError:  # lost a race for the name
        raise BadInput(name=_taken()) from None


def sign_in(
    guest_id: int | None, name: str, password: str, address: str, devices: Mapping[str, str], now: datetime
) -> Player:
    """Return the player of this name, who takes over the games of `guest_id`. Raises WrongPassword, TooMany.

    address: from limits.network(). devices: digest of a player's key -> name of this device for that player.
    An unknown name costs as much time and as many tokens as a known one. A right password gets in from an
    address that has used up its wrong ones.
    """
    key = names.fold(name[: 10 * names.LONGEST])
    player = db.session.scalar(sa.select(Player).where(Player.name_key == key)) if key else None
    device = devices.get(players.fingerprint(player.key)) if player is not None else None
    # An attacker who uses up guesses must not lock an account's owner out: neither on a device where they
    # have signed in, nor in another range, nor beside an address that has used up its own.
    wrong = [Taker(limits.SIGN_INS_FROM, address)]
    where = address if limits.lacks(wrong, now) else limits.place(address)
    takers, hashes = [Taker(limits.SIGN_INS, f"{key} {where}")], passwords.for_stranger(address, now)
    if player is not None and device is not None:
        takers, wrong = [Taker(limits.SIGN_INS, f"{player.id} {device}")], []
        hashes = passwords.for_known(f"{player.id} {device}")
    password_hash = player.password_hash if player is not None else None
    with limits.paid([*takers, *hashes], now):
        if not passwords.matches(password_hash, password) or player is None:
            limits.demand(wrong, now)
            raise WrongPassword(None if player is None else player.id, password=_no_match())
        anew = passwords.hashed(password) if password_hash and passwords.is_outdated(password_hash) else None
        player_id = player.id
        with write_tx():
            player = _locked(player_id)
            if player is None or player.password_hash != password_hash:  # deleted or changed meanwhile
                raise WrongPassword(player_id, password=_no_match())
            if anew:
                player.password_hash = anew
            _take_over(guest_id, player)
    limits.give_back(takers)
    return player


def player(player_id: int) -> Player:
    """Return the row of a player."""
    found = db.session.get(Player, player_id)
    if found is None:
        raise NotFound(_("We couldn’t find that player."))
    return found


def rename(player_id: int, name: str) -> Player:
    """Change the name; the old one becomes available immediately. Raises BadInput, TooMany."""
    name = names.checked(name)
    _refuse_taken(name, player_id)
    costs.demand(limits.WORK, RENAMING)
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
    with (
        limits.paid(passwords.for_known(str(player_id)), now),
        passwords.hashed_first(password) as password_hash,
    ):
        changed = _named(player_id)
        changed.password_hash = password_hash
        changed.epoch += 1
        sessions.end_all(player_id)
        return changed


def confirm(player_id: int, password: str, now: datetime) -> None:
    """Verify the player's password. Raises WrongPassword(current=...), TooMany."""
    password_hash = player(player_id).password_hash
    tries = [Taker(limits.SIGN_INS, str(player_id))]
    with limits.paid([*tries, *passwords.for_known(str(player_id))], now):
        right = passwords.matches(password_hash, password)
    if not right:
        raise WrongPassword(player_id, current=_("Wrong password. Try again."))
    limits.give_back(tries)


def sign_out_everywhere(player_id: int) -> None:
    """End every session of the player."""
    with write_tx():
        _named(player_id).epoch += 1
        sessions.end_all(player_id)


def sign_out_everybody() -> int:
    """End every session of every player with an account, curators too. Returns how many sessions were listed.

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
        standing.relist(player_id)


def delete(player_id: int, password: str | None, now: datetime) -> None:
    """Delete a player and all their data; with an account, this requires the password.

    Also deletes puzzles they entered, unless someone else has played them.
    """
    if player(player_id).name is not None:
        confirm(player_id, password or "", now)
    forget(player_id)


def forget(player_id: int) -> None:
    """Delete a player and all their data, as `delete` does, without a password. Raises NotFound."""
    with write_tx():
        player(player_id)
        for entry in reversed(capabilities()):
            if entry.forget is not None:
                entry.forget(player_id)
        db.session.execute(sa.delete(Player).where(Player.id == player_id))  # the rest is deleted by cascade


def export(player_id: int) -> Iterator[tuple[str, Any]]:
    """Return all data of a player in named parts, ready for JSON; lazily, as there can be much."""
    row = player(player_id)
    own_columns = sa.select(*(Player.__table__.c[name] for name in EXPORTED))
    (own,) = plain(db.session.execute(own_columns.where(Player.id == player_id)))
    yield "player", {**own, "has_password": row.password_hash is not None}
    for entry in capabilities():
        for records in entry.records:
            if records.name:
                found = rows_of(records.model, player_id, *records.columns, **records.renamed)
                yield records.name, found
        if entry.exported is not None:
            yield from entry.exported(player_id)


def export_lines(player_id: int, now: datetime) -> Iterator[str]:
    """Yield the export as one JSON object: the parts in order, an iterator item by item."""
    yield f'{{"format": "ninefold-export", "version": 1, "exported_at": "{now.isoformat()}"'
    for part, value in export(player_id):
        if not isinstance(value, Iterator):
            yield f',\n"{part}": {json.dumps(value, ensure_ascii=False)}'
            continue
        yield f',\n"{part}": ['
        for number, item in enumerate(value):
            yield f"{',' if number else ''}\n{json.dumps(item, ensure_ascii=False)}"
        yield "]"
    yield "}\n"


def summary(player_id: int) -> tuple[Player, Any]:
    """Return a player, and numbers of what belongs to them for an operator. Raises NotFound."""
    games = sa.select(sa.func.count().label("games"), sa.func.count(Attempt.finished_at).label("finished"))
    mine = SignIn.player_id == player_id
    sessions = sa.select(sa.func.count()).where(mine).scalar_subquery().label("sessions")
    seen = sa.select(sa.func.max(SignIn.seen_at)).where(mine).scalar_subquery().label("seen_at")
    row = db.session.execute(games.where(Attempt.player_id == player_id).add_columns(sessions, seen)).one()
    return player(player_id), row


def _take_over(guest_id: int | None, into: Player) -> None:
    """Move a guest's games to an account and delete the guest; does nothing for a player with an account."""
    guest = _locked(guest_id) if guest_id is not None and guest_id != into.id else None
    if guest is None or guest.name is not None:
        return
    for entry in capabilities():
        for records in entry.records:
            if records.move:
                move_rows(records.model, guest.id, into.id)
        if entry.merge is not None:
            entry.merge(guest.id, into.id)
    into.created_at = min(into.created_at, guest.created_at)
    db.session.flush()
    db.session.execute(sa.delete(Player).where(Player.id == guest.id))


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
