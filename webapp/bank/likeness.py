"""Find puzzles that are equivalent under symmetry, or nearly, and describe how.

Two are nearly equivalent if their solutions are: one has an extra given, say, or different givens altogether.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

import engine
from webapp.models import Puzzle, Status
from webapp.process.database import db
from webapp.process.words import comma, ngettext
from webapp.process.words import gettext as _


@dataclass(frozen=True, slots=True)
class Twin:
    """An equivalent puzzle, or one with an equivalent solution."""

    id: int
    status: str
    how: str  # how to transform the other puzzle into this one, in words
    near: bool = False  # whether only the solutions are equivalent

    @property
    def taken(self) -> bool:
        """Whether players can get it, which rules out approving this one."""
        return not self.near and self.status in (Status.APPROVED, Status.DAILY)


def twins(puzzles: Sequence[Puzzle], most: int) -> dict[int, list[Twin]]:
    """Return a few equivalents of each puzzle by its id, public ones first; excludes players' own puzzles.

    Puzzles with only an equivalent solution come last.
    """
    classes = {puzzle.solution_class for puzzle in puzzles if puzzle.solution_class is not None}
    rows = db.session.execute(
        sa.select(Puzzle.id, Puzzle.givens, Puzzle.canonical, Puzzle.status, Puzzle.solution_class)
        .where(Puzzle.solution_class.in_(classes), Puzzle.status != Status.ENTERED)
        .order_by(Puzzle.id)
    ).all()
    found: dict[int, list[Twin]] = {}
    for puzzle in puzzles:
        alike = []
        for row in rows:
            if row.solution_class != puzzle.solution_class or row.id == puzzle.id:
                continue
            if row.canonical == puzzle.canonical:
                alike.append(Twin(row.id, row.status, how(row.givens, puzzle.givens)))
            else:
                alike.append(
                    Twin(row.id, row.status, nearly(row.canonical or "", puzzle.canonical or ""), near=True)
                )
        found[puzzle.id] = sorted(alike, key=lambda twin: (twin.near, not twin.taken, twin.id))[:most]
    return found


def nearly(first: str, second: str) -> str:
    """Describe the second canonical form's differences from the first, given the same solution."""
    added = sum(mine != "." and theirs == "." for theirs, mine in zip(first, second, strict=True))
    gone = sum(mine == "." and theirs != "." for theirs, mine in zip(first, second, strict=True))
    if added and gone:
        return _("other givens")
    if added:
        return ngettext("one more given", "%(num)s more givens", added)
    return ngettext("one fewer given", "%(num)s fewer givens", gone)


def how(first: str, second: str) -> str:
    """Describe how the givens of the first become those of an equivalent second.

    Names a rotation or reflection if one does it, up to relabeling the digits.
    """
    up, down = tuple(range(9)), tuple(range(8, -1, -1))
    turns = {
        (False, up, up): "",
        (False, up, down): _("mirrored left to right"),
        (False, down, up): _("mirrored top to bottom"),
        (False, down, down): _("rotated a half turn"),
        (True, up, up): _("mirrored along the diagonal"),
        (True, up, down): _("rotated a quarter turn"),
        (True, down, up): _("rotated three quarter turns"),
        (True, down, down): _("mirrored along the other diagonal"),
    }
    for turn, name in turns.items():
        source = engine.Transformation(*turn).source
        renamed = _renamed("".join(first[source(cell)] for cell in range(81)), second)
        if renamed is not None:
            return comma().join(filter(None, [name, _("digits renamed") if renamed else ""]))
    there = engine.Canonical.of(engine.parse(first)).transformation
    back = engine.Canonical.of(engine.parse(second)).transformation.inverse()
    whole = there.then(back)
    parts = [_("rows and columns reordered")]
    if whole.transposed:
        parts.insert(0, _("transposed"))
    if whole.digits != tuple(range(1, 10)):
        parts.append(_("digits renamed"))
    return comma().join(parts)


def _renamed(image: str, second: str) -> bool | None:
    """Whether `second` relabels the digits of `image`; None if it isn't a relabeling at all."""
    names: dict[str, str] = {".": "."}
    for here, there in zip(image, second, strict=True):
        if names.setdefault(here, there) != there:
            return None
    if len(set(names.values())) < len(names):
        return None
    return any(here != there for here, there in names.items())
