"""The techniques people solve with: one family a file, each technique once, in the ordered TECHNIQUES.

README.md beside this file tells how to add one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import Final

from engine.techniques.entry import Family, HouseRole, Role, Technique, Trait
from engine.techniques.keys import KEYS, add_key, remove_key
from engine.techniques.limits import Limits

__all__ = [
    "FAMILIES",
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
    """The modules of this package that hold ENTRIES."""
    modules = (import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
    return tuple(module for module in modules if hasattr(module, "ENTRIES"))


FAMILIES: Final = _families()
_found: Final[dict[str, Technique]] = {entry.key: entry for family in FAMILIES for entry in family.ENTRIES}
_techniques: Final[dict[str, Technique]] = {key: _found[key] for key in KEYS}

TECHNIQUES: Final[Mapping[str, Technique]] = MappingProxyType(_techniques)


def limits_for(key: str, *changes: Mapping[str, int]) -> Limits:
    """int32[LIMITS_SIZE] for a technique: its bound, the limits of `find`, then every change given."""
    return TECHNIQUES[key].limits_for(*changes)


def register(technique: Technique) -> Callable[[], None]:
    """Add a technique from outside of this package, tried after all others; returns what takes it away again.

    The paths of ratings that are in use already do not ask it. ValueError where the key is taken.
    """
    add_key(technique.key)
    _techniques[technique.key] = technique

    def remove() -> None:
        del _techniques[technique.key]
        remove_key(technique.key)

    return remove
