"""Cells, houses and peers as constant tables. Independent of digits.

Cells are numbered 0..80 row by row. Houses are numbered 0..8 rows, 9..17 columns, 18..26 boxes.
"""

from __future__ import annotations

from typing import Final

Candidate = tuple[int, int]  # cell 0..80, digit 1..9

ROW_OF: Final = tuple(cell // 9 for cell in range(81))
COL_OF: Final = tuple(cell % 9 for cell in range(81))
BOX_OF: Final = tuple(cell // 27 * 3 + cell % 9 // 3 for cell in range(81))

HOUSES: Final = tuple(
    tuple(cell for cell in range(81) if house_of[cell] == index)
    for house_of in (ROW_OF, COL_OF, BOX_OF)
    for index in range(9)
)
HOUSES_OF: Final = tuple((ROW_OF[cell], 9 + COL_OF[cell], 18 + BOX_OF[cell]) for cell in range(81))
PEERS: Final = tuple(
    tuple(sorted({peer for house in HOUSES_OF[cell] for peer in HOUSES[house]} - {cell}))
    for cell in range(81)
)


def cell_name(cell: int) -> str:
    """Return the name of a cell 0..80: `cell_name(30)` is 'r4c4'."""
    return f"r{ROW_OF[cell] + 1}c{COL_OF[cell] + 1}"


def house_name(house: int) -> str:
    """Return the name of a house 0..26: 'row 4', 'column 2', 'box 9'."""
    return f"{('row', 'column', 'box')[house // 9]} {house % 9 + 1}"
