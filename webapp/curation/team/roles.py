"""Roles: what each kind of curator may do, place by place. Decides; changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Flag, auto

from webapp.models import Role
from webapp.process.words import gettext as _


class Right(Flag):
    """What a role can include."""

    SEE = 0  # of every curator
    JUDGE = auto()  # read and judge puzzles, and see what is planned
    EDIT = auto()  # make, import and export puzzles, and plan the calendar
    MODERATE = auto()  # players and their solves
    APPOINT = auto()  # other curators


RIGHTS: Mapping[str, Right] = {
    Role.ADMINISTRATOR: Right.JUDGE | Right.EDIT | Right.MODERATE | Right.APPOINT,
    Role.EDITOR: Right.JUDGE | Right.EDIT,
    Role.REVIEWER: Right.JUDGE,
    Role.MODERATOR: Right.MODERATE,
}
# What it takes to read in a place of the desk, and to write there. Places are blueprints.
PLACES: Mapping[str, tuple[Right, Right]] = {
    "admin.access": (Right.SEE, Right.SEE),
    "admin.queue": (Right.JUDGE, Right.JUDGE),
    "admin.puzzles": (Right.JUDGE, Right.JUDGE),
    "admin.calendar": (Right.JUDGE, Right.EDIT),
    "admin.planning": (Right.JUDGE, Right.EDIT),
    "admin.collections": (Right.JUDGE, Right.EDIT),
    "admin.orders": (Right.JUDGE, Right.EDIT),
    "admin.table": (Right.EDIT, Right.EDIT),
    "admin.importing": (Right.EDIT, Right.EDIT),
    "admin.exporting": (Right.EDIT, Right.EDIT),
    "admin.health": (Right.JUDGE, Right.EDIT),
    "admin.flags": (Right.MODERATE, Right.MODERATE),
    "admin.team": (Right.APPOINT, Right.APPOINT),
    "admin.audit": (Right.SEE, Right.SEE),
    "admin.languages": (Right.SEE, Right.SEE),
    "admin.own": (Right.SEE, Right.SEE),
    # Of the API, as at the desk.
    "api.imports": (Right.EDIT, Right.EDIT),
    "api.orders": (Right.JUDGE, Right.EDIT),
    "api.export": (Right.EDIT, Right.EDIT),
    "api.calendar": (Right.JUDGE, Right.EDIT),
}
MAKING = {"admin.puzzles.vary": Right.EDIT}  # what takes more than the rest of its place


def may(role: str | None, endpoint: str, *, write: bool) -> bool:
    """Whether a role includes reading at an endpoint of the desk, or writing."""
    place = endpoint.rpartition(".")[0]
    needed = MAKING.get(endpoint, PLACES[place][write]) if write else PLACES[place][0]
    return needed in RIGHTS.get(role or "", Right.SEE)


def role_words(role: str) -> str:
    """Return the display name of a role."""
    return {
        Role.ADMINISTRATOR: _("Administrator"),
        Role.EDITOR: _("Editor"),
        Role.REVIEWER: _("Reviewer"),
        Role.MODERATOR: _("Moderator"),
    }[Role(role)]


def duties(role: str) -> str:
    """Say in a sentence what a role may do."""
    return {
        Role.ADMINISTRATOR: _("Does everything, and decides who else works here."),
        Role.EDITOR: _("Reviews, makes and imports puzzles, and plans the calendar."),
        Role.REVIEWER: _("Reviews puzzles. Sees the calendar but can’t change it."),
        Role.MODERATOR: _("Looks after players and their solves."),
    }[Role(role)]
