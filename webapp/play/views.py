"""Views for templates: plain values made from the services' objects, without decisions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

import engine
from webapp.bank import bank, collections
from webapp.bank.collections import Item
from webapp.competition.daily import dailies, streaks
from webapp.competition.daily.views import DailyView, StreakView, daily_title
from webapp.competition.leaderboard import distribution, leaderboard
from webapp.competition.leaderboard.charts import Chart
from webapp.competition.leaderboard.leaderboard import Place
from webapp.competition.statistics import Comparison, Learned, compare, learned
from webapp.game import hints, tour
from webapp.game.cells import CellView, cell_view, digits_of
from webapp.game.moves import Move
from webapp.game.steps.names import technique_name
from webapp.learn.strength import history
from webapp.learn.strength.views import line_text
from webapp.models import Attempt, Collection, Leaderboard, Standing, Status
from webapp.play.play import Game, Summary, helped, listed_ms
from webapp.play.share import share_text
from webapp.process.words import gettext as _
from webapp.process.words import ngettext
from webapp.web.i18n import about_text, clock_text, level_name
from webapp.web.links import public_url
from webapp.web.preferences import choice

ENOUGH_TO_DRAW = 5  # solves of a puzzle for a picture of how their times lie


class AttemptView:
    """An attempt as the pages show it; the costly parts are made only where a template asks for them."""

    def __init__(self, game: Game, moves: Sequence[Move] = ()) -> None:
        attempt, board = game.attempt, game.board
        self._attempt = attempt
        self._board = board
        self._moves = moves
        self._counts = Counter(board.digits)
        self._feedback = choice("feedback")
        self._now = game.now
        self.id = attempt.id
        self.seq = board.seq
        self.state = game.state
        self.level = attempt.level
        self.givens = 81 - board.givens.count(0)
        self.filled = 81 - self._counts[0]
        self.elapsed_ms = game.elapsed_ms
        self.assisted = helped(attempt, board)
        self.hints = board.hints
        self.ranked = attempt.ranked
        self.racing = attempt.racer is not None
        self.daily = attempt.daily
        self.updated = attempt.updated_at
        self.finished_at = attempt.finished_at
        self.can_undo = board.done is not None
        self.can_redo = board.undone is not None
        self.fill = digits_of(board.layers.fill)
        self.givens_line = attempt.givens
        self.puzzle_id = attempt.puzzle_id

    @cached_property
    def comparison(self) -> Comparison | None:
        """How the solve compares; None before the end."""
        return None if self._attempt.finished_at is None else compare(self._attempt)

    @cached_property
    def learned(self) -> Learned | None:
        """How hard the puzzle has proved to be; None before the end."""
        attempt = self._attempt
        return None if attempt.finished_at is None else learned(attempt.puzzle_id, attempt.player_id)

    @cached_property
    def place(self) -> Place | None:
        """Where a ranked solve stands, or why one of a daily does not count; None before the end and else."""
        attempt = self._attempt
        told = attempt.ranked or attempt.standing in (Standing.REVIEW, Standing.REMOVED)
        return leaderboard.place(attempt) if told and attempt.finished_at is not None else None

    @cached_property
    def rating_line(self) -> str | None:
        """What the game has done to the player's rating, in words; None where it has not counted."""
        attempt = self._attempt
        point = history.of_attempt(attempt.id) if attempt.finished_at is not None else None
        return None if point is None else line_text(point)

    @cached_property
    def streak(self) -> StreakView | None:
        """The player's streak after a daily; None for any other puzzle."""
        if self.daily is None:
            return None
        return StreakView(streaks.of(self._attempt.player_id, self._now), self._now)

    @cached_property
    def next_daily(self) -> DailyView | None:
        """After one of today's dailies, the easiest that is still to be solved."""
        if self.daily is None or self.daily.date != dailies.today(self._now):
            return None
        entries = dailies.of_today(self._attempt.player_id, self._now).entries
        return next((DailyView(entry) for entry in entries if entry.state != "solved"), None)

    @cached_property
    def next_in_collection(self) -> tuple[Collection, Item] | None:
        """After a puzzle of a collection, the collection and the next of it that is still to be solved."""
        attempt = self._attempt
        if self.daily is not None or attempt.finished_at is None:
            return None
        return collections.following(attempt.puzzle_id, attempt.player_id, self._now)

    @cached_property
    def chart(self) -> Chart | None:
        """Where the solve stands among the others; None with fewer than ENOUGH_TO_DRAW."""
        if self.comparison is None:
            return None
        if self.daily is None:
            counts = self.comparison.seconds
        else:
            counts = leaderboard.steps(self.daily.id, Leaderboard.DAY)
        if sum(counts.values()) < ENOUGH_TO_DRAW:
            return None
        return Chart(distribution.bars(counts, self.elapsed_ms // 1000))

    @property
    def chips(self) -> list[tuple[str, str]]:
        """Two things to say of a solve, each with what kind it is: `good`, `plain` or `warning`."""
        helped = (_("help used"), "plain") if self.assisted else (_("no hints"), "good")
        return [helped, self._how_it_counts or self._against_own_best]

    @property
    def _how_it_counts(self) -> tuple[str, str] | None:
        standing, place = self._attempt.standing, self.place
        if standing == Standing.REVIEW:
            return _("under review"), "warning"
        if standing == Standing.REMOVED:
            return _("removed"), "warning"
        if standing == Standing.PAPER:
            return _("unranked"), "plain"
        if self.daily is not None and self.assisted:
            return _("unranked"), "plain"
        if self.daily is not None and (place is None or place.board == Leaderboard.ARCHIVE):
            return _("practice"), "plain"
        return None

    @property
    def _against_own_best(self) -> tuple[str, str]:
        best = self.comparison.own_best if self.comparison is not None else None
        if self.assisted or choice("timer") == "off":
            return level_name(self.level), "plain"
        if best is None:
            return _("first %(level)s solve", level=level_name(self.level)), "good"
        if self.elapsed_ms < best:
            return _("personal best by %(time)s", time=clock_text(best - self.elapsed_ms)), "good"
        return _("%(time)s off your best", time=clock_text(self.elapsed_ms - best)), "plain"

    @property
    def figures(self) -> list[tuple[str, str]]:
        """At most three figures of a solve, each with its words."""
        found, compared = [], self.comparison
        if self.streak is not None and self.streak.current:
            days = ngettext("%(num)s day", "%(num)s days", self.streak.current)
            found.append((days, _("streak")))
        if compared is not None and compared.own_median is not None:
            found.append((clock_text(compared.own_median), _("your median")))
        if compared is not None and compared.puzzle_median is not None:
            others = ngettext("%(num)s other player", "median of %(num)s others", compared.puzzle_solves)
            found.append((clock_text(compared.puzzle_median), others))
        if expected := self._attempt.puzzle.expected_seconds:
            found.append((about_text(expected), _("expected")))
        found.append((str(self.givens), _("givens")))
        return found[:3]

    @property
    def title(self) -> str:
        """The title of the board: 'Hard puzzle 214', 'Daily 60, Hard'."""
        return game_title(self._attempt)

    @property
    def remaining(self) -> list[tuple[int, int]]:
        """(digit, how many of it are left to place) for 1..9; negative where there are more than nine."""
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
        """Whether the player has every digit held against the solution, which is help and was asked for."""
        return self._feedback == "solution" and self._board.assisted and self.state != "solved"

    @cached_property
    def _wrong(self) -> tuple[int, ...]:
        return hints.mistakes(self._board).digits if self.checked else ()

    @property
    def wrong(self) -> str:
        """The wrong digits on the board, as `cell:digit` with commas."""
        return ",".join(f"{cell}:{self._board.digits[cell]}" for cell in self._wrong)

    @property
    def tour(self) -> int | None:
        """The step to take in the guided first puzzle; None in any other, and once it is solved."""
        guided = self.givens_line == tour.GIVENS and self.state != "solved"
        return tour.step(self._board) if guided else None

    @property
    def tour_cell(self) -> int | None:
        """The cell that the step to take speaks of; None where it speaks of no cell."""
        return tour.CELLS.get(self.tour or 0)

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


def game_title(attempt: Attempt) -> str:
    """Return the title of a game: 'Hard puzzle 214', 'Daily 60, Hard'."""
    if attempt.daily is not None:
        return daily_title(attempt.daily)
    if attempt.turn is not None:
        return _("Race, %(level)s", level=level_name(attempt.level))
    return _("%(level)s puzzle %(number)s", level=level_name(attempt.level), number=attempt.puzzle_id)


def current_view(attempt: Attempt, now: datetime) -> dict[str, Any]:
    """Return a game in play as shown in lists; `filled` is None where only its moves would tell."""
    givens = 81 - attempt.puzzle.givens.count(".")
    filled = givens if attempt.last_seq == 0 else attempt.filled
    return {
        "id": attempt.id,
        "title": game_title(attempt),
        "filled": None if filled is None else filled - givens,
        "all": 81 - givens,
        "elapsed_ms": listed_ms(attempt, now),
    }


def finished_view(attempt: Attempt) -> dict[str, Any]:
    """Return a finished attempt as shown in lists."""
    return {
        "id": attempt.id,
        "level": attempt.level,
        "elapsed_ms": attempt.elapsed_ms,
        "finished_at": attempt.finished_at,
        "remark": _remark(attempt),
    }


def _remark(attempt: Attempt) -> str:
    """Why a finished attempt counts in no figure, in a word or two; empty where nothing speaks against it.

    Only solves of dailies have a standing and come under review; races and practice have their doubts alone.
    """
    if attempt.standing == Standing.REMOVED:
        return _("removed")
    if attempt.assisted:
        return _("help used")
    if attempt.standing == Standing.REVIEW:
        return _("under review")
    return _("doesn’t count") if attempt.standing is None and attempt.doubts else ""


def techniques_by_tier() -> list[tuple[int, list[tuple[str, str]]]]:
    """Return the techniques a new puzzle can be asked for: each tier, and key and name of its own."""
    tiers: dict[int, list[tuple[str, str]]] = {}
    for key, technique in engine.TECHNIQUES.items():
        if key in bank.ASKED_FOR:
            tiers.setdefault(technique.tier, []).append((key, technique_name(key)))
    return sorted(tiers.items())


def summary_view(summary: Summary, now: datetime) -> dict[str, Any]:
    """Return a player's summary as shown in the list of attempts."""
    return {
        "current": [current_view(attempt, now) for attempt in summary.current],
        "finished": [finished_view(attempt) for attempt in summary.finished],
        "best": summary.best,
    }
