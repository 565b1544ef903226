"""Export a position to other programs: links that open it, texts to copy, files to save.

Callers first make sure that the puzzle isn't an open daily.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

import engine
from engine.formats import FORMATS, Entry, mask_of
from engine.geometry import PEERS
from webapp.game.board import ALL_DIGITS, Board
from webapp.process.words import gettext as _
from webapp.process.words import pgettext

FILES: Final = ("sdk", "simple_sudoku", "hodoku", "opensudoku")


@dataclass(frozen=True, slots=True)
class Exports:
    """The exports of one position."""

    links: tuple[tuple[str, str], ...]  # a site's name, and its address with the position
    texts: tuple[tuple[str, str, str], ...]  # key, label, text
    files: tuple[tuple[str, str, str], ...]  # format's title, file name, content as a data: URL


def of_grid(grid: engine.Grid, name: str) -> Exports:
    """Return the exports of an unplayed puzzle. name: of its files, without suffix."""
    entry = Entry(grid)
    return _exports(entry, entry, name)


def of_board(board: Board, name: str) -> Exports:
    """Return the exports of a game as its player sees it.

    SudokuPad shows the player's own marks; solvers get every candidate that these leave.
    """
    layers = board.layers
    marked = [board.candidates(cell)[0] or layers.centre[cell] for cell in range(81)]
    left = [
        0
        if digit
        else (layers.centre[cell] or ALL_DIGITS)
        & ~layers.struck[cell]
        & ~mask_of({board.digits[peer] for peer in PEERS[cell] if board.digits[peer]})
        for cell, digit in enumerate(board.digits)
    ]
    givens, placed = engine.Grid(board.givens), engine.Grid(bytes(board.digits))
    noted = any(layers.centre) or any(layers.struck)
    seen = Entry(givens, placed=placed, candidates=tuple(marked), corners=tuple(layers.corner))
    return _exports(
        seen, Entry(givens, placed=_beyond(givens, placed), candidates=tuple(left) if noted else None), name
    )


def of_position(givens: engine.Grid, position: engine.Position, name: str) -> Exports:
    """Return the exports of a position on the solution path."""
    masks = tuple(0 if position.grid[cell] else mask_of(position.candidates(cell)) for cell in range(81))
    entry = Entry(givens, placed=_beyond(givens, position.grid), candidates=masks)
    return _exports(entry, entry, name)


def _beyond(givens: engine.Grid, placed: engine.Grid) -> engine.Grid | None:
    return None if placed == givens else placed


def _exports(seen: Entry, logic: Entry, name: str) -> Exports:
    def written(key: str, entry: Entry) -> str:
        return FORMATS[key].write(entry)

    # sudoku.coach's address has digits only, so all of them appear as givens.
    links = (
        ("SudokuPad", written("sudokupad", seen)),
        ("SudokuWiki", written("sudokuwiki", logic)),
        ("sudoku.coach", written("sudoku_coach", Entry(logic.standing))),
    )
    texts = [("givens", _("Givens, 81 characters"), str(logic.givens))]
    if logic.placed is not None:
        texts.append(("digits", _("All digits, 81 characters"), str(logic.standing)))
    texts.append(("candidates", pgettext("digits of the cells", "Candidates"), written("pencilmarks", logic)))
    files = (
        (
            _(FORMATS[key].title),
            name + FORMATS[key].suffix,
            "data:text/plain;charset=utf-8," + quote(written(key, logic) + "\n"),
        )
        for key in FILES
    )
    return Exports(links, tuple(texts), tuple(files))
