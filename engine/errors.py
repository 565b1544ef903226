"""Errors of the engine. Format errors name line, cell and character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class EngineError(ValueError):
    """Base of all the engine's own errors.

    Errors survive pickling, so that process pools can pass them on. The default would call the class with the
    finished message as its first argument.

    >>> from engine import EngineError, parse
    >>> try:
    ...     parse("no puzzle")
    ... except EngineError as error:
    ...     print(type(error).__name__)
    PuzzleFormatError
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.args), self.__dict__


def missing(error: ModuleNotFoundError) -> ModuleNotFoundError:
    """Return an import error in one sentence if it is about a package that the engine needs."""
    name = (error.name or "").partition(".")[0]
    if name not in ("llvmlite", "numba", "numpy"):
        return error
    return ModuleNotFoundError(f"ninefold needs {name}: pip install {name}", name=name)


def _made_again(kind: type[EngineError], arguments: tuple[Any, ...]) -> EngineError:
    """Return an error with those arguments, without running `__init__`."""
    return kind.__new__(kind, *arguments)


class ArgumentError(EngineError, TypeError):
    """A value that a function can't use; `argument` names the argument.

    >>> from engine import ArgumentError, parse
    >>> try:
    ...     parse(7)
    ... except ArgumentError as error:
    ...     print(error.argument)
    text
    """

    def __init__(self, argument: str, reason: str) -> None:
        self.argument = argument
        self.reason = reason
        super().__init__(f"{argument}: {reason}")


class OutOfTime(EngineError):
    """The caller's time ran out first; when generating, `nearest` is the nearest puzzle found by then.

    >>> from engine import OutOfTime
    >>> OutOfTime().nearest is None
    True
    """

    def __init__(self, reason: str = "the time ended", nearest: NearestPuzzle | None = None) -> None:
        self.nearest = nearest
        super().__init__(reason)


class UnknownKeyError(ArgumentError, KeyError):
    """An unknown key of a technique or a method.

    >>> from engine import Grid, Position, UnknownKeyError, find
    >>> try:
    ...     find(Position.from_grid(Grid(bytes(81))), "xwing")
    ... except UnknownKeyError as error:
    ...     print(error.argument)
    technique_key
    """

    __str__ = Exception.__str__  # KeyError's would quote the message


class BoundError(EngineError):
    """A search stopped at its limit; `found` is the number of solutions by then.

    >>> from engine import BoundError, parse, solution_count
    >>> try:
    ...     solution_count(parse(81 * "."), 1000, most_nodes=10)
    ... except BoundError as error:
    ...     print(error.found < 1000)
    True
    """

    def __init__(self, reason: str, found: int) -> None:
        self.found = found
        super().__init__(reason)


class PuzzleFormatError(EngineError):
    """A text that isn't a puzzle.

    pattern, values: the reason with %(names)s for its values, so that it can be translated.
    line: 1-based line of the input, or None if the text has only one.
    cell: 0..80, or None if the error isn't in a single cell.
    character: the offending character, or None.

    >>> from engine import PuzzleFormatError, parse
    >>> try:
    ...     parse("12x" + 78 * ".")
    ... except PuzzleFormatError as error:
    ...     print(error)
    r1c3: expected 1-9, 0 or '.', found 'x'
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

    def at_line(self, line: int | None) -> PuzzleFormatError:
        """Return the same error at `line` of a larger input; None if callers report the line separately."""
        return PuzzleFormatError(
            self.pattern, line=line, cell=self.cell, character=self.character, **self.values
        )


@dataclass(frozen=True, slots=True)
class NearestPuzzle:
    """The puzzle with one solution that came nearest to an unmet recipe.

    >>> str(NearestPuzzle("." * 58 + "1" * 23, 23, 9.1, "nested_forcing_chain")).split(" ", 1)[1]
    '(23 givens, ER 9.1, hardest nested_forcing_chain)'
    """

    puzzle: str  # 81 characters
    givens: int
    er: float | None  # None if the rating gave up, as for `hardest`
    hardest: str | None  # the hardest technique of the solution path

    def __str__(self) -> str:
        parts = [f"{self.givens} givens"]
        parts += [] if self.er is None else [f"ER {self.er:g}"]
        parts += [] if self.hardest is None else [f"hardest {self.hardest}"]
        return f"{self.puzzle} ({', '.join(parts)})"


class RecipeError(EngineError):
    """A recipe that contradicts itself or that no puzzle was found for; `field` is the field at fault.

    pattern, values: the reason with %(names)s for its values, so that it can be translated.
    nearest: the nearest puzzle, if a search found any.

    >>> from engine import Recipe, RecipeError
    >>> try:
    ...     Recipe(level=9)
    ... except RecipeError as error:
    ...     print(error.field)
    level
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


class NotUniqueError(EngineError):
    """A grid whose solution isn't unique; `found` is 'none' or 'several'.

    >>> from engine import Grid, NotUniqueError, canonical_form
    >>> try:
    ...     canonical_form(Grid(bytes(81)))
    ... except NotUniqueError as error:
    ...     print(error.found)
    several
    """

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(f"expected a grid with exactly one solution, found {found}")
