"""Views for the calendar's templates: plain values made from the services' objects, without decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from flask import url_for

from webapp.competition.daily import choosing, dailies, schedule
from webapp.competition.daily.schedule import Refused, in_words
from webapp.curation.calendar.months import OFFERED, Month, Slot
from webapp.game.steps.names import technique_name
from webapp.models import Puzzle
from webapp.process.errors import BadInput, Changed
from webapp.process.words import gettext as _
from webapp.process.words import ngettext
from webapp.web.i18n import level_name
from webapp.web.inputs import read_day, row_number


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the calendar: a month or a slot, perhaps with a puzzle to schedule."""

    month: date | None = None
    day: date | None = None
    level: int | None = None
    puzzle: int | None = None

    def address(self) -> str:
        """The address of the page, always with a query."""
        if self.day is not None and self.level is not None:
            query: dict[str, Any] = {"date": self.day.isoformat(), "level": self.level}
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
    undo: tuple[tuple[str, str], ...] = ()  # fields to send to undo it
    undo_to: str = ""  # address of that form

    @classmethod
    def assigned(cls, puzzle_id: int, day: date, level: int, old: int | None) -> Outcome:
        words = _(
            "#%(number)s is now the %(level)s daily for %(day)s.",
            number=puzzle_id,
            day=in_words(day),
            level=level_name(level),
        )
        text = f"assigned:{puzzle_id}:{day}:{level}:{old or ''}"
        back = _fields(date=day, level=level, instead=puzzle_id)
        if old is None:
            return cls(words, text, undo=back, undo_to=url_for("admin.calendar.take_off"))
        back += _fields(puzzle=old, undo=1)
        return cls(words, text, undo=back, undo_to=url_for("admin.calendar.assign"))

    @classmethod
    def taken_off(cls, day: date, level: int, old: int) -> Outcome:
        words = _("Removed the %(level)s daily for %(day)s.", day=in_words(day), level=level_name(level))
        back = _fields(date=day, level=level, puzzle=old, instead="", undo=1)
        text = f"off:{day}:{level}:{old}"
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
    def filled(cls, ids: Sequence[int], left: int) -> Outcome:
        words = ngettext("One daily scheduled.", "%(num)s dailies scheduled.", len(ids))
        if left:
            words += " " + ngettext("One gap is left.", "%(num)s gaps are left.", left)
        text = f"filled:{left}:{':'.join(map(str, ids))}"
        back = tuple(("daily", str(number)) for number in ids)
        return cls(words, text, undo=back, undo_to=url_for("admin.calendar.unfill"))

    @classmethod
    def unfilled(cls, count: int) -> Outcome:
        words = ngettext("One daily unscheduled.", "%(num)s dailies unscheduled.", count)
        return cls(words, f"unfilled:{count}")

    @classmethod
    def refused(cls, error: BadInput | Changed) -> Outcome:
        """Return the refusal of a form with the conflicting daily."""
        clash = error.clash if isinstance(error, Refused) else None
        return cls(
            str(error),
            wrong=True,
            link=None if clash is None else Place(day=clash[0], level=clash[1]).address(),
        )

    @classmethod
    def read(cls, text: str) -> Outcome:
        """Decode `text`; empty if it is not valid."""
        kind, *parts = text.split(":")
        days = [day for day in map(read_day, parts) if day is not None]
        numbers = [number for number in map(row_number, parts) if number is not None]
        match kind, numbers, days:
            case "assigned", [puzzle_id, (1 | 2 | 3 | 4 | 5) as level, *old], [day]:
                return cls.assigned(puzzle_id, day, level, next(iter(old), None))
            case "off", [(1 | 2 | 3 | 4 | 5) as level, old], [day]:
                return cls.taken_off(day, level, old)
            case "moved", [(1 | 2 | 3 | 4 | 5) as level, number, *there], [day, to]:
                return cls.moved(day, to, level, number, next(iter(there), None))
            case "filled", [left, *ids], []:
                return cls.filled(ids, left)
            case "unfilled", [count], []:
                return cls.unfilled(count)
        return cls()


def _fields(**values: object) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in values.items())


class CardView:
    """A puzzle as the calendar shows it."""

    def __init__(self, puzzle: Puzzle) -> None:
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


class SlotView:
    """One level of one day, in the table and as the selected slot."""

    def __init__(self, slot: Slot, *, waiting: int | None = None) -> None:
        self.day = slot.day
        self.level = slot.level
        self.level_name = level_name(slot.level)
        self.key = f"{slot.day}-{slot.level}"
        self.gap = slot.gap
        self.calm = slot.gap and not slot.near  # a gap that will be filled automatically in time
        self.released = slot.released
        self.by_hand = slot.daily is not None and slot.daily.by_hand
        self.withdrawn = slot.daily is not None and slot.daily.withdrawn
        self.withdrawal = None if slot.daily is None else slot.daily.withdrawal
        self.card = CardView(slot.daily.puzzle) if slot.daily is not None else None
        self.instead = "" if slot.daily is None else str(slot.daily.puzzle_id)
        self.address = Place(day=slot.day, level=slot.level, puzzle=waiting).address()


class CalendarView:
    """A month, and next to it a slot with its candidates, a puzzle to schedule, or both."""

    def __init__(
        self,
        month: Month,
        slot: Slot | None,
        placed: Puzzle | None,
        outcome: Outcome,
        at: datetime,
    ) -> None:
        self.month = month.first
        self.levels = month.levels
        self.waiting = waiting = None if placed is None else placed.id

        def view(slot: Slot) -> SlotView:
            return SlotView(slot, waiting=waiting)

        coming = [(slots[0].day, slots) for slots in month.rows if slots[0].day > dailies.today(at)]
        rows = [(slots[0].day, list(map(view, slots))) for slots in month.rows]
        self.today = dailies.today(at)
        # (whether past, rows); it begins at today.
        self.groups = [
            (past, [row for row in rows if (row[0] < self.today) is past]) for past in (False, True)
        ]
        self.unfilled = month.unfilled
        self.moved = month.moved
        self.days = schedule.AHEAD.days
        self.gaps = sum(each.gap for _day, slots in rows for each in slots)
        self.earlier = month.earlier and Place(month=month.earlier, puzzle=waiting).address()
        self.later = month.later and Place(month=month.later, puzzle=waiting).address()
        self.here = Place(month=month.first).address()
        self.outcome = outcome
        self.slot = None if slot is None else view(slot)
        self.placed = None if placed is None else CardView(placed)
        self.choice: list[CardView] = []
        self.shown = [placed] if placed is not None else []  # puzzles whose boards are on the page
        # Small boards of the coming days: curators may want to play today's and earlier ones ranked.
        self.shown += [
            each.daily.puzzle for _day, slots in coming for each in slots if each.daily is not None
        ]
        if slot is not None and slot.daily is not None:
            self.shown.append(slot.daily.puzzle)

    def offer(self) -> None:
        """Show the puzzles to choose from for the slot, to curators who may change it."""
        slot = self.slot
        if slot is None or slot.released:
            return
        found = choosing.candidates(slot.day, slot.level, OFFERED)
        self.choice = [CardView(puzzle) for puzzle in found if puzzle.id != self.waiting]  # it comes first
        self.shown += found
