"""Applause: a page with the number of games started and solved."""

from __future__ import annotations

from datetime import datetime

from flask import Blueprint
from sqlalchemy.orm import Mapped, mapped_column

from webapp.capability import Capability, Link, Panel
from webapp.process.column_types import UtcDateTime
from webapp.process.database import Base, db, write_tx
from webapp.process.jobs import UPKEEP, Job

bp = Blueprint("applause", __name__, template_folder="templates")
counts = {"started": 0, "solved": 0}


class Clap(Base):
    __tablename__ = "clap"

    at: Mapped[datetime] = mapped_column(UtcDateTime, primary_key=True)


def clap(now: datetime) -> int:
    """Store the hour's applause."""
    with write_tx():
        db.session.add(Clap(at=now))
    return 1


def count(what: str) -> None:
    """Count an event of a game."""
    counts[what] += 1


@bp.get("/applause")
def show() -> str:
    """Say how many games were started and solved."""
    return "{started} started, {solved} solved".format(**counts)


CAPABILITY = Capability(
    key="applause",
    pages=(bp,),
    tab="play.index",
    links=(Link("footer", "applause.show", lambda: "Applause", position=9),),
    panels=(Panel("home", "applause.html", lambda _about: counts),),
    jobs=(Job("clap", UPKEEP, clap),),
    started=lambda _attempt, _now, _about: count("started"),
    moved=lambda _connection, _attempt, board: count("solved") if board.solved else None,
    exported=lambda _player_id: iter([("applause", [dict(counts)])]),
)
