"""The lesson positions that ship with the site, for a new site whose worker hasn't run yet.

`python -m webapp.learn.exercises.choosing` generates the file.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from webapp.learn.exercises.posed import Posed

FILE: Final = Path(__file__).with_name("lesson_positions.txt")
FIELDS: Final = "technique|kind|givens|digits|struck|spoilers|least|seed|engine version"


@cache
def positions() -> dict[str, dict[str, Posed]]:
    """Return the positions of the file by technique and kind."""
    found: dict[str, dict[str, Posed]] = {}
    for line in FILE.read_text().splitlines():
        if not line.startswith("#"):
            posed = read(line)
            found.setdefault(posed.technique, {})[posed.kind] = posed
    return found


def read(line: str) -> Posed:
    """Parse a line."""
    technique, kind, givens, digits, struck, spoilers, least, seed, version = line.split("|")
    return Posed(technique, kind, givens, digits, struck, spoilers, least == "least", seed, version)


def line_of(posed: Posed) -> str:
    """Format a line for `read`."""
    least = "least" if posed.least else ""
    return "|".join(
        (
            posed.technique,
            posed.kind,
            posed.givens,
            posed.digits,
            posed.struck,
            posed.spoilers,
            least,
            posed.seed,
            posed.engine_version,
        )
    )
