"""Transformation: one of the 9! x 6^8 x 2 ways to map a grid to an equivalent one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from .arguments import bounded, flag, function, instance, whole
from .errors import ArgumentError
from .given import Given, grid_of
from .grid import Grid

_IN_ORDER: Final = tuple(range(9))
COUNT: Final = 362_880 * 6**8 * 2  # all of them: 1,218,998,108,160


@dataclass(frozen=True, slots=True)
class Transformation:
    """Transpose or not, then reorder rows and columns, then relabel digits.

    >>> swap = Transformation(digits=(2, 1, 3, 4, 5, 6, 7, 8, 9))
    >>> swap.apply(Grid.from_digits([1, 2] + [0] * 79)).digits[:2]
    b'\\x02\\x01'
    """

    transposed: bool = False
    rows: tuple[int, ...] = _IN_ORDER  # image row -> row of the (transposed) grid; bands stay together
    columns: tuple[int, ...] = _IN_ORDER  # image column -> column of the (transposed) grid
    digits: tuple[int, ...] = tuple(range(1, 10))  # digit - 1 -> its new label 1..9

    def __post_init__(self) -> None:
        flag("transposed", self.transposed)
        for name in ("rows", "columns", "digits"):
            low, high = (1, 9) if name == "digits" else (0, 8)
            order = tuple(whole(name, each, low, high) for each in bounded(name, getattr(self, name), 9))
            object.__setattr__(self, name, order)
            if name == "digits" and sorted(order) != list(range(1, 10)):
                raise ArgumentError(name, f"expected an order of 1..9, found {order}")
            bands = [{line // 3 for line in order[start : start + 3]} for start in (0, 3, 6)]
            whole_bands = sorted(order) == list(_IN_ORDER) and all(len(band) == 1 for band in bands)
            if name != "digits" and not whole_bands:
                raise ArgumentError(
                    name, f"expected an order of 0..8 that keeps threes together, found {order}"
                )

    @classmethod
    def random(cls, below: Callable[[int], int]) -> Transformation:
        """Return a uniformly random one, given that `below(n)` returns a uniform number in 0..n-1.

        >>> import random
        >>> any_of_them = Transformation.random(random.Random(7).randrange)
        """
        function("below", below, takes=1)
        return cls(
            transposed=_drawn(below, 2) == 1,
            rows=_shuffled_lines(below),
            columns=_shuffled_lines(below),
            digits=tuple(_shuffled(range(1, 10), below)),
        )

    def source(self, cell: int) -> int:
        """Return the cell 0..80 of the grid that is mapped to `cell` of the image."""
        cell = whole("cell", cell, 0, 80)
        row, column = self.rows[cell // 9], self.columns[cell % 9]
        return 9 * column + row if self.transposed else 9 * row + column

    def target(self, cell: int) -> int:
        """Return the cell 0..80 of the image that `cell` of the grid is mapped to."""
        row, column = divmod(whole("cell", cell, 0, 80), 9)
        if self.transposed:
            row, column = column, row
        return 9 * self.rows.index(row) + self.columns.index(column)

    def apply(self, grid: Given) -> Grid:
        """Return the image of a grid; empty cells stay empty."""
        grid = grid_of("grid", grid)
        names = (0, *self.digits)
        return Grid(bytes(names[grid.digits[self.source(cell)]] for cell in range(81)))

    def inverse(self) -> Transformation:
        """Return the inverse transformation."""
        rows = tuple(self.rows.index(line) for line in _IN_ORDER)
        columns = tuple(self.columns.index(line) for line in _IN_ORDER)
        return Transformation(
            transposed=self.transposed,
            rows=columns if self.transposed else rows,
            columns=rows if self.transposed else columns,
            digits=tuple(self.digits.index(digit) + 1 for digit in range(1, 10)),
        )

    def then(self, second: Transformation) -> Transformation:
        """Return this one followed by `second`: `t.then(u).apply(g) == u.apply(t.apply(g))`."""
        instance("second", second, Transformation)
        rows, columns = (self.columns, self.rows) if second.transposed else (self.rows, self.columns)
        return Transformation(
            transposed=self.transposed != second.transposed,
            rows=tuple(rows[line] for line in second.rows),
            columns=tuple(columns[line] for line in second.columns),
            digits=tuple(second.digits[digit - 1] for digit in self.digits),
        )


def _shuffled(items: Sequence[int], below: Callable[[int], int]) -> list[int]:
    """Shuffle by Fisher and Yates: every order is equally likely."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        at = _drawn(below, last + 1)
        order[last], order[at] = order[at], order[last]
    return order


def _drawn(below: Callable[[int], int], count: int) -> int:
    return whole("below", below(count), 0, count - 1)


def _shuffled_lines(below: Callable[[int], int]) -> tuple[int, ...]:
    bands = _shuffled(range(3), below)
    return tuple(3 * band + line for band in bands for line in _shuffled(range(3), below))
