"""Views for the path, lessons and the reference: plain values made from the services' objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from flask import url_for
from markupsafe import Markup

import engine
from engine.drawing import THIRD, Overlay, cell_frame, overlay_of, ring
from engine.geometry import HOUSES, PEERS
from engine.techniques import Family
from webapp.game.steps import StepView, technique_name
from webapp.learn import positions
from webapp.learn.lessons import path
from webapp.learn.lessons.basics import BASICS
from webapp.learn.lessons.pictures import EMPTY, LATTICE, Picture, pictures
from webapp.learn.lessons.progress import MOST_LINKED, Solve, State
from webapp.learn.lessons.reference import HOMES, REFERENCE
from webapp.learn.lessons.texts import LESSONS
from webapp.learn.marks import MarkingBoard
from webapp.learn.positions import Posed
from webapp.process.words import current_locale, pgettext
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name
from webapp.web.i18n.catalogs import CATALOGS

TABS = ("idea", "example", "try", "near")
ALIASES = "aliases.txt"  # beside a catalog: `naked_pair: one name, another`
STAGES = 3  # of an example: where to look, the pattern and why it works, the result


@dataclass(frozen=True, slots=True)
class Line:
    """A lesson or a page of the reference in a list."""

    key: str
    name: str
    state: State = State.NEW
    used: int = 0  # how many of the player's latest solves used it
    alias: str = ""  # the name that was searched for

    @property
    def state_name(self) -> str:
        return (pgettext("of a technique", "new"), _("seen"), _("practiced"))[self.state]

    @property
    def done(self) -> bool:
        return self.state >= State.PRACTICED

    @property
    def tier(self) -> int:
        return path.tier_of(self.key)

    @property
    def picture(self) -> Picture:
        """Its pattern in small squares."""
        if self.key in BASICS:
            return Picture(BASICS[self.key].picture)
        return Picture(pictures().get(self.key, EMPTY * 81))


def lesson_name(key: str) -> str:
    """Return the name of a lesson or of a page of the reference."""
    if key in BASICS:
        return str(BASICS[key].name)
    entry = REFERENCE.get(key)
    return technique_name(key) if entry is None or entry.name is None else str(entry.name)


def path_name(tier: int) -> str:
    """Return the name of a tier's path; the first two levels share one."""
    return _("Beginner and Easy") if tier == min(path.PATH) else level_name(tier)


def todays(states: Mapping[str, State]) -> Line | None:
    """Return the lesson of the day: the next one on the path; None once all is practiced."""
    key = path.next_one(states)
    return None if key is None else Line(key, lesson_name(key), states.get(key, State.NEW))


@dataclass(frozen=True, slots=True)
class Tier:
    """The path of a tier."""

    number: int
    lines: list[Line]

    @property
    def name(self) -> str:
        return path_name(self.number)

    @property
    def done(self) -> int:
        """The number of lessons practiced."""
        return sum(line.done for line in self.lines)


class PathView:
    """The path for one player: the tier being walked, and the others in a row each."""

    def __init__(self, states: Mapping[str, State], used: Counter[str], tier: int | None = None) -> None:
        """tier: the one to show; None for that of the next lesson."""

        def line(key: str) -> Line:
            return Line(key, lesson_name(key), states.get(key, State.NEW), used[key])

        self.tiers = [Tier(number, list(map(line, keys))) for number, keys in path.PATH.items()]
        key = path.next_one(states)
        shown = tier or (max(path.PATH) if key is None else path.tier_of(key))
        self.tier = next(each for each in self.tiers if each.number == shown)
        self.others = [each for each in self.tiers if each.number != shown]
        self.next = None if key is None else line(key)
        self.lattice = LATTICE
        self.what = None if key is None else BASICS[key].what if key in BASICS else LESSONS[key].what

    def found(self, name: str) -> list[Line]:
        """Return lessons and the reference: those with a name, in English or the reader's language, that
        holds this one; all for none.
        """

        def sought(each: str) -> bool:
            return name.casefold() in each.casefold()

        lines = [line for tier in self.tiers for line in tier.lines if line.key in LESSONS]
        lines += [Line(key, lesson_name(key)) for key in REFERENCE]
        return [
            replace(line, alias="" if alias == line.name else alias)
            for line in lines
            if (alias := next(filter(sought, (line.name, *names_of(line.key))), None)) is not None
        ]


@cache
def aliases_of(code: str) -> Mapping[str, tuple[str, ...]]:
    """Return the other names of techniques in a language, by key; empty for a language that lists none."""
    file = CATALOGS / code / ALIASES
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    rows = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return {key: tuple(names.split(", ")) for key, names in rows}


def names_of(key: str) -> list[str]:
    """Return the names of all that a page is about but its title, without repetition."""
    keys = [key, *(each for each, home in HOMES.items() if home == key)]
    text = LESSONS[key] if key in LESSONS else REFERENCE[key]
    found = [
        name
        for each in keys
        for name in (
            technique_name(each),
            *aliases_of(current_locale()).get(each, ()),
            engine.TECHNIQUES[each].name,
        )
    ]
    return list(dict.fromkeys(name for name in (*found, *text.aliases) if name != lesson_name(key)))


class ReferenceView:
    """A page of the reference."""

    def __init__(self, key: str) -> None:
        entry = REFERENCE[key]
        self.key, self.what = key, entry.what
        self.name = lesson_name(key)
        self.hints = [technique_name(each) for each in entry.covers or (key,)]
        self.names = [name for name in names_of(key) if name not in self.hints]
        self.tier = path.tier_of(key)
        self.level = level_name(self.tier)
        self.unique = engine.TECHNIQUES[key].needs_unique
        self.picture = Line(key, self.name).picture
        self.lattice = LATTICE


class LessonView:
    """One lesson at one of its tabs."""

    def __init__(
        self,
        key: str,
        tab: str,
        states: Mapping[str, State],
        solves: Sequence[Solve],
        *,
        at: int = 1,
        shown: bool = False,
        board: MarkingBoard | None = None,
    ) -> None:
        """at: the stage of the example or the number of the exercise, from 1. shown: whether its answer is.

        board: that of the exercise with the reader's marks.
        """
        text = LESSONS[key]
        self.key, self.tab, self.at, self.shown = key, tab, at, shown
        self.back, self.on = at - 1, at + 1
        self.name = technique_name(key)
        self.what, self.spot, self.slip = text.what, text.spot, text.slip
        self.tier = path.tier_of(key)
        self.tier_name = path_name(self.tier)
        self.unique = engine.TECHNIQUES[key].needs_unique
        self.state = states.get(key, State.NEW)
        self.solves = [solve for solve in solves if key in solve.techniques]
        self.latest = self.solves[:MOST_LINKED]
        self.after = path.after(key)
        self.after_name = None if self.after is None else lesson_name(self.after)
        keys = path.keys_of(self.tier)
        self.practiced = sum(states.get(each, State.NEW) >= State.PRACTICED for each in keys)
        self.of_tier = len(keys)
        self.exercises = positions.EXERCISES
        self._board = board

    @property
    def tabs(self) -> list[tuple[str, str, str]]:
        """Key, name and address of each tab."""
        names = (_("Idea"), _("Example"), _("Try it"), _("Near misses"))
        return [(tab, name, self.address(tab)) for tab, name in zip(TABS, names, strict=True)]

    def address(self, tab: str = "idea", at: int | None = None, shown: bool = False) -> str:
        """Return the lesson's address with a tab, a stage or exercise, or the answer."""
        return url_for(
            "lessons.show",
            key=self.key,
            tab=None if tab == TABS[0] else tab,
            at=None if at == 1 else at,
            show=1 if shown else None,
        )

    @cached_property
    def posed(self) -> Posed:
        """The tab's position."""
        found = positions.of(self.key)
        if self.tab == "near" and found.near_miss is not None:
            return found.near_miss
        return found.exercises[self.at - 1] if self.tab == "try" else found.example

    @cached_property
    def step(self) -> StepView | None:
        """The first step of the technique in the tab's position; None in a near miss."""
        return StepView(self.posed.steps[0], self.posed.position) if self.posed.steps else None

    @cached_property
    def picture(self) -> Markup:
        """The pattern of the example alone as SVG; for a single, also the digits that imply it."""
        example = positions.of(self.key).example
        step, title = example.steps[0], _("%(name)s: the pattern", name=self.name)
        single = engine.TECHNIQUES[self.key].family == Family.SINGLES
        board = _leading_to(step, example.position.grid) if single else None
        # All of it is ours: the engine escapes the title.
        drawn = engine.draw(
            step, on=board, candidates=board is None, theme="page", title=title, prefix="pattern"
        )
        return Markup(drawn)

    @cached_property
    def board(self) -> MarkingBoard | None:
        """The board beside the text; None if the tab shows the picture."""
        if self.tab == "idea":
            return None
        if self._board is not None:
            return self._board
        position = self.posed.position
        if self.tab == "example" and self.at == STAGES and self.step is not None:
            position = position.after(self.step.step)
        return MarkingBoard(position)

    @property
    def marking(self) -> bool:
        """Whether the board is to be marked."""
        return self.tab == "try" and not self.shown

    @cached_property
    def overlay(self) -> Overlay | None:
        """The drawing over the board."""
        if self.tab == "near":
            return _nearly(self.posed) if self.shown else None
        if self.step is None or self.marking or (self.tab == "example" and self.at == STAGES):
            return None
        return self.step.where.overlay if self.tab == "example" and self.at == 1 else self.step.overlay

    @cached_property
    def missed(self) -> StepView | None:
        """The step that a near miss is mistaken for."""
        return None if self.posed.missed is None else StepView(self.posed.missed, self.posed.nearly)


def _leading_to(step: engine.Step, grid: engine.Grid) -> engine.Grid:
    """Return the digits that imply a single: of its house and its own elsewhere, or all that its cell
    sees.
    """
    [(cell, digit)] = step.placements
    house = {each for pattern in step.houses for each in HOUSES[pattern.house]}
    empty = {each for each in house if not grid[each]}
    beyond = {each for each in range(81) if grid[each] == digit and not empty.isdisjoint(PEERS[each])}
    kept = house | beyond or set(PEERS[cell])
    return engine.Grid(bytes(digit if cell in kept else 0 for cell, digit in enumerate(grid.digits)))


def _nearly(posed: Posed) -> Overlay:
    """Return the pattern that a near miss is mistaken for, with what is in the way ringed."""
    frames = tuple(cell_frame(cell, THIRD) for cell in sorted({cell for cell, _ in posed.spoilers}))
    rings = () if posed.lacking else tuple(ring(*spot, THIRD) for spot in sorted(posed.spoilers))
    if posed.missed is None:
        return Overlay(cells=frames, rings=rings)
    overlay = overlay_of(posed.missed, posed.nearly)
    own = tuple(ring for ring in overlay.rings if (ring.cell, ring.digit) not in posed.spoilers)
    return replace(overlay, cells=overlay.cells + frames, rings=own + rings, removed=(), placed=())
