"""Password recovery by email: signed, short-lived links that work once.

An address is stored once its owner has followed a link sent to it. We never reveal whether a name has one.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta

import sqlalchemy as sa
from itsdangerous import BadData, URLSafeSerializer

from webapp.identity import keys, limits, names, passwords, sessions
from webapp.identity.limits import Taker
from webapp.models import Player
from webapp.people import accounts
from webapp.process.clock import AHEAD
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

LIFETIME = timedelta(hours=1)  # lifetime of a link
# To one name from one range of addresses, and by one player to addresses
LONGEST = 254  # characters of an address (RFC 5321)
ADDRESS = re.compile(r"[^\s@<>\"(),:;\\\[\]]{1,64}@[^\s@<>\"(),:;\\\[\]]+\.[^\s@<>\"(),:;\\\[\].]{2,}")


def address_token(player_id: int, address: str, password: str, now: datetime) -> tuple[str, str]:
    """Return address and token for a confirmation mail. Raises BadInput, WrongPassword, TooMany."""
    address = address.strip()
    if len(address) > LONGEST or not ADDRESS.fullmatch(address):
        raise BadInput(email=_("That doesn’t look like an email address. Check it and try again."))
    accounts.confirm(player_id, password, now)
    limits.demand([Taker(limits.MAILS, str(player_id))], now)
    return address, _sign("address", [player_id, address, _fingerprint(accounts.player(player_id))], now)


def keep_address(player_id: int, token: str, now: datetime) -> None:
    """Store the address of this token, which must belong to the player. Raises NotFound."""
    owner, address, fingerprint = _read("address", token, 3, now)
    if owner != player_id:
        raise NotFound(_gone())
    with write_tx():
        if _fingerprint(accounts.player(player_id)) != fingerprint:
            raise NotFound(_gone())
        db.session.execute(sa.update(Player).where(Player.id == player_id).values(email=address))


def forget_address(player_id: int, password: str, now: datetime) -> None:
    """Remove the address. Raises WrongPassword, TooMany."""
    accounts.confirm(player_id, password, now)
    with write_tx():
        db.session.execute(sa.update(Player).where(Player.id == player_id).values(email=None))


def ask(name: str, caller: str, now: datetime) -> tuple[str, str] | None:
    """Return address and token for the player of this name; None without an address. Raises TooMany."""
    key = names.fold(name[: 10 * names.LONGEST])
    limits.demand(
        [Taker(limits.MAILS_FROM, caller), Taker(limits.MAILS, f"{key} {limits.place(caller)}")], now
    )
    player = db.session.scalar(sa.select(Player).where(Player.name_key == key)) if key else None
    if player is None or player.email is None:
        return None
    return player.email, link_token(player.id, now)


def link_token(player_id: int, now: datetime) -> str:
    """Return the token of a reset link that an operator hands over. Raises NotFound."""
    return _sign("password", [player_id, _fingerprint(accounts.player(player_id))], now)


def whose(token: str, now: datetime) -> Player:
    """Return the player a reset link belongs to. Raises NotFound if it is used or expired."""
    player_id, fingerprint = _read("password", token, 2, now)
    player = db.session.get(Player, player_id)
    if player is None or _fingerprint(player) != fingerprint:
        raise NotFound(_gone())
    return player


def reset(token: str, password: str, now: datetime) -> Player:
    """Set a new password and end every session. Raises NotFound, BadInput, TooMany."""
    player = whose(token, now)
    passwords.checked(password, player.name or "")
    with limits.paid(passwords.for_known(str(player.id)), now), passwords.hashed_first(password) as fresh:
        db.session.get(Player, player.id, with_for_update=True, populate_existing=True)
        player = whose(token, now)  # of two concurrent uses, only one succeeds
        player.password_hash = fresh
        player.epoch += 1
        sessions.end_all(player.id)
        return player


def _fingerprint(player: Player) -> str:
    """Return a value that changes with password and address, so that a link works once and only from that
    address.
    """
    facts = f"{player.password_hash or ''} {player.email or ''}"
    return hashlib.blake2b(facts.encode(), digest_size=12).hexdigest()


def _sign(purpose: str, facts: list[int | str], now: datetime) -> str:
    until = int((now + LIFETIME).timestamp())
    return _serializer(purpose).dumps([*facts, until])


def _read(purpose: str, token: str, facts: int, now: datetime) -> list[int | str]:
    try:
        found = _serializer(purpose).loads(token)
    except BadData:
        raise NotFound(_gone()) from None
    latest = (now + LIFETIME + AHEAD).timestamp()  # later ones were signed by a wrong clock
    if len(found) != facts + 1 or not now.timestamp() <= found[-1] <= latest:
        raise NotFound(_gone())
    return list(found[:facts])


def _serializer(purpose: str) -> URLSafeSerializer:
    return keys.serializer(f"recovery-{purpose}")


def _gone() -> str:
    return _("That link has expired. Ask for a new one.")
