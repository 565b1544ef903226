"""What all traces share: their bounds, what a page may ask of any, and their form as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final, Protocol

from engine.grid import Grid
from engine.step import Step

MOST_STEPS: Final = 2_000  # kept of a trace
MOST_NODES: Final = 1_000_000  # of the search that is measured, some hundredths of a second


class Trace(Protocol):
    """What one system did with a puzzle."""

    @property
    def puzzle(self) -> Grid:
        """What it was given."""
        ...

    @property
    def solution(self) -> Grid | None:
        """The first solution it came to, even beyond the steps kept; None where it came to none."""
        ...

    @property
    def bound(self) -> int:
        """How many steps are kept at most."""
        ...

    @property
    def cut_off(self) -> bool:
        """Whether it took more steps than are kept."""
        ...

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Its own figures, by name, of all it did; None for one that was given up."""
        ...

    def __len__(self) -> int:
        """How many steps are kept."""
        ...

    def grid_at(self, step: int) -> Grid:
        """The digits that stand after so many steps, 0 being the puzzle. IndexError beyond the steps kept."""
        ...


def check_step(step: int, steps: int) -> None:
    """Refuse the number of a step that is not kept."""
    if not 0 <= step <= steps:
        raise IndexError(f"expected a step 0..{steps}, found {step}")


def as_json(value: Any) -> Any:
    """A trace, or a part of one, as dicts, lists, strings and numbers.

    Grids become their line of 81 characters; of a `Step` stay its technique, placements and eliminations.
    """
    if isinstance(value, Grid):
        return str(value)
    if isinstance(value, Step):
        return {
            "technique": value.technique,
            "placements": [list(each) for each in sorted(value.placements)],
            "eliminations": [list(each) for each in sorted(value.eliminations)],
        }
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        whole = {each.name: as_json(getattr(value, each.name)) for each in fields(value)}
        measures = getattr(value, "measures", None)
        return whole if measures is None else whole | {"measures": as_json(measures)}
    if isinstance(value, Mapping):
        return {str(key): as_json(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)):
        return [as_json(each) for each in value]
    return value
