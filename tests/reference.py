"""Slow, obvious answers that the fast code is checked against. Sets and recursion, no bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.geometry import HOUSES, PEERS


def solutions(digits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every solution of 81 digits 0..9 (0 = empty), fewest candidates first; none where the givens clash."""
    if any(digits[cell] and digits[cell] == digits[peer] for cell in range(81) for peer in PEERS[cell]):
        return
    yield from _completions(list(digits))


def _completions(digits: list[int]) -> Iterator[tuple[int, ...]]:
    empty = [cell for cell in range(81) if not digits[cell]]
    if not empty:
        yield tuple(digits)
        return
    left = {cell: set(range(1, 10)) - {digits[peer] for peer in PEERS[cell]} for cell in empty}
    places = [(cell, digit) for cell, found in left.items() for digit in found]
    choices = [[(cell, digit) for digit in sorted(found)] for cell, found in left.items()]
    for house in HOUSES:
        for digit in set(range(1, 10)) - {digits[cell] for cell in house}:
            choices.append([place for place in places if place[1] == digit and place[0] in house])
    for cell, digit in min(choices, key=len):
        digits[cell] = digit
        yield from _completions(digits)
        digits[cell] = 0


def is_solution(digits: Sequence[int]) -> bool:
    """Whether every house holds the nine digits once."""
    return all({digits[cell] for cell in house} == set(range(1, 10)) for house in HOUSES)
