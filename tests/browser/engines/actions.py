"""Input actions, whose format WebDriver and WebDriver BiDi share."""

from __future__ import annotations

from typing import Any

from tests.browser.engines.driver import KEYS


def of_keys(keys: tuple[str, ...]) -> list[dict[str, Any]]:
    """Press keys one after the other."""
    codes = [KEYS.get(key, key) for key in keys]
    strokes = [{"type": kind, "value": code} for code in codes for kind in ("keyDown", "keyUp")]
    return [{"type": "key", "id": "keyboard", "actions": strokes}]


def of_pointer(kind: str, place: tuple[int, int]) -> list[dict[str, Any]]:
    """Click or tap at a place."""
    x, y = place
    actions: list[dict[str, Any]] = [{"type": "pointerMove", "x": x, "y": y, "duration": 0}]
    actions += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
    return [{"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions}]
