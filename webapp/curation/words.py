"""The desk's words for the states of puzzles and solves, for roles and for symmetries."""

from __future__ import annotations

from engine.generation import ANY, Symmetry
from webapp.bank import breakdown
from webapp.models import Role, Standing, Status
from webapp.process.words import comma, pgettext
from webapp.process.words import gettext as _

SYMMETRIES = (ANY, *(each.value for each in Symmetry))


def status_words(status: str) -> str:
    """Return the display name of a status."""
    return {
        Status.CANDIDATE: pgettext("puzzle waiting for a curator", "New"),
        Status.APPROVED: _("Approved"),
        Status.REJECTED: _("Rejected"),
        Status.DAILY: _("Daily"),
        Status.WITHDRAWN: _("Withdrawn"),
        Status.ENTERED: _("Entered by a player"),
    }[Status(status)]


def standing_words(found: str) -> str:
    """Say whether a solve counts."""
    return {
        Standing.VERIFIED: pgettext("a solve", "counts"),
        Standing.ASSISTED: _("solved with help"),
        Standing.REVIEW: _("under review"),
        Standing.REMOVED: _("doesn’t count"),
        Standing.PAPER: _("solved on paper"),
    }[Standing(found)]


def role_words(role: str) -> str:
    """Return the display name of a role."""
    return {
        Role.ADMINISTRATOR: _("Administrator"),
        Role.EDITOR: _("Editor"),
        Role.REVIEWER: _("Reviewer"),
        Role.MODERATOR: _("Moderator"),
    }[Role(role)]


def symmetry_name(symmetry: str) -> str:
    """Return the display name of a symmetry."""
    return {
        ANY: _("Any symmetry"),
        Symmetry.NONE.value: _("No symmetry required"),
        Symmetry.HALF_TURN.value: _("Half turn"),
        Symmetry.QUARTER_TURN.value: _("Quarter turn"),
        Symmetry.HORIZONTAL.value: _("Top to bottom"),
        Symmetry.VERTICAL.value: _("Left to right"),
        Symmetry.DIAGONAL.value: _("Diagonal"),
        Symmetry.ANTIDIAGONAL.value: _("Other diagonal"),
        Symmetry.FULL.value: _("Full symmetry"),
    }[symmetry]


def symmetry_words(givens: str) -> str:
    """Return the symmetries of a puzzle's givens in words; empty for none."""
    holding = breakdown.symmetries(givens)
    return comma().join(symmetry_name(each.value).lower() for each in Symmetry if each in holding)
