"""StepView: a step as plain values for templates, made from its facts alone. Holds no sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

import engine
from engine import deadly
from engine.branches import Branch, Claim, Inference, told
from engine.drawing import overlay as draw
from engine.drawing.of_step import overlay_of, role_of
from engine.drawing.overlay import PATTERN, Overlay
from engine.eureka import eureka
from engine.step import Candidate, PatternCell, PatternHouse
from engine.strong import StrongLink, grouped, shape, strong_links
from engine.techniques import HouseRole, Role
from engine.witnesses import witnesses
from webapp.game.steps.names import technique_name
from webapp.game.steps.places import House, box_of, boxes_of, common_houses, common_lines

_SPOT_AND_STOP = re.compile(r"<button[^<>]*>[^<>]*</button>[,.;:!?)”，。；：！？、）]+")
# Chinese and Japanese words meet without a space: two letters are read in about the time of a word.
_LETTER_OR_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W\u3040-\u30ff\u4e00-\u9fff]+")

# Patterns of two strong links between four cells, each told in its own way.
TURBOT_FISH = frozenset({"skyscraper", "two_string_kite", "turbot_fish", "x_wing"})


@dataclass(frozen=True, slots=True)
class Removal:
    """The same digits going from some cells."""

    digits: tuple[int, ...]
    cells: tuple[int, ...]

    @property
    def single(self) -> bool:
        """Whether it is one digit of one cell."""
        return len(self.digits) == len(self.cells) == 1


def removals_of(candidates: Iterable[Candidate]) -> tuple[Removal, ...]:
    """Candidates that go, by cells that lose the same digits; in ascending order, as they come."""
    digits_of: dict[int, tuple[int, ...]] = {}
    for cell, digit in candidates:
        digits_of[cell] = (*digits_of.get(cell, ()), digit)
    cells_of: dict[tuple[int, ...], list[int]] = {}
    for cell, digits in digits_of.items():
        cells_of.setdefault(digits, []).append(cell)
    return tuple(Removal(digits, tuple(cells)) for digits, cells in cells_of.items())


@dataclass(frozen=True, slots=True)
class CellSet:
    """A few cells of the proof and all the digits they hold between them."""

    cells: tuple[int, ...]
    digits: tuple[int, ...]
    role: int  # of the overlay

    @property
    def css(self) -> str:
        """The hot-spot's role that matches what is drawn."""
        return "pattern" if self.role == PATTERN else "third"


@dataclass(frozen=True, slots=True)
class Common:
    """The digits that only one of two almost locked sets can hold, and where they lie."""

    house: House
    digits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ProofStep:
    """One inference of a proof, as a page of its own."""

    number: int  # from 1, through all branches
    supposed: Claim | None  # what a branch assumes, with its first inference
    inference: Inference
    as_before: bool  # the branch goes on from here as an earlier one did


@dataclass(frozen=True, slots=True)
class Proof:
    """The branches of a chain or net as numbered steps, as `told`."""

    steps: tuple[ProofStep, ...]
    at_once: tuple[Claim, ...]  # the assumptions from which nothing needs to follow

    @classmethod
    def of(cls, branches: Iterable[Branch]) -> Proof:
        """Number the inferences of the branches one after the other."""
        steps: list[ProofStep] = []
        at_once = []
        for branch in told(branches):
            supposed: Claim | None = branch.assumption
            for inference in branch.inferences:
                last = inference is branch.inferences[-1]
                steps.append(ProofStep(len(steps) + 1, supposed, inference, last and branch.as_before))
                supposed = None
            if supposed is not None:
                at_once.append(supposed)
        return cls(tuple(steps), tuple(at_once))


@dataclass(frozen=True, slots=True)
class Where:
    """Where to look, giving away neither digit nor technique."""

    houses: tuple[House, ...]
    lines: bool = False  # the houses are three neighboring rows or columns
    wide: bool = False  # the proof reaches across the grid; the houses are where its outcome lies

    @property
    def cells(self) -> tuple[int, ...]:
        """Every cell of the houses."""
        return tuple(sorted({cell for house in self.houses for cell in house.cells}))

    @property
    def overlay(self) -> Overlay:
        """The houses framed."""
        return Overlay(houses=tuple(draw.house_frame(house.index, PATTERN) for house in self.houses))


class StepView:
    """A step as templates/game/steps/ tell and draw it. Digits and cells are always in ascending order."""

    LONG = 70  # words; what is longer is told short first

    def __init__(self, step: engine.Step, position: engine.Position | None = None) -> None:
        """`step`: any step the engine has found.

        position: where it was found, which makes a few things plainer: the cells of a group then are only
        those that hold the digit, and the digits on the board that lead to a single are named.
        """
        self._found = step
        self._position = position
        self.key = step.technique
        technique = engine.TECHNIQUES[step.technique]
        self._grouped = grouped(step)
        self.shape = shape(step)  # the technique it is told as: two strong links have better-known names
        if self.shape in TURBOT_FISH and not self._grouped:
            technique = engine.TECHNIQUES[self.shape]
        self.template = f"game/steps/{technique.template}.html"
        self.variant = step.variant
        self.size = step.size
        self.digits = step.digits

    @cached_property
    def step(self) -> engine.Step:
        """The step; where its position is known, with no more proof than it needs."""
        return self._found if self._position is None else engine.shortened(self._found, self._position)

    @property
    def name(self) -> str:
        """What the technique is called."""
        return technique_name(self.shape, len(self.pattern), grouped=self._grouped)

    @property
    def digit(self) -> int:
        """The digit of a step that is about one."""
        return self.digits[0]

    @staticmethod
    def kept_together(text: Markup) -> Markup:
        """`text` with each hot-spot kept on one line with the punctuation after it."""
        return Markup(_SPOT_AND_STOP.sub(r'<span class="spot__end">\g<0></span>', str(text)))

    @classmethod
    def is_long(cls, text: Markup) -> bool:
        """Whether a text, without its tags, is too long to be told at once."""
        found = _LETTER_OR_WORD.findall(text.striptags())
        return sum(0.5 if each >= "\u3040" else 1 for each in found) > cls.LONG

    # What it does.

    @cached_property
    def placements(self) -> tuple[Candidate, ...]:
        """(cell, digit) placed."""
        return tuple(sorted(self.step.placements))

    @cached_property
    def eliminations(self) -> tuple[Candidate, ...]:
        """(cell, digit) removed."""
        return tuple(sorted(self.step.eliminations))

    @cached_property
    def removals(self) -> tuple[Removal, ...]:
        """What is removed, cells that lose the same digits together."""
        return removals_of(self.eliminations)

    @cached_property
    def removed_digits(self) -> tuple[int, ...]:
        """Every digit removed somewhere."""
        return tuple(sorted({digit for _, digit in self.eliminations}))

    @cached_property
    def effect_cells(self) -> tuple[int, ...]:
        """The cells where something is placed or removed."""
        return tuple(sorted({cell for cell, _ in self.placements + self.eliminations}))

    # What proves it.

    def cells_of(self, *roles: int) -> tuple[int, ...]:
        """The cells that play one of the roles, each once."""
        return tuple(dict.fromkeys(fact.cell for fact in self.step.cells if fact.role in roles))

    @property
    def pattern(self) -> tuple[int, ...]:
        """The cells that make the pattern."""
        return self.cells_of(Role.PATTERN)

    @property
    def fins(self) -> tuple[int, ...]:
        """Fins of a fish, endo-fins included; the cells with a surplus of a BUG."""
        return self.cells_of(Role.FIN, Role.ENDO_FIN)

    @property
    def endo_fins(self) -> tuple[int, ...]:
        """Fins that lie in two base houses."""
        return self.cells_of(Role.ENDO_FIN)

    @property
    def pivot(self) -> tuple[int, ...]:
        """The hinge of a wing, the stem of a blossom."""
        return self.cells_of(Role.PIVOT)

    @property
    def pincers(self) -> tuple[int, ...]:
        """The ends of a wing or chain."""
        return self.cells_of(Role.PINCER)

    @property
    def corners(self) -> tuple[int, ...]:
        """The cells of a deadly pattern, in cyclic order."""
        return self.cells_of(Role.CORNER)

    @property
    def proof_cells(self) -> tuple[int, ...]:
        """Every cell named by a pattern, each once."""
        return tuple(dict.fromkeys(fact.cell for fact in self.step.cells))

    @property
    def stays(self) -> tuple[int, ...]:
        """The cells that stay when two digits are swapped everywhere else."""
        return self.cells_of(Role.STAYS)

    @property
    def guardians(self) -> tuple[Removal, ...]:
        """The candidates of which one is true."""
        facts = [fact for fact in self.step.cells if fact.role == Role.FIN]
        return removals_of(sorted((fact.cell, digit) for fact in facts for digit in fact.digits))

    def digits_of(self, *cells: int) -> tuple[int, ...]:
        """The digits that matter in these cells of the proof."""
        return _digits(fact for fact in self.step.cells if fact.cell in cells)

    @cached_property
    def pair(self) -> tuple[int, ...]:
        """The digits, two or three, that could be swapped in a deadly pattern."""
        return deadly.swappable(self.step)

    @property
    def roof(self) -> tuple[int, ...]:
        """The corners with more than the pair."""
        return tuple(cell for cell in self.corners if not {*self.digits_of(cell)} <= {*self.pair})

    @property
    def floor(self) -> tuple[int, ...]:
        """The corners with nothing but the pair."""
        return tuple(cell for cell in self.corners if {*self.digits_of(cell)} <= {*self.pair})

    @property
    def base_digits(self) -> tuple[int, ...]:
        """The digits that the base houses need."""
        return _digits(fact for fact in self.step.houses if fact.role is HouseRole.BASE)

    @property
    def other_of_pair(self) -> int:
        """The digit of the pair that the base houses do not need."""
        (digit,) = {*self.pair} - {*self.base_digits}
        return digit

    @cached_property
    def solved_corners(self) -> tuple[int, ...]:
        """The corners of an avoidable rectangle that hold a digit."""
        return deadly.solved_corners(self.step)

    @property
    def open_corners(self) -> tuple[int, ...]:
        """Its other corners."""
        return tuple(cell for cell in self.corners if cell not in self.solved_corners)

    @property
    def refuted(self) -> tuple[int, ...]:
        """The digits of a trial that lead nowhere."""
        return tuple(digit for digit in self.digits if digit not in {placed for _, placed in self.placements})

    @cached_property
    def witnesses(self) -> tuple[int, ...]:
        """Few digits on the board that leave a single its one place or its one candidate."""
        return witnesses(self.step, self._position)

    @property
    def bridge(self) -> int:
        """The digit of a W-Wing that links its ends."""
        return self.base_digits[0]

    @property
    def joint(self) -> House:
        """The house in which the two strong links of a skyscraper or kite meet."""
        houses = common_houses(self.pattern)
        return next(house for house in houses if (house.kind == "box") == (self.shape == "two_string_kite"))

    @cached_property
    def strong_links(self) -> tuple[StrongLink, ...]:
        """The strong links of a chain of one digit, from one outer end to the other."""
        return strong_links(self.step)

    @property
    def outer_ends(self) -> tuple[tuple[int, ...], ...]:
        """The cells or groups at the two ends of such a chain."""
        return self.strong_links[0].ends[0], self.strong_links[-1].ends[1]

    @property
    def inner_ends(self) -> tuple[tuple[int, ...], ...]:
        """The cells or groups at which two strong links meet."""
        return self.strong_links[0].ends[1], self.strong_links[1].ends[0]

    @staticmethod
    def house(index: int) -> House:
        """A house 0..26 as templates name it."""
        return House(index)

    @property
    def colours(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each color, two a net."""
        return tuple(
            self.cells_of(role) for role in (Role.COLOUR_A, Role.COLOUR_B, Role.COLOUR_C, Role.COLOUR_D)
        )

    @property
    def colored(self) -> tuple[tuple[Removal, ...], ...]:
        """The candidates of the two colors where several digits are colored."""
        return tuple(
            removals_of(
                sorted(
                    (fact.cell, digit)
                    for fact in self.step.cells
                    if fact.role == role
                    for digit in fact.digits
                )
            )
            for role in (Role.COLOUR_A, Role.COLOUR_B)
        )

    @property
    def shown_digits(self) -> tuple[int, ...]:
        """The digits of the houses worth showing."""
        return _digits(fact for fact in self.step.houses if fact.role is HouseRole.SHOWN)

    @property
    def extras(self) -> tuple[int, ...]:
        """The digits of the corners beyond the pair."""
        return tuple(digit for digit in self.digits_of(*self.corners) if digit not in self.pair)

    @cached_property
    def sets(self) -> tuple[CellSet, ...]:
        """The almost locked sets, in order."""
        numbers = sorted({fact.role for fact in self.step.cells if fact.role >= Role.ALS})
        found = []
        for number in numbers:
            facts = [fact for fact in self.step.cells if fact.role == number]
            cells = tuple(fact.cell for fact in facts)
            found.append(CellSet(cells, _digits(facts), role_of(self.step, facts[0])))
        return tuple(found)

    @property
    def commons(self) -> tuple[Common, ...]:
        """What links each almost locked set of a chain to the next."""
        return tuple(Common(House(fact.house), fact.digits) for fact in self.step.houses)

    def _houses(self, role: HouseRole) -> tuple[House, ...]:
        return tuple(dict.fromkeys(House(fact.house) for fact in self.step.houses if fact.role is role))

    @cached_property
    def bases(self) -> tuple[House, ...]:
        """Houses that need the digit: premises."""
        return self._houses(HouseRole.BASE)

    @cached_property
    def covers(self) -> tuple[House, ...]:
        """Houses that take the digit up: where the eliminations lie."""
        return self._houses(HouseRole.COVER)

    @cached_property
    def shown(self) -> tuple[House, ...]:
        """Houses worth showing."""
        return self._houses(HouseRole.SHOWN)

    @property
    def houses(self) -> tuple[House, ...]:
        """Every house of the proof, each once."""
        return tuple(dict.fromkeys(self.bases + self.covers + self.shown))

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """What is assumed and what follows, for chains and nets."""
        return self.step.branches(self._position)

    @cached_property
    def proof_steps(self) -> Proof:
        """All the branches as numbered steps."""
        return Proof.of(self.branches)

    @cached_property
    def once_around(self) -> Proof:
        """A chain, or a ring in one direction, as numbered steps."""
        return Proof.of(self.branches[:1])

    @cached_property
    def eureka(self) -> str | None:
        """The chain or ring in Eureka notation; None for any other step."""
        return eureka(self.step, self._position)

    @staticmethod
    def house_of(inference: Inference) -> House | None:
        """The house that an inference rests on."""
        return None if inference.house is None else House(inference.house)

    @property
    def proof(self) -> str:
        """What makes the branches of a net prove it: contradiction, either, cell or house."""
        if len(self.branches) == 1:
            return "contradiction"
        first, second = (branch.assumption for branch in self.branches[:2])
        if second == first.opposite:
            return "either"
        return "cell" if first.cells == second.cells else "house"

    @property
    def inferences(self) -> int:
        """How many links all the branches have."""
        return sum(len(branch.inferences) for branch in self.branches)

    @property
    def assumed_digits(self) -> tuple[int, ...]:
        """The digits the branches start from."""
        return tuple(sorted({branch.assumption.digit for branch in self.branches}))

    @property
    def assumed_house(self) -> House:
        """The house in which the branches try every place of a digit."""
        return self.bases[0] if self.bases else common_houses(self.assumed_cells)[0]

    @property
    def outcomes(self) -> tuple[Claim, ...]:
        """What the branches agree on."""
        return tuple(Claim((cell,), digit, True) for cell, digit in self.placements) + tuple(
            Claim((cell,), digit, False) for cell, digit in self.eliminations
        )

    @property
    def any_clash(self) -> bool:
        """Whether some branch contradicts itself."""
        return any(branch.clash for branch in self.branches)

    @property
    def assumed_cells(self) -> tuple[int, ...]:
        """The cells the branches start from."""
        return tuple(sorted({cell for branch in self.branches for cell in branch.assumption.cells}))

    @property
    def loop_on(self) -> tuple[Claim, ...]:
        """What is true going round a loop the one way."""
        return tuple(claim for claim in self.branches[0].claims if claim.on)

    @property
    def loop_off(self) -> tuple[Claim, ...]:
        """What is true going round it the other way."""
        return tuple(claim for claim in self.branches[1].claims if claim.on)

    @cached_property
    def lemmas(self) -> tuple[StepView, ...]:
        """The steps that arise under an assumption and serve the links."""
        return tuple(StepView(lemma, self._position) for lemma in self.step.lemmas)

    # What is drawn.

    @cached_property
    def where(self) -> Where:
        """Where to look."""
        cells = {*self.proof_cells, *self.effect_cells}
        for branch in self.branches:
            for claim in branch.claims:
                cells |= {*claim.cells}
        named = tuple(dict.fromkeys(self.bases + self.shown))
        if not self.branches and len(named) == 1:
            return Where(named)
        if houses := common_houses(cells):
            return Where(houses[:1])
        if lines := common_lines(cells):
            return Where(lines, lines=True)
        if not self.branches and 1 < len(self.bases) < 4:
            return Where(self.bases)
        if len(boxes := boxes_of(cells)) < 4:
            return Where(boxes)
        return Where((box_of(self.effect_cells[0]),), wide=True)

    @cached_property
    def overlay(self) -> Overlay:
        """What is drawn over the board."""
        return overlay_of(self.step, self._position)


def _digits(facts: Iterable[PatternCell | PatternHouse]) -> tuple[int, ...]:
    return tuple(sorted({digit for fact in facts for digit in fact.digits}))
