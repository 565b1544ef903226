"""The home page: today's dailies, the streak, a game to continue, and a new puzzle."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request

import engine
from engine.geometry import PEERS
from webapp.bank import bank, collections
from webapp.competition.daily import dailies, streaks
from webapp.competition.daily.views import DailyView, DayView, StreakView
from webapp.competition.groups import groups
from webapp.competition.leaderboard import leaderboard
from webapp.game.board import Board
from webapp.game.cells import CellView, cell_view
from webapp.learn.lessons import progress
from webapp.learn.lessons.views import todays
from webapp.learn.practice.views import TodayView
from webapp.models import Group, Puzzle
from webapp.play import play
from webapp.play.views import AttemptView, techniques_by_tier
from webapp.process.clock import now
from webapp.web.auth import current_player_id
from webapp.web.shared import for_everybody

bp = Blueprint("home", __name__)

FIRST_LEVEL = 2  # of the puzzle on a newcomer's first page
MOST_IN_PLAY = 20  # games that are looked through and counted for the one to continue
ENOUGH = 10  # solves of a daily that a share of them is told of


class HomeDaily(DailyView):
    """A daily on the home page: what is behind its one button, and its board where the player has seen it."""

    def __init__(self, entry: dailies.DailyEntry) -> None:
        super().__init__(entry)
        solved = entry.shown if self.state == "solved" else None
        self.givens = entry.givens
        self.solution = "." * 81
        if solved is not None:
            self.solution = str(engine.solution(engine.parse(solved.givens)))
        self.top: int | None = None  # percent: among how many of the fastest it is
        place = leaderboard.place(solved) if solved is not None and solved.ranked else None
        if place is not None and place.percentile is not None and place.total >= ENOUGH:
            self.top = max(1, 100 - int(place.percentile))


class FirstBoard:
    """A newcomer's first puzzle: its first digit starts a game. chosen: the selected cell, or None."""

    def __init__(self, puzzle: Puzzle, chosen: int | None) -> None:
        board = Board.of(engine.parse(puzzle.givens))
        self.puzzle_id = puzzle.id
        self.cells: list[CellView] = [cell_view(board, cell) for cell in range(81)]
        self.chosen = chosen
        self.peers = frozenset() if chosen is None else frozenset(PEERS[chosen])


@dataclass(frozen=True, slots=True)
class GroupToday:
    """How a player stands in a group today: on the hardest daily solved, else on none."""

    group: Group
    level: int | None = None
    rank: int | None = 0
    total: int = 0


@bp.get("/")
@for_everybody
def show() -> str:
    """Show the home page; creates no player. `?cell=` selects a cell of the first board."""
    player_id, at = current_player_id(), now()
    day = dailies.of_today(player_id, at)
    today = [HomeDaily(entry) for entry in day.entries]
    shown_above = {daily.attempt_id for daily in today}
    begun = play.in_play(player_id, MOST_IN_PLAY)
    in_play = [each for each in begun if each not in shown_above]
    has_solved = play.has_solved(player_id)
    first = None
    if not (begun or has_solved):
        puzzle = bank.welcome(FIRST_LEVEL)
        cell = request.args.get("cell", type=int)
        if puzzle is not None:
            empty = cell is not None and 0 <= cell <= 80 and puzzle.givens[cell] == "."
            first = FirstBoard(puzzle, cell if empty else None)
    practice = TodayView(player_id, at) if player_id is not None and first is None else None
    free = practice is not None and not practice.session and not practice.due
    return render_template(
        "site/home.html",
        day=DayView(day, at),
        dailies=today,
        streak=StreakView(streaks.of(player_id, at), at) if has_solved else None,
        current=AttemptView(play.game(player_id, in_play[0], at)) if in_play else None,
        others=len(in_play[1:]),
        first=first,
        techniques=techniques_by_tier(),
        practice=practice,
        lesson=todays(progress.states(player_id)) if free else None,
        collection=None if first else next(iter(collections.listed(player_id, at)), None),
        group=_group_today(player_id, day) if player_id is not None else None,
    )


def _group_today(player_id: int, day: dailies.Day) -> GroupToday | None:
    """Return the player's place in their oldest group; None without a group."""
    group = next(iter(groups.of_player(player_id)), None)
    if group is None:
        return None
    for entry in reversed(day.entries):
        page = groups.day(group, entry.daily.id, player_id)
        if page.mine is not None:
            return GroupToday(group, entry.daily.level, page.mine.rank, page.total)
    return GroupToday(group)
