"""Views for the path, lessons and tests: plain values made from the services' objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from flask import url_for
from markupsafe import Markup

import engine
from engine.drawing import overlay as drawing
from engine.drawing import overlay_of
from engine.drawing.overlay import CONSEQUENCE, THIRD, Overlay
from engine.geometry import HOUSES, PEERS
from engine.techniques import Family
from webapp.game.steps import StepView, technique_name
from webapp.learn.board import MarkingBoard
from webapp.learn.exercises.posed import Posed
from webapp.learn.exercises.store import LessonPositions
from webapp.learn.lessons import path
from webapp.learn.lessons.progress import MOST_LINKED, Solve
from webapp.learn.lessons.texts import FAMILIES, LESSONS
from webapp.learn.state import State
from webapp.process.words import gettext as _
from webapp.process.words import pgettext
from webapp.web.i18n import level_name

TABS = ("idea", "example", "try", "near", "names")
STAGES = 3  # of an example: where to look, what is there and why, what is left


def tab_name(tab: str) -> str:
    """What a tab says."""
    names = (_("Idea"), _("Example"), _("Try it"), _("Near misses"), _("Names"))
    return names[TABS.index(tab)]


def state_name(state: State) -> str:
    """A state in a word."""
    return (pgettext("of a technique", "new"), _("seen"), _("practiced"), _("mastered"))[state]


@dataclass(frozen=True, slots=True)
class Line:
    """A technique on the path."""

    key: str
    name: str
    state: State
    used: int  # the player's latest solves that used it

    @property
    def state_name(self) -> str:
        return state_name(self.state)


def todays(states: Mapping[str, State]) -> Line | None:
    """The lesson of the day: what comes next on the path; None once all is practiced."""
    key = path.next_one(states)
    return None if key is None else Line(key, technique_name(key), states.get(key, State.NEW), 0)


@dataclass(frozen=True, slots=True)
class Tier:
    """A tier of the path."""

    number: int
    families: list[tuple[str, list[Line]]]

    @property
    def name(self) -> str:
        return level_name(self.number)

    @property
    def lines(self) -> list[Line]:
        return [line for _name, lines in self.families for line in lines]

    @property
    def practiced(self) -> int:
        """How many are practiced or mastered."""
        return sum(line.state >= State.PRACTICED for line in self.lines)

    @property
    def mastered(self) -> bool:
        """Whether all are mastered."""
        return all(line.state is State.MASTERED for line in self.lines)


class PathView:
    """The whole path for one player."""

    def __init__(self, states: Mapping[str, State], used: Counter[str]) -> None:
        def line(key: str) -> Line:
            return Line(key, technique_name(key), states.get(key, State.NEW), used[key])

        self.tiers = [
            Tier(
                tier,
                [(str(FAMILIES[family].name), list(map(line, keys))) for family, keys in families.items()],
            )
            for tier, families in path.tiers().items()
        ]
        key = path.next_one(states)
        self.next = None if key is None else line(key)
        self.what = None if key is None else LESSONS[key].what


class LessonView:
    """One lesson with the tab being read."""

    def __init__(
        self,
        key: str,
        tab: str,
        positions: LessonPositions,
        states: Mapping[str, State],
        solves: Sequence[Solve],
        *,
        stage: int = 1,
        shown: bool = False,
        board: MarkingBoard | None = None,
    ) -> None:
        """stage: of the example, from 1. shown: whether the answer of the tab is to be seen.

        board: that of the exercise with the reader's marks.
        """
        technique, text = engine.TECHNIQUES[key], LESSONS[key]
        self.key, self.tab, self.stage, self.shown = key, tab, stage, shown
        self.name = technique_name(key)
        self.what = text.what
        self.aliases = text.aliases
        english = [name for name in (technique.name, *text.aliases[:1]) if name != self.name]
        self.english_names = Markup('<span lang="en">{}</span>').format(", ".join(english)) if english else ""
        self.family = FAMILIES[technique.family]
        self.spot = self.family.spot if text.spot is None else text.spot
        self.slip = self.family.slip if text.slip is None else text.slip
        self.tier = path.tier_of(key)
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
        """What the next lesson is about."""
        return None if self.after is None else technique_name(self.after)

    @property
    def tabs(self) -> list[tuple[str, str, str]]:
        """Key, name and address of each tab."""
        return [(tab, tab_name(tab), self.address(tab)) for tab in TABS]

    def address(self, tab: str = "idea", at: int | None = None, shown: bool = False) -> str:
        """The lesson's page with a tab, a stage of the example or the answer."""
        return url_for(
            "lessons.show",
            key=self.key,
            tab=None if tab == TABS[0] else tab,
            at=at,
            show=1 if shown else None,
        )

    @property
    def posed(self) -> Posed | None:
        """The position of the tab being read; None where it has none, or none yet."""
        if self.tab == "try":
            return self._positions.exercise
        return self._positions.near_miss if self.tab == "near" else self._positions.worked

    @cached_property
    def step(self) -> StepView | None:
        """The first step of the technique in the position of the tab; of a near miss none."""
        if self.tab == "near" or self.posed is None or not self.posed.effects:
            return None
        return StepView(self.posed.steps[0], self.posed.position)

    @cached_property
    def picture(self) -> Markup | None:
        """The pattern of the example, and nothing else, as SVG; of a single, what leads to it, too."""
        worked = self._positions.worked
        if worked is None or not worked.steps:
            return None
        step, title = worked.steps[0], _("%(name)s: the pattern", name=self.name)
        single = engine.TECHNIQUES[self.key].family == Family.SINGLES
        board = _leading_to(step, worked.position.grid) if single else None
        # Ours from the first to the last character: the engine escapes the title.
        drawn = engine.draw(
            step, on=board, candidates=board is None, theme="page", title=title, prefix="pattern"
        )
        return Markup(drawn)

    @cached_property
    def board(self) -> MarkingBoard | None:
        """The board beside the words; None where the tab shows the picture, or there's no position."""
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
        """What is drawn over the board."""
        if self.tab == "near" and self.posed is not None:
            return _nearly(self.posed) if self.shown else _claimed(self.claim)
        if self.step is None or self.marking or (self.tab == "example" and self.stage == STAGES):
            return None
        return self.step.where.overlay if self.tab == "example" and self.stage == 1 else self.step.overlay

    @property
    def claim(self) -> tuple[int, int, bool] | None:
        """What a near miss almost proves: a cell, a digit, and whether it goes there or is ruled out.

        None where the technique is nowhere, so that there is nothing else to take for it.
        """
        missed = self.posed.missed if self.posed is not None and self.posed.there else None
        if missed is None:
            return None
        return *min(missed.placements or missed.eliminations), bool(missed.placements)

    @property
    def spoilers(self) -> list[tuple[int, int]]:
        """The candidates (cell, digit) that keep a near miss from being the technique."""
        return [] if self.posed is None else sorted(self.posed.spoiling)


def _leading_to(step: engine.Step, grid: engine.Grid) -> engine.Grid:
    """The digits that a single rests on: of its house and its own beyond it, or all that its cell sees."""
    [(cell, digit)] = step.placements
    house = {each for pattern in step.houses for each in HOUSES[pattern.house]}
    empty = {each for each in house if not grid[each]}
    beyond = {each for each in range(81) if grid[each] == digit and not empty.isdisjoint(PEERS[each])}
    kept = house | beyond or set(PEERS[cell])
    return engine.Grid(bytes(of if at in kept else 0 for at, of in enumerate(grid.digits)))


def _claimed(claim: tuple[int, int, bool] | None) -> Overlay | None:
    """A ring around what a near miss almost proves."""
    return None if claim is None else Overlay(rings=(drawing.ring(claim[0], claim[1], CONSEQUENCE),))


def _nearly(posed: Posed) -> Overlay:
    """The pattern that would be there without the spoilers, and those ringed as what is wrong with it."""
    rings = tuple(drawing.ring(*spot, THIRD) for spot in sorted(posed.spoiling))
    frames = tuple(drawing.cell_frame(cell, THIRD) for cell in sorted({cell for cell, _ in posed.spoiling}))
    if posed.missed is None:
        return Overlay(cells=frames, rings=rings)
    overlay = overlay_of(posed.missed, posed.position.changed((), posed.spoiling))
    own = tuple(ring for ring in overlay.rings if (ring.cell, ring.digit) not in posed.spoiling)
    return replace(overlay, cells=overlay.cells + frames, rings=own + rings, removed=(), placed=())
