"""The messages of the source, read once for all tests of the group `catalogs`, which takes seconds."""

from __future__ import annotations

from functools import cache

from babel.messages.catalog import Catalog

from webapp.web.i18n import messages
from webapp.web.i18n.messages import collected  # by its own name: a test puts `source` in its place


@cache
def extracted() -> tuple[messages.Extracted, ...]:
    """Every message in every place."""
    return tuple(messages.extracted())


@cache
def source() -> Catalog:
    """The same as a catalog."""
    return collected(extracted())
