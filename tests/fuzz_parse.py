"""Mutated examples of every format, to find text that `parse` refuses with a wrong exception or too late."""

from __future__ import annotations

import random

from engine.formats import lz_string
from engine.formats.source import LONGEST_LINE
from tests.format_examples import EXAMPLES

_CHARACTERS = (
    "0123456789.*-_xX|+:;,#'\"<>{}[]=/%&?\\ \t\n\r\0u\u00e9\u2502\u2500\U0001f600\ud800\ufeff\x1c\x85\u2028"
)
_WORDS = (
    "---",
    "[Puzzle]",
    "[State]",
    "fpuzzles",
    "scl",
    "SCv7_32_",
    "version: 3\n",
    "&#10;",
    "1|2|0|",
    "f-puzzles.com/",
)


def mutant(draw: random.Random) -> str:
    """Mutate an example, or part of two, in one to four places; some become very long."""
    text = draw.choice(EXAMPLES)
    if draw.random() < 0.2:
        packed = draw.choice(["fpuzzles", "scl"])
        text = packed + lz_string.compress(
            _changed(draw, '{"size":9,"grid":[[{"value":1}]],"cells":[[{}]]}', 3)[:2000]
        )
    if draw.random() < 0.2:
        other = draw.choice(EXAMPLES)
        text = text[: draw.randrange(len(text) + 1)] + other[draw.randrange(len(other) + 1) :]
    text = _changed(draw, text, draw.randint(1, 4))
    if draw.random() < 0.05:
        start = draw.randrange(len(text) + 1)
        piece = text[start : start + draw.randint(1, 40)]
        text = (text[:start] + piece * (LONGEST_LINE // max(1, len(piece))))[:LONGEST_LINE]
    return text


def _changed(draw: random.Random, text: str, times: int) -> str:
    for _ in range(times):
        at = draw.randrange(len(text) + 1)
        kind = draw.randrange(6)
        if kind == 0:
            text = text[:at] + text[at + draw.randint(1, 9) :]
        elif kind == 1:
            text = text[:at] + draw.choice(_CHARACTERS) + text[at + 1 :]
        elif kind == 2:
            text = text[:at] + draw.choice(_CHARACTERS) * draw.randint(1, 90) + text[at:]
        elif kind == 3:
            text = text[:at] + draw.choice(_WORDS) + text[at:]
        elif kind == 4:
            other = draw.randrange(len(text) + 1)
            text = text[: max(at, other)] + text[min(at, other) :]
        else:
            text = text[:at] + chr(draw.randrange(0x110000)) + text[at + 1 :]
    return text
