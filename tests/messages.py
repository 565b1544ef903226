"""The messages of the source, read once for all tests of the group `catalogs`, because it takes seconds."""

from __future__ import annotations

from functools import cache

from babel.messages.catalog import Catalog

from webapp.web.i18n import messages
from webapp.web.i18n.messages import collected  # by its own name, because a test replaces `source`


@cache
def extracted() -> tuple[messages.Extracted, ...]:
    """Return every message in every place."""
    return tuple(messages.extracted())


@cache
def source() -> Catalog:
    """Return the same as a catalog."""
    return collected(extracted())
