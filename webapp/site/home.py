"""The home page: a newcomer's guided board, or a game to continue, today's dailies and a new puzzle."""

from __future__ import annotations

from flask import Blueprint, render_template, request

import engine
from webapp.competition.daily import dailies, streaks
from webapp.competition.daily.dailies import DailyEntry
from webapp.competition.daily.views import DailyView, DayView, StreakView
from webapp.competition.leaderboard import places
from webapp.game import tour
from webapp.game.board import Board
from webapp.models import Attempt, Puzzle
from webapp.models.daily import today
from webapp.play import games, play, starts
from webapp.play.views import AttemptView
from webapp.process.clock import now
from webapp.web.auth import current_player_id
from webapp.web.shared import for_everybody

bp = Blueprint("home", __name__)

MOST_IN_PLAY = 20  # how many games are searched for the one to continue
ENOUGH = 10  # solves of a daily before a share of them is shown


class HomeDaily(DailyView):
    """A daily on the home page, with the share of the fastest that the player's solve is in."""

    def __init__(self, entry: DailyEntry, *, timed: bool) -> None:
        super().__init__(entry, timed=timed)
        solved = entry.shown if self.state == "solved" else None
        self.top: float | None = None  # the player is among this share of the fastest
        place = places.place(solved) if solved is not None and solved.ranked else None
        if place is not None and place.rank is not None and place.total >= ENOUGH:
            self.top = max(1, 100 - int(100 * place.beaten)) / 100


class FirstGame(AttemptView):
    """The guided game, begun or not, and the step to show on it."""

    def __init__(self, game: play.Game) -> None:
        super().__init__(game, play.moves_of(game) if game.board.seq else ())
        digits = game.board.digits
        undone = (number for number, step in enumerate(tour.STEPS) if digits[step.cell] != step.digit)
        self.steps = tour.STEPS
        self.step = next(undone, len(tour.STEPS))
        self.step_cell = tour.STEPS[self.step].cell if self.step < len(tour.STEPS) else None
        self.guided = tour.STEPS[self.step].cells if self.step < len(tour.STEPS) else ()


def _first(player_id: int | None, in_play: list[str]) -> FirstGame | None:
    """Return the guided game of somebody who has begun no other; None for anybody else."""
    at = now()
    if not in_play and not streaks.has_solved(player_id):
        attempt = Attempt(id=starts.FIRST, level=1, puzzle=Puzzle(givens=tour.GIVENS, level=1), started_at=at)
        return FirstGame(play.Game(attempt, Board.of(engine.parse(tour.GIVENS)), at))
    if len(in_play) == 1 and not streaks.has_solved(player_id):
        begun = starts.first_of(player_id)
        if begun is not None and begun.id == in_play[0]:
            return FirstGame(play.game(player_id, begun.id, at))
    return None


@bp.get("/")
@for_everybody
def show() -> str:
    """Show the home page; creates no player. `?cell=` selects a cell of the guided board."""
    player_id, at = current_player_id(), now()
    todays = dailies.today_entries(player_id, at)
    day = DayView(today(at), todays, at, HomeDaily)
    in_play = [attempt.id for attempt in games.in_play(player_id, MOST_IN_PLAY)]
    first = _first(player_id, in_play)
    if first is not None:
        cell = request.args.get("cell", type=int)
        selected = cell if cell is not None and 0 <= cell <= 80 else first.step_cell
        return render_template("site/first.html", day=day, attempt=first, selected=selected, mode="digit")
    shown_above = {daily.attempt_id for daily in day.dailies}
    others = [each for each in in_play if each not in shown_above]
    streak = StreakView(streaks.of(player_id, at), at)
    return render_template(
        "site/home.html",
        day=day,
        lead=next((daily for daily in day.dailies if daily.state != "solved" and not daily.withdrawn), None),
        streak=streak if streak.current else None,
        current=AttemptView(play.game(player_id, others[0], at)) if others else None,
        level=games.last_level(player_id),
        known={"player_id": player_id, "now": at, "dailies": todays},
    )
