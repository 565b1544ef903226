"""Entry: everything a text says about one puzzle, unchecked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from engine.errors import PuzzleFormatError
from engine.grid import Grid


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle and what its format carries beyond the givens.

    >>> Entry(Grid(bytes(81))).standing == Grid(bytes(81))
    True
    """

    givens: Grid
    format: str = "line"  # key of FORMATS
    placed: Grid | None = None  # every digit that stands, givens included; None: the givens alone
    candidates: tuple[int, ...] | None = None  # 81 masks, bit digit-1, 0 where a digit stands
    corners: tuple[int, ...] | None = None  # corner marks, in the same shape
    deleted: frozenset[tuple[int, int]] = frozenset()  # (cell, digit) struck beyond the basic rules
    solution: Grid | None = None  # as the text gives it, unchecked
    comment: str = ""
    facts: Mapping[str, str] = field(
        default_factory=dict
    )  # author, rating, technique ... as they were written
    line: int | None = None  # 1-based, where the entry begins in a larger input

    @property
    def standing(self) -> Grid:
        """Every digit that stands, givens included."""
        return self.givens if self.placed is None else self.placed


def only(found: Iterable[Entry | PuzzleFormatError], otherwise: Callable[[int], PuzzleFormatError]) -> Entry:
    """The one entry of a document. Raises its first error, or what `otherwise` makes of their number."""
    entries: list[Entry] = []
    for item in found:
        if isinstance(item, PuzzleFormatError):
            raise item
        entries.append(item)
    if len(entries) != 1:
        raise otherwise(len(entries))
    return entries[0]
