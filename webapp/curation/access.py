"""Access to the desk: roles, who may enter, and who must confirm their identity before changing anything.

One check runs before every request under /admin/, whatever its method and even for unknown addresses. It
reads the curator's role each time. Password and code allow reading for twelve hours, and writing until an
hour passes without a user's request. An interrupted form waits for the confirmation, which desk.js
asks for on the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from flask import Blueprint, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from webapp.capability import Right, capabilities
from webapp.curation import curators
from webapp.identity.players import Identity
from webapp.models import Role
from webapp.people.accounts import WrongPassword
from webapp.process.clock import now
from webapp.process.errors import BadInput, NotACurator, NotYourRole
from webapp.process.words import gettext as _
from webapp.web import auth
from webapp.web.htmx import Answer, wants_fragment
from webapp.web.security_log import note

bp = Blueprint("access", __name__)

PROOF = "desk"  # session key: [the curator's seal, times of the proof and of the last request in seconds]
READING = timedelta(hours=12)  # how long a proof allows reading
WRITING = timedelta(hours=1)  # without a request, after which writing needs a new proof
NOTED = timedelta(seconds=30)  # resolution of the last request's time in the session
ASKED = "Desk-Proof"  # header of a refusal that a proof would resolve, and of a proof given to continue
UNATTENDED = (
    "Desk-Poll"  # header of requests that pages make by themselves: they don't show that somebody is there
)
SAFE = ("GET", "HEAD", "OPTIONS")
OPEN = ("admin.access.form", "admin.access.sign_in")  # allowed for every curator
# Fields of the form that asks for a proof; all other fields are carried over from the interrupted form.
PASSWORD, CODE = "desk_password", "desk_code"
MOST_CARRIED = 1 << 20  # characters in a form

RIGHTS: Mapping[str, Right] = {
    Role.ADMINISTRATOR: Right.REVIEW | Right.EDIT | Right.MODERATE | Right.APPOINT,
    Role.EDITOR: Right.REVIEW | Right.EDIT,
    Role.REVIEWER: Right.REVIEW,
    Role.MODERATOR: Right.MODERATE,
}


def duties(role: str) -> str:
    """Describe a role's rights in a sentence."""
    return {
        Role.ADMINISTRATOR: _("Does everything, and decides who else works here."),
        Role.EDITOR: _("Reviews, makes and imports puzzles, and plans the calendar."),
        Role.REVIEWER: _("Reviews puzzles. Sees the calendar but can’t change it."),
        Role.MODERATOR: _("Looks after players and their solves."),
    }[Role(role)]


def curator() -> Identity:
    """Return the curator of this request. Raises NotACurator for anyone else."""
    player = auth.current()
    if player is None or player.name is None or not player.curator:
        raise NotACurator
    return player


def watch() -> Answer | None:
    """Check access before every request to the desk."""
    if not f"{request.path}/".startswith("/admin/") and "admin" not in request.blueprints:
        return None
    local = request.remote_addr in ("127.0.0.1", "::1")
    if local and request.method == "GET" and not curators.has_administrator():
        return render_template("curation/first.html", status=403, command=curators.COMMAND), 403
    person = curator()
    if request.endpoint in OPEN:
        return None
    if request.endpoint is not None and not may_use(request.endpoint, write=request.method not in SAFE):
        raise NotYourRole(_("Your role doesn’t include this. Ask an administrator if you need it."))
    fresh = may_write(person)
    if fresh and request.endpoint != "admin.access.fresh" and UNATTENDED not in request.headers:
        seal, at, seen = session[PROOF]
        if not _within(seen, NOTED):
            session[PROOF] = [seal, at, int(now().timestamp())]
            session.modified = True
    if fresh or (request.method in SAFE and may_read(person)):
        return None
    if wants_fragment():
        # htmx would follow a plain redirect and swap the page into its target
        form = url_for("admin.access.form", next=_page_before())
        return Response(headers={"HX-Redirect": form, ASKED: "asked"}, status=403)
    if request.method not in SAFE:
        return _in_between(person)
    back = request.full_path.rstrip("?") if request.method == "GET" else None
    return redirect(url_for("admin.access.form", next=back), 303)


def may_use(endpoint: str, *, write: bool = False) -> bool:
    """Whether this request's curator may read at an endpoint of the desk, or write."""
    place = capabilities().places[endpoint.rpartition(".")[0]]
    needed = place.more.get(endpoint, place.write) if write else place.read
    return needed in RIGHTS.get(curator().role or "", Right.SEE)


def may_read(person: Identity) -> bool:
    """Whether this browser has proved its curator's identity recently enough to read."""
    proof = _proof_of(person)
    return proof is not None and _within(proof[0], READING)


def may_write(person: Identity) -> bool:
    """Whether it may write: it has also been in use since."""
    proof = _proof_of(person)
    return proof is not None and _within(proof[0], READING) and _within(proof[1], WRITING)


def _proof_of(person: Identity) -> tuple[int, int] | None:
    """Return the times of the proof and of the last recorded request."""
    match session.get(PROOF):
        case [str(seal), int(at), int(seen)] if seal == curators.seal(person.id):
            return at, seen
    return None


def _within(seconds: int, span: timedelta) -> bool:
    return timedelta() <= now() - datetime.fromtimestamp(seconds, now().tzinfo) < span


@bp.get("/proof")
def fresh() -> Answer:
    """Return 204 if changes would be accepted, 403 if they need a proof first."""
    return Response(status=204 if may_write(curator()) else 403)


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
        if ASKED in request.headers:
            return Response(
                " ".join(error.fields.values()), status=422, content_type="text/plain; charset=utf-8"
            )
        return _page(back, error.fields), 422
    return Response(status=204) if ASKED in request.headers else redirect(back, 303)


def _prove(person: Identity) -> None:
    try:
        curators.prove(person, request.form.get(PASSWORD, ""), request.form.get(CODE, ""), now())
    except WrongPassword:
        note("desk refused", account=person.id, by="code")
        raise
    renew_proof(person)
    note("desk opened", account=person.id, by="code")


def renew_proof(person: Identity) -> None:
    """Record that this browser has just proved its curator's identity."""
    at = int(now().timestamp())
    session[PROOF] = [curators.seal(person.id), at, at]
    session.modified = True


def _in_between(person: Identity) -> Answer | None:
    """Ask for a proof before processing a form, then continue with that form."""
    if PASSWORD in request.form:
        try:
            _prove(person)
        except BadInput as error:
            return _page(_page_before(), error.fields, carried=_carried()), 422
        return None
    carried = _carried()
    if carried is None:  # an uploaded file can't be sent back to the browser
        return _page(_page_before(), lost=True), 403
    return _page(_page_before(), carried=carried), 403


def _carried() -> list[tuple[str, str]] | None:
    """Return the submitted fields; None if they can't be submitted again from here."""
    skipped = {"csrf_token", PASSWORD, CODE}
    fields = [(name, value) for name, value in request.form.items(multi=True) if name not in skipped]
    too_much = sum(len(name) + len(value) for name, value in fields) > MOST_CARRIED
    return None if request.files or too_much else fields


def _page_before() -> str:
    """Return the page from which a form was submitted."""
    parts = urlsplit(request.headers.get("HX-Current-URL") or request.referrer or "")
    if parts.netloc != request.host:
        return desk_page(None)
    return desk_page(parts.path + (f"?{parts.query}" if parts.query else ""))


def desk_page(target: str | None) -> str:
    """Return where to go next: this page of the desk, or Today."""
    way = auth.way_back(target)
    inside = way.startswith("/admin/") and not way.startswith(url_for("admin.access.form"))
    return way if inside else url_for("admin.today.show")


def _page(
    back: str,
    errors: dict[str, str] | None = None,
    carried: list[tuple[str, str]] | None = None,
    *,
    lost: bool = False,
) -> str:
    names = {"current": PASSWORD, "code": CODE}
    return render_template(
        "curation/sign_in.html",
        status=403,
        next=back,
        errors={names.get(name, name): text for name, text in (errors or {}).items()},
        carried=carried,
        action=request.path if carried is not None else url_for("admin.access.sign_in"),
        again=may_read(curator()),
        lost=lost,
    )
