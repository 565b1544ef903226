"""StepView: a step as plain values for templates, computed from its facts alone. Holds no sentences."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import combinations, product

from engine import TECHNIQUES
from engine.drawing import PATTERN, Overlay, overlay_of, ring
from engine.geometry import HOUSES, PEERS, Candidate
from engine.steps import Branch, Cause, Claim, Inference, eureka
from engine.techniques import Family, Role
from webapp.game.steps.parts import House, Proof, Where, box_of, boxes_of, common_houses, common_lines
from webapp.game.steps.pattern import PatternView


class StepView(PatternView):
    """A step for the texts and drawings of templates/game/steps/: its pattern, chains and overlay."""

    @cached_property
    def branches(self) -> tuple[Branch, ...]:
        """The assumptions and inferences of chains and nets."""
        return self.step.branches(self._position)

    @cached_property
    def proof_steps(self) -> Proof:
        """All branches as numbered steps."""
        return Proof.of(self.branches)

    @cached_property
    def once_around(self) -> Proof:
        """A chain, or a loop in one direction, as numbered steps."""
        return Proof.of(self.branches[:1])

    @cached_property
    def eureka(self) -> str | None:
        """A chain or loop in Eureka notation; None for any other step."""
        chain = TECHNIQUES[self.key].family is Family.CHAINS
        return eureka(self.step, self._position) if chain else None

    @staticmethod
    def house_of(inference: Inference) -> House | None:
        """Return the house that an inference rests on."""
        return None if inference.house is None else House(inference.house)

    @property
    def proof(self) -> str:
        """How a net's branches prove it: contradiction, either, cell or house."""
        if len(self.branches) == 1:
            return "contradiction"
        first, second = (branch.assumption for branch in self.branches[:2])
        if second == first.opposite:
            return "either"
        return "cell" if first.cells == second.cells else "house"

    @property
    def inferences(self) -> int:
        """The number of links in all branches."""
        return sum(len(branch.inferences) for branch in self.branches)

    @property
    def contested(self) -> Claim:
        """The claim that the first branch both proves and refutes."""
        return next(claim for claim in self.branches[0].clash or () if claim.on)

    @property
    def assumed_digits(self) -> tuple[int, ...]:
        """The digits that the branches start from."""
        return tuple(sorted({branch.assumption.digit for branch in self.branches}))

    @property
    def assumed_house(self) -> House:
        """The house in which the branches try every place of a digit."""
        return self.bases[0] if self.bases else common_houses(self.assumed_cells)[0]

    @property
    def any_clash(self) -> bool:
        """Whether some branch contradicts itself."""
        return any(branch.clash for branch in self.branches)

    @property
    def assumed_cells(self) -> tuple[int, ...]:
        """The cells that the branches start from."""
        return tuple(sorted({cell for branch in self.branches for cell in branch.assumption.cells}))

    @property
    def loop_on(self) -> tuple[Claim, ...]:
        """The true candidates in one direction of a loop."""
        return tuple(claim for claim in self.branches[0].claims if claim.on)

    @property
    def loop_off(self) -> tuple[Claim, ...]:
        """The true candidates in the other direction of a loop."""
        return tuple(claim for claim in self.branches[1].claims if claim.on)

    @property
    def loop_size(self) -> int:
        return 2 * len(self.loop_on)

    @cached_property
    def lemmas(self) -> tuple[StepView, ...]:
        """The steps that arise under an assumption and support links."""
        return tuple(StepView(lemma, self._position) for lemma in self.step.lemmas)

    @property
    def decided(self) -> list[Inference]:
        """The digits that a hidden rectangle's corner would put into the three others, in their order."""
        start = self.corners.index(self.effect_cells[0])
        around = self.corners[start:] + self.corners[:start]
        known: set[int] = {around[0]}
        found: list[Inference] = []
        while len(found) < 3:
            at, house = next(filter(None, (self._decided(around, at, known) for at in range(1, 4))))
            digit = self.first_of_pair if at % 2 else self.other_of_pair
            cause = Cause.CELL if house is None else Cause.HOUSE
            found.append(Inference((), Claim((around[at],), digit, True), cause, house))
            known.add(around[at])
        return found

    def _decided(self, around: tuple[int, ...], at: int, known: set[int]) -> tuple[int, int | None] | None:
        """Return a corner with the house that decides it, or none if its two candidates do."""
        digit = self.first_of_pair if at % 2 else self.other_of_pair
        beside = {around[at - 1], around[(at + 1) % 4]} & known
        if around[at] in known or not beside:
            return None
        for fact in self.step.houses:
            cells = HOUSES[fact.house]
            if fact.digits == (digit,) and around[at] in cells and beside.intersection(cells):
                return at, fact.house
        return (at, None) if self.digits_of(around[at]) == self.pair else None

    # Colors.

    @property
    def between_colors(self) -> list[tuple[int, ...]]:
        """Each cell of the outcome, with one that it sees of each color."""
        one, other = self.colours[:2]
        return [
            (cell, *(next(each for each in color if each in PEERS[cell]) for color in (one, other)))
            for cell in self.effect_cells
        ]

    @property
    def touching(self) -> list[tuple[int, int]]:
        """For each pair of colors that see each other and so rule something out, a cell of each net."""
        first, second = self.colours[:2], self.colours[2:]
        left, found = {*self.effect_cells}, []
        for (a, mine), (b, theirs) in product(enumerate(first), enumerate(second)):
            met = next(((one, other) for one in mine for other in theirs if other in PEERS[one]), None)
            opposites = first[1 - a], second[1 - b]
            gone = {cell for cell in left if all({*PEERS[cell]}.intersection(color) for color in opposites)}
            if met and gone:
                found.append(met)
                left -= gone
        return found

    def _colored(self, role: Role) -> list[Candidate]:
        return [(fact.cell, digit) for fact in self.step.cells if fact.role == role for digit in fact.digits]

    @property
    def between_colored(self) -> list[tuple[Candidate, ...]]:
        """Each candidate of the outcome, with one of each color that rules it out."""
        colors = self._colored(Role.COLOUR_A), self._colored(Role.COLOUR_B)
        return [
            (gone, *(next(each for each in color if _clash(each, gone)) for color in colors))
            for gone in self.eliminations
        ]

    @property
    def clashing(self) -> tuple[Candidate, Candidate]:
        """Two candidates of the false color that rule each other out."""
        return next(pair for pair in combinations(self.eliminations, 2) if _clash(*pair))

    # The drawing.

    @cached_property
    def where(self) -> Where:
        """Where to look."""
        if self.branches:
            start = self.branches[0].assumption
            return Where((box_of(start.cells[0]),), wide=True, digit=start.digit)
        named = tuple(dict.fromkeys(self.bases + self.shown))
        if len(named) == 1:
            return Where(named)
        cells = {*self.proof_cells, *self.effect_cells}
        if houses := common_houses(cells):
            return Where(houses[:1])
        if lines := common_lines(cells):
            return Where(lines, lines=True)
        if 1 < len(self.bases) < 4:
            return Where(self.bases)
        if len(boxes := boxes_of(cells)) < 4:
            return Where(boxes)
        if not self.digits or TECHNIQUES[self.key].family is Family.WINGS:
            return Where((box_of((*self.pivot, *self.effect_cells)[0]),), wide=True)
        digit = self.digits[0]
        holders = (fact.cell for fact in self.step.cells if digit in fact.digits)
        return Where((box_of(next(holders, self.effect_cells[0])),), wide=True, digit=digit)

    @cached_property
    def overlay(self) -> Overlay:
        """The drawing over the board."""
        found = overlay_of(self.step, self._position)
        return replace(
            found, rings=found.rings + tuple(ring(cell, self.digit, PATTERN) for cell in self.counted)
        )


def _clash(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates rule each other out."""
    if one[0] == other[0]:
        return one[1] != other[1]
    return one[1] == other[1] and other[0] in PEERS[one[0]]
