"""Other names of techniques that a language's players use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from webapp.process.words import current_locale
from webapp.web.i18n.catalogs import CATALOGS

FILE = "aliases.txt"  # beside a catalog: `naked_pair: one name, another`


@cache
def aliases_of(code: str) -> Mapping[str, tuple[str, ...]]:
    """Return the other names of techniques in a language, by key; empty for a language that lists none."""
    file = CATALOGS / code / FILE
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    rows = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return {key: tuple(names.split(", ")) for key, names in rows}


def aliases(key: str) -> tuple[str, ...]:
    """Return the other names of a technique in the reader's language."""
    return aliases_of(current_locale()).get(key, ())
