"""JSON of limited depth, so that nothing that walks through it runs out of stack."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_DEEPEST: Final = 32  # containers within each other; no program's file has more than eight
_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"|["\[\]{}]', re.DOTALL)


def loads(text: str) -> Any:
    """Parse JSON. Raises ValueError for anything else, and for what is nested too deep."""
    if text.count("[") + text.count("{") > _DEEPEST:
        _refuse_depth(text)
    return json.loads(text)


def _refuse_depth(text: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark == '"':  # a text without an end
            return
        depth += (mark in "[{") - (mark in "]}")
        if depth > _DEEPEST:
            raise ValueError(f"more than {_DEEPEST} lists within each other")
