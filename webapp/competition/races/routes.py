"""Routes of races: create, show, join, start, play, rematch, and the strip that pages poll."""

from __future__ import annotations

from flask import Blueprint, render_template, request, url_for
from werkzeug.wrappers import Response

from webapp.competition.races import races, standings
from webapp.competition.races.standings import Stage
from webapp.competition.races.tables import Race
from webapp.competition.races.views import StripView
from webapp.process.clock import now
from webapp.process.errors import BadInput, NotYet
from webapp.web.auth import current, current_player_id, remember
from webapp.web.htmx import Answer, go_to, wants_fragment
from webapp.web.inputs import row_number
from webapp.web.links import public_url

bp = Blueprint("races", __name__)

MOST_OPEN = 3  # races shown that go on


@bp.get("/races")
def index() -> str:
    """Show a player's races, and a form for a new one."""
    return _index()


def _index(errors: dict[str, str] | None = None) -> str:
    form, at, player_id = request.form, now(), current_player_id()
    found = races.of_player(player_id)
    rows = standings.read([race.key for race in found])
    mine = [
        (race.level, StripView(rows[race.key], standings.number_of(race, player_id), at)) for race in found
    ]
    return render_template(
        "competition/races/index.html",
        open=[(level, strip) for level, strip in mine if strip.stage != Stage.OVER][:MOST_OPEN],
        over=[(level, strip) for level, strip in mine if strip.stage == Stage.OVER],
        errors=errors or {},
        name=form.get("name", "")[:80],
        level=form.get("level", "2")[:1],
        named=_named(),
    )


@bp.post("/races")
def create() -> Answer:
    """Create a race: `level`, and `name` for a guest."""
    try:
        level = row_number(request.form.get("level", "")) or 0
        race, player = races.create(current_player_id(), request.form.get("name", ""), level, now())
    except BadInput as error:
        return _index(error.fields), 422
    remember(player)
    return _to(race.key)


@bp.get("/races/<race_key>")
def show(race_key: str) -> str:
    """Show a race: link and racers before the start, then the progress."""
    return _page(races.of_key(race_key))


def _page(race: Race, errors: dict[str, str] | None = None) -> str:
    return render_template(
        "competition/races/show.html",
        race=race,
        strip=StripView(standings.of(race), standings.number_of(race, current_player_id()), now()),
        link=public_url("races.show", race_key=race.key),
        errors=errors or {},
        name=request.form.get("name", "")[:80],
        named=_named(),
    )


@bp.post("/races/<race_key>/racers")
def join(race_key: str) -> Answer:
    """Join a race: `name` for a guest."""
    try:
        remember(races.join(race_key, current_player_id(), request.form.get("name", ""), now()))
    except BadInput as error:
        return _page(races.of_key(race_key), error.fields), 422
    return _to(race_key)


@bp.post("/races/<race_key>/start")
def start(race_key: str) -> Response:
    """Start the countdown."""
    races.start(race_key, current_player_id(), now())
    return _to(race_key)


@bp.post("/races/<race_key>/games")
def take_up(race_key: str) -> Answer:
    """Go to one's board; before the start, back to the race, which resubmits this at the start."""
    try:
        attempt_id = races.take_up(race_key, current_player_id(), now())
    except NotYet:
        return _to(race_key)
    return go_to(url_for("play.show", attempt_id=attempt_id))


@bp.post("/races/<race_key>/rematch")
def rematch(race_key: str) -> Answer:
    """Create or join the rematch; if that isn't possible, its page says why."""
    try:
        race, player = races.rematch(race_key, current_player_id(), now())
    except BadInput as error:
        following = races.rematch_of(races.of_key(race_key))
        if following is None:
            raise
        return _page(following, error.fields), 422
    remember(player)
    return _to(race.key)


@bp.get("/races/<race_key>/strip")
def strip(race_key: str) -> Answer:
    """Return the strip alone, for racer number `me`; nothing if it equals the `seen` version.

    It is public, so it doesn't look up the player.
    """
    at = now()
    found = standings.recent().of(race_key, at)
    if request.args.get("seen") == found.version(at):
        return Response(status=204)
    view = StripView(found, request.args.get("me", type=int), at, board="board" in request.args)
    if not wants_fragment():
        return _to(race_key)
    return render_template("competition/races/_strip.html", strip=view)


def _named() -> bool:
    player = current()
    return player is not None and player.name is not None


def _to(key: str) -> Response:
    return go_to(url_for("races.show", race_key=key))
