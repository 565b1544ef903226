"""Progress in a race: how much of a puzzle is filled in right, told so that it says nothing about any cell.

Others see tenths, of the most that was ever right: a bar that followed every digit would tell, on a second
screen, whether the digit just written is right. This one tells that nine times a game at most, and each of
those times costs the digits up to it.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

import engine
from webapp.models import Racer

TENTHS = 10


def tenths(givens: Sequence[int], digits: Sequence[int]) -> int:
    """How many tenths of the cells to fill hold their digit of the solution."""
    solution = engine.solution(engine.Grid(bytes(givens)))
    if solution is None:
        return 0
    empty = [cell for cell in range(81) if not givens[cell]]
    right = sum(digits[cell] == solution.digits[cell] for cell in empty)
    return TENTHS * right // max(1, len(empty))


def advance(connection: sa.Connection, attempt_id: str, reached: int) -> None:
    """Store how far a racer has come; never less than before."""
    racer = Racer.__table__
    further = sa.update(racer).where(racer.c.attempt_id == attempt_id, racer.c.tenths < reached)
    connection.execute(further.values(tenths=reached))
