"""Fuzz `parse` with mutated examples of every format, to find a wrong exception or a slow line.

`python -m tests.fuzz_parse --seconds 600 [--seed S]`; the suite runs a few hundred of the same mutations.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path
from time import monotonic, thread_time

from engine import PuzzleFormatError, parse
from engine.formats import lz_string
from engine.formats.source import LONGEST_LINE
from tests.format_examples import EXAMPLES

SLOWEST = 0.010  # seconds of processor time a line may take
EACH_OF_MANY = 0.000_050  # additional time for each further line of a text
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


def main() -> int:
    """Fuzz for the seconds given; returns 1, and writes the text to a file, on a failure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    draw = random.Random(options.seed)
    outcomes: Counter[str] = Counter()
    slowest, end = 0.0, monotonic() + options.seconds
    print(f"seed {options.seed}", flush=True)
    while monotonic() < end:
        text = mutant(draw)
        spent, outcome = _timed(text)
        further = text.count("\n") + text.count("\r")
        allowed = SLOWEST + EACH_OF_MANY * further
        if spent > allowed:  # once more: another process may have cooled the caches
            spent = min(spent, _timed(text)[0], _timed(text)[0])
        outcomes[outcome] += 1
        slowest = max(slowest, 0 if further else spent)
        if outcome not in ("read", "refused") or spent > allowed:
            Path("fuzz-parse.txt").write_bytes(text.encode("utf-8", "surrogatepass"))
            print(f"{outcome} after {1000 * spent:.1f} ms: the text is in fuzz-parse.txt", file=sys.stderr)
            return 1
    print(f"{dict(outcomes)}, slowest line {1000 * slowest:.2f} ms")
    return 0


def _timed(text: str) -> tuple[float, str]:
    """Return processor seconds, and the outcome."""
    start = thread_time()
    try:
        parse(text)
        outcome = "read"
    except PuzzleFormatError:
        outcome = "refused"
    except Exception as error:
        outcome = repr(error)
    return thread_time() - start, outcome


if __name__ == "__main__":
    sys.exit(main())
