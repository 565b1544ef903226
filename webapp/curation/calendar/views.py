"""Views for the calendar's templates: plain values made from the services' objects, without decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from flask import url_for

from webapp.competition.daily import dailies, rules
from webapp.curation.calendar import months
from webapp.curation.calendar.calendar import Refused, Unsure, in_words
from webapp.curation.calendar.months import CandidatePage, Month, Slot
from webapp.game.steps.names import technique_name
from webapp.models import DailyDraft, Puzzle
from webapp.process.errors import BadInput, Changed
from webapp.process.words import format_percent, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name
from webapp.web.inputs import read_day, row_number

SENT_AGAIN = ("date", "level", "puzzle", "instead", "to", "there", "undo", "placing")
BY_HAND, AUTOMATIC = "by_hand", "automatic"  # how a daily was chosen


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the calendar: a month or a slot, perhaps with a puzzle to schedule."""

    month: date | None = None
    day: date | None = None
    level: int | None = None
    puzzle: int | None = None
    sort: str = "number"
    page: int = 1

    def address(self) -> str:
        """The address of the page, always with a query."""
        if self.day is not None and self.level is not None:
            query: dict[str, Any] = {"date": self.day.isoformat(), "level": self.level}
            if self.sort != "number":
                query["sort"] = self.sort
            if self.page != 1:
                query["page"] = self.page
        else:
            query = {"month": f"{self.month:%Y-%m}"} if self.month is not None else {}
        if self.puzzle is not None:
            query["puzzle"] = self.puzzle
        return url_for("admin.calendar.show", **(query or {"month": ""}))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an action, or why it failed. `text` encodes it in an address."""

    words: str = ""
    text: str = ""
    wrong: bool = False
    link: str | None = None  # to the conflicting daily
    again: tuple[tuple[str, str], ...] = ()  # fields to send again to confirm
    to: str = ""  # address of that form
    undo: tuple[tuple[str, str], ...] = ()  # fields to send to undo it
    undo_to: str = ""  # address of that form

    @classmethod
    def assigned(
        cls, puzzle_id: int, day: date, level: int, old: int | None, picked: str = BY_HAND
    ) -> Outcome:
        words = _(
            "#%(number)s is now the %(level)s daily for %(day)s.",
            number=puzzle_id,
            day=in_words(day),
            level=level_name(level),
        )
        text = f"assigned:{puzzle_id}:{day}:{level}:{old or ''}:{picked}"
        back = _fields(date=day, level=level, instead=puzzle_id)
        if old is None:
            return cls(words, text, undo=back, undo_to=url_for("admin.calendar.take_off"))
        back += _fields(puzzle=old, undo=picked)
        return cls(words, text, undo=back, undo_to=url_for("admin.calendar.assign"))

    @classmethod
    def taken_off(cls, day: date, level: int, old: int, picked: str = BY_HAND) -> Outcome:
        words = _("Removed the %(level)s daily for %(day)s.", day=in_words(day), level=level_name(level))
        back = _fields(date=day, level=level, puzzle=old, instead="", undo=picked)
        text = f"off:{day}:{level}:{old}:{picked}"
        return cls(words, text, undo=back, undo_to=url_for("admin.calendar.assign"))

    @classmethod
    def moved(cls, day: date, to: date, level: int, number: int, there: int | None) -> Outcome:
        words = _(
            "Moved the %(level)s daily from %(day)s to %(to)s.",
            level=level_name(level),
            day=in_words(day),
            to=in_words(to),
        )
        back = _fields(date=to, level=level, instead=number, to=day, there=there or "")
        text = f"moved:{day}:{to}:{level}:{number}:{there or ''}"
        return cls(words, text, undo=back, undo_to=url_for("admin.calendar.move"))

    @classmethod
    def filled(cls, count: int, left: int, first: int, last: int) -> Outcome:
        words = ngettext("One daily scheduled.", "%(num)s dailies scheduled.", count)
        if left:
            words += " " + ngettext(
                "One gap is left. Nothing in the bank fits it.",
                "%(num)s gaps are left. Nothing in the bank fits them.",
                left,
            )
        text = f"filled:{count}:{left}:{first}:{last}"
        if not count:
            return cls(words, text)
        back = _fields(first=first, last=last)
        return cls(words, text, undo=back, undo_to=url_for("admin.calendar.unfill"))

    @classmethod
    def drafted(cls, puzzle_id: int, day: date, level: int) -> Outcome:
        words = _(
            "#%(number)s is drafted as the %(level)s daily for %(day)s.",
            number=puzzle_id,
            day=in_words(day),
            level=level_name(level),
        )
        back = _fields(date=day, level=level, drafted=puzzle_id)
        undo = url_for("admin.calendar.undraft")
        return cls(words, f"drafted:{puzzle_id}:{day}:{level}", undo=back, undo_to=undo)

    @classmethod
    def undrafted(cls, day: date, level: int) -> Outcome:
        where = {"day": in_words(day), "level": level_name(level)}
        return cls(_("Dropped the draft for %(day)s, %(level)s.", **where), f"undrafted:{day}:{level}")

    @classmethod
    def live(cls, count: int) -> Outcome:
        words = ngettext("Released one draft.", "Released %(num)s drafts.", count)
        return cls(words, f"live:{count}")

    @classmethod
    def unfilled(cls, count: int) -> Outcome:
        words = ngettext("One daily unscheduled.", "%(num)s dailies unscheduled.", count)
        return cls(words, f"unfilled:{count}")

    @classmethod
    def refused(cls, error: BadInput | Changed, form: Mapping[str, str]) -> Outcome:
        """Return the refusal of a form with the conflicting daily; a warning can be confirmed."""
        clash = error.clash if isinstance(error, Refused) else None
        again = tuple((name, form[name]) for name in SENT_AGAIN if name in form)
        return cls(
            str(error),
            wrong=True,
            link=None if clash is None else Place(day=clash[0], level=clash[1]).address(),
            again=again if isinstance(error, Unsure) else (),
            to=url_for("admin.calendar.move" if "to" in form else "admin.calendar.assign"),
        )

    @classmethod
    def read(cls, text: str) -> Outcome:
        """Decode `text`; empty if it is not valid."""
        kind, *parts = text.split(":")
        days = [day for day in map(read_day, parts) if day is not None]
        numbers = [number for number in map(row_number, parts) if number is not None]
        picked = AUTOMATIC if AUTOMATIC in parts else BY_HAND
        match kind, numbers, days:
            case "assigned", [puzzle_id, (1 | 2 | 3 | 4 | 5) as level, *old], [day]:
                return cls.assigned(puzzle_id, day, level, next(iter(old), None), picked)
            case "off", [(1 | 2 | 3 | 4 | 5) as level, old], [day]:
                return cls.taken_off(day, level, old, picked)
            case "moved", [(1 | 2 | 3 | 4 | 5) as level, number, *there], [day, to]:
                return cls.moved(day, to, level, number, next(iter(there), None))
            case "filled", [count, left, first, last], []:
                return cls.filled(count, left, first, last)
            case "drafted", [puzzle_id, (1 | 2 | 3 | 4 | 5) as level], [day]:
                return cls.drafted(puzzle_id, day, level)
            case "undrafted", [(1 | 2 | 3 | 4 | 5) as level], [day]:
                return cls.undrafted(day, level)
            case "live", [count], []:
                return cls.live(count)
            case "unfilled", [count], []:
                return cls.unfilled(count)
        return cls()


def _fields(**values: object) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in values.items())


class CardView:
    """A puzzle as the calendar shows it."""

    def __init__(self, puzzle: Puzzle, *, third: bool = False) -> None:
        self.id = puzzle.id
        self.version = puzzle.version
        self.level = puzzle.level
        self.givens = puzzle.givens
        self.er = None if puzzle.explainer is None else f"{puzzle.explainer:.1f}"
        self.hardest = None if puzzle.hardest is None else technique_name(puzzle.hardest)
        self.expected_seconds = puzzle.expected_seconds
        self.rated = puzzle.rated
        # The level by its current rating, if that differs.
        self.moved_to = None if puzzle.moved_to is None else level_name(puzzle.moved_to)
        self.third = third  # whether its hardest technique would be used three days in a row


def deviation_words(share: float) -> str:
    """Say how much longer or shorter than planned a daily takes."""
    percent = format_percent(abs(share))
    if share > 0:
        return _("%(percent)s longer than planned", percent=percent)
    return _("%(percent)s shorter than planned", percent=percent)


class SlotView:
    """One level of one day, in the table and as the selected slot."""

    def __init__(self, slot: Slot, *, drafting: bool = False, waiting: int | None = None) -> None:
        self.day = slot.day
        self.level = slot.level
        self.level_name = level_name(slot.level)
        self.key = f"{slot.day}-{slot.level}"
        self.gap = slot.gap
        self.calm = slot.gap and not slot.near  # a gap that will be filled automatically in time
        self.deviation = "" if slot.deviation is None else deviation_words(slot.deviation)
        if slot.off and not self.deviation:
            self.deviation = _("doesn’t fit the plan")
        self.released = slot.released
        self.by_hand = slot.daily is not None and slot.daily.by_hand
        self.withdrawn = slot.daily is not None and slot.daily.withdrawn
        self.withdrawal = None if slot.daily is None else slot.daily.withdrawal
        self.card = CardView(slot.daily.puzzle) if slot.daily is not None else None
        self.draft = CardView(slot.draft) if slot.draft is not None else None
        self.instead = "" if slot.daily is None else str(slot.daily.puzzle_id)
        # The puzzle that one scheduled here would replace.
        self.replaced = str(slot.draft.id) if drafting and slot.draft is not None else self.instead
        self.address = Place(day=slot.day, level=slot.level, puzzle=waiting).address()


@dataclass(frozen=True, slots=True)
class Drafting:
    """Whether changes become drafts, and the waiting drafts."""

    on: bool
    always: bool  # whether two-person release requires drafts
    drafts: Sequence[DailyDraft]
    others: int  # number of drafts that this curator may release

    @property
    def keys(self) -> list[str]:
        """The drafts' keys for a form."""
        return [f"{draft.date}:{draft.level}:{draft.puzzle_id}" for draft in self.drafts]


class CalendarView:
    """A month, and next to it a slot with its candidates, a puzzle to schedule, or both."""

    def __init__(
        self,
        month: Month,
        slot: Slot | None,
        placed: Puzzle | None,
        outcome: Outcome,
        place: Place,
        at: datetime,
        drafting: Drafting,
    ) -> None:
        self.drafting = drafting
        self.month = month.first
        self.levels = month.levels
        self.waiting = waiting = None if placed is None else placed.id

        def view(slot: Slot) -> SlotView:
            return SlotView(slot, drafting=drafting.on, waiting=waiting)

        coming = [(slots[0].day, slots) for slots in month.rows if slots[0].day > dailies.today(at)]
        rows = [(slots[0].day, list(map(view, slots))) for slots in month.rows]
        self.today = dailies.today(at)
        # (whether past, rows); it begins at today.
        self.groups = [
            (past, [row for row in rows if (row[0] < self.today) is past]) for past in (False, True)
        ]
        self.unfilled = month.unfilled
        self.notes = month.plan.notes
        self.themes = {day: [theme.title for theme in month.plan.themes_of(day)] for day, _slots in rows}
        self.moved = month.moved
        self.days = dailies.AHEAD.days
        self.gaps = sum(each.gap for _day, slots in rows for each in slots)
        self.earlier = month.earlier and Place(month=month.earlier, puzzle=waiting).address()
        self.later = month.later and Place(month=month.later, puzzle=waiting).address()
        self.here = Place(month=month.first).address()
        self.outcome = outcome
        self.slot = None if slot is None else view(slot)
        self.placed = None if placed is None else CardView(placed)
        self.sort = place.sort if place.sort in months.SORTS else "number"
        self.page: CandidatePage | None = None
        self.choice: list[CardView] = []
        self.shown = [placed] if placed is not None else []  # puzzles whose boards are on the page
        # Small boards of the coming days: curators may want to play today's and earlier ones ranked.
        self.shown += [
            each.daily.puzzle for _day, slots in coming for each in slots if each.daily is not None
        ]
        if slot is None:
            return
        if slot.daily is not None:
            self.shown.append(slot.daily.puzzle)
        if slot.draft is not None:
            self.shown.append(slot.draft)

    def offer(self, place: Place) -> None:
        """Show the puzzles to choose from for the slot, to curators who may change it."""
        slot = self.slot
        if slot is None or slot.released:
            return
        self.page = months.to_choose_from(slot.day, slot.level, self.sort, place.page)
        running = rules.repeated(slot.day, slot.level)
        self.choice = [
            CardView(puzzle, third=puzzle.hardest is not None and puzzle.hardest in running)
            for puzzle in self.page.puzzles
            if puzzle.id != self.waiting  # it comes first anyway
        ]
        self.shown += self.page.puzzles
        slot_place = replace(place, sort=self.sort, month=None)
        self.pages = {
            number: replace(slot_place, page=number).address()
            for number in (self.page.number - 1, self.page.number + 1)
            if 1 <= number <= self.page.pages
        }
