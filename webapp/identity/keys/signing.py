"""Signed tokens for links in mails. New ones are signed with SECRET_KEY; older keys are still accepted."""

from __future__ import annotations

from flask import current_app
from itsdangerous import URLSafeSerializer

from webapp.process.config import Settings


def keys(settings: Settings) -> list[str]:
    """Return all keys in the order of itsdangerous: oldest first, the last one signs."""
    return [*reversed(settings.secret_key_fallbacks), settings.secret_key]


def serializer(salt: str) -> URLSafeSerializer:
    """Return the serializer that signs and reads tokens of one purpose."""
    return URLSafeSerializer(keys(current_app.extensions["settings"]), salt=salt)
