"""Passkeys (WebAuthn level 2): stored, listed, renamed, removed, and verified at sign-in.

py_webauthn verifies what browsers send; it is imported when first needed (23 MB and 0.15 s of processor
time). No attestation is requested: the maker of a key is irrelevant here. A challenge is valid once and for
`LASTS`; the caller ensures that it is one of ours.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from webapp.identity import audit, limits, players, sessions, texts
from webapp.identity.limits import Limit, Taker
from webapp.identity.players import Identity
from webapp.models import Passkey, Player
from webapp.people import accounts
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput
from webapp.process.words import gettext as _

LASTS = timedelta(minutes=5)  # of a challenge
MOST = 20  # of a player
LONGEST_LABEL = 40  # characters
ANSWERS = Limit("passkey-from", 5, timedelta(hours=1), shared=True)  # wrong replies from an address


@dataclass(frozen=True, slots=True)
class Party:
    """The site as authenticators know it."""

    id: str  # a domain, never an IP address
    origins: tuple[str, ...]  # that browsers may report


@dataclass(frozen=True, slots=True)
class Reply:
    """A browser's reply: a credential as JSON, and the challenge it was given."""

    credential: str
    challenge: bytes
    party: Party


class WrongPasskey(BadInput):
    """An unknown passkey or an invalid reply; the message doesn't reveal which."""

    def __init__(self, player_id: int | None = None) -> None:
        super().__init__(passkey=_("We couldn’t check that passkey. Try again, or use your password."))
        self.player_id = player_id  # the passkey's player, for the log


def of(player_id: int) -> Sequence[Passkey]:
    """Return a player's passkeys, the oldest first."""
    return db.session.scalars(
        sa.select(Passkey).where(Passkey.player_id == player_id).order_by(Passkey.id)
    ).all()


def to_make(player: Identity, party: Party) -> tuple[str, bytes]:
    """Return the options for `navigator.credentials.create()` as JSON, and their challenge.

    A player's passkey is discoverable and verifies its user. A curator may also use a plain security key, as
    a second factor beside the password.
    """
    import webauthn
    from webauthn.helpers import structs

    optional = player.curator
    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name="Ninefold",
        user_name=player.name or "",
        user_id=_handle(player.key),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement("preferred" if optional else "required"),
            user_verification=structs.UserVerificationRequirement("preferred" if optional else "required"),
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(id=one.credential) for one in of(player.id)
        ],
    )
    return webauthn.options_to_json(options), options.challenge


def to_use(party: Party, player_id: int | None = None) -> tuple[str, bytes]:
    """Return the options for `navigator.credentials.get()` as JSON, and their challenge.

    Without a player, any of the site's passkeys that verifies its user is accepted; with one, only theirs.
    Raises BadInput if they have none.
    """
    import webauthn
    from webauthn.helpers import structs

    own = [] if player_id is None else of(player_id)
    if player_id is not None and not own:
        raise BadInput(passkey=_("You have no passkey yet. Add one to your account first."))
    options = webauthn.generate_authentication_options(
        rp_id=party.id,
        allow_credentials=[structs.PublicKeyCredentialDescriptor(id=one.credential) for one in own],
        user_verification=structs.UserVerificationRequirement(
            "required" if player_id is None else "preferred"
        ),
    )
    return webauthn.options_to_json(options), options.challenge


def label_for(label: str) -> str:
    """Return the cleaned name of a passkey. Raises BadInput."""
    label = texts.checked("label", label)
    if not 1 <= len(label) <= LONGEST_LABEL:
        raise BadInput(label=_("Give it a name of 1 to %(count)s characters.", count=LONGEST_LABEL))
    return label


def add(player: Identity, label: str, reply: Reply, now: datetime) -> Passkey:
    """Store a new passkey of a player who has just entered their password. Raises WrongPasskey, BadInput."""
    import webauthn

    label = label_for(label)
    _use_up(reply.challenge, now)
    try:
        made = webauthn.verify_registration_response(
            credential=reply.credential,
            expected_challenge=reply.challenge,
            expected_rp_id=reply.party.id,
            expected_origin=list(reply.party.origins),
            require_user_verification=not player.curator,
        )
    except Exception as error:  # on forged bytes the library raises its decoders' errors
        raise WrongPasskey(player.id) from error
    try:
        with write_tx():
            db.session.get_one(Player, player.id, with_for_update=True)
            if len(of(player.id)) >= MOST:
                raise BadInput(passkey=_("You can have %(count)s passkeys. Remove one first.", count=MOST))
            passkey = Passkey(
                player_id=player.id,
                credential=made.credential_id,
                public_key=made.credential_public_key,
                sign_count=made.sign_count,
                label=label,
                created_at=now,
            )
            db.session.add(passkey)
            db.session.flush()
            _record(player, "add passkey", now, after=label)
            return passkey
    except IntegrityError:
        raise WrongPasskey(player.id) from None


def rename(player: Identity, passkey_id: int, label: str, now: datetime) -> None:
    """Rename a passkey; does nothing if it is gone, or another player's. Raises BadInput."""
    label = label_for(label)
    with write_tx():
        there = sa.select(Passkey).where(Passkey.id == passkey_id, Passkey.player_id == player.id)
        passkey = db.session.scalar(there.with_for_update())
        if passkey is not None and passkey.label != label:
            _record(player, "rename passkey", now, before=passkey.label, after=label)
            passkey.label = label


def remove(player: Identity, passkey_id: int, password: str, now: datetime) -> Player:
    """Remove a passkey and end every session of its player, given the password; returns their row.

    Raises WrongPassword(current=...), TooMany. A missing passkey is no error.
    """
    accounts.confirm(player.id, password, now)
    with write_tx():
        row = db.session.get_one(Player, player.id, with_for_update=True)
        there = sa.select(Passkey).where(Passkey.id == passkey_id, Passkey.player_id == player.id)
        passkey = db.session.scalar(there)
        if passkey is not None:
            _record(player, "remove passkey", now, before=passkey.label)
            db.session.delete(passkey)
        row.epoch += 1
        sessions.end_all(player.id)
        return row


def sign_in(guest_id: int | None, reply: Reply, address: str, now: datetime) -> Player:
    """Return the player of this passkey, who takes over the games of `guest_id`.

    Raises WrongPasskey, TooMany. Failures don't count against the account: a passkey can't be guessed.
    """
    taker = Taker(ANSWERS, address)
    limits.demand([taker], now)
    player_id, verified = check(reply, now)
    if not verified:
        raise WrongPasskey(player_id)
    player = accounts.arrive(guest_id, player_id)
    limits.give_back([taker])
    return player


def check(reply: Reply, now: datetime, player_id: int | None = None) -> tuple[int, bool]:
    """Verify a reply, and use up its challenge; with a player, it must be theirs. Raises WrongPasskey.

    Returns the player's id, and whether the authenticator verified its user, by fingerprint, face or PIN.
    """
    import webauthn

    _use_up(reply.challenge, now)
    found = _named_by(reply.credential)
    if found is None or player_id not in (None, found.player_id):
        raise WrongPasskey
    try:
        used = webauthn.verify_authentication_response(
            credential=reply.credential,
            expected_challenge=reply.challenge,
            expected_rp_id=reply.party.id,
            expected_origin=list(reply.party.origins),
            credential_public_key=found.public_key,
            credential_current_sign_count=found.sign_count,
        )
    except Exception as error:  # on forged bytes the library raises its decoders' errors
        raise WrongPasskey(found.player_id) from error
    with write_tx():
        counted = sa.update(Passkey).where(Passkey.id == found.id, Passkey.sign_count == found.sign_count)
        if not rows_changed(counted.values(sign_count=used.new_sign_count, used_at=now)):
            raise WrongPasskey(found.player_id)  # removed, or used concurrently by a copy of the passkey
    return found.player_id, used.user_verified


def _named_by(credential: str) -> Passkey | None:
    """Return the passkey that a reply names, if its user handle is the player's."""
    from webauthn.helpers import base64url_to_bytes

    try:
        sent = json.loads(credential)
        identity = base64url_to_bytes(sent["id"])
        handle = sent["response"].get("userHandle")
        keeper = base64url_to_bytes(handle) if handle else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    row = db.session.execute(
        sa.select(Passkey, Player.key).join(Player).where(Passkey.credential == identity)
    ).one_or_none()
    if row is None or keeper not in (None, _handle(row.key)):
        return None
    passkey: Passkey = row.Passkey
    return passkey


def _handle(player_key: str) -> bytes:
    """Return a player's user handle for authenticators: not the key, which their sessions use."""
    return players.fingerprint(player_key).encode()


def _use_up(challenge: bytes, now: datetime) -> None:
    if not limits.take(Taker(Limit("passkey", 1, LASTS), challenge.hex()), now):
        raise WrongPasskey


def _record(
    player: Identity, action: str, now: datetime, *, before: str | None = None, after: str | None = None
) -> None:
    """Record in the audit log what affects access to the desk."""
    if player.curator:
        old, new = ({"passkey": label} if label else None for label in (before, after))
        audit.record(player, action, ("player", player.id), at=now, before=old, after=new)
