"""The log of the desk as a table: who did what, when, to what, and the values before and after."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa
from flask import url_for

import engine
from webapp.curation.words import SYMMETRIES, role_words, standing_words, status_words, symmetry_name
from webapp.game.steps.names import technique_name
from webapp.identity import audit
from webapp.models import Attempt, AuditEntry, Player, Role, Standing, Status
from webapp.process.database import db
from webapp.process.words import N_p, comma, format_date, ngettext, pgettext
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name
from webapp.web.inputs import read_day

ACTIONS: Final = {
    "add": N_p("audit log", "add"),
    "appoint": N_p("audit log", "give a role"),
    "approve": N_p("audit log", "approve"),
    "cancel": N_p("audit log", "cancel"),
    "close": N_p("audit log", "close"),
    "end": N_p("audit log", "end"),
    "export": N_p("audit log", "export"),
    "factor": N_p("audit log", "set up another app"),
    "favor": N_p("audit log", "mark as favorite"),
    "hide": N_p("audit log", "hide"),
    "import": N_p("audit log", "import"),
    "judge": N_p("audit log", "decide on a solve"),
    "keep": N_p("audit log", "keep"),
    "lift": N_p("audit log", "end a suspension"),
    "move": N_p("audit log", "move"),
    "order": N_p("audit log", "order"),
    "publish": N_p("audit log", "publish"),
    "reject": N_p("audit log", "reject"),
    "relabel": N_p("audit log", "set the level"),
    "remove": N_p("audit log", "remove"),
    "rename": N_p("audit log", "rename"),
    "renew": N_p("audit log", "renew codes"),
    "reopen": N_p("audit log", "reopen"),
    "restore": N_p("audit log", "restore"),
    "schedule": N_p("audit log", "schedule"),
    "show": N_p("audit log", "show"),
    "suspend": N_p("audit log", "suspend"),
    "undo": N_p("audit log", "undo"),
    "unfavor": N_p("audit log", "remove from favorites"),
    "unschedule": N_p("audit log", "unschedule"),
    "use": N_p("audit log", "use a recovery code"),
    "withdraw": N_p("audit log", "withdraw"),
}
LONGEST: Final = 60  # characters of a value
SILENT: Final = (  # fields that say nothing to people, or what the action says
    *("version", "relabelled", "listing", "state", "days"),
    *("duplicate", "not_unique", "invalid"),
)


def action_words(action: str) -> str:
    """Return the display name of an action."""
    return pgettext("audit log", ACTIONS[action]) if action in ACTIONS else action


def rows(entries: Sequence[AuditEntry]) -> list[dict[str, Any]]:
    """Return these entries as rows of the log: their action, subject with its page, and values in words."""
    people = _names(entries)
    found = []
    for entry in entries:
        changes = [one for one in audit.changes(entry) if one.field not in SILENT]
        to, address = _subject(entry)
        found.append(
            {
                "entry": entry,
                "what": action_words(entry.action),
                "to": people.get(f"{entry.subject} {entry.subject_id}") or to,
                "address": address,
                "before": _values((one.field, one.before) for one in changes),
                "after": _values((one.field, one.after) for one in changes),
            }
        )
    return found


def _subject(entry: AuditEntry) -> tuple[str, str | None]:
    """Return what an entry is about, unless it is a player, and its page."""
    number = entry.subject_id
    match entry.subject:
        case "puzzle":
            return f"#{number}", url_for("admin.puzzles.puzzle", puzzle_id=int(number))
        case "order":
            page = url_for("admin.orders.show", _anchor=f"order-{number}")
            return _("Order %(number)s", number=number), page
        case "import":
            page = url_for("admin.imports.report", batch_id=int(number))
            return _("Import %(number)s", number=number), page
        case "report":
            return _("Report"), None
        case "notice":
            return _("Notice to players"), None
        case "export":
            return number, None
        case "attempt":
            return "–", url_for("admin.solves.show", attempt_id=number)
        case "player" | "name":
            return "–", url_for("admin.people.show", player=int(number), _anchor="players")
    return "–", None


def _values(values: Iterable[tuple[str, Any]]) -> str:
    return comma().join(filter(None, (_value(field, value) for field, value in values)))[:LONGEST]


WORDS: Final[Mapping[str, tuple[Collection[Any], Callable[[Any], str]]]] = {
    "status": (tuple(Status), status_words),
    "standing": (tuple(Standing), standing_words),
    "role": (tuple(Role), role_words),
    "level": (range(1, 6), level_name),
    "hardest": (engine.TECHNIQUES, technique_name),
    "symmetry": (SYMMETRIES, symmetry_name),
}


def _value(field: str, value: Any) -> str:
    """Return a stored value as people read it; a truth value only repeats the action."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, dict):
        return _values(value.items())
    known, words = WORDS.get(field, ((), str))
    if value in known:
        return words(value)
    if field in ("date", "until", "from") and (day := read_day(str(value)[:10])) is not None:
        return format_date(day, "EEE, MMM d")
    if field in ("count", "puzzles"):
        return ngettext("%(num)s puzzle", "%(num)s puzzles", int(value))
    if field == "new":
        return ngettext("%(num)s new puzzle", "%(num)s new puzzles", int(value))
    return f"#{value}" if field == "puzzle" else str(value)


def _names(entries: Sequence[AuditEntry]) -> dict[str, str]:
    """Return the current names of the players that entries are about, by kind and number."""
    kinds = ("player", "curator", "name")
    ids = {int(each.subject_id) for each in entries if each.subject in kinds}
    named = sa.select(Player.id, Player.name).where(Player.id.in_(ids))
    found = {f"{kind} {row.id}": row.name or "" for row in db.session.execute(named) for kind in kinds}
    solves = {each.subject_id for each in entries if each.subject == "attempt"}
    solvers = sa.select(Attempt.id, Player.name).join(Player, Player.id == Attempt.player_id)
    for attempt_id, name in db.session.execute(solvers.where(Attempt.id.in_(solves))):
        found[f"attempt {attempt_id}"] = name or ""
    return found
