"""The engine's public interface: `__all__` is the contract. No web, no database.

`__init__.pyi` declares it, and is parsed here too. Each name imports its module on first use, so that
parsing, writing and drawing don't load the solvers.
"""

import ast
import pathlib
from importlib import import_module
from typing import Any, Final

from .grid import Grid, Pictured


def _homes() -> dict[str, tuple[str, str]]:
    """Return the module of each name, and its name there."""
    stub = ast.parse(pathlib.Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    return {
        name.asname or name.name: (f"{__name__}.{each.module}", name.name)
        for each in stub.body
        if isinstance(each, ast.ImportFrom)
        for name in each.names
    }


_HOMES: Final = _homes()
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, there = _HOMES[name]
    found = globals()[name] = getattr(import_module(module), there)
    return found


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]


def _drawn(shown: Any) -> str:
    from .drawing import draw

    return draw(shown)


def _read(argument: str, puzzle: object) -> Grid:
    from .given import grid_of

    return grid_of(argument, puzzle)


Pictured.drawn_by = _drawn
Grid.read_by = _read
