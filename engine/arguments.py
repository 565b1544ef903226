"""Checks of arguments at the public doors, each a sentence with the argument's name and the value found.

Kernels check nothing: what gets past a door is used as an index.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from inspect import signature
from itertools import islice
from reprlib import Repr
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.errors import ArgumentError, EngineError
from engine.geometry import cell_name

_REPR: Final = Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 60
MOST_CANDIDATES: Final = 729


def shown(value: object) -> str:
    """A value in a sentence, cut short; its type where it cannot be written."""
    try:
        return _REPR.repr(value)
    except Exception:  # a foreign __repr__ may raise anything, an int of 5,000 digits a ValueError
        return f"an object of type {type(value).__name__}"


def instance(argument: str, value: object, *kinds: type) -> None:
    """Refuse what is of none of the kinds."""
    if not isinstance(value, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise ArgumentError(argument, f"expected {names}, found {shown(value)}")


@contextmanager
def step_as_found() -> Iterator[None]:
    """Whatever the fields of a step made by hand do inside is an ArgumentError."""
    try:
        yield
    except EngineError:
        raise
    except Exception as error:
        raise ArgumentError("step", f"expected one the engine found: {error}") from error


def flag(argument: str, value: object) -> None:
    """Refuse what is neither True nor False."""
    if value is not True and value is not False:
        raise ArgumentError(argument, f"expected True or False, found {shown(value)}")


def whole(argument: str, value: object, low: int | None = None, high: int | None = None) -> int:
    """A whole number from `low` to `high`, a Python int even of a NumPy one."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        number = int(value)
        if (low is None or number >= low) and (high is None or number <= high):
            return number
    wanted = "" if low is None else f" of at least {low}" if high is None else f" {low}..{high}"
    raise ArgumentError(argument, f"expected a whole number{wanted}, found {shown(value)}")


def one_of(argument: str, value: object, names: Collection[str]) -> None:
    """Refuse what is not one of the names."""
    if not isinstance(value, str) or value not in names:
        raise ArgumentError(argument, f"expected one of {', '.join(names)}, found {shown(value)}")


_TAKES: Final = ("no argument", "one argument", "two arguments")


def function(argument: str, value: object, takes: int) -> None:
    """Refuse what cannot be called with so many arguments, 0 to 2."""
    if not callable(value):
        raise ArgumentError(argument, f"expected a function, found {shown(value)}")
    try:
        signature(value).bind(*range(takes))
    except TypeError as error:
        wanted = f"expected a function that takes {_TAKES[takes]}"
        raise ArgumentError(argument, f"{wanted}, found {shown(value)}: {error}") from error
    except ValueError:
        pass  # functions written in C need not tell


def bounded(argument: str, values: object, most: int) -> list[Any]:
    """The items of an iterable; endless and overlong ones are refused, and so is text."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ArgumentError(argument, f"expected a list, found {shown(values)}")
    try:
        items = list(islice(values, most + 1))
    except Exception as error:  # whatever a foreign iterator raises
        raise ArgumentError(argument, f"expected a list, found {shown(values)}: {error}") from error
    if len(items) > most:
        raise ArgumentError(argument, f"expected at most {most} items, found more")
    return items


def candidates(argument: str, values: object) -> list[tuple[int, int]]:
    """Candidates (cell 0..80, digit 1..9)."""
    return [candidate(argument, each) for each in bounded(argument, values, MOST_CANDIDATES)]


def candidate(argument: str, value: object) -> tuple[int, int]:
    """A candidate (cell 0..80, digit 1..9)."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise ArgumentError(argument, f"expected (cell, digit), found {shown(value)}")
    cell = whole(f"{argument}: cell", value[0], 0, 80)
    return cell, whole(f"{argument}: digit in {cell_name(cell)}", value[1], 1, 9)


def rows_of_digits(argument: str, value: object) -> NDArray[Any]:
    """An array of whole numbers of shape (n, 81); their range is for the caller to check."""
    if not isinstance(value, np.ndarray):
        raise ArgumentError(argument, f"expected an array of shape (n, 81), found {shown(value)}")
    if value.ndim != 2 or value.shape[1] != 81:
        raise ArgumentError(argument, f"expected an array of shape (n, 81), found {value.shape}")
    if value.dtype.kind not in "iu":
        raise ArgumentError(argument, f"expected an array of whole numbers, found {value.dtype}")
    return value
