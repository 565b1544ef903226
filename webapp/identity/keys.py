"""Signed links in mails and encrypted columns, both by SECRET_KEY.

A copy of the database alone doesn't reveal these: Fernet (AES-128 in CBC mode with HMAC-SHA-256) under a key
derived by HKDF, one for each purpose. Secrets sealed with an older key can still be opened.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from flask import current_app
from itsdangerous import URLSafeSerializer

from webapp.process.config import Settings

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


def seal(secret: str, purpose: str) -> str:
    """Return the text to store for a secret."""
    return _fernet(purpose).encrypt(secret.encode()).decode()


def unseal(sealed: str, purpose: str) -> str | None:
    """Return the secret; None if it was sealed with none of our keys for this purpose."""
    from cryptography.fernet import InvalidToken

    try:
        return _fernet(purpose).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def _fernet(purpose: str) -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    config, keys = current_app.config, []
    for secret in (config["SECRET_KEY"], *(config.get("SECRET_KEY_FALLBACKS") or ())):
        derivation = HKDF(SHA256(), length=32, salt=None, info=f"ninefold {purpose}".encode())
        keys.append(Fernet(base64.urlsafe_b64encode(derivation.derive(secret.encode()))))
    return MultiFernet(keys)


def signing_keys(settings: Settings) -> list[str]:
    """Return all keys in the order of itsdangerous: oldest first, the last one signs."""
    return [*reversed(settings.secret_key_fallbacks), settings.secret_key]


def serializer(salt: str) -> URLSafeSerializer:
    """Return the serializer that signs and reads tokens of one purpose."""
    return URLSafeSerializer(signing_keys(current_app.extensions["settings"]), salt=salt)
