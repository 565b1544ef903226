"""Views for templates: plain values made from the services' objects, without decisions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, Final

import engine
from engine.geometry import PEERS
from webapp.bank import bank, offer
from webapp.competition.daily import streaks
from webapp.competition.daily.views import StreakView, daily_title
from webapp.competition.leaderboard import places
from webapp.competition.leaderboard.places import Place
from webapp.competition.statistics import Comparison, Learned, compare, learned
from webapp.game import hints, tour
from webapp.game.cells import CellView, cell_view, digits_of
from webapp.game.moves import Move
from webapp.game.steps.names import technique_name
from webapp.models import Attempt, Standing, Status
from webapp.play import games, suggestion
from webapp.play.finish_views import Finish, share_text
from webapp.play.lab.systems import offered
from webapp.play.play import Game, helped, moves_of
from webapp.process.words import comma
from webapp.process.words import gettext as _
from webapp.web.i18n import about_text, level_name
from webapp.web.links import public_url
from webapp.web.preferences import choice


class AttemptView:
    """An attempt as pages show it; costly parts are computed only when a template uses them."""

    def __init__(self, game: Game, moves: Sequence[Move] = ()) -> None:
        attempt, board = game.attempt, game.board
        self._game = game
        self._attempt = attempt
        self._board = board
        self._moves = moves
        self._counts = Counter(board.digits)
        self._feedback = choice("feedback")
        self.now = game.now
        self.id = attempt.id
        self.seq = board.seq
        self.next_seq = board.seq + 1
        self.state = game.state
        self.level = attempt.level
        self.givens = 81 - board.givens.count(0)
        self.empty = self._counts[0]
        self.filled = 81 - self.empty
        self.elapsed_ms = game.elapsed_ms
        self.assisted = helped(attempt, board)
        self.hints = board.hints
        self.ranked = attempt.ranked
        self.racing = attempt.racing
        self.daily = attempt.daily
        self.finished_at = attempt.finished_at
        self.can_undo = board.done is not None
        self.can_redo = board.undone is not None
        self.fill = digits_of(board.layers.fill)
        self.givens_line = attempt.givens
        self.puzzle_id = attempt.puzzle_id

    def peers(self, cell: int | None) -> frozenset[int]:
        """Return the cells in the row, column or box of this one."""
        return frozenset() if cell is None else frozenset(PEERS[cell])

    def digit_at(self, cell: int | None) -> int | None:
        """Return the digit of this cell; None if it is empty."""
        return None if cell is None else self._board.digits[cell] or None

    @cached_property
    def comparison(self) -> Comparison | None:
        """The solve's comparison with others; None before the end."""
        return None if self._attempt.finished_at is None else compare(self._attempt)

    @cached_property
    def learned(self) -> Learned | None:
        """The puzzle's measured difficulty; None before the end."""
        attempt = self._attempt
        return None if attempt.finished_at is None else learned(attempt.puzzle_id, attempt.player_id)

    @cached_property
    def place(self) -> Place | None:
        """The place of a ranked solve, or why a daily's doesn't count; None otherwise."""
        attempt = self._attempt
        placed = attempt.ranked or attempt.standing in (Standing.REVIEW, Standing.REMOVED)
        return places.place(attempt) if placed and attempt.finished_at is not None else None

    @property
    def of_the_bank(self) -> bool:
        """Whether others can get the puzzle too, so that it has a page."""
        return self._attempt.puzzle.status in (Status.APPROVED, Status.DAILY, Status.WITHDRAWN)

    @property
    def withdrawal(self) -> str | None:
        """The reason for which the puzzle was withdrawn; None if it wasn't."""
        puzzle = self._attempt.puzzle
        return puzzle.reason if puzzle.status == Status.WITHDRAWN else None

    @cached_property
    def streak(self) -> StreakView | None:
        """The player's streak after a daily; None for any other puzzle."""
        if self.daily is None:
            return None
        return StreakView(streaks.of(self._attempt.player_id, self.now), self.now)

    @cached_property
    def finish(self) -> Finish:
        """The end of a solved game."""
        moves = self._moves or (moves_of(self._game) if self._board.hints else ())
        return Finish(self._game, moves, self.place, self.comparison)

    @property
    def title(self) -> str:
        """The title of the board: 'Hard puzzle 214', 'Daily 60, Hard'."""
        return game_title(self._attempt)

    @property
    def remaining(self) -> list[tuple[int, int]]:
        """(digit, number left to place) for 1..9; negative if there are more than nine."""
        return [(digit, 9 - self._counts[digit]) for digit in range(1, 10)]

    @cached_property
    def cells(self) -> list[CellView]:
        """All 81 cells, with as much feedback as the player wants."""
        wrong = frozenset(self._wrong)
        return [
            cell_view(self._board, cell, conflicts=self._feedback != "never", wrong=cell in wrong)
            for cell in range(81)
        ]

    @property
    def checked(self) -> bool:
        """Whether the player has every digit compared with the solution, which is help on request."""
        return self._feedback == "solution" and self._board.assisted and self.state != "solved"

    @cached_property
    def _wrong(self) -> tuple[int, ...]:
        return hints.mistakes(self._board).digits if self.checked else ()

    @property
    def digits_line(self) -> str:
        """The digits on the board as 81 characters, for a picture."""
        return "".join(str(digit or ".") for digit in self._board.digits)

    @property
    def wrong(self) -> str:
        """The wrong digits on the board, as `cell:digit` with commas."""
        return ",".join(f"{cell}:{self._board.digits[cell]}" for cell in self._wrong)

    @property
    def share_text(self) -> str:
        """The text to share about a solve, with the puzzle's address."""
        puzzle, place = self._attempt.puzzle, self.place
        with_a_page = puzzle.status != Status.ENTERED
        text = share_text(
            str(puzzle.id) if self.daily is None else self.daily.name,
            self.level,
            elapsed_ms=None if choice("timer") == "off" else self.elapsed_ms,
            hints=self._board.hints,
            checks=self._board.checks,
            assisted=self.assisted,
            rank=None if place is None else place.rank_of_day,
        )
        address = (
            public_url("puzzles.show", puzzle_id=puzzle.id)
            if with_a_page
            else public_url("enter.show", grid=puzzle.givens)
        )
        return f"{text}\n{address}"

    @property
    def log(self) -> str:
        """The moves as JSON for the browser's fold: [[seq, kind, cell, digit or ""], ...]."""
        return json.dumps([[move.seq, move.kind, move.cell, move.digit or ""] for move in self._moves])


def far_from(minutes: int | None, expected_seconds: float | None) -> str:
    """Say that a puzzle takes much shorter or longer than the minutes asked for; empty where it does not."""
    if minutes is None:
        return ""
    if expected_seconds is None:
        return _("We can’t tell yet how long this one takes.")
    if abs(expected_seconds - 60 * minutes) <= max(60.0, 60.0 * minutes / 4):
        return ""
    return _(
        "We have nothing nearer to that. This one takes %(minutes)s.", minutes=about_text(expected_seconds)
    )


def game_title(attempt: Attempt) -> str:
    """Return the title of a game: 'Hard puzzle 214', 'Daily 60, Hard'."""
    if attempt.daily is not None:
        return daily_title(attempt.daily)
    if attempt.puzzle.givens == tour.GIVENS:
        return _("Your first Sudoku")
    if attempt.turn is not None:
        return _("Race, %(level)s", level=level_name(attempt.level))
    return _("%(level)s puzzle %(number)s", level=level_name(attempt.level), number=attempt.puzzle_id)


def to_go(attempt: Attempt) -> int | None:
    """Return how many cells of a game in play are empty; None if only its moves would tell."""
    if attempt.last_seq == 0:
        return attempt.puzzle.givens.count(".")
    return None if attempt.filled is None else 81 - attempt.filled


def remark(attempt: Attempt) -> str:
    """Return why a finished attempt counts in no statistics, in a word or two; empty if it counts.

    Only solves of dailies have a standing and come under review; races and practice only have doubts.
    """
    if attempt.void:
        return _("withdrawn")
    if attempt.standing == Standing.REMOVED:
        return _("removed")
    if attempt.assisted:
        return _("help used")
    if attempt.standing == Standing.REVIEW:
        return _("under review")
    return _("doesn’t count") if attempt.standing is None and attempt.doubts else ""


MINUTES: Final = (5, 8, 12, 15, 20, 30)  # to choose from
UNFOLDED: Final = 2  # games in play


def index_view(player_id: int | None, now: datetime) -> dict[str, Any]:
    """Return what the page for choosing a puzzle shows."""
    current = games.in_play(player_id)
    level, seconds = suggestion.level_and_seconds(player_id, "")
    needs = {4: _("needs wings"), 5: _("needs chains")}  # where only knowledge sets a level apart
    tiers: dict[int, list[tuple[str, str]]] = {}  # of the techniques to ask for: key and name
    for key, technique in engine.TECHNIQUES.items():
        if key in bank.ASKED_FOR:
            tiers.setdefault(technique.tier, []).append((key, technique_name(key)))
    return {
        "next": {"level": level, "seconds": seconds},
        "minutes": MINUTES,
        "facts": {
            each: comma().join(filter(None, (about_text(60.0 * minutes), needs.get(each))))
            for each, minutes in offer.MINUTES.items()
        },
        "current": current[:UNFOLDED],
        "older": current[UNFOLDED:],
        "finished": games.finished(player_id) if player_id else (),
        "best": games.best_times(player_id) if player_id else {},
        "techniques": sorted(tiers.items()),
        "systems": offered(),
        "now": now,
        **{each.__name__: each for each in (game_title, to_go, games.listed_ms, remark)},
    }
