"""Entries of the audit log as sentences, such as “Removed Speedy’s solve of daily 326, Easy”."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import sqlalchemy as sa
from flask import url_for

from webapp.competition.daily.views import daily_title
from webapp.curation.team.audit import public_sentences
from webapp.curation.team.audit.facts import Facts, day_text, slot_text
from webapp.curation.team.audit.words import word_of
from webapp.curation.team.roles import role_words
from webapp.game.steps.names import technique_name
from webapp.identity import audit
from webapp.identity.audit import Change
from webapp.models import Attempt, AuditEntry, Daily, Player, Standing
from webapp.process.database import db
from webapp.process.words import format_date, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name


@dataclass(frozen=True, slots=True)
class Described:
    """An entry in words, and the page of its subject, if there is one."""

    words: str
    address: str | None


@dataclass(frozen=True, slots=True)
class _Names:
    """The current names of players and solves that entries are about."""

    players: Mapping[str, str]
    solves: Mapping[str, tuple[str, str]]  # the player, and what they solved

    @classmethod
    def of(cls, entries: Sequence[AuditEntry]) -> _Names:
        about = {kind: {each.subject_id for each in entries if each.subject == kind} for kind in _KINDS}
        ids = [int(text) for text in about["player"] | about["curator"] if text.isdigit()]
        players = db.session.execute(sa.select(Player.id, Player.name).where(Player.id.in_(ids)))
        solves = db.session.execute(
            sa.select(Attempt.id, Player.name, sa.Nullable(Daily), Attempt.puzzle_id)
            .join(Player, Player.id == Attempt.player_id)
            .outerjoin(Daily, Daily.id == Attempt.daily_id)
            .where(Attempt.id.in_(about["attempt"]))
        )
        return cls(
            {str(row.id): row.name or _("Guest") for row in players},
            {row[0]: (row[1] or _("Guest"), _solved(row[2], row[3])) for row in solves},
        )

    def player(self, entry: AuditEntry) -> str:
        return self.players.get(entry.subject_id) or _("a deleted player")

    def solve(self, entry: AuditEntry) -> tuple[str, str]:
        return self.solves.get(entry.subject_id) or (_("a deleted player"), _("a puzzle"))


_KINDS = ("player", "curator", "attempt")


def _solved(daily: Daily | None, puzzle_id: int) -> str:
    return _("puzzle #%(number)s", number=puzzle_id) if daily is None else daily_title(daily)


def described(entries: Sequence[AuditEntry]) -> list[Described]:
    """Return each entry as a sentence."""
    names = _Names.of(entries)
    return [Described(_sentence(entry, names), _address(entry)) for entry in entries]


def history(subject: str, subject_id: int | str) -> list[tuple[AuditEntry, list[Change], str]]:
    """Return what curators did with one subject, newest first: each with its changes and as a sentence.

    A suspension and its end are in the sentence.
    """
    entries = audit.of(subject, subject_id)
    return [
        (entry, [one for one in audit.changes(entry) if one.field not in ("suspended", "until")], each.words)
        for entry, each in zip(entries, described(entries), strict=True)
    ]


def _sentence(entry: AuditEntry, names: _Names) -> str:
    before, after = _facts(entry.before), _facts(entry.after)
    say = _SENTENCES.get((entry.action, entry.subject))
    if say is None:
        return f"{entry.action} {entry.subject} {entry.subject_id}"
    return say(entry, before, after, names)


def _facts(text: str | None) -> Facts:
    found: Facts = json.loads(text) if text else {}
    return found


def _puzzle(say: Callable[[str], str]) -> Callable[[AuditEntry, Facts, Facts, _Names], str]:
    return lambda entry, _before, _after, _names: say(f"#{entry.subject_id}")


def _player(say: Callable[[str], str]) -> Callable[[AuditEntry, Facts, Facts, _Names], str]:
    return lambda entry, _before, _after, names: say(names.player(entry))


def _order(say: Callable[[str], str]) -> Callable[[AuditEntry, Facts, Facts, _Names], str]:
    return lambda entry, _before, _after, _names: say(entry.subject_id)


def _verdict(entry: AuditEntry, before: Facts, after: Facts, names: _Names) -> str:
    name, solved = names.solve(entry)
    values = {"name": name, "solved": solved}
    match after.get("standing"):
        case Standing.REMOVED if before.get("appeal"):
            return _("Kept %(name)s’s solve of %(solved)s removed after an appeal.", **values)
        case Standing.REMOVED:
            return _("Removed %(name)s’s solve of %(solved)s.", **values)
        case Standing.REVIEW:
            return _("Put %(name)s’s solve of %(solved)s under review.", **values)
        case Standing.VERIFIED if before.get("standing") == Standing.VERIFIED:
            return _("Confirmed %(name)s’s solve of %(solved)s.", **values)
    return _("Restored %(name)s’s solve of %(solved)s.", **values)


def _run_verdict(entry: AuditEntry, _before: Facts, after: Facts, names: _Names) -> str:
    name, right = names.player(entry), after.get("right", 0)
    if after.get("standing") == Standing.REMOVED:
        return ngettext(
            "Removed %(name)s’s puzzle rush of %(num)s step.",
            "Removed %(name)s’s puzzle rush of %(num)s steps.",
            right,
            name=name,
        )
    return ngettext(
        "Restored %(name)s’s puzzle rush of %(num)s step.",
        "Restored %(name)s’s puzzle rush of %(num)s steps.",
        right,
        name=name,
    )


def _suspended(entry: AuditEntry, _before: Facts, after: Facts, names: _Names) -> str:
    name, until = names.player(entry), after.get("until")
    if not until:
        return _("Suspended %(name)s from leaderboards for good.", name=name)
    day = format_date(datetime.fromisoformat(until).date(), "long")
    return _("Suspended %(name)s from leaderboards until %(day)s.", name=name, day=day)


def _renamed(entry: AuditEntry, before: Facts, after: Facts, names: _Names) -> str:
    if not after:
        return _("Renamed %(name)s.", name=names.player(entry))
    return _("Renamed %(old)s to %(new)s.", old=before.get("name", ""), new=after.get("name", ""))


def _appointed(entry: AuditEntry, _before: Facts, after: Facts, names: _Names) -> str:
    name, role = names.player(entry), after.get("role")
    if role is None:
        return _("Made %(name)s a curator.", name=name)
    return _("Appointed %(name)s (%(role)s).", name=name, role=role_words(role))


def _scheduled(entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    return _("Scheduled #%(number)s for %(slot)s.", number=entry.subject_id, slot=slot_text(after))


def _tagged(entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    values = {"number": entry.subject_id, "tag": after.get("tag", "")}
    if entry.action == "tag":
        return _("Tagged #%(number)s “%(tag)s”.", **values)
    return _("Removed the tag “%(tag)s” from #%(number)s.", **values)


def _tagged_many(_entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    count, tag = int(after.get("puzzles", 0)), after.get("tag", "")
    return ngettext("Tagged one puzzle “%(tag)s”.", "Tagged %(num)s puzzles “%(tag)s”.", count, tag=tag)


def _untagged_many(_entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    count, tag = int(after.get("puzzles", 0)), after.get("tag", "")
    return ngettext(
        "Removed the tag “%(tag)s” from one puzzle.",
        "Removed the tag “%(tag)s” from %(num)s puzzles.",
        count,
        tag=tag,
    )


def _drafted(entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    return _("Drafted #%(number)s for %(slot)s.", number=entry.subject_id, slot=slot_text(after))


def _undrafted(entry: AuditEntry, before: Facts, _after: Facts, _names: _Names) -> str:
    return _(
        "Dropped the draft of #%(number)s for %(slot)s.", number=entry.subject_id, slot=slot_text(before)
    )


def _unscheduled(entry: AuditEntry, before: Facts, _after: Facts, _names: _Names) -> str:
    return _("Removed #%(number)s from %(slot)s.", number=entry.subject_id, slot=slot_text(before))


def _moved(entry: AuditEntry, before: Facts, after: Facts, _names: _Names) -> str:
    words = _("Moved #%(number)s from %(old)s to %(new)s.")
    return words % {"number": entry.subject_id, "old": slot_text(before), "new": slot_text(after)}


def _relabelled(entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    level = level_name(after["level"]) if "level" in after else ""
    return _("Set the level of #%(number)s to %(level)s.", number=entry.subject_id, level=level)


def _varied(entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    return _("Made #%(number)s as a variation of #%(of)s.", number=entry.subject_id, of=after.get("of", ""))


def _imported(_entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    count = int(after.get("new", 0))
    return ngettext(
        "Imported one new puzzle from %(name)s.",
        "Imported %(num)s new puzzles from %(name)s.",
        count,
        name=after.get("name", ""),
    )


def _exported(entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    count = int(after.get("puzzles", 0))
    kind = word_of(entry.subject_id)
    return ngettext(
        "Exported one puzzle (%(kind)s).", "Exported %(num)s puzzles (%(kind)s).", count, kind=kind
    )


def _ordered(entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    count = int(after.get("count", 0))
    return ngettext(
        "Placed order %(order)s for one puzzle.",
        "Placed order %(order)s for %(num)s puzzles.",
        count,
        order=entry.subject_id,
    )


def _themed(_entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    words = _("Planned the theme “%(title)s” (%(technique)s) from %(first)s to %(last)s.")
    return words % {
        "title": after.get("title", ""),
        "technique": technique_name(after["technique"]) if after else "",
        "first": day_text(after.get("first")),
        "last": day_text(after.get("last")),
    }


def _unthemed(_entry: AuditEntry, before: Facts, _after: Facts, _names: _Names) -> str:
    return _("Removed the theme “%(title)s”.", title=before.get("title", ""))


def _collection(say: Callable[[str], str]) -> Callable[[AuditEntry, Facts, Facts, _Names], str]:
    return lambda _entry, before, after, _names: say((after or before).get("title", ""))


def _collected(_entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    return ngettext(
        "Added one puzzle to the collection “%(title)s”.",
        "Added %(num)s puzzles to the collection “%(title)s”.",
        int(after.get("puzzles", 0)),
        title=after.get("title", ""),
    )


def _uncollected(_entry: AuditEntry, before: Facts, _after: Facts, _names: _Names) -> str:
    values = {"number": before.get("puzzle", ""), "title": before.get("title", "")}
    return _("Took #%(number)s out of the collection “%(title)s”.", **values)


def _tokened(entry: AuditEntry, before: Facts, after: Facts, _names: _Names) -> str:
    if entry.action == "revoke":
        return _("Revoked the API token “%(name)s”.", name=before.get("name", ""))
    return _("Made the API token “%(name)s”.", name=after.get("name", ""))


def _noted(entry: AuditEntry, _before: Facts, after: Facts, _names: _Names) -> str:
    day = format_date(date.fromisoformat(entry.subject_id), "long")
    if not after:
        return _("Removed the note on %(day)s.", day=day)
    return _("Noted on %(day)s: %(text)s.", day=day, text=after.get("text", ""))


_SENTENCES: Mapping[tuple[str, str], Callable[[AuditEntry, Facts, Facts, _Names], str]] = {
    ("approve", "puzzle"): _puzzle(lambda number: _("Approved %(number)s.", number=number)),
    ("reject", "puzzle"): _puzzle(lambda number: _("Rejected %(number)s.", number=number)),
    ("undo", "puzzle"): _puzzle(lambda number: _("Undid the decision on %(number)s.", number=number)),
    ("comment", "puzzle"): _puzzle(lambda number: _("Commented on %(number)s.", number=number)),
    ("uncomment", "puzzle"): _puzzle(lambda number: _("Deleted a comment on %(number)s.", number=number)),
    ("tag", "puzzle"): _tagged,
    ("untag", "puzzle"): _tagged,
    ("tag", "tag"): _tagged_many,
    ("untag", "tag"): _untagged_many,
    ("draft", "puzzle"): _drafted,
    ("undraft", "puzzle"): _undrafted,
    ("schedule", "puzzle"): _scheduled,
    ("unschedule", "puzzle"): _unscheduled,
    ("withdraw", "puzzle"): public_sentences.withdrawn,
    ("restore", "puzzle"): public_sentences.restored,
    ("close", "puzzle"): public_sentences.closed,
    ("publish", "notice"): public_sentences.noticed,
    ("end", "notice"): public_sentences.noticed,
    ("withdraw", "collection"): _collection(
        lambda title: _("Withdrew the collection “%(title)s”.", title=title)
    ),
    ("restore", "collection"): _collection(
        lambda title: _("Offered the collection “%(title)s” again.", title=title)
    ),
    ("move", "puzzle"): _moved,
    ("relabel", "puzzle"): _relabelled,
    ("draw", "puzzle"): _puzzle(lambda number: _("Drew %(number)s by hand.", number=number)),
    ("vary", "puzzle"): _varied,
    ("import", "import"): _imported,
    ("export", "export"): _exported,
    ("order", "order"): _ordered,
    ("cancel", "order"): _order(lambda number: _("Canceled order %(number)s.", number=number)),
    ("resume", "order"): _order(lambda number: _("Resumed order %(number)s.", number=number)),
    ("judge", "attempt"): _verdict,
    ("judge", "player"): _run_verdict,
    ("rename", "player"): _renamed,
    ("hide", "player"): _player(lambda name: _("Hid %(name)s’s name on leaderboards.", name=name)),
    ("suspend", "player"): _suspended,
    ("keep", "player"): _player(lambda name: _("Kept %(name)s suspended after an appeal.", name=name)),
    ("lift", "player"): _player(lambda name: _("Lifted %(name)s’s suspension.", name=name)),
    ("add", "curator"): _appointed,
    ("appoint", "curator"): _appointed,
    ("renew", "curator"): _player(lambda name: _("Made new recovery codes for %(name)s.", name=name)),
    ("use", "curator"): _player(lambda name: _("%(name)s used a recovery code.", name=name)),
    ("remove", "curator"): _player(lambda name: _("%(name)s is no longer a curator.", name=name)),
    ("create", "collection"): _collection(lambda title: _("Began the collection “%(title)s”.", title=title)),
    ("change", "collection"): _collection(
        lambda title: _("Changed the collection “%(title)s”.", title=title)
    ),
    ("arrange", "collection"): _collection(
        lambda title: _("Reordered the collection “%(title)s”.", title=title)
    ),
    ("delete", "collection"): _collection(
        lambda title: _("Deleted the collection “%(title)s”.", title=title)
    ),
    ("collect", "collection"): _collected,
    ("uncollect", "collection"): _uncollected,
    ("create", "token"): _tokened,
    ("revoke", "token"): _tokened,
    ("plan", "weekday_target"): lambda *_all: _("Changed the planned minutes by weekday."),
    ("plan", "weekday_look"): lambda *_all: _("Changed what dailies are like by weekday."),
    ("plan", "theme"): _themed,
    ("remove", "theme"): _unthemed,
    ("note", "day"): _noted,
}


def _address(entry: AuditEntry) -> str | None:
    number = entry.subject_id
    match entry.subject:
        case "puzzle" if number.isdigit():
            return url_for("admin.puzzles.show", puzzle_id=int(number))
        case "tag":
            return url_for("admin.queue.show", status="all", tag=_facts(entry.after).get("tag", ""))
        case "import" if number.isdigit():
            return url_for("admin.importing.report", batch_id=int(number))
        case "order":
            return url_for("admin.orders.show", _anchor=f"job-{number}")
        case "attempt":
            return url_for("admin.flags.solve", attempt_id=number)
        case "player" if number.isdigit():
            return url_for("admin.flags.player", player_id=int(number))
        case "collection" if number.isdigit() and entry.action != "delete":
            return url_for("admin.collections.show", collection_id=int(number))
        case "notice":
            return url_for("admin.notices.show")
        case "curator":
            return url_for("admin.team.show")
        case "theme" | "weekday_target" | "weekday_look" | "day":
            return url_for("admin.planning.show")
    return None
