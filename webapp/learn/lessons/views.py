"""Views for the path, lessons and tests: plain values made from the services' objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from flask import url_for
from markupsafe import Markup

import engine
from engine.drawing import THIRD, Overlay, cell_frame, overlay_of, ring
from engine.generation import ALWAYS_THERE
from engine.geometry import HOUSES, PEERS
from engine.techniques import Family
from webapp.game.steps import StepView, technique_name
from webapp.learn.board import MarkingBoard
from webapp.learn.exercises.posed import Posed
from webapp.learn.exercises.store import LessonPositions
from webapp.learn.lessons import path
from webapp.learn.lessons.aliases import aliases
from webapp.learn.lessons.basics import BASICS
from webapp.learn.lessons.pictures import EMPTY, LATTICE, Picture, pictures
from webapp.learn.lessons.progress import MOST_LINKED, Solve
from webapp.learn.lessons.texts import FAMILIES, LESSONS
from webapp.learn.state import State
from webapp.process.words import gettext as _
from webapp.process.words import pgettext
from webapp.web.i18n import level_name

TABS = ("idea", "example", "try", "near", "names")
STAGES = 3  # of an example: where to look, the pattern and why it works, the result


def tab_name(tab: str) -> str:
    """Return a tab's label."""
    names = (_("Idea"), _("Example"), _("Try it"), _("Near misses"), _("Names"))
    return names[TABS.index(tab)]


def state_name(state: State) -> str:
    """Return a state's name."""
    return (pgettext("of a technique", "new"), _("seen"), _("practiced"), _("mastered"))[state]


@dataclass(frozen=True, slots=True)
class Line:
    """A lesson in a list."""

    key: str
    name: str
    state: State
    used: int  # how many of the player's latest solves used it

    @property
    def state_name(self) -> str:
        return state_name(self.state)

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
    """The name of a lesson."""
    return str(BASICS[key].name) if key in BASICS else technique_name(key)


def path_name(tier: int) -> str:
    """Return the name of a tier's path; the first two levels share one."""
    return _("Beginner and Easy") if tier == min(path.PATH) else level_name(tier)


def todays(states: Mapping[str, State]) -> Line | None:
    """Return the lesson of the day: the next one on the path; None once all is practiced."""
    key = path.next_one(states)
    return None if key is None else Line(key, lesson_name(key), states.get(key, State.NEW), 0)


@dataclass(frozen=True, slots=True)
class Tier:
    """The path of a tier, and the rare techniques beside it."""

    number: int
    lines: list[Line]
    rare: list[Line]

    @property
    def name(self) -> str:
        return path_name(self.number)

    @property
    def done(self) -> int:
        """The number of lessons practiced or mastered."""
        return sum(line.done for line in self.lines)


class PathView:
    """The path for one player: the tier being walked, and the others in a row each."""

    def __init__(self, states: Mapping[str, State], used: Counter[str], tier: int | None = None) -> None:
        """tier: the one to show; None for that of the next lesson."""

        def line(key: str) -> Line:
            return Line(key, lesson_name(key), states.get(key, State.NEW), used[key])

        self.tiers = [
            Tier(number, list(map(line, keys)), list(map(line, path.rare(number))))
            for number, keys in path.PATH.items()
        ]
        key = path.next_one(states)
        shown = tier or (max(path.PATH) if key is None else path.tier_of(key))
        self.tier = next(each for each in self.tiers if each.number == shown)
        self.others = [each for each in self.tiers if each.number != shown]
        self.next = None if key is None else line(key)
        self.lattice = LATTICE
        self.what = None if key is None else BASICS[key].what if key in BASICS else LESSONS[key].what

    def found(self, name: str) -> list[Line]:
        """The techniques one of whose names holds this one; all for none."""
        lines = [line for tier in self.tiers for line in (*tier.lines, *tier.rare) if line.key in LESSONS]
        return [line for line in lines if _called(line.key, name)]


def _called(key: str, name: str) -> bool:
    """Whether one of a technique's names, in English or the reader's language, contains `name`."""
    names = (technique_name(key), engine.TECHNIQUES[key].name, *LESSONS[key].aliases, *aliases(key))
    return any(name.casefold() in each.casefold() for each in names)


class LessonView:
    """One lesson at one of its tabs."""

    def __init__(
        self,
        key: str,
        tab: str,
        positions: LessonPositions,
        states: Mapping[str, State],
        solves: Sequence[Solve],
        *,
        at: tuple[int, bool] = (1, False),
        board: MarkingBoard | None = None,
    ) -> None:
        """at: the stage of the example, from 1, and whether the tab's answer is shown.

        board: that of the exercise with the reader's marks.
        """
        technique, text = engine.TECHNIQUES[key], LESSONS[key]
        self.key, self.tab = key, tab
        self.stage, self.shown = at
        self.name = technique_name(key)
        self.what = text.what
        self.aliases = text.aliases
        self.own_aliases = aliases(key)
        english = [name for name in (technique.name, *text.aliases[:1]) if name != self.name]
        self.english_names = Markup('<span lang="en">{}</span>').format(", ".join(english)) if english else ""
        self.family = FAMILIES[technique.family]
        self.spot = self.family.spot if text.spot is None else text.spot
        self.slip = self.family.slip if text.slip is None else text.slip
        self.tier = path.tier_of(key)
        self.tier_name = path_name(self.tier)
        self.unique = technique.needs_unique
        self.related = [(each, technique_name(each), LESSONS[each].what) for each in text.related]
        self.state = states.get(key, State.NEW)
        self.solves = [solve for solve in solves if key in solve.techniques]
        self.latest = self.solves[:MOST_LINKED]
        self.after = path.after(key)
        keys = path.keys_of(self.tier)
        self.practiced = sum(states.get(each, State.NEW) >= State.PRACTICED for each in keys)
        self.of_tier = len(keys)
        self._positions = positions
        self._board = board

    @property
    def state_name(self) -> str:
        return state_name(self.state)

    @property
    def after_name(self) -> str | None:
        """The name of the next lesson."""
        return None if self.after is None else lesson_name(self.after)

    @property
    def tabs(self) -> list[tuple[str, str, str]]:
        """Key, name and address of each tab."""
        return [(tab, tab_name(tab), self.address(tab)) for tab in TABS]

    def address(self, tab: str = "idea", at: int | None = None, shown: bool = False) -> str:
        """Return the lesson's address with a tab, a stage of the example or the answer."""
        return url_for(
            "lessons.show",
            key=self.key,
            tab=None if tab == TABS[0] else tab,
            at=at,
            show=1 if shown else None,
        )

    @property
    def posed(self) -> Posed | None:
        """The tab's position; None if it has none, or none yet."""
        if self.tab == "try":
            return self._positions.exercise
        return self._positions.near_miss if self.tab == "near" else self._positions.worked

    @cached_property
    def step(self) -> StepView | None:
        """The first step of the technique in the tab's position; None in a near miss."""
        if self.tab == "near" or self.posed is None or not self.posed.effects:
            return None
        return StepView(self.posed.steps[0], self.posed.position)

    @cached_property
    def picture(self) -> Markup | None:
        """The pattern of the example alone as SVG; for a single, also the digits that imply it."""
        worked = self._positions.worked
        if worked is None or not worked.steps:
            return None
        step, title = worked.steps[0], _("%(name)s: the pattern", name=self.name)
        single = engine.TECHNIQUES[self.key].family == Family.SINGLES
        board = _leading_to(step, worked.position.grid) if single else None
        # All of it is ours: the engine escapes the title.
        drawn = engine.draw(
            step, on=board, candidates=board is None, theme="page", title=title, prefix="pattern"
        )
        return Markup(drawn)

    @cached_property
    def board(self) -> MarkingBoard | None:
        """The board beside the text; None if the tab shows the picture, or there is no position."""
        if self.tab in ("idea", "names") or self.posed is None:
            return None
        if self._board is not None:
            return self._board
        position = self.posed.position
        if self.tab == "example" and self.stage == STAGES and self.step is not None:
            position = position.after(self.step.step)
        return MarkingBoard(position)

    @property
    def marking(self) -> bool:
        """Whether the board is to be marked."""
        return self.tab == "try" and not self.shown

    @cached_property
    def overlay(self) -> Overlay | None:
        """The drawing over the board."""
        if self.tab == "near" and self.posed is not None:
            return _nearly(self.posed) if self.shown else None
        if self.step is None or self.marking or (self.tab == "example" and self.stage == STAGES):
            return None
        return self.step.where.overlay if self.tab == "example" and self.stage == 1 else self.step.overlay

    @cached_property
    def missed(self) -> StepView | None:
        """The step that a near miss is mistaken for."""
        if self.posed is None or self.posed.missed is None:
            return None
        return StepView(self.posed.missed, self.posed.nearly)

    @property
    def always_there(self) -> bool:
        """Whether nearly every position has the technique."""
        return self.key in ALWAYS_THERE

    @property
    def spoilers(self) -> list[tuple[int, int]]:
        """The candidates (cell, digit) that keep a near miss from being the technique, if no digit does."""
        return [] if self.posed is None or self.lacking else sorted(self.posed.spoiling)

    @property
    def lacking(self) -> tuple[tuple[int, int], ...]:
        """The digits (cell, digit) that a near miss lacks."""
        return () if self.posed is None else self.posed.lacking


def _leading_to(step: engine.Step, grid: engine.Grid) -> engine.Grid:
    """Return the digits that imply a single: of its house and its own elsewhere, or all that its cell
    sees.
    """
    [(cell, digit)] = step.placements
    house = {each for pattern in step.houses for each in HOUSES[pattern.house]}
    empty = {each for each in house if not grid[each]}
    beyond = {each for each in range(81) if grid[each] == digit and not empty.isdisjoint(PEERS[each])}
    kept = house | beyond or set(PEERS[cell])
    return engine.Grid(bytes(of if at in kept else 0 for at, of in enumerate(grid.digits)))


def _nearly(posed: Posed) -> Overlay:
    """Return the pattern that a near miss is mistaken for, with what is in the way ringed."""
    cells = sorted({cell for cell, _ in posed.spoiling})
    frames = tuple(cell_frame(cell, THIRD) for cell in cells)
    rings = () if posed.lacking else tuple(ring(*spot, THIRD) for spot in sorted(posed.spoiling))
    if posed.missed is None:
        return Overlay(cells=frames, rings=rings)
    overlay = overlay_of(posed.missed, posed.nearly)
    own = tuple(ring for ring in overlay.rings if (ring.cell, ring.digit) not in posed.spoiling)
    return replace(overlay, cells=overlay.cells + frames, rings=own + rings, removed=(), placed=())
