"""Routes for registering, signing in and out, and changing, exporting or deleting an account."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from webapp.competition import suspensions
from webapp.identity import costs, limits, players, sessions
from webapp.models import Listing
from webapp.people import accounts
from webapp.people.accounts import WrongPassword
from webapp.process.clock import now
from webapp.process.errors import BadInput, NotSignedIn
from webapp.process.words import gettext as _
from webapp.web import auth
from webapp.web.downloads import download
from webapp.web.htmx import Answer
from webapp.web.i18n.choice import chosen_language, keep, languages
from webapp.web.security_log import note

bp = Blueprint("accounts", __name__)
EXPORT = 90  # as much work as so many positions: ten an hour


@bp.get("/login")
def sign_in_form() -> str:
    """Show the sign-in form."""
    return sign_in_page()


@bp.post("/login")
def sign_in() -> Answer:
    """Sign in; this browser's guest games move to the account."""
    guest = auth.current()
    guest_id = guest.id if guest is not None and guest.name is None else None
    form = request.form
    name, password = form.get("name", ""), form.get("password", "")
    try:
        player = accounts.sign_in(guest_id, name, password, _address(), auth.known_devices(), now())
    except WrongPassword as error:
        note("sign-in refused", account=error.player_id)
        return sign_in_page(error), 422
    auth.begin(player)
    note("signed in", account=player.id)
    return redirect(auth.way_back(form.get("next")), 303)


@bp.post("/language")
def choose_language() -> BaseResponse:
    """Store the form's `language`, empty for the browser's, and go back to `next`."""
    code = request.form.get("language", "")
    if code and code not in languages():
        raise BadInput(language=_("Choose a language from the list."))
    player_id = auth.current_player_id()
    if player_id is not None:
        players.speak(player_id, code or None)
    keep(code)
    return redirect(auth.way_back(request.form.get("next")), 303)


@bp.get("/register")
def register_form() -> Answer:
    """Show the form; players with an account are redirected to it."""
    player = auth.current()
    if player is not None and player.name is not None:
        return redirect(url_for(".account"), 303)
    return _register_page()


@bp.post("/register")
def register() -> Answer:
    """Create an account with name and password; a guest keeps their games."""
    form = request.form
    try:
        player = accounts.register(
            auth.current_player_id(), form.get("name", ""), form.get("password", ""), _address(), now()
        )
    except BadInput as error:
        return _register_page(error), 422
    if chosen_language():
        players.speak(player.id, chosen_language())
    auth.begin(player)
    note("account made", account=player.id)
    return redirect(auth.way_back(form.get("next")), 303)


@bp.post("/logout")
def sign_out() -> Answer:
    """Sign out here, or everywhere with `everywhere=1`."""
    player = auth.named_player()
    if request.form.get("everywhere") == "1":
        accounts.sign_out_everywhere(player.id)
        note("signed out everywhere")
    else:
        note("signed out")
    return _goodbye()


@bp.post("/account/sessions")
def end_session() -> Answer:
    """End one session of the player, `session=<id>`, which may be this one."""
    player, key = auth.named_player(), request.form.get("session", "")
    if key == auth.session_key():
        note("signed out")
        return _goodbye()
    if sessions.end(player.id, key):
        note("session ended")
    return redirect(url_for(".account", done="session"), 303)


@bp.get("/account")
def account() -> Answer:
    """Show the account settings, or the page for guests."""
    return account_page()


@bp.post("/account/name")
def rename() -> Answer:
    """Change the name."""
    player = auth.named_player()
    try:
        accounts.rename(player.id, request.form.get("name", ""))
    except BadInput as error:
        return account_page(error), 422
    note("renamed")
    return redirect(url_for(".account", done="name"), 303)


@bp.post("/account/password")
def change_password() -> Answer:
    """Change the password and end every other session."""
    player, form = auth.named_player(), request.form
    try:
        changed = accounts.change_password(
            player.id, form.get("current", ""), form.get("password", ""), now()
        )
    except BadInput as error:
        return account_page(error, "password"), 422
    auth.begin(changed)
    note("password changed")
    return redirect(url_for(".account", done="password"), 303)


@bp.post("/account/appeal")
def appeal() -> Answer:
    """Appeal the account's suspension."""
    player = auth.named_player()
    try:
        suspensions.appeal(player.id, request.form.get("appeal", ""))
    except BadInput as error:
        return account_page(error), 422
    return redirect(url_for(".account", done="appeal"), 303)


@bp.post("/account/listing")
def set_listing() -> Answer:
    """Choose how to appear on leaderboards: by name, anonymously or not at all."""
    player = auth.named_player()
    try:
        accounts.set_listing(player.id, request.form.get("listing", ""))
    except BadInput as error:
        return account_page(error), 422
    return redirect(url_for(".account", done="listing"), 303)


@bp.get("/account/export")
def export() -> Answer:
    """Download all data of the player as one JSON file."""
    player = _somebody()
    costs.demand(limits.WORK, EXPORT)
    return download(accounts.export_lines(player, now()), "application/json", "ninefold.json")


@bp.post("/account/deletion")
def delete() -> Answer:
    """Delete the player and all their data, given `sure=1` and the password."""
    player_id, form = _somebody(), request.form
    try:
        if form.get("sure") != "1":
            raise BadInput(sure=_("Check the box to confirm."))
        accounts.delete(player_id, form.get("password"), now())
    except BadInput as error:
        return account_page(error, "deletion"), 422
    note("deleted")
    return _goodbye(forget=True)


def _somebody() -> int:
    player_id = auth.current_player_id()
    if player_id is None:
        raise NotSignedIn
    return player_id


def _goodbye(*, forget: bool = False) -> BaseResponse:
    auth.end(forget=forget)
    answer = redirect(url_for("home.show"), 303)
    # Over HTTPS this removes the browser's stored moves and boards; static/js/offline.js does it everywhere.
    answer.headers["Clear-Site-Data"] = '"storage"'
    return answer


def _address() -> str:
    return limits.network(request.remote_addr)


def sign_in_page(error: BadInput | None = None) -> str:
    """Render the sign-in form."""
    return render_template("people/accounts/sign_in.html", **_form(error))


def _register_page(error: BadInput | None = None) -> str:
    return render_template("people/accounts/register.html", **_form(error))


def account_page(error: BadInput | None = None, about: str | None = None) -> str:
    """Render the account page; `about` names the form the error belongs to. Logs a wrong password."""
    if isinstance(error, WrongPassword):
        note("password refused", account=error.player_id)
    player = accounts.player(_somebody())
    if player.name is None:
        return render_template("people/accounts/guest.html", about=about, **_form(error))
    return render_template(
        "people/accounts/account.html",
        player=player,
        listings=list(Listing),
        sessions=sessions.going_on(auth.named_player(), now()),
        this_session=auth.session_key(),
        done=request.args.get("done"),
        about=about,
        **_form(error),
    )


def _form(error: BadInput | None) -> dict[str, object]:
    """Return the fields to fill in again: never a password."""
    return {
        "errors": error.fields if error is not None else {},
        "name": request.form.get("name", "")[:100],
        "next": request.values.get("next", "")[:2000],
    }
