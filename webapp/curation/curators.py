"""Curators: players to whom an operator has given access to the desk.

They confirm their identity with their password and an authenticator code (RFC 6238: six digits, 30 s).
Codes of the adjacent time steps are accepted too, since clocks differ; no code is accepted twice. A recovery
code stands in for a code of the app, once.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import secrets
from datetime import datetime

import pyotp
import segno
import sqlalchemy as sa

from webapp.identity import audit, keys, limits, players
from webapp.identity.limits import Taker
from webapp.identity.players import Identity
from webapp.models import Player, Role
from webapp.people import accounts
from webapp.people.accounts import WrongPassword
from webapp.process.clock import AHEAD
from webapp.process.database import db, write_tx
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import gettext as _

COMMAND = ".venv/bin/flask curators add NAME"  # in the checkout
ISSUER = "Ninefold"
STEP = 30  # seconds
WINDOW = 1  # time steps a clock may be off
SEALED = "second factor"  # purpose of their sealed secrets
RECOVERY = 10  # recovery codes of a curator
DIGITS = 20  # of a recovery code, 66 bits: a digest of it needs no salt


def add(name: str, now: datetime, role: str = Role.ADMINISTRATOR, by: Identity | None = None) -> str:
    """Make the player of this name a curator. Returns the otpauth address of the second factor.

    by: the acting administrator; None for an operator. Raises NotFound if there is no such player, BadInput
    if they are already a curator or there is no such role.
    """
    _refuse_unknown(role)
    with write_tx():
        player = players.with_name(name)
        if player.curator:
            raise BadInput(
                name=_(
                    "%(name)s is already a curator. To set up a new authenticator, remove them first.",
                    name=player.name,
                )
            )
        secret = pyotp.random_base32()
        player.role, player.totp_step, player.recovery_codes = role, None, None
        player.totp_secret = keys.seal(secret, SEALED)
        audit.record(by, "add", ("curator", player.id), at=now, after={"role": role})
        return pyotp.TOTP(secret).provisioning_uri(name=player.name or "", issuer_name=ISSUER)


def set_role(player_id: int, role: str, seen: str, now: datetime, by: Identity) -> None:
    """Change the role of a curator whose role was `seen`, or remove them if it is empty.

    Effective with their next request. Raises NotFound, Changed, and BadInput if nobody would be left to
    appoint others.
    """
    if role:
        _refuse_unknown(role)
    with write_tx():
        player = _curator(player_id)
        if player.role != seen:
            raise Changed(_("%(name)s’s role has changed. Take another look.", name=player.name), player_id)
        if seen == Role.ADMINISTRATOR != role:
            # Locks all rows in one order, so that two administrators can't remove each other at once.
            others = sa.select(Player.id).where(Player.role == Role.ADMINISTRATOR).order_by(Player.id)
            if set(db.session.scalars(others.with_for_update())) == {player.id}:
                raise BadInput(role=_("This is the only administrator. Appoint another one first."))
        if not role:
            _remove(player, by, now)
        elif role != seen:
            player.role = role
            before, after = {"role": seen}, {"role": role}
            audit.record(by, "appoint", ("curator", player_id), at=now, before=before, after=after)


def remove(name: str, now: datetime) -> None:
    """Remove a curator, effective with their next request. Raises NotFound."""
    with write_tx():
        player = players.with_name(name)
        if not player.curator:
            raise NotFound(_("%(name)s isn’t a curator.", name=player.name))
        _remove(player, None, now)


def _remove(player: Player, by: Identity | None, now: datetime) -> None:
    before = {"role": player.role}
    player.role, player.totp_secret, player.totp_step, player.recovery_codes = None, None, None, None
    audit.record(by, "remove", ("curator", player.id), at=now, before=before)


def _curator(player_id: int) -> Player:
    player = db.session.scalar(
        sa.select(Player).where(Player.id == player_id, Player.curator).with_for_update()
    )
    if player is None:
        raise NotFound(_("We couldn’t find that curator."))
    return player


def _refuse_unknown(role: str) -> None:
    if role not in set(Role):
        raise BadInput(role=_("Choose a role."))


def everyone() -> list[Player]:
    """Return all curators, administrators first."""
    order = sa.case({role: place for place, role in enumerate(Role)}, value=Player.role)
    return list(db.session.scalars(sa.select(Player).where(Player.curator).order_by(order, Player.name_key)))


def has_administrator() -> bool:
    """Whether there is an administrator."""
    found = sa.select(Player.id).where(Player.role == Role.ADMINISTRATOR)
    return db.session.scalar(found.limit(1)) is not None


def seal(player_id: int) -> str | None:
    """Return the value that a verified browser keeps in its session; None if not a curator.

    It changes with the second factor, so a curator who is removed and added again must verify again.
    """
    row = db.session.execute(
        sa.select(Player.key, Player.totp_secret).where(Player.id == player_id, Player.curator)
    ).one_or_none()
    secret = None if row is None else opened(row.totp_secret)
    if row is None or secret is None:
        return None
    return hmac.new(secret.encode(), row.key.encode(), hashlib.sha256).hexdigest()[:32]


def prove(curator: Identity, password: str, code: str, now: datetime) -> None:
    """Verify the curator's password and code. Raises WrongPassword, BadInput(code=...), TooMany.

    The code is checked, and used up, only if the password is correct.
    """
    taker = Taker(limits.CODES, str(curator.id))
    with limits.paid([taker], now):
        accounts.confirm(curator.id, password, now)
        with write_tx():
            player = db.session.scalar(
                sa.select(Player).where(Player.id == curator.id, Player.curator).with_for_update()
            )
            if player is None:
                raise WrongCode(curator.id)
            secret, used = opened(player.totp_secret), player.totp_step or 0
            if used > int((now + AHEAD).timestamp()) // STEP:  # a wrong clock's
                used = 0
            step = matching_step(secret, code, now)
            if secret is not None and step is not None and step > used:
                player.totp_step = step
                player.totp_secret = keys.seal(secret, SEALED)  # under the current key
            else:
                digest, codes = _digest(code), (player.recovery_codes or "").split()
                if digest not in codes:
                    raise WrongCode(curator.id)
                codes.remove(digest)
                player.recovery_codes = " ".join(codes)
                audit.record(None, "use", ("curator", player.id), at=now)
    limits.give_back([taker])


def new_factor(player_id: int, now: datetime, by: Identity) -> str:
    """Replace the second factor of a curator. Returns its otpauth address. Raises NotFound."""
    with write_tx():
        player = _curator(player_id)
        secret = pyotp.random_base32()
        player.totp_secret, player.totp_step = keys.seal(secret, SEALED), None
        audit.record(by, "factor", ("curator", player_id), at=now)
        return pyotp.TOTP(secret).provisioning_uri(name=player.name or "", issuer_name=ISSUER)


def picture(address: str) -> str:
    """Return the QR code of an otpauth address as SVG, for an authenticator app to scan."""
    return segno.make(address, error="m").svg_inline(scale=5, border=4, dark="#000", light="#fff")


def in_the_terminal(address: str) -> str:
    """Return the same in block characters."""
    out = io.StringIO()
    segno.make(address, error="m").terminal(out, compact=True)
    return out.getvalue()


def renew_codes(player_id: int, now: datetime, by: Identity | None = None) -> list[str]:
    """Return new recovery codes of a curator, in groups of digits; older ones end. Raises NotFound.

    Each opens the desk once in place of a code from the app. Only digests are stored.
    """
    codes = [f"{secrets.randbelow(10**DIGITS):0{DIGITS}}" for _ in range(RECOVERY)]
    with write_tx():
        player = _curator(player_id)
        player.recovery_codes = " ".join(map(_digest, codes))
        audit.record(by, "renew", ("curator", player_id), at=now)
    return ["-".join(code[at : at + 5] for at in range(0, DIGITS, 5)) for code in codes]


def codes_left(player_id: int) -> int:
    """Return how many recovery codes a curator has left."""
    kept = db.session.scalar(sa.select(Player.recovery_codes).where(Player.id == player_id))
    return len((kept or "").split())


def _digest(code: str) -> str:
    digits = "".join(mark for mark in code if mark not in " -")
    return hashlib.sha256(digits.encode()).hexdigest()[:32]


def reseal() -> list[str]:
    """Reseal every second factor under the newest key, so that older keys can be removed.

    Returns the names of curators whose secret none of our keys opens; if there are any, nothing is changed.
    """
    with write_tx():
        there = sa.select(Player).where(Player.totp_secret.is_not(None)).order_by(Player.id)
        found = {player: opened(player.totp_secret) for player in db.session.scalars(there.with_for_update())}
        lost = [player.name or "" for player, secret in found.items() if secret is None]
        if not lost:
            for player, secret in found.items():
                player.totp_secret = keys.seal(secret or "", SEALED)
        return lost


def opened(sealed: str | None) -> str | None:
    """Return the secret of a second factor; None if there is none, or if none of our keys opens it."""
    return None if sealed is None else keys.unseal(sealed, SEALED)


class WrongCode(WrongPassword):
    """A wrong or already used code; the message doesn't reveal which."""

    def __init__(self, player_id: int) -> None:
        BadInput.__init__(self, code=_("Wrong code, or one you’ve already used. Wait for the next one."))
        self.player_id = player_id


def matching_step(secret: str | None, code: str, now: datetime) -> int | None:
    """Return the number of the time step this code belongs to; None if it matches no current step."""
    digits = "".join(code.split())
    if secret is None or not (digits.isascii() and digits.isdigit()):
        return None
    here = int(now.timestamp()) // STEP
    totp = pyotp.TOTP(secret, interval=STEP)
    around = range(here - WINDOW, here + WINDOW + 1)
    return max(
        (step for step in around if hmac.compare_digest(totp.generate_otp(step), digits)), default=None
    )
