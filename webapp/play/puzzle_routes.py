"""Routes of puzzle pages and printing."""

from __future__ import annotations

import json

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import engine
from engine.generation import METHODS
from webapp.bank import bank, offer
from webapp.competition import statistics
from webapp.competition.daily import dailies
from webapp.competition.daily.views import DailyView
from webapp.game import exports
from webapp.identity import costs, limits
from webapp.models import Puzzle, Status
from webapp.play import games
from webapp.play.lab.systems import made_by, query_of
from webapp.process.clock import now
from webapp.web.auth import current_player_id
from webapp.web.inputs import row_number

bp = Blueprint("puzzles", __name__)

PER_PAGE = (1, 2, 4, 6)


@bp.get("/puzzles")
def find() -> Response:
    """Redirect to the puzzle of `?find=`, given by number or as a grid."""
    text = request.args.get("find", "").strip()
    number = row_number(text)
    if number is not None:
        return redirect(url_for(".show", puzzle_id=number))
    return redirect(url_for("enter.show", grid=text or None))


@bp.get("/puzzles/<int:puzzle_id>")
def show(puzzle_id: int) -> str:
    """Show a puzzle and its solve times; the givens of a daily only once the player has started it.

    Of a withdrawn puzzle, only the reason and the player's own game.
    """
    withdrawn = offer.withdrawn(puzzle_id)
    if withdrawn is not None:
        return render_template(
            "play/puzzles/withdrawn.html",
            puzzle=withdrawn,
            attempt=games.latest_of(current_player_id(), puzzle_id),
            daily=dailies.withdrawn_daily(puzzle_id),
        )
    entry = dailies.with_puzzle(puzzle_id, current_player_id(), now())
    if entry is not None:
        givens = None if entry.shown is None else entry.shown.givens
        times, learned = statistics.of_puzzle(puzzle_id), statistics.learned(puzzle_id, current_player_id())
        over = givens is not None and not entry.open
        return render_template(
            "competition/daily/puzzle.html",
            daily=DailyView(entry),
            givens=givens,
            exports=_exports(entry.daily.puzzle) if over else None,
            canonical=entry.daily.puzzle.canonical if over else None,
            times=times,
            learned=learned,
        )
    puzzle = offer.puzzle_of(puzzle_id, Status.APPROVED)
    recipe = engine.Recipe.of(json.loads(puzzle.recipe)) if puzzle.system and puzzle.recipe else None
    on_show = offer.on_show(puzzle)
    times, learned = statistics.of_puzzle(puzzle_id), statistics.learned(puzzle_id, current_player_id())
    return render_template(
        "play/puzzles/show.html",
        puzzle=puzzle,
        times=times,
        learned=learned,
        on_show=on_show,
        exports=_exports(puzzle) if on_show else None,
        canonical=puzzle.canonical if on_show else None,
        made_by=recipe and made_by(recipe),
        making=recipe and query_of(recipe, METHODS[recipe.method], int(puzzle.seed or 0)),
    )


def _exports(puzzle: Puzzle) -> exports.Exports:
    return exports.of_grid(engine.parse(puzzle.givens), f"ninefold-{puzzle.id}")


@bp.get("/print")
def on_paper() -> str:
    """Print puzzles: `puzzle` repeated, or `level` and `count`; `per` of them on a page.

    `rating=1` prints their difficulty, `solutions=1` a page of the solutions that this player may see.
    """
    asked_for = map(row_number, request.args.getlist("puzzle"))
    ids = [number for number in asked_for if number is not None]
    level = request.args.get("level", type=int)
    level = level if level in bank.LEVELS else None
    count = min(max(request.args.get("count", 1, type=int), 1), offer.MOST_PRINTED)
    per = request.args.get("per", 1, type=int)
    player_id = current_player_id()
    puzzles = offer.printed(ids, player_id) if ids else offer.sample(level or 1, count)
    costs.demand(limits.WORK, len(puzzles))
    solutions = offer.solutions(puzzles, player_id) if request.args.get("solutions") == "1" else None
    return render_template(
        "play/puzzles/print.html",
        puzzles=puzzles,
        per=per if per in PER_PAGE else 1,
        level=level,
        count=count,
        ids=ids[: offer.MOST_PRINTED],
        rating=request.args.get("rating") == "1",
        solutions=solutions,
        solved=list({puzzle.id: puzzle for puzzle in puzzles if puzzle.id in (solutions or ())}.values()),
        withheld=solutions is not None and any(puzzle.id not in solutions for puzzle in puzzles),
    )
