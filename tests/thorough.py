"""How much the long tests do: a moderate amount, or everything with THOROUGH=1 (`make thorough`)."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("THOROUGH") == "1"


def amount(name: str, moderate: int, full: int) -> int:
    """How often something is done: what the environment says under `name`, else by THOROUGH."""
    return int(os.environ.get(name) or (full if THOROUGH else moderate))
