"""Playing: start an attempt, see its board, send moves; each a form that works without JavaScript."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import engine
from webapp.bank import bank
from webapp.competition.daily import kept
from webapp.competition.races import races, standings
from webapp.competition.races.views import StripView
from webapp.game import exports as game_exports
from webapp.game.hints import last_made, position_of
from webapp.game.moves import Kind, Move
from webapp.identity import costs
from webapp.learn.analysis.states import State
from webapp.models import Attempt
from webapp.play import play
from webapp.play.hint_views import carried_out, help_view
from webapp.play.replays import review as reviews
from webapp.play.replays.review_views import ReviewView
from webapp.play.views import AttemptView, summary_view
from webapp.process.clock import now, steady_now
from webapp.process.errors import BadMove, BadPuzzle
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id, device_key, remember
from webapp.web.htmx import wants_fragment
from webapp.web.inputs import read_day, row_number

bp = Blueprint("play", __name__)

FIELDS = ("seq", "kind", "cell", "digit")
INPUT_MODES = ("digit", "corner", "centre", "colour")


@bp.app_errorhandler(play.Clash)
def answer_clash(error: play.Clash) -> tuple[str, int]:
    attempt = AttemptView(error.game, play.moves_of(error.game))
    if wants_fragment():
        return render_template("play/_conflict.html", attempt=attempt, message=str(error)), 409
    page = {"selected": None, "mode": "digit", "advice": None, "check": None, "exportable": False}
    return render_template("play/show.html", attempt=attempt, message=str(error), **page), 409


@bp.get("/attempts")
def index() -> str:
    """Your attempts, finished and in play, and your best time at each level."""
    return render_template("play/index.html", **summary_view(play.summary(current_player_id()), now()))


@bp.post("/attempts")
def start() -> Response:
    """Start an attempt at a daily, a level, a hardest technique, a puzzle of the bank, or your own grid.

    With `cell` and `digit`, as the home page sends them, this digit is its first move.
    """
    cell, digit = request.form.get("cell", ""), request.form.get("digit", "")
    move = Move.from_fields("1", Kind.DIGIT, cell, digit) if cell and digit else None
    attempt = _start()
    remember(attempt.player)
    if move is not None and attempt.last_seq == 0:
        play.make_moves(attempt.player_id, attempt.id, [move], now())
    return redirect(url_for(".show", attempt_id=attempt.id, cell=cell if move else None), 303)


@bp.post("/next")
def start_next() -> Response:
    """Start an attempt at the puzzle that suits the player; `shift=easier` or `harder` asks for another."""
    costs.refuse(costs.GAMES)
    attempt = play.start_next(current_player_id(), request.form.get("shift", ""), now())
    remember(attempt.player)
    return redirect(url_for(".show", attempt_id=attempt.id), 303)


def _start() -> Attempt:
    costs.refuse(costs.GAMES)  # before a puzzle is looked for
    form, player_id = request.form, current_player_id()
    if "daily" in form:
        return play.start_at_daily(
            player_id,
            _day(form["daily"]),
            _level(form.get("level", "")),
            now(),
            steady_now(),
            ranked=_yes("ranked", form.get("ranked", "")),
            device=device_key(),
        )
    if "level" in form:
        return play.start_at_level(player_id, _level(form["level"]), now())
    if "hardest" in form or "must" in form:
        return play.start_by_technique(player_id, _technique("hardest"), _technique("must"), now())
    if "puzzle" in form:
        number = row_number(form["puzzle"])
        if number is None:
            found = form["puzzle"][:20]
            raise BadPuzzle(_("puzzle: expected a number, found “%(found)s”", found=found))
        return play.start_at_puzzle(player_id, number, now())
    if "grid" in form:
        return play.start_at_grid(player_id, form["grid"], now())
    raise BadPuzzle(_("Choose a level or a puzzle to start."))


def _level(text: str) -> int:
    if text not in map(str, bank.LEVELS):
        raise BadPuzzle(_("level: expected 1 to 5, found “%(found)s”", found=text[:20]))
    return int(text)


def _technique(name: str) -> str | None:
    text = request.form.get(name, "")
    if text and text not in engine.TECHNIQUES:
        raise BadPuzzle(_("%(name)s: expected a technique, found “%(found)s”", name=name, found=text[:40]))
    return text or None


def _day(text: str) -> date:
    day = read_day(text)
    if day is None:
        raise BadPuzzle(_("daily: expected a date like 2026-03-01, found “%(found)s”", found=text[:20]))
    return day


def _yes(name: str, text: str) -> bool:
    if text not in ("", "0", "1"):
        raise BadPuzzle(_("%(name)s: expected 1 or nothing, found “%(found)s”", name=name, found=text[:20]))
    return text == "1"


@bp.get("/attempts/<attempt_id>")
def show(attempt_id: str) -> str:
    """The board. Without JavaScript `?cell=` and `?mode=` select; `?done=` is the last move help has made."""
    game = play.game(current_player_id(), attempt_id, now())
    cell, mode = request.args.get("cell", type=int), request.args.get("mode")
    log = play.moves_of(game)
    # The note is about the board as help has left it: the address says when, the log what was done.
    as_left = game.state == "playing" and request.args.get("done", type=int) == game.board.seq
    helped = last_made(log) if as_left else None
    return render_template(
        "play/show.html",
        attempt=AttemptView(game, log),
        selected=cell if cell is not None and 0 <= cell <= 80 else None,
        mode=mode if mode in INPUT_MODES else INPUT_MODES[0],
        exportable=play.exportable(game),
        strip=_strip(game),
        **(carried_out(helped, game, log) if helped else help_view(game)),
    )


def _strip(game: play.Game) -> StripView | None:
    """How the race goes that the game belongs to."""
    race = None if game.attempt.racer is None else races.of_attempt(game.attempt.id)
    if race is None:
        return None
    me = standings.number_of(race, game.attempt.player_id)
    return StripView(standings.of(race), me, game.now, board=True)


@bp.post("/attempts/<attempt_id>/moves")
def moves(attempt_id: str) -> str | Response:
    """A batch of moves: the fields seq, kind, cell and digit repeated in this order."""
    game = play.make_moves(current_player_id(), attempt_id, _batch(), now())
    return _as_it_stands(game)


@bp.post("/attempts/<attempt_id>/undos")
def undos(attempt_id: str) -> str | Response:
    """Take the last event back."""
    return _one_move(attempt_id, Kind.UNDO)


@bp.post("/attempts/<attempt_id>/redos")
def redos(attempt_id: str) -> str | Response:
    """Bring the last undone event back."""
    return _one_move(attempt_id, Kind.REDO)


@bp.post("/attempts/<attempt_id>/clock")
def clock(attempt_id: str) -> str | Response:
    """Stop the clock (`state=paused`) or start it again (`state=running`)."""
    kinds = {"paused": Kind.PAUSE, "running": Kind.RESUME}
    state = request.form.get("state", "")
    if state not in kinds:
        raise BadMove(_("state: expected paused or running, found “%(found)s”", found=state[:20]))
    return _one_move(attempt_id, kinds[state])


@bp.post("/attempts/<attempt_id>/hints")
def hints(attempt_id: str) -> str | Response:
    """Ask for help at a depth 1..4: where, which technique, why, carried out; or for another step."""
    form = request.form
    seq, depth, another = form.get("seq", ""), form.get("depth", "1"), form.get("another") == "1"
    game = play.ask_hint(current_player_id(), attempt_id, seq, depth, now(), another=another)
    return _help(game, Kind.HINT)


@bp.post("/attempts/<attempt_id>/checks")
def checks(attempt_id: str) -> str | Response:
    """Ask what is wrong; `back=1` undoes to the last state without a mistake."""
    form = request.form
    back = form.get("back") == "1"
    game = play.ask_check(current_player_id(), attempt_id, form.get("seq", ""), now(), back=back)
    return _help(game, Kind.CHECK)


@bp.post("/attempts/<attempt_id>/paper")
def paper(attempt_id: str) -> Response:
    """Say that a solve under review for it was typed from paper: it counts, unranked."""
    play.from_paper(current_player_id(), attempt_id, now())
    return redirect(url_for(".show", attempt_id=attempt_id), 303)


def _help(game: play.Game, kind: Kind) -> str | Response:
    done = game.board.asked is None
    if not wants_fragment():
        return redirect(
            url_for(".show", attempt_id=game.attempt.id, done=game.board.seq if done else None), 303
        )
    log = play.moves_of(game)
    notes = carried_out(kind, game, log) if done else help_view(game)
    return render_template("play/_help.html", attempt=AttemptView(game, log), **notes)


@bp.get("/attempts/<attempt_id>/review")
def review(attempt_id: str) -> str:
    """Look back at a solved puzzle: after `?move=` moves or all, or at `?step=` of the path by logic."""
    found = reviews.review(current_player_id(), attempt_id, request.args.get("move", type=int), now())
    view = ReviewView(found, request.args.get("step", type=int))
    analyzable = not kept.is_open_daily(engine.parse(view.givens_line), now())
    return render_template("play/review.html", review=view, analyzable=analyzable)


@bp.get("/attempts/<attempt_id>/exports")
def exports(attempt_id: str) -> str:
    """The position for other programs; of a solved puzzle after `?move=` moves or at `?step=` of the path."""
    player_id, at, args = current_player_id(), now(), request.args
    game = play.game(player_id, attempt_id, at)
    attempt, name = AttemptView(game), f"ninefold-{game.attempt.puzzle_id}"
    board, cells, found = game.board, attempt.cells, None
    position = None if board.solved or not attempt.assisted else position_of(board)
    if game.state == "solved" and ("move" in args or "step" in args):
        review = reviews.review(player_id, attempt_id, args.get("move", type=int), at)
        view = ReviewView(review, args.get("step", type=int))
        board, cells = review.board, view.cells
        if view.step is not None and review.path is not None:
            position = review.path[view.step - 1][1]
            found = game_exports.of_position(engine.parse(view.givens_line), position, name)
    if not play.exportable(game):
        found = None
    elif found is None:
        found = game_exports.of_board(board, name)
    analyze = State(position).text if found is not None and position is not None else None
    return render_template("play/exports.html", attempt=attempt, cells=cells, exports=found, analyze=analyze)


def _one_move(attempt_id: str, kind: Kind) -> str | Response:
    game = play.make_move(current_player_id(), attempt_id, request.form.get("seq", ""), kind, now())
    return _as_it_stands(game)


def _batch() -> list[Move]:
    columns = [request.form.getlist(name) for name in FIELDS]
    if len({len(column) for column in columns}) != 1:
        counts = ", ".join(f"{name} {len(column)}" for name, column in zip(FIELDS, columns, strict=True))
        raise BadMove(_("Every move needs seq, kind, cell and digit; found %(counts)s.", counts=counts))
    return [Move.from_fields(*fields) for fields in zip(*columns, strict=True)]


def _as_it_stands(game: play.Game) -> str | Response:
    if wants_fragment():
        return render_template("play/_reply.html", attempt=AttemptView(game), oob=True)
    # A plain form comes back to the cell it was sent from.
    cell = request.form.get("cell", "")
    selected = cell if cell.isascii() and cell.isdigit() else None
    mode = request.form.get("mode") or request.form.get("kind")
    to = url_for(
        ".show", attempt_id=game.attempt.id, cell=selected, mode=mode if mode in INPUT_MODES[1:] else None
    )
    return redirect(to, 303)
