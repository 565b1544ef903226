"""Access to the desk: who may enter, and who has to confirm their identity before changing anything.

One check before every request under /admin/, whatever its method and even for unknown addresses. The
role is read each time. Reading needs password and code once per twelve hours, writing within ten minutes.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from flask import Blueprint, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from webapp.curation import curators
from webapp.identity.players import Identity
from webapp.people.accounts import WrongPassword
from webapp.process.clock import now
from webapp.process.errors import BadInput, NotACurator
from webapp.web import auth
from webapp.web.htmx import wants_fragment
from webapp.web.security_log import note

bp = Blueprint("access", __name__)

PROOF = "desk"  # in the session: [the curator's seal, time of the proof in seconds]
READING = timedelta(hours=12)  # a proof is good for reading
WRITING = timedelta(minutes=10)  # and for writing
SAFE = ("GET", "HEAD", "OPTIONS")
# Fields of the form that asks for a proof; all other fields are carried over from the interrupted form.
PASSWORD, CODE = "desk_password", "desk_code"
MOST_CARRIED = 32 * 1024  # characters of a form

Answer = Response | tuple[str, int] | str


def is_desk() -> bool:
    """Whether this request is for the desk."""
    return f"{request.path}/".startswith("/admin/") or "admin" in request.blueprints


def curator() -> Identity:
    """Return the curator of this request. Raises NotACurator for anyone else."""
    player = auth.current()
    if player is None or player.name is None or not player.curator:
        raise NotACurator
    return player


def watch() -> Answer | None:
    """Check access before every request to the desk."""
    if not is_desk():
        return None
    person = curator()
    if request.endpoint in ("admin.access.form", "admin.access.sign_in"):
        return None
    if request.method in SAFE:
        return None if proved(person, READING) else _to_the_form()
    if proved(person, WRITING):
        return None
    return _in_between(person)


def proved(person: Identity, within: timedelta) -> bool:
    """Whether this browser has given password and code that recently."""
    proof = session.get(PROOF)
    if not isinstance(proof, list) or len(proof) != 2:
        return False
    seal, at = proof
    if not isinstance(at, int) or seal != curators.seal(person.id):
        return False
    return timedelta() <= now() - datetime.fromtimestamp(at, now().tzinfo) < within


@bp.get("/sign-in")
def form() -> str:
    """Ask for password and code, then return to the requested page."""
    return _page(desk_page(request.args.get("next")))


@bp.post("/sign-in")
def sign_in() -> Answer:
    """Check password and code."""
    back = desk_page(request.form.get("next"))
    try:
        _prove(curator())
    except BadInput as error:
        return _page(back, error.fields), 422
    return redirect(back, 303)


def _prove(person: Identity) -> None:
    try:
        curators.prove(person, request.form.get(PASSWORD, ""), request.form.get(CODE, ""), now())
    except WrongPassword as error:
        note("desk refused", account=error.player_id)
        raise
    session[PROOF] = [curators.seal(person.id), int(now().timestamp())]
    session.modified = True
    note("desk opened", account=person.id)


def _in_between(person: Identity) -> Answer | None:
    """Ask for a proof before processing a form, then continue with that form."""
    if wants_fragment():
        return _elsewhere(_page_before())
    if PASSWORD in request.form:
        try:
            _prove(person)
        except BadInput as error:
            return _page(_page_before(), error.fields, carried=_carried()), 422
        return None
    carried = _carried()
    if carried is None:  # an uploaded file cannot be sent back to the browser
        return _page(_page_before(), lost=True), 403
    return _page(_page_before(), carried=carried), 403


def _carried() -> list[tuple[str, str]] | None:
    """Return the submitted fields; None if they cannot be submitted again from here."""
    skipped = {"csrf_token", PASSWORD, CODE}
    fields = [(name, value) for name, value in request.form.items(multi=True) if name not in skipped]
    too_much = sum(len(name) + len(value) for name, value in fields) > MOST_CARRIED
    return None if request.files or too_much else fields


def _to_the_form() -> Response:
    if wants_fragment():
        return _elsewhere(_page_before())
    back = request.full_path.rstrip("?") if request.method == "GET" else None
    return redirect(url_for("admin.access.form", next=back), 303)


def _elsewhere(back: str) -> Response:
    """Redirect htmx to the form: it would follow a plain redirect and swap the page into its target."""
    return Response(headers={"HX-Redirect": url_for("admin.access.form", next=back)}, status=403)


def _page_before() -> str:
    """Return the page from which a form was submitted."""
    parts = urlsplit(request.headers.get("HX-Current-URL") or request.referrer or "")
    if parts.netloc != request.host:
        return desk_page(None)
    return desk_page(parts.path + (f"?{parts.query}" if parts.query else ""))


def desk_page(target: str | None) -> str:
    """Return where to go next: this page of the desk, or the queue."""
    way = auth.way_back(target)
    inside = way.startswith("/admin/") and not way.startswith(url_for("admin.access.form"))
    return way if inside else url_for("admin.queue.show")


def _page(
    back: str,
    errors: dict[str, str] | None = None,
    carried: list[tuple[str, str]] | None = None,
    *,
    lost: bool = False,
) -> str:
    fields = {
        {"current": PASSWORD, "code": CODE}.get(name, name): text for name, text in (errors or {}).items()
    }
    return render_template(
        "curation/sign_in.html",
        next=back,
        errors=fields,
        carried=carried,
        action=request.path if carried is not None else url_for("admin.access.sign_in"),
        again=proved(curator(), READING),
        lost=lost,
    )
