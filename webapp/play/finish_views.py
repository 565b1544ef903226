"""The end of a game: one sentence about it, where its time lies, what to do next, and a text to share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from flask import url_for

import engine
from webapp.competition.daily import dailies
from webapp.competition.daily.dailies import DailyEntry
from webapp.competition.daily.views import DailyView
from webapp.competition.leaderboard import days
from webapp.competition.leaderboard.charts import Chart
from webapp.competition.leaderboard.places import Place
from webapp.competition.statistics import Best, Comparison, best_before
from webapp.game import hints, tour
from webapp.game.board import Board
from webapp.game.moves import Kind, Move
from webapp.game.steps.names import technique_name
from webapp.learn.lessons import path, progress
from webapp.learn.lessons.views import lesson_name
from webapp.models import Leaderboard, Standing
from webapp.models.daily import today
from webapp.play.play import Game, helped
from webapp.process.words import comma, ngettext, pgettext
from webapp.process.words import gettext as _
from webapp.web.i18n import clock_text, level_name, ordinal
from webapp.web.preferences import choice
from webapp.web.squares import Squares, squares

ENOUGH_TO_DRAW: Final = 20  # solves of a puzzle


@dataclass(frozen=True, slots=True)
class Next:
    """The main button: a link or, with fields, a form that starts a game."""

    text: str
    href: str = ""
    fields: Mapping[str, str | int] = field(default_factory=dict)


class Finish:
    """A solved game as its last card shows it."""

    def __init__(
        self, game: Game, moves: Sequence[Move], place: Place | None, comparison: Comparison | None
    ) -> None:
        self._attempt, self._board, self._now, self._ms = game.attempt, game.board, game.now, game.elapsed_ms
        self._moves, self._place, self._comparison = moves, place, comparison
        self._assisted = helped(game.attempt, game.board)
        self._timed = choice("timer") != "off"
        self.picture: Squares = squares(game.attempt.givens, "".join(map(str, game.board.digits)))

    @property
    def title(self) -> str:
        """`Solved`, or with how much help."""
        if self._board.hints:
            return ngettext("Solved, with %(num)s hint", "Solved, with %(num)s hints", self._board.hints)
        return _("Solved, with help") if self._assisted else pgettext("one puzzle", "Solved")

    @property
    def place(self) -> str:
        """The rank or other result of a daily; a rank in the lower half isn't shown unasked."""
        standing, place = self._attempt.standing, self._place
        if self._attempt.daily is None:
            return ""
        if self._attempt.void:
            return pgettext("a daily", "Withdrawn")
        if standing in (Standing.REVIEW, Standing.REMOVED):
            return _("Under review") if standing == Standing.REVIEW else _("Removed")
        if self._assisted or standing == Standing.PAPER:
            return _("Unranked")
        if place is None or place.attempt.board == Leaderboard.ARCHIVE:
            return _("Practice")
        if place.attempt.board == Leaderboard.UNRANKED:
            return _("No rank yet")
        if place.rank is None:
            return ""
        if 2 * place.rank > place.total + 1:
            return _("On the leaderboard")
        rank = ordinal(place.rank)
        return _("Ranked %(rank)s", rank=rank) if place.closed else _("Ranked %(rank)s so far", rank=rank)

    @property
    def looked_into(self) -> bool:
        """Whether the details hold what the player has to know."""
        asked = self._place is not None and self._place.asked_about_paper
        return asked or self._attempt.standing in (Standing.REVIEW, Standing.REMOVED)

    @property
    def late(self) -> str:
        """Why a ranked time is longer than the clock stood: the last digit waited for the connection."""
        waited = self._attempt.waited_ms
        if not waited or not self._attempt.ranked or not self._timed:
            return ""
        return _(
            "Your clock stood at %(clock)s, but there was no connection. "
            "The time that counts is %(time)s, when we received your last digit.",
            clock=clock_text(self._ms - waited),
            time=clock_text(self._ms),
        )

    @cached_property
    def _best(self) -> Best:
        return best_before(self._attempt)

    @cached_property
    def sentence(self) -> str:
        """The first sentence that is true for this player."""
        best, level = self._best, level_name(self._attempt.level)
        alone = not self._assisted
        if not best.solved:
            guided = self._attempt.puzzle.givens == tour.GIVENS  # its title says that it's the first
            return _("Nicely done!") if guided else _("Your first Sudoku. Nicely done!")
        if alone and self._timed and best.month_ms is not None and self._ms < best.month_ms:
            return _("Your fastest %(level)s this month.", level=level)
        if alone and not best.alone_at_level:
            return _("Your first %(level)s without help.", level=level)
        place = self._place
        many = place is not None and place.attempt.board == Leaderboard.DAY and place.total >= ENOUGH_TO_DRAW
        if self._timed and many and place and place.beaten >= 0.5 and self.chart is None:
            return _("Faster than half of today’s solvers.")
        all_three = self._todays and all(entry.state == "solved" for entry in self._entries)
        return _("Three for three today.") if all_three else _("Nice and steady.")

    @property
    def _todays(self) -> bool:
        daily = self._attempt.daily
        return daily is not None and daily.date == today(self._now)

    @cached_property
    def _entries(self) -> list[DailyEntry]:
        return dailies.today_entries(self._attempt.player_id, self._now)

    @property
    def among(self) -> str:
        """One true line about the others' times; empty where it wouldn't please."""
        if not self._timed:
            return ""
        total, place = sum(self._counts.values()), self._place
        if (
            self._todays
            and place is not None
            and place.attempt.board == Leaderboard.DAY
            and total < ENOUGH_TO_DRAW
        ):
            return ngettext(
                "You’re the first to solve it today.", "You’re one of the first %(num)s today.", total
            )
        half = self._half
        if self.chart is None or half is None or self._ms > 1000 * half:
            return ""
        return ngettext(
            "Half of %(num)s solver took longer than %(time)s.",
            "Half of %(num)s solvers took longer than %(time)s.",
            total,
            time=clock_text(1000 * half),
        )

    @property
    def _half(self) -> int | None:
        """The second by which half of the solves were done."""
        passed, total = 0, sum(self._counts.values())
        for second, solves in sorted(self._counts.items()):
            passed += solves
            if 2 * passed >= total:
                return second
        return None

    @cached_property
    def _counts(self) -> dict[int, int]:
        """Verified solves by whole second."""
        if self._attempt.daily is not None:
            return days.by_second(self._attempt.daily.id)
        return self._comparison.seconds if self._comparison is not None else {}

    @cached_property
    def chart(self) -> Chart | None:
        """Where the time lies among the others; None with fewer than ENOUGH_TO_DRAW, or with help."""
        if self._assisted or not self._timed or sum(self._counts.values()) < ENOUGH_TO_DRAW:
            return None
        return Chart(self._counts, self._ms // 1000, least=6)

    # What next

    @cached_property
    def next(self) -> Next:
        """The one thing to do next."""
        lesson = self._lesson if self._assisted else None
        return lesson or self._next_daily or self._new

    @property
    def _lesson(self) -> Next | None:
        """The lesson of the last hint, if the player hasn't practiced it."""
        board, asked = Board.of(engine.parse(self._attempt.givens)), None
        for move in self._moves:
            if move.kind is Kind.HINT:
                asked = board
            board = board.after(move, self._attempt.started_at)
        step = hints.hint(asked).step if asked is not None else None
        if step is None:
            return None
        if progress.states(self._attempt.player_id).get(step.technique) is progress.State.PRACTICED:
            return None
        name = technique_name(step.technique)
        return Next(_("Learn %(name)s", name=name), url_for("lessons.show", key=step.technique))

    @property
    def _next_daily(self) -> Next | None:
        """The easiest of today's dailies still to be solved, after one of them or the first game of all."""
        if not self._todays and self._best.solved:
            return None
        entry = next(
            (one for one in self._entries if one.state != "solved" and not one.daily.withdrawn), None
        )
        if entry is None:
            return None
        daily = DailyView(entry)
        if daily.state == "playing":
            text = _("Resume %(level)s", level=daily.level_name)
            return Next(text, url_for("play.show", attempt_id=daily.attempt_id))
        cover = url_for("daily.ready", text=daily.date.isoformat(), level=daily.level)
        return Next(_("Play today’s %(level)s", level=daily.level_name), cover)

    @property
    def _new(self) -> Next:
        if self._todays and (key := path.next_one(progress.states(self._attempt.player_id))):
            name = lesson_name(key)
            return Next(_("Next lesson: %(name)s", name=name), url_for("lessons.show", key=key))
        return Next(_("New puzzle"), fields={"level": self._attempt.level})


def share_text(
    name: str,
    level: int,
    *,
    elapsed_ms: int | None,
    hints: int,
    checks: int = 0,
    assisted: bool = False,
    rank: tuple[int, int] | None = None,
) -> str:
    """`Ninefold Sudoku #214 (Hard) 7:42, no hints, rank 31 of 410`.

    name: the puzzle's name, such as `#214` for a daily and `214` for one of the bank.
    elapsed_ms: the time; None for a player who hides times. checks: the number of checks.
    assisted: whether there was help of any kind.
    rank: the place and the total, if any.
    """
    title = _("Ninefold Sudoku %(name)s (%(level)s)", name=name, level=level_name(level))
    unhinted = _("help used") if assisted else _("no hints")
    facts = [ngettext("%(num)s hint", "%(num)s hints", hints) if hints else unhinted]
    if checks:
        facts.append(ngettext("%(num)s check", "%(num)s checks", checks))
    if rank is not None:
        facts.append(_("rank %(place)s of %(count)s", place=rank[0], count=rank[1]))
    time = "" if elapsed_ms is None else f" {clock_text(elapsed_ms)}"
    return comma().join([title + time, *facts])
