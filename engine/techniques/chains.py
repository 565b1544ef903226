"""Shared by chains along one line: the path to a literal, and its encoding as links.

A path is int32[2 * NODE_LITERALS]: pairs of a literal and the cause of the link that leads to it.
"""

from __future__ import annotations

from ..kernels._jit import kernel
from ..kernels.steps import BY_ALS, Steps, put_link
from .implications import ASSUMED, CAUSE, COUNT, FIRST_PARENT, LITERAL, NOTHING, Arena, Row


@kernel
def trace(arena: Arena, record: int, path: Row) -> int:
    """Write the path from the assumption to `record`; returns its number of literals."""
    length = int(arena[record + COUNT])
    for index in range(length - 1, -1, -1):
        path[2 * index] = arena[record + LITERAL]
        path[2 * index + 1] = arena[record + CAUSE]
        record = arena[record + FIRST_PARENT]
    return length


@kernel
def copy_path(path: Row, length: int, target: Row) -> None:
    """Copy a path with this many literals."""
    for index in range(2 * length):
        target[index] = path[index]


@kernel
def put_path(path: Row, length: int, out: Steps) -> None:
    """Write a path as one branch; almost locked sets in its causes are numbered from 0."""
    put_link(out, NOTHING, path[0], ASSUMED)
    sets = 0
    for index in range(1, length):
        cause = path[2 * index + 1]
        if cause >= BY_ALS:
            cause = BY_ALS + sets
            sets += 1
        put_link(out, path[2 * index - 2], path[2 * index], cause)


@kernel
def put_way_back(path: Row, length: int, closing: int, out: Steps) -> None:
    """Write the other branch of a loop: its first literal off, and every link reversed.

    closing: the cause of the link from the last literal to the first.
    """
    sets = 0
    for index in range(1, length):
        sets += path[2 * index + 1] >= BY_ALS
    put_link(out, NOTHING, path[0] ^ 1, ASSUMED)
    put_link(out, path[0] ^ 1, path[2 * length - 2] ^ 1, closing)
    for index in range(length - 1, 1, -1):
        cause = path[2 * index + 1]
        if cause >= BY_ALS:
            sets -= 1
            cause = BY_ALS + sets
        put_link(out, path[2 * index] ^ 1, path[2 * index - 2] ^ 1, cause)
