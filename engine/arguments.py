"""Checks of arguments of public functions: each error is a sentence with the argument's name and the value
found.

Kernels check nothing and use what passes as indexes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from inspect import signature
from itertools import islice
from numbers import Integral, Real
from reprlib import Repr
from typing import Any, Final

from .errors import ArgumentError, EngineError

_REPR: Final = Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 60
MOST_CANDIDATES: Final = 729
MOST_SECONDS: Final = 1e9
_MOST_NAMED: Final = 20  # names listed in a sentence


def shown(value: object) -> str:
    """Format a value for a sentence, truncated; its type if it can't be formatted."""
    try:
        return _REPR.repr(value)
    except Exception:  # a foreign __repr__ may raise anything, and an int of 5,000 digits a ValueError
        return f"an object of type {type(value).__name__}"


def instance(argument: str, value: object, *kinds: type) -> None:
    """Reject a value of none of these types."""
    if not isinstance(value, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise ArgumentError(argument, f"expected {names}, found {shown(value)}")


@contextmanager
def step_as_found() -> Iterator[None]:
    """Turn any error raised by a handmade step's fields into an ArgumentError."""
    try:
        yield
    except EngineError:
        raise
    except Exception as error:
        raise ArgumentError("step", f"expected one the engine found: {error}") from error


def flag(argument: str, value: object) -> None:
    """Reject anything but True and False."""
    if value is not True and value is not False:
        raise ArgumentError(argument, f"expected True or False, found {shown(value)}")


def whole(argument: str, value: object, low: int | None = None, high: int | None = None) -> int:
    """Return a whole number from `low` to `high` as a Python int, also if it is a NumPy one."""
    if isinstance(value, int | Integral) and not isinstance(value, bool):
        number = int(value)
        if (low is None or number >= low) and (high is None or number <= high):
            return number
    wanted = "" if low is None else f" of at least {low}" if high is None else f" {low}..{high}"
    raise ArgumentError(argument, f"expected a whole number{wanted}, found {shown(value)}")


def number(argument: str, value: object, low: float, high: float) -> float:
    """Return a number from `low` to `high`."""
    if isinstance(value, int | float | Real) and not isinstance(value, bool):
        given: Any = value
        if low <= given <= high:
            return float(given)
    raise ArgumentError(argument, f"expected a number {low:g}..{high:g}, found {shown(value)}")


def one_of(argument: str, value: object, names: Collection[str]) -> None:
    """Reject anything but one of these names."""
    if not isinstance(value, str) or value not in names:
        raise ArgumentError(argument, f"expected one of {listed(names)}, found {meant(value, names)}")


def listed(names: Collection[str]) -> str:
    """Format names for a sentence; if there are many, only their number."""
    return ", ".join(names) if len(names) <= _MOST_NAMED else f"{len(names)} keys"


def meant(value: object, names: Collection[str]) -> str:
    """Format a value for a sentence, with the names that were probably meant."""
    if not isinstance(value, str):
        return shown(value)
    near = get_close_matches(value[:60].lower().replace("-", "_").replace(" ", "_"), names)
    return f"{shown(value)}; did you mean {' or '.join(near)}?" if near else shown(value)


_TAKES: Final = ("no argument", "one argument", "two arguments")


def function(argument: str, value: object, takes: int) -> None:
    """Reject anything that can't be called with this many arguments, 0 to 2."""
    if not callable(value):
        raise ArgumentError(argument, f"expected a function, found {shown(value)}")
    try:
        signature(value).bind(*range(takes))
    except TypeError as error:
        wanted = f"expected a function that takes {_TAKES[takes]}"
        raise ArgumentError(argument, f"{wanted}, found {shown(value)}: {error}") from error
    except ValueError:
        pass  # functions written in C may lack a signature


def bounded(argument: str, values: object, most: int) -> list[Any]:
    """Return the items of an iterable; rejects text, and more than `most` items."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ArgumentError(argument, f"expected a list, found {shown(values)}")
    try:
        items = list(islice(values, most + 1))
    except Exception as error:  # a foreign iterator may raise anything
        raise ArgumentError(argument, f"expected a list, found {shown(values)}: {error}") from error
    if len(items) > most:
        raise ArgumentError(argument, f"expected at most {most} items, found more")
    return items


def candidates(argument: str, values: object) -> list[tuple[int, int]]:
    """Return candidates (cell 0..80, digit 1..9)."""
    return [candidate(argument, each) for each in bounded(argument, values, MOST_CANDIDATES)]


def candidate(argument: str, value: object) -> tuple[int, int]:
    """Return a candidate (cell 0..80, digit 1..9)."""
    if isinstance(value, tuple | list) and len(value) == 2:
        with suppress(ArgumentError):
            return whole(argument, value[0], 0, 80), whole(argument, value[1], 1, 9)
    raise ArgumentError(argument, f"expected (cell 0..80, digit 1..9), found {shown(value)}")
