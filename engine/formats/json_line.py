"""One JSON object a line with the key `puzzle`: what our own commands write, so that they can be chained."""

from __future__ import annotations

import json
from typing import Final

from engine.errors import PuzzleFormatError
from engine.formats import line
from engine.formats.entry import Entry
from engine.formats.format import Format, LineReader


def recognises(text: str) -> bool:
    """Whether a line opens a JSON object that names a puzzle."""
    return text.lstrip().startswith("{") and '"puzzle"' in text


def parse(text: str) -> Entry:
    """The entry of an object; other words and numbers become facts. Raises PuzzleFormatError."""
    try:
        members = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PuzzleFormatError(f"expected a JSON object: {error}") from None
    puzzle = members.get("puzzle") if isinstance(members, dict) else None
    if not isinstance(puzzle, str):
        raise PuzzleFormatError("expected a JSON object with the text of its puzzle under 'puzzle'")
    solution = members.get("solution")
    facts = {
        name: str(value)
        for name, value in members.items()
        if name not in ("puzzle", "solution")
        and isinstance(value, str | int | float)
        and not isinstance(value, bool)
    }
    return Entry(
        line.parse(puzzle).givens,
        format="json",
        solution=line.parse(solution).givens if isinstance(solution, str) else None,
        facts=facts,
    )


def write(entry: Entry) -> str:
    """The object on one line."""
    members = {"puzzle": str(entry.givens)}
    if entry.solution is not None:
        members["solution"] = str(entry.solution)
    return json.dumps({**members, **entry.facts})


FORMAT: Final = Format("json", "JSON lines", ".jsonl", write, line=LineReader(recognises, parse))
