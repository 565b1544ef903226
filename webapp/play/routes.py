"""Playing: start an attempt, see its board, send moves; each is a form that works without JavaScript."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

import engine
from webapp.bank import bank
from webapp.competition import standing, suspensions
from webapp.competition.daily import secrecy
from webapp.game import exports as game_exports
from webapp.game import tour
from webapp.game.hints import last_made, position_of
from webapp.game.moves import Kind, Move
from webapp.identity import costs, limits
from webapp.models import Attempt
from webapp.play import play, starts
from webapp.play.hint_views import carried_out, help_view
from webapp.play.replays.review_views import Review
from webapp.play.views import AttemptView, far_from, index_view
from webapp.process.clock import now, steady_now
from webapp.process.errors import BadInput, BadMove, BadPuzzle, NotFound
from webapp.process.words import gettext as _
from webapp.web.auth import current_player_id, remember
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


@bp.before_request
def find_first() -> None:
    """Put the id of the guided game in the place of `first`; what is sent there first begins it."""
    named = request.view_args
    if named is None or named.get("attempt_id") != starts.FIRST:
        return
    attempt = starts.first_of(current_player_id())
    if attempt is None and request.method == "POST":
        costs.refuse(limits.GAMES)
        attempt = starts.at_grid(current_player_id(), tour.GIVENS, now())
        remember(attempt.player)
    if attempt is not None:
        named["attempt_id"] = attempt.id


@bp.get("/attempts")
def index() -> str:
    """Show the player's attempts, finished and in play, and their best time at each level."""
    return render_template("play/index.html", **index_view(current_player_id(), now()))


@bp.post("/attempts")
def start() -> Response:
    """Start an attempt at a daily, level, technique, system, puzzle of the bank, or one's own grid."""
    attempt = _start()
    remember(attempt.player)
    return redirect(url_for(".show", attempt_id=attempt.id, asked=request.form.get("minutes")), 303)


@bp.post("/next")
def start_next() -> Response:
    """Start an attempt at the puzzle that suits the player; `shift=easier` or `harder` asks for another."""
    costs.refuse(limits.GAMES)
    attempt = starts.at_next(current_player_id(), request.form.get("shift", ""), now())
    remember(attempt.player)
    return redirect(url_for(".show", attempt_id=attempt.id), 303)


def _start() -> Attempt:
    costs.refuse(limits.GAMES)  # before searching for a puzzle
    form, player_id = request.form, current_player_id()
    if "daily" in form:
        text = form["daily"]
        day = read_day(text)
        if day is None:
            raise BadPuzzle(_("daily: expected a date like 2026-03-01, found “%(found)s”", found=text[:20]))
        level, ranked = _level(form.get("level", "")), form.get("ranked", "")
        if ranked not in ("", "0", "1"):
            raise BadPuzzle(
                _("%(name)s: expected 1 or nothing, found “%(found)s”", name="ranked", found=ranked[:20])
            )
        return starts.at_daily(player_id, day, level, now(), steady_now(), ranked=ranked == "1")
    if "system" in form:
        return starts.by_system(player_id, form["system"], now())
    if "level" in form:
        return starts.at_level(player_id, _level(form["level"]), now())
    if "minutes" in form:
        return starts.at_minutes(player_id, form["minutes"], now())
    if "hardest" in form or "must" in form:
        return starts.by_technique(player_id, _technique("hardest"), _technique("must"), now())
    if "puzzle" in form:
        number = row_number(form["puzzle"])
        if number is None:
            found = form["puzzle"][:20]
            raise BadPuzzle(_("puzzle: expected a number, found “%(found)s”", found=found))
        return starts.at_puzzle(player_id, number, now())
    if "grid" in form:
        return starts.at_grid(player_id, form["grid"], now())
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


@bp.get("/attempts/<attempt_id>")
def show(attempt_id: str) -> str:
    """Show the board. Without JavaScript, `?cell=` and `?mode=` select; `?done=` is help's last move."""
    return _board(attempt_id)


def _board(attempt_id: str, errors: dict[str, str] | None = None) -> str:
    game = play.game(current_player_id(), attempt_id, now())
    cell, mode = request.args.get("cell", type=int), request.args.get("mode")
    log = play.moves_of(game)
    # The note describes the board after the help: the address has its last move, the log what it did.
    as_left = game.state == "playing" and request.args.get("done", type=int) == game.board.seq
    helped = last_made(log) if as_left else None
    return render_template(
        "play/show.html",
        attempt=AttemptView(game, log),
        selected=cell if cell is not None and 0 <= cell <= 80 else None,
        mode=mode if mode in INPUT_MODES else INPUT_MODES[0],
        exportable=play.exportable(game),
        game=game,
        errors=errors or {},
        appealed=request.form.get("appeal"),
        message=far_from(request.args.get("asked", type=int), game.attempt.puzzle.expected_seconds),
        **(carried_out(helped, game, log) if helped else help_view(game)),
    )


@bp.post("/attempts/<attempt_id>/moves")
def moves(attempt_id: str) -> str | Response:
    """Store a batch of moves: the fields seq, kind, cell and digit, repeated in this order.

    A pause alone may say how many milliseconds ago the computer went to sleep, in `asleep`.
    `waited`: for how many milliseconds the last move has waited in the browser.
    """
    columns = [request.form.getlist(name) for name in FIELDS]
    if len({len(column) for column in columns}) != 1:
        counts = ", ".join(f"{name} {len(column)}" for name, column in zip(FIELDS, columns, strict=True))
        raise BadMove(_("Every move needs seq, kind, cell and digit; found %(counts)s.", counts=counts))
    batch = [Move.from_fields(*fields) for fields in zip(*columns, strict=True)]
    player_id, at = current_player_id(), now()
    asleep = row_number(request.form.get("asleep", ""))
    if asleep and [move.kind for move in batch] == [Kind.PAUSE]:
        ago = timedelta(milliseconds=asleep)
        return _as_it_stands(play.fall_asleep(player_id, attempt_id, batch[0], ago, at))
    waited = row_number(request.form.get("waited", "")) or 0
    return _as_it_stands(play.make_moves(player_id, attempt_id, batch, at, waited_ms=waited))


@bp.post("/attempts/<attempt_id>/undos")
def undos(attempt_id: str) -> str | Response:
    """Undo the last event."""
    return _one_move(attempt_id, Kind.UNDO)


@bp.post("/attempts/<attempt_id>/redos")
def redos(attempt_id: str) -> str | Response:
    """Redo the last undone event."""
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
    """Ask for help at depth 1..4: where, which technique, why, applied; or for another step."""
    form = request.form
    seq, depth, another = form.get("seq", ""), form.get("depth", "1"), form.get("another") == "1"
    game = play.ask_hint(current_player_id(), attempt_id, seq, depth, now(), another=another)
    return _help(game, Kind.HINT)


@bp.post("/attempts/<attempt_id>/checks")
def checks(attempt_id: str) -> str | Response:
    """Check the board; `back=1` undoes to the last state without a mistake."""
    form = request.form
    back = form.get("back") == "1"
    game = play.ask_check(current_player_id(), attempt_id, form.get("seq", ""), now(), back=back)
    return _help(game, Kind.CHECK)


@bp.post("/attempts/<attempt_id>/paper")
def paper(attempt_id: str) -> Response:
    """Declare that a solve was typed from paper: it counts, unranked."""
    standing.from_paper(play.game(current_player_id(), attempt_id, now()).attempt.id, now())
    return redirect(url_for(".show", attempt_id=attempt_id), 303)


@bp.post("/attempts/<attempt_id>/appeal")
def appeal(attempt_id: str) -> Response | tuple[str, int]:
    """Appeal the removal of a solve: `appeal` says why it should count."""
    try:
        suspensions.appeal_removal(current_player_id(), attempt_id, request.form.get("appeal", ""), now())
    except BadInput as error:
        return _board(attempt_id, error.fields), 422
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
    """Review a solved puzzle: after `?move=` moves or all, or at `?step=` of the solution path."""
    attempt = play.game(current_player_id(), attempt_id, now()).attempt
    if attempt.finished_at is None:
        raise NotFound(_("Solve this puzzle first, then you can review it."))
    view = Review(attempt, request.args.get("move", type=int), request.args.get("step", type=int))
    analyzable = not secrecy.is_open_daily(engine.parse(attempt.givens), now())
    harder = attempt.level + 1 if attempt.level < 5 else None
    return render_template(
        "play/review.html", attempt=attempt, harder=harder, review=view, analyzable=analyzable
    )


@bp.get("/attempts/<attempt_id>/exports")
def exports(attempt_id: str) -> str:
    """Export the position; of a solved puzzle after `?move=` moves or at `?step=` of the path."""
    args = request.args
    game = play.game(current_player_id(), attempt_id, now())
    attempt, name = AttemptView(game), f"ninefold-{game.attempt.puzzle_id}"
    board, found = game.board, None
    position = None if board.solved or not attempt.assisted else position_of(board)
    if game.state == "solved" and ("move" in args or "step" in args):
        review = Review(game.attempt, args.get("move", type=int), args.get("step", type=int))
        board = review.board
        if review.step is not None:
            position = review.position
            found = game_exports.of_position(engine.parse(game.attempt.givens), position, name)
    if not play.exportable(game):
        found = None
    elif found is None:
        found = game_exports.of_board(board, name)
    return render_template(
        "play/exports.html",
        attempt=attempt,
        written=str(position.grid if position is not None else engine.Grid.from_digits(board.digits)),
        exports=found,
        position=position if found is not None else None,
    )


def _one_move(attempt_id: str, kind: Kind) -> str | Response:
    game = play.make_move(current_player_id(), attempt_id, request.form.get("seq", ""), kind, now())
    return _as_it_stands(game)


def _as_it_stands(game: play.Game) -> str | Response:
    if wants_fragment():
        return render_template("play/_reply.html", attempt=AttemptView(game), oob=True)
    # A plain form returns to the cell it was sent from.
    cell = request.form.get("cell", "")
    selected = cell if cell.isascii() and cell.isdigit() else None
    mode = request.form.get("mode") or request.form.get("kind")
    to = url_for(
        ".show", attempt_id=game.attempt.id, cell=selected, mode=mode if mode in INPUT_MODES[1:] else None
    )
    return redirect(to, 303)
