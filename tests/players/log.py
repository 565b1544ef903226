"""What a generator hands over: the log of an attempt as the server got it, and the account that played it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from tests.logs import Script
from tests.players.puzzles import Puzzle
from webapp.game.moves import Kind, Move

HELP = frozenset({Kind.HINT, Kind.CHECK, Kind.FILL})  # what makes an attempt at a daily assisted
Fields = tuple[str, str, str, str]  # seq, kind, cell, digit, as they are posted


class Standing(StrEnum):
    """Who plays, as far as the site can tell."""

    GUEST = "guest"
    FRESH = "fresh"  # registered today, nothing solved before
    ESTABLISHED = "established"  # with solves of earlier days
    SECOND = "second"  # a new account on a device that has another
    AFTER_GUEST = "after_guest"  # a new account on a device where a guest played before


@dataclass(frozen=True, slots=True)
class Past:
    """A ranked solve of an earlier day."""

    days_ago: int
    level: int
    pace: float  # its time over the puzzle's expected time


@dataclass(frozen=True, slots=True)
class Account:
    """Who plays. Accounts of one owner, and what they did as a guest, share a device."""

    name: str
    device: str
    standing: Standing
    past: tuple[Past, ...] = ()  # the oldest first


@dataclass(frozen=True)
class Log:
    """A solved attempt."""

    kind: str  # the generator's name
    honest: bool
    puzzle: Puzzle
    account: Account
    begins: float  # seconds after the puzzle was opened to all
    moves: list[Move]
    received: list[float]  # seconds from the start of the attempt, ascending, one a move
    before: tuple[
        Log, ...
    ] = ()  # other attempts that belong to the story: what is copied, the guest's, a friend's

    @property
    def seconds(self) -> float:
        """How long the attempt took, by the server's clock."""
        return self.received[-1]

    @property
    def pace(self) -> float:
        """How long it took over the puzzle's expected time."""
        return self.seconds / self.puzzle.expected_seconds

    @property
    def assisted(self) -> bool:
        """Whether the site's own help was used, as a daily counts it."""
        return any(move.kind in HELP for move in self.moves)

    @property
    def order(self) -> list[int]:
        """The cells in the order in which they got the digit that stayed."""
        last = {
            cell: at for at, move in enumerate(self.moves) if move.kind is Kind.DIGIT for cell in move.cells
        }
        return sorted(last, key=lambda cell: last[cell])

    def batches(self) -> list[tuple[float, list[Fields]]]:
        """The requests that brought it: (seconds from the start, the moves' fields as they are posted)."""
        rows = zip(self.received, self.moves, strict=True)
        return [
            (at, [(str(move.seq), move.kind, move.cell, str(move.digit or "")) for _at, move in batch])
            for at, batch in groupby(rows, key=lambda row: row[0])
        ]


def script_of(log: Log) -> Script:
    """The moves and times of a log as something to change and play again, without the site's help."""
    script = Script()
    for at, move in zip(log.received, log.moves, strict=True):
        if move.kind not in HELP:
            script.at = at
            script.do(move.kind, move.cell, move.digit or "")
    return script
