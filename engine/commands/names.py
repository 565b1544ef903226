"""What each technique is called in English: its key, put as people write it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

# What is looked for in a key whose underscores are spaces, one after another, and what stands there instead.
_SPELLINGS: Final[tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...]] = (
    (r"\b([t-z]+) (?=wing|chain|cycle)", lambda match: match[1].upper() + "-"),
    (r"\baic\b", "AIC"),
    (r"^als xz$", "ALS-XZ"),
    (r"^als XY-wing$", "ALS-XY-wing"),
    (r"^als XY-chain$", "ALS chain"),
    (r"^bug plus 1$", "BUG+1"),
    (r"^bug (?=\d)", "BUG type "),
    (r"(rectangle|colouring) (?=\d)", r"\1 type "),
    (r"^multi ", "multi-"),
    (r"\btwo string ", "two-string "),
    (r"^sue de coq$", "Sue de Coq"),
    (r" chain plus$", " chain (+)"),
    *(
        (rf"^strong links {count}$", f"{word} strong links")
        for count, word in enumerate(("two", "three", "four", "five", "six"), 2)
    ),
)


def technique_name(key: str) -> str:
    """The name of a technique, fit to begin a line: `technique_name("xy_wing")` is 'XY-wing'."""
    name = key.replace("_", " ")
    for written, spelt in _SPELLINGS:
        name = re.sub(written, spelt, name)
    return name[0].upper() + name[1:]
