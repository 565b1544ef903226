"""Roles: what each kind of curator may do, place by place. Decides; changes nothing."""

from __future__ import annotations

from collections.abc import Mapping

from webapp.capability import Right, capabilities
from webapp.models import Role
from webapp.process.words import gettext as _

RIGHTS: Mapping[str, Right] = {
    Role.ADMINISTRATOR: Right.REVIEW | Right.EDIT | Right.MODERATE | Right.APPOINT,
    Role.EDITOR: Right.REVIEW | Right.EDIT,
    Role.REVIEWER: Right.REVIEW,
    Role.MODERATOR: Right.MODERATE,
}


def may(role: str | None, endpoint: str, *, write: bool) -> bool:
    """Whether a role includes reading at an endpoint of the desk, or writing."""
    place = capabilities().places[endpoint.rpartition(".")[0]]
    needed = place.more.get(endpoint, place.write) if write else place.read
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
    """Describe a role's rights in a sentence."""
    return {
        Role.ADMINISTRATOR: _("Does everything, and decides who else works here."),
        Role.EDITOR: _("Reviews, makes and imports puzzles, and plans the calendar."),
        Role.REVIEWER: _("Reviews puzzles. Sees the calendar but can’t change it."),
        Role.MODERATOR: _("Looks after players and their solves."),
    }[Role(role)]
