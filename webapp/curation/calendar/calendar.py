"""The calendar: which puzzle a curator schedules for which day, and the rules for it.

Released days, including today, cannot change. A change states what its curator saw: the version of the
puzzle and the day's previous puzzle. If either has changed, nothing is done. Guards check the outcome
inside the transaction, which is rolled back if it breaks a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.bank import bank
from webapp.competition.daily import dailies, plan, spare
from webapp.competition.daily.plan import TOLERANCE, Plan, Wish
from webapp.competition.daily.spare import Tier, Way
from webapp.curation import curation
from webapp.game.steps.names import technique_name
from webapp.identity import audit
from webapp.identity.players import Identity
from webapp.models import AuditEntry, CollectionPuzzle, Daily, DailyDraft, Puzzle, Status
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, Changed, NotFound
from webapp.process.words import format_date
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name

FURTHEST = timedelta(days=366)  # that can be scheduled after today
PER_PAGE = 12  # puzzles of the picker
MOST_COUNTED = 1200  # of them
PLANNED = "plan"  # sorts by what is planned for the day
SORTS: dict[str, Any] = {
    PLANNED: None,
    "number": Puzzle.id,
    "er": Puzzle.explainer,
    "time": Puzzle.expected_seconds,
}


class Refused(BadInput):
    """A guard rejected a change; `clash` is the conflicting daily, if any."""

    def __init__(self, message: str, clash: Daily | None = None) -> None:
        super().__init__(puzzle=message)
        self.clash = None if clash is None else (clash.date, clash.level)


class Unsure(BadInput):
    """A change that needs the curator's confirmation."""

    def __init__(self, message: str) -> None:
        super().__init__(sure=message)


@dataclass(frozen=True, slots=True)
class SlotChoice:
    """A puzzle as a curator saw it; no version if only its number was typed."""

    id: int
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """One level of one day."""

    day: date
    level: int
    daily: Daily | None
    released: bool
    near: bool = True  # within the days that are filled ahead: a gap needs a hand
    deviation: float | None = None  # of its expected time from the plan, as a share, where that is too much
    draft: Puzzle | None = None  # what is drafted for it

    @property
    def gap(self) -> bool:
        """Whether the slot is empty and can still be filled."""
        return self.daily is None and not self.released


@dataclass(frozen=True, slots=True)
class Month:
    """A month of the calendar: a row per day, a slot per level."""

    first: date
    levels: tuple[int, ...]
    rows: list[list[Slot]]
    unfilled: int  # gaps of the next days, in any month
    moved: int  # unreleased dailies, in any month, whose rating says another level now
    earlier: date | None
    later: date | None
    plan: Plan


@dataclass(frozen=True, slots=True)
class CandidatePage:
    """Some of the puzzles that fit a slot."""

    puzzles: Sequence[Puzzle]
    number: int  # from 1
    pages: int
    total: int  # at most MOST_COUNTED

    @property
    def more(self) -> bool:
        """Whether there are as many as are counted, so probably more."""
        return self.total == MOST_COUNTED


@dataclass(frozen=True, slots=True)
class Filled:
    """Result of automatic filling: dailies chosen, and gaps for which the bank has no puzzle."""

    dailies: int
    left: int
    entries: tuple[int, int]  # of the audit log: those of the filling are among these


# To look at


def month(first: date, now: datetime) -> Month:
    """Return the month that starts on `first`. Raises NotFound if it is outside the calendar."""
    today = dailies.today(now)
    earliest, latest = FIRST_DAY.replace(day=1), (today + FURTHEST).replace(day=1)
    if not earliest <= first <= latest:
        raise NotFound(_("The calendar doesn’t cover that month."))
    after = dailies.next_month(first)
    query = sa.select(Daily).where(Daily.date >= first, Daily.date < after)
    found = {
        (daily.date, daily.level): daily
        for daily in db.session.scalars(query.options(sa.orm.joinedload(Daily.puzzle)))
    }
    levels = tuple(sorted({*dailies.levels(), *(level for _day, level in found)}))
    begin = max(first, FIRST_DAY)
    days = [begin + timedelta(days=number) for number in range((after - begin).days)]
    planned = Plan.between(first, after)
    drafts = _drafts(first, after)
    rows = [
        [
            _slot(day, level, found.get((day, level)), planned, today, drafts.get((day, level)))
            for level in levels
        ]
        for day in days
    ]
    return Month(
        first,
        levels,
        rows,
        len(dailies.gaps(today + timedelta(days=1), today + dailies.AHEAD, now)),
        _moved(today),
        (first - timedelta(days=1)).replace(day=1) if first > earliest else None,
        after if first < latest else None,
        planned,
    )


def _drafts(first: date, after: date) -> dict[tuple[date, int], Puzzle]:
    """Return what is drafted from a day to before another."""
    query = sa.select(DailyDraft).where(DailyDraft.date >= first, DailyDraft.date < after)
    with_puzzle = query.options(sa.orm.joinedload(DailyDraft.puzzle))
    return {(draft.date, draft.level): draft.puzzle for draft in db.session.scalars(with_puzzle)}


def _slot(
    day: date, level: int, daily: Daily | None, planned: Plan, today: date, draft: Puzzle | None
) -> Slot:
    wish = planned.wish(day, level)
    deviation = None if daily is None else wish.deviation(daily.puzzle)
    if deviation is not None and abs(deviation) <= TOLERANCE:
        deviation = None
    return Slot(day, level, daily, day <= today, day <= today + dailies.AHEAD, deviation, draft)


def _moved(today: date) -> int:
    """Count the unreleased dailies whose puzzle's rating says another level than announced."""
    elsewhere = sa.and_(Puzzle.rated_level != Daily.level, ~Puzzle.relabelled)
    found = sa.select(sa.func.count()).select_from(Daily).join(Daily.puzzle)
    return db.session.scalar(found.where(Daily.date > today, elsewhere)) or 0


def slot(day: date, level: int, now: datetime) -> Slot:
    """Return one level of one day. Raises BadInput if the calendar has no such day or level."""
    _refuse_unknown(day, level, now)
    query = sa.select(Daily).where(Daily.date == day, Daily.level == level)
    draft = _drafts(day, day + timedelta(days=1)).get((day, level))
    return _slot(day, level, db.session.scalar(query), Plan.between(day, day), dailies.today(now), draft)


def following_gap(day: date, level: int, now: datetime) -> date | None:
    """Return the next day after `day` with a gap at this level, within the scheduled days or the month."""
    last = max(dailies.next_month(day.replace(day=1)), dailies.today(now) + dailies.AHEAD)
    coming = dailies.gaps(day + timedelta(days=1), last, now)
    return next((other for other, its_level in coming if its_level == level), None)


def to_choose_from(day: date, level: int, sort: str, number: int) -> CandidatePage:
    """Return the approved, unseen puzzles of a level whose solution no daily near `day` has.

    Counts up to MOST_COUNTED of them, and shows no more.
    """
    other = sa.orm.aliased(Puzzle)
    equivalent = (
        sa.exists()
        .where(Daily.puzzle_id == other.id, other.solution_class == Puzzle.solution_class)
        .where(Daily.date.between(day - dailies.APART, day + dailies.APART))
    )
    fitting: list[sa.ColumnElement[bool]] = [
        Puzzle.status == Status.APPROVED,
        Puzzle.offered.is_(True),
        Puzzle.level == level,
        bank.CONFIRMED,
        Puzzle.shown_at.is_(None),
        Puzzle.first_started_at.is_(None),
        ~equivalent,
    ]
    some = sa.select(Puzzle.id).where(*fitting).limit(MOST_COUNTED)
    total = db.session.scalar(sa.select(sa.func.count()).select_from(some.subquery())) or 0
    pages = max(1, -(-total // PER_PAGE))
    number = min(max(number, 1), pages)
    tiers = _tiers(sort, plan.wish(day, level))
    ids = spare.first(fitting, tiers, number * PER_PAGE)[(number - 1) * PER_PAGE :]
    return CandidatePage(curation.puzzles(ids), number, pages, total)


def _tiers(sort: str, wish: Wish) -> list[Tier]:
    """Return the ways to puzzles in the order of a key of SORTS."""
    if sort == PLANNED:
        return spare.nearest(wish, spare.BY_NUMBER)
    key = SORTS[sort]
    if sort == "number":
        return [spare.BY_NUMBER]
    return [[Way(key.is_not(None), key.asc(), key)], [Way(key.is_(None), Puzzle.id.asc(), Puzzle.id)]]


def free(puzzle_id: int) -> Puzzle:
    """Return a puzzle that can become a daily. Raises BadInput for any other."""
    return free_for(SlotChoice(puzzle_id))


# To change


def assign(
    curator: Identity | None,
    day: date,
    level: int,
    choice: SlotChoice,
    seen: int | None,
    now: datetime,
    *,
    sure: bool = False,
    by_hand: bool = True,
) -> None:
    """Make a puzzle the daily of a day, replacing the puzzle `seen` there, or none. An operator is None.

    by_hand: whether a curator picked it, and it isn't put back as it was picked automatically. The replaced
    puzzle returns to the bank. Raises BadInput, Refused, Unsure unless `sure`, Changed.
    """
    refuse_released(day, level, now)
    with write_tx():
        dailies.hold()
        there = as_seen(day, level, seen)
        _replace(curator, day, level, free_for(choice, level), there, now, sure=sure, by_hand=by_hand)


def put_in_place(curator: Identity, day: date, choice: SlotChoice, level: int, now: datetime) -> None:
    """Inside `write_tx()`, with the schedule held: the same, whatever is there. Raises Refused, Changed."""
    _replace(curator, day, level, free_for(choice, level), standing(day, level), now, sure=True)


def _replace(
    curator: Identity | None,
    day: date,
    level: int,
    puzzle: Puzzle,
    standing: Daily | None,
    now: datetime,
    *,
    sure: bool,
    by_hand: bool = True,
) -> None:
    if standing is not None:
        _give_back(curator, standing, now)
    _put(curator, day, puzzle, now, by_hand=by_hand)
    _guard(day, level, sure=sure)


def unassign(curator: Identity, day: date, level: int, seen: int | None, now: datetime) -> None:
    """Return the puzzle `seen` on a day to the bank. Raises BadInput, Refused, Changed."""
    refuse_released(day, level, now)
    with write_tx():
        dailies.hold()
        standing = as_seen(day, level, seen)
        if standing is None:
            raise Refused(_("There’s nothing on this day to remove."))
        _give_back(curator, standing, now)


def move(
    curator: Identity,
    level: int,
    day: date,
    seen: int | None,
    to: date,
    seen_there: int | None,
    now: datetime,
    *,
    sure: bool = False,
) -> None:
    """Move the daily of a day to another, swapping it with the one there. Raises the same as `assign`."""
    for each in (day, to):
        refuse_released(each, level, now)
    if day == to:
        raise Refused(_("It’s already on this day."))
    with write_tx():
        dailies.hold()
        here, there = as_seen(day, level, seen), as_seen(to, level, seen_there)
        if here is None:
            raise Refused(_("There’s nothing on this day to move."))
        moved = [(here.puzzle, day, to), *([(there.puzzle, to, day)] if there is not None else [])]
        for daily in filter(None, (here, there)):
            db.session.delete(daily)
        db.session.flush()  # no two dailies may share a puzzle, even momentarily
        for puzzle, old, new in moved:
            before = _state(puzzle, old, level)
            _update(puzzle, Status.DAILY)
            _insert(puzzle, new, level, now, by_hand=True)
            after = _state(puzzle, new, level)
            audit.record(curator, "move", "puzzle", puzzle.id, at=now, before=before, after=after)
        for _puzzle, _old, new in moved:
            _guard(new, level, sure=sure)


def fill(curator: Identity, first: date, last: date, now: datetime) -> Filled:
    """Fill the gaps from `first` to `last` from the bank; every daily is stored separately.

    Generates no puzzles and relaxes no rules: if nothing in the bank fits, the gap stays.
    """
    wanted = dailies.gaps(first, min(last, dailies.today(now) + FURTHEST), now)
    before = _last_entry()
    filled = sum(_fill(curator, day, level, now) for day, level in wanted)
    return Filled(filled, len(dailies.gaps(first, last, now)), (before + 1, _last_entry()))


def _last_entry() -> int:
    return db.session.scalar(sa.select(sa.func.max(AuditEntry.id))) or 0


def unfill(curator: Identity, first: int, last: int, now: datetime) -> list[date]:
    """Take back the dailies that a curator's filling has chosen; returns their days.

    first, last: entries of the audit log. What has been released or changed since stays.
    """
    scheduled = sa.select(AuditEntry.subject_id).where(
        AuditEntry.id.between(first, last),
        AuditEntry.curator_id == curator.id,
        AuditEntry.action == "schedule",
        AuditEntry.subject == "puzzle",
    )
    numbers = [int(number) for number in db.session.scalars(scheduled)]
    today = dailies.today(now)
    chosen = Daily.puzzle_id.in_(numbers), Daily.by_hand.is_(False), Daily.date > today
    with write_tx():
        dailies.hold()
        found = list(db.session.scalars(sa.select(Daily).where(*chosen)))
        days = [daily.date for daily in found]
        for daily in found:
            _give_back(curator, daily, now)
    return days


def _fill(curator: Identity, day: date, level: int, now: datetime) -> bool:
    """Fill one gap; False if nothing fits or the gap was filled concurrently."""
    for number in [puzzle.id for puzzle in dailies.fitting(day, level)]:
        try:
            with write_tx():
                dailies.hold()
                if standing(day, level) is not None:
                    return False
                note = _("filled automatically")
                _put(curator, day, free_for(SlotChoice(number), level), now, by_hand=False, note=note)
                _guard(day, level, sure=False)
        except (BadInput, Changed):  # seen by a player in the meantime: try the next one
            continue
        return True
    return False


def _refuse_unknown(day: date, level: int, now: datetime) -> None:
    latest = dailies.today(now) + FURTHEST
    if not FIRST_DAY <= day <= latest:
        raise BadInput(
            date=_("date: expected one from %(first)s to %(last)s", first=FIRST_DAY, last=latest.isoformat())
        )
    if level not in dailies.levels():
        names = ", ".join(map(str, dailies.levels()))
        message = _("level: expected one of %(levels)s, found %(found)s", levels=names, found=level)
        raise BadInput(level=message)


def refuse_released(day: date, level: int, now: datetime) -> None:
    """Raise Refused if a day is released, BadInput if the calendar has no such day or level."""
    _refuse_unknown(day, level, now)
    if day <= dailies.today(now):
        message = _("The dailies for %(day)s are already released. They can’t be changed.", day=in_words(day))
        raise Refused(message)


def standing(day: date, level: int) -> Daily | None:
    return db.session.scalar(
        sa.select(Daily).where(Daily.date == day, Daily.level == level).with_for_update()
    )


def as_seen(day: date, level: int, seen: int | None) -> Daily | None:
    """Return the daily of a day. Raises Changed if it is not what the curator saw."""
    daily = standing(day, level)
    if (None if daily is None else daily.puzzle_id) == seen:
        return daily
    where = {"day": in_words(day), "level": level_name(level)}
    if daily is None:
        message = _("%(day)s, %(level)s changed while you were looking. It’s now empty.", **where)
    else:
        message = _(
            "%(day)s, %(level)s changed while you were looking. It’s now #%(puzzle)s.",
            puzzle=daily.puzzle_id,
            **where,
        )
    raise Changed(message, f"{day}/{level}")


def free_for(choice: SlotChoice, level: int | None = None) -> Puzzle:
    """Return the chosen puzzle if it can become a daily of this level. Raises Refused, Changed."""
    query = sa.select(Puzzle).where(Puzzle.id == choice.id, Puzzle.status != Status.ENTERED)
    puzzle = db.session.scalar(query)
    number = {"number": choice.id}
    if puzzle is None:
        raise Refused(_("There’s no puzzle #%(number)s.", **number))
    if puzzle.status == Status.DAILY:
        daily = db.session.scalars(sa.select(Daily).where(Daily.puzzle_id == puzzle.id)).one()
        raise Refused(_("#%(number)s is already a daily.", **number), daily)
    draft = db.session.scalar(sa.select(DailyDraft).where(DailyDraft.puzzle_id == puzzle.id))
    if draft is not None:
        raise Refused(_("#%(number)s is drafted for %(day)s.", day=in_words(draft.date), **number))
    if db.session.get(CollectionPuzzle, puzzle.id) is not None:
        raise Refused(_("#%(number)s is in a collection.", **number))
    if choice.version not in (None, puzzle.version):
        raise _just_changed(puzzle)
    if puzzle.status != Status.APPROVED:
        raise Refused(_("#%(number)s isn’t approved yet.", **number))
    if not bank.confirmed(puzzle):
        message = _("#%(number)s isn’t rated yet. Schedule it once its level is certain.", **number)
        raise Refused(message)
    if puzzle.shown_at is not None or puzzle.first_started_at is not None:
        raise Refused(_("Players have already seen #%(number)s, so it can’t be a daily.", **number))
    if level not in (None, puzzle.level):
        raise Refused(
            _(
                "#%(number)s is %(its)s, but this slot is for %(level)s.",
                its=level_name(puzzle.level),
                level=level_name(level or puzzle.level),
                **number,
            )
        )
    return puzzle


def _put(
    curator: Identity | None,
    day: date,
    puzzle: Puzzle,
    now: datetime,
    *,
    by_hand: bool,
    note: str | None = None,
) -> None:
    """Make a free puzzle the daily of its level on a day without one."""
    before = _state(puzzle, None, None)
    _update(puzzle, Status.DAILY)
    _insert(puzzle, day, puzzle.level, now, by_hand=by_hand)
    audit.record(
        curator,
        "schedule",
        "puzzle",
        puzzle.id,
        at=now,
        before=before,
        after=_state(puzzle, day, puzzle.level),
        note=note,
    )


def _give_back(curator: Identity | None, daily: Daily, now: datetime) -> None:
    """Remove a daily; its puzzle becomes approved again."""
    puzzle = daily.puzzle
    before = _state(puzzle, daily.date, daily.level)
    db.session.delete(daily)
    db.session.flush()
    _update(puzzle, Status.APPROVED)
    puzzle.level = puzzle.moved_to or puzzle.level
    after = _state(puzzle, None, None)
    audit.record(curator, "unschedule", "puzzle", puzzle.id, at=now, before=before, after=after)


def _insert(puzzle: Puzzle, day: date, level: int, now: datetime, *, by_hand: bool) -> None:
    daily = Daily(date=day, level=level, puzzle_id=puzzle.id, by_hand=by_hand, created_at=now)
    db.session.add(daily)
    db.session.flush()


def _guard(day: date, level: int, *, sure: bool) -> None:
    """Raise Refused or Unsure if the new daily breaks a rule or needs confirmation."""
    daily = standing(day, level)
    assert daily is not None
    guard(daily.puzzle, day, daily, sure=sure)


def guard(puzzle: Puzzle, day: date, there: Daily | None, *, sure: bool) -> None:
    """Raise Refused or Unsure if a puzzle, in place of `there`, breaks a rule or needs confirmation."""
    other = dailies.clash(puzzle, day, () if there is None else {there.id})
    if other is not None:
        both = {"number": puzzle.id, "other": other.puzzle_id, "days": dailies.APART.days}
        forms = {each.canonical or dailies.class_of(each.givens) for each in (puzzle, other.puzzle)}
        if len(forms) == 1:
            words = _(
                "#%(number)s is equivalent to #%(other)s. Equivalent dailies must be %(days)s days apart.",
                **both,
            )
        else:
            words = _(
                "#%(number)s has the same solution as #%(other)s. Such dailies must be %(days)s days apart.",
                **both,
            )
        raise Refused(words, other)
    if not sure and puzzle.hardest is not None and puzzle.hardest in dailies.repeated(day, puzzle.level):
        raise Unsure(
            _(
                "With #%(number)s on %(day)s, %(technique)s is the hardest technique three days in a row.",
                number=puzzle.id,
                day=in_words(day),
                technique=technique_name(puzzle.hardest),
            )
        )


def _update(puzzle: Puzzle, status: Status) -> None:
    """Update a puzzle if it is still as it was read. Raises Changed otherwise."""
    as_read = sa.update(Puzzle).where(
        Puzzle.id == puzzle.id, Puzzle.version == puzzle.version, Puzzle.status == puzzle.status
    )
    if puzzle.status == Status.APPROVED:
        as_read = as_read.where(Puzzle.shown_at.is_(None), Puzzle.first_started_at.is_(None))
    changed = rows_changed(
        as_read.values(status=status, version=Puzzle.version + 1).execution_options(synchronize_session=False)
    )
    if changed != 1:
        raise _just_changed(puzzle)
    db.session.refresh(puzzle)


def _just_changed(puzzle: Puzzle) -> Changed:
    message = _("#%(number)s changed while you were looking. Take another look.", number=puzzle.id)
    return Changed(message, puzzle.id)


def _state(puzzle: Puzzle, day: date | None, level: int | None) -> dict[str, Any]:
    return {
        "status": puzzle.status,
        "date": None if day is None else day.isoformat(),
        "level": level,
        "version": puzzle.version,
    }


def in_words(day: date) -> str:
    """Format a day for people."""
    return format_date(day, "EEE, MMMM d")
