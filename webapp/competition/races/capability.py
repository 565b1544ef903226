"""Races: two to ten players on the same puzzle at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from webapp.capability import Capability, Link, Panel, Records
from webapp.competition.races import races, routes, standings
from webapp.competition.races.tables import Racer
from webapp.competition.races.views import StripView
from webapp.game.board import Board
from webapp.models import Attempt
from webapp.process.jobs import Retention
from webapp.process.words import gettext as _


def strip(about: Mapping[str, Any]) -> dict[str, StripView] | None:
    """Show a race's progress beside the board of its game."""
    game = about["game"]
    race = races.of_attempt(game.attempt.id) if game.attempt.racing else None
    if race is None:
        return None
    me = standings.number_of(race, game.attempt.player_id)
    return {"strip": StripView(standings.of(race), me, game.now, board=True)}


def moved(connection: sa.Connection, attempt: Attempt, board: Board) -> None:
    """Store a racer's progress; it never decreases."""
    if attempt.racing:
        reached, racer = standings.tenths(board.givens, board.digits), Racer.__table__
        further = sa.update(racer).where(racer.c.attempt_id == attempt.id, racer.c.tenths < reached)
        connection.execute(further.values(tenths=reached))


CAPABILITY = Capability(
    key="races",
    tab="play.index",
    pages=(routes.bp,),
    retention=(
        Retention(
            "races; their games stay",
            f"{races.KEPT.days} days after they were made",
            races.forget,
        ),
    ),
    records=(Records(Racer),),
    exported=lambda player_id: iter([("races", races.exported(player_id))]),
    links=(Link("play", "races.index", lambda: _("Races"), position=2),),
    panels=(
        Panel("game", "competition/races/_strip.html", strip),
        Panel("privacy: games", "competition/races/_privacy.html", lambda _about: {"days": races.KEPT.days}),
    ),
    moved=moved,
)
