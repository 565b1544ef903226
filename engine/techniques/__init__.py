"""Techniques that people solve with: one family per file, each technique once, in the ordered TECHNIQUES.

README.md beside this file explains how to add one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Final

from . import rare
from .entry import Family, HouseRole, Role, Technique, Trait
from .keys import KEYS, add_key, remove_key
from .limits import Limits

__all__ = [
    "TECHNIQUES",
    "Family",
    "HouseRole",
    "Role",
    "Technique",
    "Trait",
    "limits_for",
    "register",
]


def _families() -> tuple[ModuleType, ...]:
    """Return the modules of this package and of `rare` that have ENTRIES."""
    folders = {__name__: __path__, f"{__name__}.rare": rare.__path__}
    modules = (
        import_module(f"{name}.{found.name}")
        for name, path in folders.items()
        for found in iter_modules(path)
    )
    return tuple(module for module in modules if hasattr(module, "ENTRIES"))


class _Techniques(Mapping[str, Technique]):
    """The entries by key, in the order of KEYS; each module is imported on first use."""

    @functools.cached_property
    def entries(self) -> dict[str, Technique]:
        found = {entry.key: entry for family in _families() for entry in family.ENTRIES}
        return {key: found[key] for key in KEYS}

    def __getitem__(self, key: str) -> Technique:
        return self.entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return f"<{len(self)} techniques, from {next(iter(self))} to {[*self][-1]}>"


_techniques: Final = _Techniques()
TECHNIQUES: Final[Mapping[str, Technique]] = _techniques


def limits_for(key: str, *changes: Mapping[str, int]) -> Limits:
    """Return int32[LIMITS_SIZE] for a technique: its limit, the limits of `find`, then every given change."""
    return TECHNIQUES[key].limits_for(*changes)


def register(technique: Technique) -> Callable[[], None]:
    """Add a technique from outside this package, tried after all others; returns a function that removes it.

    Existing paths of ratings don't use it. ValueError if the key is taken.
    """
    entries = _techniques.entries
    add_key(technique.key)
    entries[technique.key] = technique

    def remove() -> None:
        del entries[technique.key]
        remove_key(technique.key)

    return remove
