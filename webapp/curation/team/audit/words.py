"""Display names of stored actions and subjects, for the audit log's filters."""

from __future__ import annotations

from typing import Final

from webapp.process.words import N_p, pgettext
from webapp.process.words import gettext as _

_WORDS: Final = {
    "add": N_p("audit log", "add"),
    "approve": N_p("audit log", "approve"),
    "attempt": N_p("audit log", "game"),
    "cancel": N_p("audit log", "cancel"),
    "close": N_p("audit log", "close"),
    "curator": N_p("audit log", "curator"),
    "day": N_p("audit log", "day"),
    "drop": N_p("audit log", "stop using"),
    "end": N_p("audit log", "end"),
    "export": N_p("audit log", "export"),
    "hide": N_p("audit log", "hide"),
    "import": N_p("audit log", "import"),
    "judge": N_p("audit log", "judge"),
    "keep": N_p("audit log", "keep suspended"),
    "lift": N_p("audit log", "lift"),
    "move": N_p("audit log", "move"),
    "note": N_p("audit log", "note"),
    "notice": N_p("audit log", "notice"),
    "order": N_p("audit log", "order"),
    "plan": N_p("audit log", "plan"),
    "print": N_p("audit log", "print"),
    "player": N_p("audit log", "player"),
    "publish": N_p("audit log", "publish"),
    "puzzle": N_p("audit log", "puzzle"),
    "reject": N_p("audit log", "reject"),
    "relabel": N_p("audit log", "relabel"),
    "remove": N_p("audit log", "remove"),
    "rename": N_p("audit log", "rename"),
    "restore": N_p("audit log", "restore"),
    "renew": N_p("audit log", "renew codes"),
    "resume": N_p("audit log", "resume"),
    "schedule": N_p("audit log", "schedule"),
    "suspend": N_p("audit log", "suspend"),
    "theme": N_p("audit log", "theme"),
    "undo": N_p("audit log", "undo"),
    "unschedule": N_p("audit log", "unschedule"),
    "use": N_p("audit log", "use"),
    "vary": N_p("audit log", "vary"),
    "weekday_look": N_p("audit log", "weekday look"),
    "withdraw": N_p("audit log", "withdraw"),
    "weekday_target": N_p("audit log", "weekday target"),
}


def word_of(key: str) -> str:
    """Return the display name of an action or subject."""
    elsewhere = {
        "change": _("Change"),
        "collect": _("Add to collection"),
        "collection": _("Collection"),
        "comment": _("Comment"),
        "create": _("Create"),
        "delete": _("Delete"),
        "revoke": _("Revoke"),
        "tag": _("Tag"),
        "token": _("API token"),
    }
    return pgettext("audit log", _WORDS[key]) if key in _WORDS else elsewhere.get(key, key)
