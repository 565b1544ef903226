"""Views for the queue's templates: plain values made from puzzles, without decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flask import url_for

import engine
from engine.generation import Symmetry
from engine.techniques import Family
from webapp.bank import breakdown, likeness, traits
from webapp.bank.breakdown import Breakdown
from webapp.bank.likeness import Twin
from webapp.bank.selection import IMPORTED, Filters
from webapp.curation import curation
from webapp.curation.orders.methods import method_name
from webapp.curation.queue.filters import ALL, address_of
from webapp.game.steps.names import technique_name
from webapp.models import Puzzle, Standing, Status
from webapp.process.words import comma, ngettext, pgettext
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name

BAR = 240  # width in units
# The shade of a family in the bar of counts; 4 for all others.
SHADES = {
    Family.SINGLES: 1,
    Family.DIRECT: 1,
    Family.LOCKED_CANDIDATES: 2,
    Family.SUBSETS: 2,
    Family.FISH: 3,
    Family.SINGLE_DIGIT: 3,
    Family.COLORING: 3,
    Family.WINGS: 3,
    Family.UNIQUENESS: 3,
}


@dataclass(frozen=True, slots=True)
class Segment:
    """A technique in the bar of counts."""

    key: str
    name: str
    count: int
    shade: int  # 1 singles, 2 houses and sets, 3 fish, wings and rectangles, 4 chains and beyond
    x: float
    width: float


def segments(counts: Mapping[str, int]) -> list[Segment]:
    """Return the bar's segments, easiest first, proportional to the technique's count but always visible."""
    keys = [key for key in engine.TECHNIQUES if counts.get(key)]
    total = sum(counts[key] for key in keys)
    least = 6
    rest = BAR - least * len(keys)
    drawn, x = [], 0.0
    for key in keys:
        width = least + rest * counts[key] / total
        shade = SHADES.get(engine.TECHNIQUES[key].family, 4)
        drawn.append(Segment(key, technique_name(key), counts[key], shade, round(x, 2), round(width, 2)))
        x += width
    return drawn


def symmetry_words(found: Sequence[Symmetry]) -> str:
    """Return the display name of a pattern's symmetry."""
    words = {
        Symmetry.HALF_TURN: _("half turn"),
        Symmetry.QUARTER_TURN: _("quarter turn"),
        Symmetry.HORIZONTAL: _("top to bottom"),
        Symmetry.VERTICAL: _("left to right"),
        Symmetry.DIAGONAL: _("diagonal"),
        Symmetry.ANTIDIAGONAL: _("other diagonal"),
        Symmetry.FULL: pgettext("symmetry", "full"),
    }
    return comma().join(words[symmetry] for symmetry in found) or pgettext("symmetry", "none")


def made_words(made: str) -> str:
    """Return the display name of how puzzles were made."""
    return _("Imported") if made == IMPORTED else method_name(made)


def status_words(status: str) -> str:
    """Return the display name of a status."""
    return {
        Status.CANDIDATE: pgettext("puzzle waiting for a curator", "Candidate"),
        Status.APPROVED: _("Approved"),
        Status.REJECTED: _("Rejected"),
        Status.DAILY: _("Daily"),
        Status.WITHDRAWN: _("Withdrawn"),
        Status.ENTERED: _("Entered by a player"),
    }[Status(status)]


def standing_words(standing: str) -> str:
    """Say whether a solve counts."""
    return {
        Standing.VERIFIED: pgettext("a solve", "counts"),
        Standing.ASSISTED: _("solved with help"),
        Standing.REVIEW: _("under review"),
        Standing.REMOVED: _("doesn’t count"),
        Standing.PAPER: _("solved on paper"),
    }[Standing(standing)]


def level_if_rated(puzzle: Puzzle | PuzzleView) -> str:
    """Return the name of a puzzle's level, or that it has none yet."""
    return level_name(puzzle.level) if puzzle.rated else _("not rated yet")


class PuzzleView:
    """A puzzle as shown on the desk; expensive parts are computed only when a template needs them."""

    def __init__(self, puzzle: Puzzle, twins: list[Twin], tags: list[str]) -> None:
        self.id = puzzle.id
        self.version = puzzle.version
        self.givens = puzzle.givens
        self.level = puzzle.level
        self.er = puzzle.explainer
        self.expected_seconds = puzzle.expected_seconds
        self.status = puzzle.status
        self.reason = puzzle.reason
        self.method = puzzle.method
        self.seed = puzzle.seed
        self.recipe = puzzle.recipe
        self.order_id = puzzle.order_id
        self.engine_version = puzzle.engine_version
        self.relabelled = puzzle.relabelled
        self.rated = puzzle.rated
        self.title, self.author = puzzle.title, puzzle.author
        self.source, self.stated_level = puzzle.source, puzzle.stated_level
        self.created_at = puzzle.created_at
        self._breakdown = puzzle.breakdown
        self.twins = twins
        self.tags = tags
        self.hardest_key = puzzle.hardest

    @property
    def shown(self) -> tuple[object, ...]:
        """All that `curation/queue/_cells.html` depends on, except the reader's language."""
        known = (self.level, self.rated, self.relabelled, self.er, self.expected_seconds, self.hardest_key)
        return self.id, self.givens, *known, self._breakdown

    @cached_property
    def breakdown(self) -> Breakdown | None:
        """The details of its rating; None while unrated."""
        return breakdown.read(self._breakdown)

    @property
    def hardest(self) -> str | None:
        """The name of the hardest technique; None while unrated."""
        return None if self.hardest_key is None else technique_name(self.hardest_key)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The seconds between which four of five mean times lie."""
        return None if self.breakdown is None else self.breakdown.interval

    @property
    def count(self) -> int:
        """The number of givens."""
        return 81 - self.givens.count(".")

    @property
    def symmetry(self) -> str:
        return symmetry_words(breakdown.symmetries(self.givens))

    @cached_property
    def minimal(self) -> bool:
        """Whether every given is needed; False if there are several solutions."""
        try:
            return engine.is_minimal(engine.parse(self.givens))
        except engine.NotUniqueError:
            return False

    @cached_property
    def bar(self) -> list[Segment]:
        """How often the solution path uses each technique; empty while unrated."""
        return segments(self.breakdown.counts) if self.breakdown is not None else []

    @property
    def status_words(self) -> str:
        return status_words(self.status)

    @property
    def can(self) -> list[str]:
        """The possible decisions."""
        return [action for action, statuses in curation.FROM.items() if self.status in statuses]


def views_of(puzzles: Sequence[Puzzle]) -> list[PuzzleView]:
    """Return the views of these puzzles."""
    ids = [puzzle.id for puzzle in puzzles]
    twins, tags = likeness.twins(puzzles), traits.tags(ids)
    return [PuzzleView(each, twins[each.id], tags[each.id]) for each in puzzles]


@dataclass(frozen=True, slots=True)
class Sight:
    """The filters and the sort order of the queue."""

    filters: Filters
    sort: str = "number"
    down: bool = False

    def address(self, page: int = 1) -> str:
        """Return the queue's address with this view, without defaults."""
        query = {"status": ALL} | address_of(self.filters)
        if self.filters.status == Status.CANDIDATE:
            del query["status"]
        if (self.sort, self.down) != ("number", False):
            query["sort"] = ("-" if self.down else "") + self.sort
        if page > 1:
            query["page"] = str(page)
        return url_for("admin.queue.show", **query)

    def by(self, key: str) -> Sight:
        """Return this view sorted by a column, or reversed if it already is."""
        return replace(self, sort=key, down=self.sort == key and not self.down)

    def active(self) -> list[tuple[str, str]]:
        """Return the active filters in words, each with the address of this view without it."""
        own = self.filters
        ends = {"er_from": _("ER from %(value)s"), "er_to": _("ER to %(value)s")}
        ends |= {"givens_from": _("At least %(value)s givens"), "givens_to": _("At most %(value)s givens")}
        ends |= {"minutes_from": _("From %(value)s minutes"), "minutes_to": _("To %(value)s minutes")}
        words = {
            "level": None if own.level is None else level_name(own.level),
            "hardest": None if own.hardest is None else technique_name(own.hardest),
            "order": None if own.order is None else _("Order %(number)s", number=own.order),
            "batch": None if own.batch is None else _("Import %(number)s", number=own.batch),
            "uses": None if own.uses is None else _("Uses %(technique)s", technique=technique_name(own.uses)),
            "symmetry": None if own.symmetry is None else symmetry_words([Symmetry(own.symmetry)]),
            "made": None if own.made is None else made_words(own.made),
            "told": None if own.told is None else _("From “%(source)s”", source=own.told),
            "tag": None if own.tag is None else _("Tag “%(tag)s”", tag=own.tag),
            "like": _("Equivalent to a grid") if own.like is not None else None,
            "twins": _("Equivalent to another puzzle") if own.twins else None,
            "ids": ngettext("One puzzle", "%(num)s puzzles", len(own.ids)) if own.ids else None,
        }
        for name, text in ends.items():
            if (value := getattr(own, name)) is not None:
                words[name] = text % {"value": f"{value:g}"}
        nothing: dict[str, Any] = dict.fromkeys(words) | {"twins": False, "ids": ()}
        return [
            (text, replace(self, filters=replace(own, **{name: nothing[name]})).address())
            for name, text in words.items()
            if text is not None
        ]

    def of(self, status: str | None) -> Sight:
        """Return this view for another status, which has other hardest techniques, or for all of them."""
        return replace(self, filters=replace(self.filters, status=status, hardest=None))
