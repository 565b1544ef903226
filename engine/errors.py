"""Errors of the engine. Format errors name line, cell and character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class EngineError(ValueError):
    """Base of everything the engine raises on purpose.

    An error goes through pickle as it is, so a pool of processes hands it on: made again by its class, it
    would get its sentence as if it were the first argument.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.args), self.__dict__


def _made_again(kind: type[EngineError], arguments: tuple[Any, ...]) -> EngineError:
    """An error with those arguments; `__init__` is not run."""
    return kind.__new__(kind, *arguments)


class ArgumentError(EngineError, TypeError):
    """A value that a function cannot take; `argument` is the argument at fault."""

    def __init__(self, argument: str, reason: str) -> None:
        self.argument = argument
        self.reason = reason
        super().__init__(f"{argument}: {reason}")


class UnknownKeyError(ArgumentError, KeyError):
    """A key that is none, of a technique or a method."""

    __str__ = Exception.__str__  # that of KeyError puts the sentence in quotes


class BoundError(EngineError):
    """A search that was stopped at the bound it was given; `found` is how many solutions it had by then."""

    def __init__(self, reason: str, found: int) -> None:
        self.found = found
        super().__init__(reason)


class PuzzleFormatError(EngineError):
    """A text that is not a puzzle.

    pattern, values: the reason with %(names)s for its values, so that it can be said in another language.
    line: 1-based line of the input, or None if the text has only one.
    cell: 0..80, or None if the error is not in a single cell.
    character: the offending character, or None.
    """

    def __init__(
        self,
        pattern: str,
        *,
        line: int | None = None,
        cell: int | None = None,
        character: str | None = None,
        **values: object,
    ) -> None:
        self.pattern = pattern
        self.values = values
        self.reason = pattern % values if values else pattern
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
        """Return the same error at `line` of a larger input."""
        return self._at(line)

    def without_line(self) -> PuzzleFormatError:
        """Return the same error of a text that is told apart from its line."""
        return self._at(None)

    def _at(self, line: int | None) -> PuzzleFormatError:
        return PuzzleFormatError(
            self.pattern, line=line, cell=self.cell, character=self.character, **self.values
        )


@dataclass(frozen=True, slots=True)
class NearestPuzzle:
    """The puzzle with one solution that came nearest to a recipe that was not met.

    >>> str(NearestPuzzle("." * 58 + "1" * 23, 23, 9.1, "nested_forcing_chain")).split(" ", 1)[1]
    '(23 givens, ER 9.1, hardest nested_forcing_chain)'
    """

    puzzle: str  # 81 characters
    givens: int
    er: float | None  # None where the rating gave up, as for `hardest`
    hardest: str | None  # the hardest technique of logic's path

    def __str__(self) -> str:
        told = [f"{self.givens} givens"]
        told += [] if self.er is None else [f"ER {self.er:g}"]
        told += [] if self.hardest is None else [f"hardest {self.hardest}"]
        return f"{self.puzzle} ({', '.join(told)})"


class RecipeError(EngineError):
    """A recipe that contradicts itself or that no puzzle was found for; `field` is the field at fault.

    pattern, values: the reason with %(names)s for its values, so that it can be said in another language.
    nearest: what came nearest, where puzzles were looked for and one was found.
    """

    def __init__(
        self, field: str, pattern: str, *, nearest: NearestPuzzle | None = None, **values: object
    ) -> None:
        self.field = field
        self.pattern = pattern
        self.values = values
        self.nearest = nearest
        self.reason = pattern % values if values else pattern
        super().__init__(f"{field}: {self.reason}")


class DrawingError(ArgumentError):
    """A picture that cannot be drawn; `argument` is the argument of `engine.draw` at fault."""


class NotUniqueError(EngineError):
    """A grid whose solution is not unique; `found` is 'none' or 'several'."""

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(f"expected a grid with exactly one solution, found {found}")
