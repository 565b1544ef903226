"""JSON of limited depth, so that nothing that walks through it runs out of stack."""

from __future__ import annotations

import json
from typing import Any, Final

from ..errors import PuzzleFormatError

_DEEPEST: Final = 32  # containers within each other; no program's file has more than eight


def loads(text: str) -> Any:
    """Parse JSON. Raises ValueError for anything else, and for what is nested too deep."""
    try:
        value = json.loads(text)
    except RecursionError:
        value = None
    if (value is None and text.count("[") + text.count("{") > _DEEPEST) or is_deeper(value, _DEEPEST):
        raise ValueError(f"more than {_DEEPEST} lists within each other")
    return value


def is_deeper(value: object, most: int) -> bool:
    """Whether more than so many lists and objects are within each other."""
    layer = [value] if isinstance(value, list | dict) else []
    for _ in range(most):
        inner = [each.values() if isinstance(each, dict) else each for each in layer]
        layer = [part for each in inner for part in each if isinstance(part, list | dict)]
    return bool(layer)


def object_in(text: str) -> dict[str, Any]:
    """Parse the JSON object packed in a link. Raises PuzzleFormatError."""
    try:
        members = loads(text)
    except ValueError:
        raise PuzzleFormatError("expected JSON in the packed text, found something else") from None
    if not isinstance(members, dict):
        raise PuzzleFormatError("expected a JSON object in the packed text")
    return members
