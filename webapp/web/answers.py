"""Map each refusal and HTTP error to a page, or to a fragment for htmx."""

from __future__ import annotations

import math
import re
from datetime import timedelta

from flask import Blueprint, current_app, g, redirect, render_template, request, url_for
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException, SecurityError
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response

from webapp.process.database import Busy
from webapp.process.errors import (
    BadInput,
    BadStart,
    Changed,
    LogFull,
    NoPuzzle,
    NotACurator,
    NotFound,
    NotReady,
    NotSignedIn,
    NotYet,
    NotYourRole,
    Refusal,
    TooMany,
)
from webapp.process.operation import metrics
from webapp.process.operation.patience import unavailable
from webapp.process.words import gettext as _
from webapp.web.auth import way_back, who
from webapp.web.htmx import go_to, wants_fragment
from webapp.web.security_log import note

Body = str | Response
Answer = tuple[Body, int] | tuple[Body, int, dict[str, str]]

bp = Blueprint("answers", __name__)
STATUS = {BadStart: 409, Changed: 409, LogFull: 413, NoPuzzle: 503, NotReady: 503}  # of all others, 422


def _answer(
    status: int, message: str, title: str = "", page: str = "web/errors/page.html", **more: object
) -> tuple[Body, int]:
    titles = {
        400: _("That didn’t work"),
        403: _("No access"),
        404: _("Not found"),
        405: _("Not allowed"),
        409: _("Out of date"),
        413: _("Too large"),
        422: _("We couldn’t do that"),
        429: _("Slow down"),
        503: _("One moment, please"),
    }
    title = title or titles.get(status) or (_("Something went wrong") if status >= 500 else titles[400])
    template = "web/errors/_fragment.html" if wants_fragment() else page
    attempt_id = (request.view_args or {}).get("attempt_id")
    game = url_for("play.show", attempt_id=attempt_id) if attempt_id else None
    more |= {"status": status, "title": title, "message": message, "game": game}
    return render_template(template, **more), status


@bp.app_errorhandler(Refusal)
def _refused(error: Refusal) -> Answer:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 422)
    title = _("A long game") if isinstance(error, LogFull) else ""
    fields = error.fields if isinstance(error, BadInput) else None
    headers = {"Retry-After": "60"} if status == 503 else {}
    return *_answer(status, str(error), title, fields=fields), headers


@bp.app_errorhandler(NotFound)
def _not_found(error: NotFound) -> Answer:
    # If a session has ended on a board, link back to it: the browser still holds unsent moves.
    return _answer(404, str(error), sign_in="attempt_id" in (request.view_args or {}) and _is_guest())


@bp.app_errorhandler(NotYet)
def _not_yet(error: NotYet) -> Answer:
    seconds = -(-error.wait // timedelta(seconds=1))
    return *_answer(404, str(error)), {"Retry-After": str(seconds)}


@bp.app_errorhandler(Busy)
def _busy(_error: Busy) -> Answer:
    metrics.figures.unavailable.inc()
    of_a_move = "attempt_id" in (request.view_args or {}) and request.method == "POST"
    words = (
        _("We’re busy right now, and your move wasn’t saved. Try again.")
        if of_a_move
        else _("We’re busy right now, and nothing was done. Try again.")
    )
    # The fields of a form, to send it once more as it is; none if it had a file
    again = [*request.form.items(multi=True)] if request.method == "POST" and not request.files else []
    return *_answer(503, words, again=again), {"Retry-After": "1"}


@bp.app_errorhandler(SQLAlchemyError)
def _database_error(error: SQLAlchemyError) -> Answer:
    if not unavailable(error):
        return _crash(error)
    metrics.figures.unavailable.inc()
    g.player = None  # rendering the page must not query the database for the player
    current_app.logger.warning("the database is unavailable: %s", type(error).__name__, exc_info=error)
    message = _("We can’t reach our database. Everything you’ve saved is safe. Try again in a moment.")
    return *_answer(503, message, page="web/errors/bare.html"), {"Retry-After": "5"}


@bp.app_errorhandler(TooMany)
def _too_many(error: TooMany) -> Answer:
    note("too many")
    seconds = max(1, math.ceil(error.retry_after.total_seconds()))
    return *_answer(429, str(error), page="web/errors/bare.html"), {"Retry-After": str(seconds)}


@bp.app_errorhandler(NotSignedIn)
def _sign_in_first(_error: NotSignedIn) -> Response:
    """Redirect to sign-in, and from there back to the requested page, or to the page with the form."""
    back = request.full_path.rstrip("?") if request.method == "GET" else way_back(request.path)
    return go_to(url_for("accounts.sign_in_form", next=back if back != url_for("home.show") else None))


@bp.app_errorhandler(NotACurator)
def _not_a_curator(_error: NotACurator) -> Answer:
    note("desk refused")
    guest = _is_guest()
    words = (
        _("This page is for curators. If you’re one, sign in first.")
        if guest
        else _("This page is for curators.")
    )
    return _answer(403, words, _("Curators only"), sign_in=guest)


@bp.app_errorhandler(NotYourRole)
def _not_your_role(error: NotYourRole) -> Answer:
    note("desk refused", reason="role")
    if wants_fragment():  # stay on the page and show the reason in the desk's toast
        toast = render_template("curation/_toast.html", toast={"words": str(error), "wrong": True})
        return toast, 403, {"HX-Retarget": "#toast", "HX-Reswap": "innerHTML"}
    return _answer(403, str(error))


def _is_guest() -> bool:
    player = who()
    return player is None or player.name is None


@bp.app_errorhandler(CSRFError)
def _expired(_error: CSRFError) -> Answer:
    note("form refused", reason="token")
    if not request.cookies:
        return _answer(
            400, _("Your browser isn’t sending cookies. Allow them for this site, then try again.")
        )
    return _answer(400, _("This page has expired. Go back, reload it and try again."))


@bp.app_errorhandler(SecurityError)
def _untrusted_host(_error: SecurityError) -> Answer:
    # Render no page: its links would contain the untrusted host.
    return (
        _("We don’t know this host. Check the address."),
        400,
        {"Content-Type": "text/plain; charset=utf-8"},
    )


@bp.app_errorhandler(HTTPException)
def _http_error(error: HTTPException) -> Answer:
    # Flask answers 500 for an error in one of these functions, such as an outage while a page is rendered
    if isinstance(cause := getattr(error, "original_exception", None), SQLAlchemyError):
        return _database_error(cause)
    if error.code in (403, 429):
        note("forbidden" if error.code == 403 else "too many")
    messages = {
        403: _("This request came from another site. Open the page here and try again."),
        404: _("We couldn’t find that page. Maybe one of these helps."),
        405: _("This page doesn’t work that way. Go back and try again."),
        413: _("That’s too much at once. Try something smaller."),
    }
    better = _better_address() if error.code == 404 else ""
    if better:
        return redirect(better, 301), 301
    page = _answer(error.code or 500, messages.get(error.code or 500) or error.description or "")
    # Headers such as Allow
    kept = {name: value for name, value in error.get_headers() if name != "Content-Type"}
    return *page, kept


def _better_address() -> str:
    """Return the address that a wrong one means: without a slash at its end, capitals or index.html."""
    if request.method not in ("GET", "HEAD"):
        return ""
    meant = re.sub(r"/(index\.html?)?$", "", request.path, flags=re.IGNORECASE).lower() or "/"
    if meant == request.path:
        return ""
    try:
        current_app.url_map.bind(request.host).match(meant, method="GET")
    except (HTTPException, RequestRedirect):
        return ""
    query = request.query_string.decode(errors="replace")
    return request.root_path + meant + (f"?{query}" if query else "")


@bp.app_errorhandler(Exception)
def _crash(error: Exception) -> Answer:
    current_app.logger.exception("unhandled error", exc_info=error)
    return _answer(500, _("That’s our fault, and we’ve logged it. Everything up to now is saved."))
