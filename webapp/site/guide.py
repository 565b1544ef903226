"""Pages to read: how to play, keys and gestures, the rules of ranked play, what is stored, who we are.

Figures come from the code that acts on them, so the pages cannot promise something else.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta

from flask import Blueprint, current_app, render_template

import engine
from engine.drawing import overlay as draw
from engine.drawing.overlay import PATTERN, Overlay
from engine.geometry import HOUSES, PEERS
from webapp.competition import ranking
from webapp.competition.fair_play import footprints, traces
from webapp.competition.races import races
from webapp.game.cells import CellView, position_view
from webapp.game.tour import GIVENS, ONE, THREE, TWO
from webapp.identity import limits, players, sessions
from webapp.learn.rush import rush
from webapp.learn.strength import strength
from webapp.models.daily import WINDOW
from webapp.people import passkeys, recovery
from webapp.web import security
from webapp.web.shared import for_everybody

bp = Blueprint("guide", __name__)

FIRST_BOX, NEXT_BOX = 18, 19  # houses


@dataclass(frozen=True, slots=True)
class Picture:
    """A board with one thing to see on it."""

    cells: list[CellView]
    chosen: int | None = None
    same: frozenset[int] = frozenset()
    peers: frozenset[int] = frozenset()
    overlay: Overlay = field(default_factory=Overlay)


def pictures() -> tuple[Picture, ...]:
    """Return the four pictures of how to play: the rule, the only place, pencil marks, a hint."""
    empty: frozenset[int] = frozenset()
    noted = _cells({ONE: 3}, {TWO: (2, 9), THREE: (2, 9)})
    first = Overlay(houses=(draw.house_frame(FIRST_BOX, PATTERN),))
    following = Overlay(houses=(draw.house_frame(NEXT_BOX, PATTERN),))
    return (
        Picture(_cells({}), 40, empty, frozenset(PEERS[40])),
        Picture(_cells({ONE: 3}), ONE, frozenset({15, 21}), empty, first),
        Picture(noted, TWO, frozenset({37}), frozenset(HOUSES[10])),
        Picture(_cells({ONE: 3, TWO: 2, THREE: 9}), overlay=following),
    )


def _cells(written: dict[int, int], marks: dict[int, tuple[int, ...]] | None = None) -> list[CellView]:
    """Return the cells of GIVENS with these digits and corner marks, by cell."""
    digits = [written.get(cell, 0) or int(given.replace(".", "0")) for cell, given in enumerate(GIVENS)]
    position = engine.Position.from_grid(engine.Grid(bytes(digits)))
    return [
        replace(position_view(GIVENS, position, cell), candidates=(), corner=(marks or {}).get(cell, ()))
        for cell in range(81)
    ]


@bp.get("/how-to-play")
@for_everybody
def how_to_play() -> str:
    """Show the game in four pictures."""
    return render_template("site/guide/how_to_play.html", pictures=pictures(), givens=GIVENS)


@bp.get("/help")
@for_everybody
def keys() -> str:
    """Show every key and gesture, by device."""
    return render_template("site/guide/help.html")


@bp.get("/about")
@for_everybody
def about() -> str:
    """Say what the site is, and where to read on."""
    return render_template("site/guide/about.html")


@bp.get("/rules")
@for_everybody
def rules() -> str:
    """Explain ranked play in plain words."""
    return render_template(
        "site/guide/rules.html",
        hours=WINDOW // timedelta(hours=1),
        most_scored=ranking.MOST_SCORED,
        fewest_scored=ranking.FEWEST_SCORED,
        given_up_days=strength.GIVEN_UP // timedelta(days=1),
        untouched_days=strength.UNTOUCHED // timedelta(days=1),
        fewest_moves=strength.FEWEST_MOVES,
        provisional_dailies=ranking.newcomers(),
        backing=ranking.BACKING,
        disputed=ranking.DISPUTED,
        recent=ranking.RECENT,
        own_turns=current_app.extensions["settings"].own_turns,
    )


@bp.get("/privacy")
@for_everybody
def privacy() -> str:
    """Say what is stored, and for how long."""
    day = timedelta(days=1)
    return render_template(
        "site/guide/privacy.html",
        guest_days=players.UNUSED // day,
        race_days=races.KEPT // day,
        rush_days=rush.KEPT // day,
        signed_in_days=sessions.IDLE // day,
        longest_days=sessions.LONGEST // day,
        cookie_days=security.SESSION_LIFETIME // day,
        footprint_hours=footprints.KEPT // timedelta(hours=1),
        trace_hours=traces.KEPT // timedelta(hours=1),
        limit_hours=limits.LONGEST // timedelta(hours=1),
        link_minutes=recovery.LIFETIME // timedelta(minutes=1),
        passkey_minutes=passkeys.LASTS // timedelta(minutes=1),
        mails=current_app.extensions["settings"].mail_url is not None,
    )
