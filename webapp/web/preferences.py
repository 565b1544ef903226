"""What a player has chosen about looks and help: the cookie `ui`, which static/js/settings.js writes."""

from __future__ import annotations

from flask import request

LONGEST = 200  # characters of the cookie that are read


def chosen() -> list[str]:
    """The choices of this request as words such as `theme-dark`."""
    return request.cookies.get("ui", "")[:LONGEST].split(".")


def choice(name: str) -> str:
    """The value chosen for a setting; empty for what holds by itself."""
    return next((word.removeprefix(f"{name}-") for word in chosen() if word.startswith(f"{name}-")), "")
