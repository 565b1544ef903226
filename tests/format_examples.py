"""One example of every readable format, as text: seeds for fuzzing, and for tests of the formats."""

from __future__ import annotations

import json
from typing import Final

from engine import parse
from engine.formats import FORMATS, Entry, lz_string
from engine.formats.marks import left_open, shown

LINE: Final = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
SOLVED: Final = "946785123751923684283164795812456937479231856365897412127349568598672341634518279"


def _entries() -> list[Entry]:
    """Return a bare puzzle, and one with everything that a format may carry."""
    givens, solution = parse(LINE), parse(SOLVED)
    standing = parse("..67" + LINE[4:])
    marks = left_open(shown(standing, None), standing)
    facts = {"title": "Made up", "author": "nobody", "level": "Easy", "rating": "1.5", "technique": "0002"}
    full = Entry(
        givens,
        placed=standing,
        candidates=marks,
        corners=marks,
        deleted=frozenset({(28, 4)}),
        solution=solution,
        comment="28 givens",
        facts=facts,
    )
    return [Entry(givens), full]


def _written() -> list[str]:
    return [
        "\n".join(filter(None, [form.header, form.write(entry)]))
        for form in FORMATS.values()
        for entry in _entries()
    ]


_ODDITIES: Final = [
    "scl"
    + lz_string.compress(
        "{cs:50,metadata:{title:'It\\'s'},ce:[[{v:1},,{v:'2',given:t}],[]],re:[[[0,0]]],a:f}"
    ),
    "fpuzzles" + lz_string.compress(json.dumps({"size": 9, "grid": [[{}] * 9] * 9, "killercage": [1]})),
    "https://sudokupad.app/abcdefghij",
    "S9B0123",
    "S9B" + "0o" * 81,
    '<?xml version="1.0" encoding="koi8-r"?><opensudoku><game data="version: 2\n0|1|1|"/></opensudoku>',
    '<!DOCTYPE a [<!ENTITY b "c">]><opensudoku/>',
    "[State]\n[PencilMarks]\n1,2,,,,,,,\n",
    "Grid 01\n---------\n-1-------\n",
]

EXAMPLES: Final = [*_written(), *_ODDITIES]
