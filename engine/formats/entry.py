"""Entry: everything a text contains about one puzzle, unchecked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..grid import Grid


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle with what its format carries beyond the givens.

    >>> Entry(Grid(bytes(81))).standing == Grid(bytes(81))
    True
    """

    givens: Grid
    format: str = "line"  # key of FORMATS
    placed: Grid | None = None  # all digits, including givens; None: only the givens
    candidates: tuple[int, ...] | None = None  # 81 masks, bit digit-1, 0 for a cell with a digit
    corners: tuple[int, ...] | None = None  # corner marks, likewise
    deleted: frozenset[tuple[int, int]] = frozenset()  # (cell, digit) struck beyond the basic rules
    solution: Grid | None = None  # as in the text, unchecked
    comment: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)  # author, rating, technique ... as in the text
    line: int | None = None  # 1-based, where the entry begins in a larger input

    @property
    def title(self) -> str:
        """The puzzle's title in the text; '' if there is none."""
        return self.facts.get("title") or self.facts.get("name") or self.comment.partition("\n")[0]

    @property
    def author(self) -> str:
        """The puzzle's author in the text; '' if there is none."""
        return self.facts.get("author", "")

    @property
    def standing(self) -> Grid:
        """All digits on the board, including givens."""
        return self.givens if self.placed is None else self.placed
