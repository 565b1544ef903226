"""The board that results from the moves: the server's fold of the move log (docs/move-log.md).

Pure: no database, request or clock. A `Board` is immutable; `after(move)` returns the next one, which shares
everything unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from engine import Grid
from engine.geometry import PEERS, cell_name
from webapp.game.moves import HINT_DEPTHS, Kind, Move
from webapp.process.errors import BadMove
from webapp.process.words import gettext as _

ALL_DIGITS = 0b111111111  # bit d - 1 is digit d


# The cells whose corner marks, and whose center marks, a placed digit has removed.
Swept = tuple[tuple[int, ...], tuple[int, ...]]
NOTHING: Swept = ((), ())


@dataclass(frozen=True, slots=True)
class Layers:
    """Everything that undo restores: 81 numbers per layer; masks have 9 bits, bit d - 1 for digit d."""

    digits: tuple[int, ...]
    corner: tuple[int, ...] = (0,) * 81
    centre: tuple[int, ...] = (0,) * 81
    colour: tuple[int, ...] = (0,) * 81
    candidate_colour: tuple[int, ...] = (0,) * 729  # at 9 * cell + digit - 1
    struck: tuple[int, ...] = (0,) * 81
    fill: int = 0
    swept: tuple[Swept, ...] = (NOTHING,) * 81  # marks removed by each placed digit


@dataclass(frozen=True, slots=True)
class History:
    """A linked list of layers, newest first, so that undo needs no copy."""

    layers: Layers
    older: History | None


@dataclass(frozen=True, slots=True)
class Board:
    """An attempt's board after its first `seq` moves."""

    givens: bytes  # 81 digits, 0 for an empty cell
    layers: Layers
    seq: int = 0
    undone: History | None = None
    done: History | None = None
    paused_since: datetime | None = None
    paused: timedelta = timedelta()
    keeps: bool = False  # whether placing a digit leaves its peers' marks
    assisted: bool = False
    revealed: bool = False  # whether the player asked for auto candidates
    pointed: bool = False  # whether the player asked where to look
    hints: int = (
        0  # number of hints beyond where to look; a deeper level of the same hint doesn't count again
    )
    checks: int = 0
    asked: Move | None = None  # the latest hint (with its depth) or check, until the board changes
    passed: int = 0  # how many other hints were requested since the board changed
    last: int | None = None  # the cell of the latest move that names one

    @classmethod
    def of(cls, grid: Grid) -> Board:
        """The board before the first move."""
        return cls(grid.digits, Layers(digits=tuple(grid.digits)))

    @property
    def digits(self) -> tuple[int, ...]:
        return self.layers.digits

    @property
    def solved(self) -> bool:
        """Whether every cell has a digit and none is in conflict."""
        return 0 not in self.digits and not any(in_conflict(self.digits, cell) for cell in range(81))

    def after(self, move: Move, at: datetime) -> Board:
        """Return the board after `move`, received at `at`. Raises BadMove if the board rejects it."""
        if self.solved:
            raise BadMove(_("move %(seq)s: the puzzle is already solved", seq=move.seq))
        if self.paused_since is not None and move.kind is not Kind.RESUME:
            raise BadMove(_("move %(seq)s: the game is paused; resume first", seq=move.seq))
        if move.kind is not Kind.COLOUR:
            for cell in move.cells:
                if self.givens[cell]:
                    raise BadMove(_("move %(seq)s: %(cell)s is a given", seq=move.seq, cell=cell_name(cell)))
        match move.kind:
            case Kind.UNDO if (older := self.done) is not None:
                return self._with(move, older.layers, older.older, History(self.layers, self.undone))
            case Kind.REDO if (newer := self.undone) is not None:
                return self._with(move, newer.layers, History(self.layers, self.done), newer.older)
            case Kind.PAUSE:
                return replace(self, seq=move.seq, paused_since=at)
            case Kind.RESUME if self.paused_since is not None:
                paused = self.paused + (at - self.paused_since)
                return replace(self, seq=move.seq, paused=paused, paused_since=None)
            case Kind.KEEP:
                return replace(self, seq=move.seq, keeps=not self.keeps)
            case Kind.HINT:
                return self._advised(move)
            case Kind.CHECK:
                return replace(self, seq=move.seq, assisted=True, asked=move, checks=self.checks + 1)
        change = CHANGES.get(move.kind)
        layers = self.layers if change is None else change(self, move)
        if layers == self.layers:
            return replace(self, seq=move.seq)
        if move.kind is Kind.FILL:
            return replace(self, revealed=True)._with(move, layers, History(self.layers, self.done), None)
        return self._with(move, layers, done=History(self.layers, self.done), undone=None)

    def _advised(self, move: Move) -> Board:
        """Return the board after a hint: deeper into the current one or, without a digit, another at the
        same depth. docs/move-log.md tells what each depth shows.
        """
        shown = self.asked.digit if self.asked is not None and self.asked.kind is Kind.HINT else None
        another = move.digit is None and shown is not None
        # The last depth is applied, so a new hint starts one above
        depth = move.digit or min(shown or 1, HINT_DEPTHS - 1)
        counted = shown is not None and shown > 1 and not another
        return replace(
            self,
            seq=move.seq,
            assisted=self.assisted or depth > 1,
            pointed=True,
            asked=replace(move, digit=depth),
            passed=self.passed + another,
            hints=self.hints + (depth > 1 and not counted),
        )

    def _with(self, move: Move, layers: Layers, done: History | None, undone: History | None) -> Board:
        last = move.cells[-1] if move.cells else self.last
        return replace(
            self, seq=move.seq, layers=layers, done=done, undone=undone, asked=None, passed=0, last=last
        )

    def candidates(self, cell: int) -> tuple[int, int]:
        """Return the displayed candidates of an empty cell as masks: open and struck.

        The open ones come from the active layers, or from center marks if the cell has any. A struck one is
        also shown if the player has marked it.
        """
        layers = self.layers
        marked = layers.corner[cell] & layers.struck[cell]
        if layers.digits[cell] or not layers.fill | marked:
            return 0, 0
        if layers.centre[cell]:
            return 0, marked
        seen = 0
        for peer in PEERS[cell]:
            digit = layers.digits[peer]
            if digit and (self.givens[peer] or not in_conflict(layers.digits, peer)):
                seen |= 1 << digit - 1
        shown = layers.fill & ~seen
        return shown & ~layers.struck[cell], shown & layers.struck[cell] | marked


def in_conflict(digits: tuple[int, ...], cell: int) -> bool:
    """Whether the digit of `cell` appears a second time in one of its houses."""
    digit = digits[cell]
    return digit != 0 and any(digits[peer] == digit for peer in PEERS[cell])


def _changed(layer: tuple[int, ...], changes: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    values = list(layer)
    for index, value in changes:
        values[index] = value
    return tuple(values)


def _toggled(layer: tuple[int, ...], places: Iterable[int], bit: int) -> tuple[int, ...]:
    """Clear the bit everywhere if it is set everywhere, else set it everywhere."""
    chosen = list(places)
    if all(layer[place] & bit for place in chosen):
        return _changed(layer, ((place, layer[place] & ~bit) for place in chosen))
    return _changed(layer, ((place, layer[place] | bit) for place in chosen))


def _place(board: Board, move: Move) -> Layers:
    assert move.digit is not None
    layers = _lifted(board.layers, move.cells, move.digit)
    if not board.keeps:
        for cell in move.cells:
            if not in_conflict(layers.digits, cell):
                layers = _swept(layers, cell, 1 << move.digit - 1)
    return layers


def _lifted(layers: Layers, cells: Iterable[int], digit: int) -> Layers:
    """Put `digit`, or 0, into cells; a removed digit restores the marks that it removed."""
    gone = [(cell, layers.digits[cell]) for cell in cells if layers.digits[cell] not in (0, digit)]
    digits = _changed(layers.digits, ((cell, digit) for cell in cells))
    marks = [list(layers.corner), list(layers.centre)]
    for cell, old in gone:
        for layer, peers in zip(marks, layers.swept[cell], strict=True):
            for peer in peers:
                if all(digits[other] != old for other in PEERS[peer]):
                    layer[peer] |= 1 << old - 1
    corner, centre = map(tuple, marks)
    swept = list(layers.swept)
    for cell, _old in gone:
        swept[cell] = NOTHING
    return replace(layers, digits=digits, corner=corner, centre=centre, swept=tuple(swept))


def _swept(layers: Layers, cell: int, bit: int) -> Layers:
    """Remove the marks of a placed digit from its peers, and record which."""
    corner, centre = (
        tuple(peer for peer in PEERS[cell] if layer[peer] & bit) for layer in (layers.corner, layers.centre)
    )
    if not corner and not centre:
        return layers
    before = layers.swept[cell]
    swept = list(layers.swept)
    swept[cell] = (before[0] + corner, before[1] + centre)
    return replace(
        layers,
        corner=_changed(layers.corner, ((peer, layers.corner[peer] & ~bit) for peer in corner)),
        centre=_changed(layers.centre, ((peer, layers.centre[peer] & ~bit) for peer in centre)),
        swept=tuple(swept),
    )


def _mark(board: Board, move: Move) -> Layers:
    layer = getattr(board.layers, move.kind)
    if move.digit is None:
        changed = _changed(layer, ((cell, 0) for cell in move.cells))
    else:
        empty = [cell for cell in move.cells if not board.digits[cell]]
        changed = _toggled(layer, empty, 1 << move.digit - 1)
    marked: dict[str, Any] = {move.kind: changed}
    return replace(board.layers, **marked)


def _colour(board: Board, move: Move) -> Layers:
    layers = board.layers
    spots = [9 * cell + digit - 1 for cell, digit in move.candidates]
    if move.digit is None:
        spots += [9 * cell + index for cell in move.cells for index in range(9)]
        return replace(
            layers,
            colour=_changed(layers.colour, ((cell, 0) for cell in move.cells)),
            candidate_colour=_changed(layers.candidate_colour, ((spot, 0) for spot in spots)),
        )
    # Cells and candidates are toggled together, as one selection.
    both = layers.colour + layers.candidate_colour
    together = _toggled(both, [*move.cells, *(81 + spot for spot in spots)], 1 << move.digit - 1)
    return replace(layers, colour=together[:81], candidate_colour=together[81:])


def _strike(board: Board, move: Move) -> Layers:
    assert move.digit is not None
    return replace(board.layers, struck=_toggled(board.layers.struck, move.cells, 1 << move.digit - 1))


def _fill(board: Board, move: Move) -> Layers:
    fill = board.layers.fill
    if move.digit is None:
        return replace(board.layers, fill=0 if fill == ALL_DIGITS else ALL_DIGITS)
    return replace(board.layers, fill=fill ^ 1 << move.digit - 1)


def _erase(board: Board, move: Move) -> Layers:
    layers = board.layers
    if any(layers.digits[cell] for cell in move.cells):
        return _lifted(layers, move.cells, 0)
    return replace(
        layers,
        corner=_changed(layers.corner, ((cell, 0) for cell in move.cells)),
        centre=_changed(layers.centre, ((cell, 0) for cell in move.cells)),
        struck=_changed(layers.struck, ((cell, 0) for cell in move.cells)),
    )


CHANGES: dict[Kind, Callable[[Board, Move], Layers]] = {
    Kind.DIGIT: _place,
    Kind.CORNER: _mark,
    Kind.CENTRE: _mark,
    Kind.COLOUR: _colour,
    Kind.STRIKE: _strike,
    Kind.FILL: _fill,
    Kind.ERASE: _erase,
}
