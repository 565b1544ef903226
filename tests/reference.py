"""Slow, obvious reference implementations of the fast code. Sets and recursion, no bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product

from engine.geometry import HOUSES, PEERS

PEERS_OF = [frozenset(peers) for peers in PEERS]


def solutions(digits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield every solution of 81 digits 0..9 (0 = empty), fewest candidates first; none if the givens
    clash.
    """
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
    """Tell whether every house holds the nine digits once."""
    return all({digits[cell] for cell in house} == set(range(1, 10)) for house in HOUSES)


def least_transformations(solution: Sequence[int]) -> Iterator[tuple[list[int], dict[int, int]]]:
    """Return every transformation that takes a full grid to the least equivalent one: source cells, digits'
    names.

    Tries all row pairs with all orders of columns, keeps those with the least first two rows, then tries all
    orders of the other rows.
    """
    starts: list[tuple[list[int], list[list[int]], dict[int, int]]] = []
    least = [10]
    line_orders = [
        [3 * band + line for band, inside in zip(bands, order, strict=True) for line in inside]
        for bands in permutations(range(3))
        for order in product(permutations(range(3)), repeat=3)
    ]
    for transposed in (False, True):
        rows = [[9 * at + row if transposed else 9 * row + at for at in range(9)] for row in range(9)]
        for band, (one, two, three) in product(range(3), permutations(range(3))):
            top = [rows[3 * band + line] for line in (one, two, three)]
            others = [rows[3 * (band + step) % 9 + line] for step in (1, 2) for line in range(3)]
            for columns in line_orders:
                names = {solution[top[0][column]]: at + 1 for at, column in enumerate(columns)}
                second = [names[solution[top[1][column]]] for column in columns]
                if second < least:
                    least, starts = second, []
                if second == least:
                    starts.append((columns, [*top, *others], names))
    images = []
    for columns, lines, names in starts:
        for upper, lower in permutations((3, 6)):
            for orders in product(permutations(range(3)), repeat=2):
                rest = [
                    start + line
                    for start, order in zip((upper, lower), orders, strict=True)
                    for line in order
                ]
                source = [lines[line][column] for line in [0, 1, 2, *rest] for column in columns]
                images.append(([names[solution[cell]] for cell in source], source, names))
    form = min(image for image, _, _ in images)
    yield from ((source, names) for image, source, names in images if image == form)


def least_images(digits: Sequence[int], solution: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the images of a puzzle under the transformations above, least first, with repetitions."""
    return sorted(
        tuple(names.get(digits[cell], 0) for cell in source)
        for source, names in least_transformations(solution)
    )


def fish(
    places: Sequence[int], bases: Sequence[int], covers: Sequence[int], size: int
) -> Iterator[tuple[frozenset[int], frozenset[int], tuple[int, ...], tuple[int, ...]]]:
    """Return every fish of `size` on the cells `places` of one digit: what it clears, its fins, bases and
    covers.

    A cell in more base than cover houses is a fin; a cell in more cover than base houses that sees all fins
    is cleared. Fish that clear only cells of their own bases are left out: a smaller fish does the same.
    """
    for chosen in combinations(bases, size):
        for crossing in combinations([house for house in covers if house not in chosen], size):
            surplus = {
                cell: sum(cell in HOUSES[house] for house in crossing)
                - sum(cell in HOUSES[house] for house in chosen)
                for cell in places
            }
            fins = {cell for cell in places if surplus[cell] < 0}
            cleared = {cell for cell in places if surplus[cell] > 0 and fins <= PEERS_OF[cell]}
            if any(all(cell not in HOUSES[house] for house in chosen) for cell in cleared):
                yield frozenset(cleared), frozenset(fins), chosen, crossing
