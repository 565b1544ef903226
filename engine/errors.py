"""What the engine refuses, each error naming the place and the character."""

from __future__ import annotations


class EngineError(ValueError):
    """Base of everything the engine raises on purpose."""


class PuzzleFormatError(EngineError):
    """A text that is no puzzle.

    line: 1-based line of the input, or None where the text has only one.
    cell: 0..80, or None where no single cell is to blame.
    character: the offending character, or None.
    """

    def __init__(
        self,
        reason: str,
        *,
        line: int | None = None,
        cell: int | None = None,
        character: str | None = None,
    ) -> None:
        self.reason = reason
        self.line = line
        self.cell = cell
        self.character = character
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        place = [] if self.line is None else [f"line {self.line}"]
        if self.cell is not None:
            place.append(f"r{self.cell // 9 + 1}c{self.cell % 9 + 1}")
        return f"{', '.join(place)}: {self.reason}" if place else self.reason

    def at_line(self, line: int) -> PuzzleFormatError:
        """The same error, named at `line` of a larger input."""
        return PuzzleFormatError(self.reason, line=line, cell=self.cell, character=self.character)


class RecipeError(EngineError):
    """A recipe that contradicts itself or that no puzzle was found for; `field` is the one to blame."""

    def __init__(self, field: str, reason: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(f"{field}: {reason}")


class NotUniqueError(EngineError):
    """A grid without exactly one solution where one is needed; `found` is 'none' or 'several'."""

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(f"expected a grid with exactly one solution, found {found}")
