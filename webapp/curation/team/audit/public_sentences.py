"""Sentences about what curators tell players: withdrawals, notices, answers to reports."""

from __future__ import annotations

from webapp.curation.team.audit.facts import Facts, slot_text
from webapp.models import AuditEntry
from webapp.process.words import gettext as _


def withdrawn(entry: AuditEntry, _before: Facts, after: Facts, _names: object) -> str:
    """Say which puzzle was withdrawn, and from which day."""
    if "date" not in after:
        return _("Withdrew #%(number)s.", number=entry.subject_id)
    values = {"number": entry.subject_id, "slot": slot_text(after)}
    if after.get("puzzle") is None:
        return _("Withdrew #%(number)s from %(slot)s.", **values)
    return _("Replaced #%(number)s on %(slot)s with #%(new)s.", new=after["puzzle"], **values)


def restored(entry: AuditEntry, _before: Facts, after: Facts, _names: object) -> str:
    """Say which puzzle is the daily again."""
    return _("Restored #%(number)s on %(slot)s.", number=entry.subject_id, slot=slot_text(after))


def noticed(entry: AuditEntry, before: Facts, after: Facts, _names: object) -> str:
    """Say which notice was published or ended."""
    text = str((after or before).get("text", ""))
    if entry.action == "end":
        return _("Ended the notice “%(text)s”.", text=text)
    return _("Published the notice “%(text)s”.", text=text)


def closed(entry: AuditEntry, _before: Facts, _after: Facts, _names: object) -> str:
    """Say of which puzzle a report was closed."""
    return _("Closed a report of #%(number)s.", number=entry.subject_id)
