"""Input by actions, whose format WebDriver and WebDriver BiDi share."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from tests.browser.engines.driver import KEYS, Driver

Actions = list[dict[str, Any]]
PRESS: Actions = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
PAUSE: Actions = [{"type": "pause", "duration": 50}]


class Actor(Driver):
    """A browser that performs such actions."""

    @abstractmethod
    def act(self, actions: Actions) -> None:
        """Perform actions of several sources at once."""

    def press(self, *keys: str) -> None:
        strokes = []
        for chord in keys:
            codes = [KEYS.get(key, key) for key in chord.split("+")]
            strokes += [{"type": "keyDown", "value": code} for code in codes]
            strokes += [{"type": "keyUp", "value": code} for code in reversed(codes)]
        self.act([{"type": "key", "id": "keyboard", "actions": strokes}])

    def point(self, kind: str, place: tuple[int, int], times: int = 1) -> None:
        self.act([_pointer(kind, kind, [_there(*place), *PRESS * times])])

    def spread(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        down, up = PRESS
        first = [_there(*one), down, *PAUSE, _there(one[0] - 40, one[1]), up]
        second = [_there(*other), *PAUSE, down, _there(other[0] + 40, other[1]), up]
        self.act([_pointer("touch", "touch", first), _pointer("touch", "another touch", second)])


def _there(x: int, y: int) -> dict[str, Any]:
    return {"type": "pointerMove", "x": x, "y": y, "duration": 0}


def _pointer(kind: str, name: str, actions: Actions) -> dict[str, Any]:
    return {"type": "pointer", "id": name, "parameters": {"pointerType": kind}, "actions": actions}
