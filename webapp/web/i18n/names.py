"""Languages' native names and language tags."""

from __future__ import annotations

from functools import cache

from babel import Locale


@cache
def own_name(code: str) -> str:
    """Return a language's native name: `Deutsch`, `简体中文`."""
    locale = Locale.parse(code)
    name = locale.languages.get(code) or locale.get_display_name() or code
    return name[:1].upper() + name[1:]


@cache
def tag_of(code: str) -> str:
    """Return a language's tag for `lang`: `zh-Hans` for zh_Hans."""
    return code.replace("_", "-")


@cache
def direction(code: str) -> str:
    """Return `ltr`, or `rtl` for languages written from right to left."""
    return Locale.parse(code).text_direction
