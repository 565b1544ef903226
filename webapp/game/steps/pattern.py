"""PatternView: a step's pattern as plain values for templates, by the roles of its cells and houses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import combinations

from markupsafe import Markup

import engine
from engine.drawing import role_of
from engine.geometry import COL_OF, HOUSES, HOUSES_OF, PEERS, ROW_OF, Candidate
from engine.steps import StrongLink, grouped, noted, shape, solved_corners, strong_links, swappable, witnesses
from engine.techniques import Family, HouseRole, Role
from webapp.game.steps.names import technique_name
from webapp.game.steps.parts import CellSet, Common, House, Removal, common_houses, digits_in, removals_of

_SPOT_AND_STOP = re.compile(r"<button[^<>]*>[^<>]*</button>[,.;:!?)”，。；：！？、）]+")

# Patterns of two strong links between four cells, each with its own text.
TURBOT_FISH = frozenset({"skyscraper", "two_string_kite", "turbot_fish", "x_wing"})


class PatternView:
    """The cells, digits and houses that prove a step, and its effect, always in ascending order."""

    def __init__(
        self, step: engine.Step, position: engine.Position | None = None, *, beginner: bool = False
    ) -> None:
        """`step`: any step the engine has found.

        position: where it was found, which simplifies some parts: groups include only the cells with the
        digit, and the digits on the board that imply a single are named.
        beginner: whether the cells of a single are called "row 4, column 7".
        """
        self.step = step
        self._position = position
        self.key = step.technique
        technique = engine.TECHNIQUES[step.technique]
        self._grouped = grouped(step)
        self.shape = shape(step)  # the technique whose text is used: two strong links have better-known names
        if self.shape in TURBOT_FISH and not self._grouped:
            technique = engine.TECHNIQUES[self.shape]
        self.plain = beginner and technique.family is Family.SINGLES
        self.template = f"game/steps/{technique.template}.html"
        self.variant, self.type = step.variant, step.variant % 10  # the type of a unique loop
        self.size = step.size
        self.digits = step.digits

    @property
    def name(self) -> str:
        """The technique's name."""
        return technique_name(self.shape, len(self.pattern), grouped=self._grouped)

    @property
    def digit(self) -> int:
        """The digit of a step with a single digit."""
        return self.digits[0]

    @staticmethod
    def kept_together(text: Markup) -> Markup:
        """`text` with each hot-spot kept on one line with the punctuation after it."""
        return Markup(_SPOT_AND_STOP.sub(r'<span class="spot__end">\g<0></span>', str(text)))

    # The effect.

    @cached_property
    def placements(self) -> tuple[Candidate, ...]:
        """The placements as (cell, digit)."""
        return tuple(sorted(self.step.placements))

    @cached_property
    def eliminations(self) -> tuple[Candidate, ...]:
        """The eliminations as (cell, digit)."""
        return tuple(sorted(self.step.eliminations))

    @cached_property
    def removals(self) -> tuple[Removal, ...]:
        """The eliminations, grouped by cells that lose the same digits."""
        return removals_of(self.eliminations)

    @cached_property
    def removed_digits(self) -> tuple[int, ...]:
        """Every digit eliminated somewhere."""
        return tuple(sorted({digit for _, digit in self.eliminations}))

    @cached_property
    def effect_cells(self) -> tuple[int, ...]:
        """The cells with a placement or elimination."""
        return tuple(sorted({cell for cell, _ in self.placements + self.eliminations}))

    # The proof.

    def cells_of(self, *roles: int) -> tuple[int, ...]:
        """The cells with one of the roles, each once."""
        return tuple(dict.fromkeys(fact.cell for fact in self.step.cells if fact.role in roles))

    @property
    def pattern(self) -> tuple[int, ...]:
        """The cells of the pattern."""
        return self.cells_of(Role.PATTERN)

    @property
    def large(self) -> bool:
        """Whether the pattern has more cells than a sentence should list."""
        return len(self.pattern) > 6

    @property
    def fins(self) -> tuple[int, ...]:
        """The fins of a fish, endo-fins included; the cells with extra candidates of a BUG."""
        return self.cells_of(Role.FIN, Role.ENDO_FIN)

    @property
    def counted(self) -> tuple[int, ...]:
        """The other places of a BUG+1's digit in the houses of its cell: it has three in each.

        Empty without a position, and for all other steps.
        """
        if self.key != "bug_plus_1" or self._position is None:
            return ()
        return tuple(
            cell for cell in sorted(PEERS[self.fins[0]]) if self.digit in self._position.candidates(cell)
        )

    @property
    def endo_fins(self) -> tuple[int, ...]:
        """The fins in two base houses."""
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
    def guardians(self) -> tuple[Removal, ...]:
        """The candidates of which at least one is true."""
        facts = [fact for fact in self.step.cells if fact.role == Role.FIN]
        return removals_of(sorted((fact.cell, digit) for fact in facts for digit in fact.digits))

    def digits_of(self, *cells: int) -> tuple[int, ...]:
        """The relevant digits of these cells of the proof."""
        return digits_in(fact for fact in self.step.cells if fact.cell in cells)

    @cached_property
    def pair(self) -> tuple[int, ...]:
        """The digits, two or three, that could be swapped in a deadly pattern."""
        return swappable(self.step)

    @property
    def roof(self) -> tuple[int, ...]:
        """The corners with digits beyond the pair."""
        return tuple(cell for cell in self.corners if not {*self.digits_of(cell)} <= {*self.pair})

    @property
    def base_digits(self) -> tuple[int, ...]:
        """The digits that the base houses need."""
        return digits_in(fact for fact in self.step.houses if fact.role is HouseRole.BASE)

    @property
    def unneeded(self) -> tuple[int, ...]:
        """The digits of the pair that they don't need."""
        return tuple(digit for digit in self.pair if digit not in self.base_digits)

    @property
    def other_of_pair(self) -> int:
        """The digit of the pair that the step removes."""
        ((_, digit), *_others) = self.step.eliminations
        return digit

    @cached_property
    def solved_corners(self) -> tuple[int, ...]:
        """The corners of an avoidable rectangle that have a digit."""
        return solved_corners(self.step)

    @property
    def open_corners(self) -> tuple[int, ...]:
        """Its other corners."""
        return tuple(cell for cell in self.corners if cell not in self.solved_corners)

    @property
    def refuted(self) -> tuple[int, ...]:
        """The digits of a trial that lead to a contradiction."""
        return tuple(digit for digit in self.digits if digit not in {placed for _, placed in self.placements})

    @cached_property
    def witnesses(self) -> tuple[int, ...]:
        """A few digits on the board that leave a single its one place or its one candidate."""
        return witnesses(self.step, self._position)

    @cached_property
    def by_house(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The digits in the row, column and box of a naked single, each in the first house that has it."""
        if self._position is None:
            return ()
        stated: set[int] = set()
        found = []
        for kind, house in zip(("row", "column", "box"), HOUSES_OF[self.placements[0][0]], strict=True):
            digits = {self._position.grid[cell] for cell in HOUSES[house]} - stated - {0}
            stated |= digits
            found.append((kind, tuple(sorted(digits))))
        return tuple(each for each in found if each[1])

    @property
    def ruled_out_before(self) -> tuple[int, ...]:
        """The digits of a naked single that only marks rule out."""
        seen = {self.digit}.union(*(digits for _, digits in self.by_house))
        return () if self._position is None else tuple(sorted({*range(1, 10)} - seen))

    @cached_property
    def noted(self) -> tuple[int, ...]:
        """The cells of a hidden single's house that only marks rule out."""
        return noted(self.step, self._position)

    @property
    def bridge(self) -> int:
        """The digit of a W-Wing's strong link."""
        return self.base_digits[0]

    @property
    def joint(self) -> House:
        """The house of a skyscraper or kite where its strong links meet."""
        houses = common_houses(self.pattern)
        return next(house for house in houses if (house.kind == "box") == (self.shape == "two_string_kite"))

    @property
    def in_line(self) -> int:
        """The place that an empty rectangle leaves for its line, aligned with the box."""
        (cell,) = self.effect_cells
        return next(place for place in self.pattern if not common_houses((place, cell)))

    @property
    def out_of_line(self) -> int:
        """The other place of that line, which shares a row or column with the outcome."""
        return next(place for place in self.pattern if place != self.in_line)

    @property
    def shared_line(self) -> House:
        """The row or column of an empty rectangle's outcome and that place."""
        houses = common_houses((self.out_of_line, *self.effect_cells))
        return next(house for house in houses if house.kind != "box")

    @property
    def first_of_pair(self) -> int:
        """The digit of the pair that the step doesn't remove."""
        return next(digit for digit in self.pair if digit != self.other_of_pair)

    @property
    def beside(self) -> tuple[int, int]:
        """The corners beside the one that loses a digit."""
        at = self.corners.index(self.effect_cells[0])
        one, other = sorted((self.corners[at - 1], self.corners[(at + 1) % 4]))
        return one, other

    @property
    def opposite(self) -> int:
        """The corner opposite the one that loses a digit."""
        return self.corners[self.corners.index(self.effect_cells[0]) - 2]

    @property
    def arms(self) -> tuple[House, House]:
        """The row and the column that hold the digit in an empty rectangle's box."""
        (cell,) = self.effect_cells
        by_column = self.bases[1].kind == "column"
        row, column = (self.in_line, cell) if by_column else (cell, self.in_line)
        return House(ROW_OF[row]), House(9 + COL_OF[column])

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
        """The cells or groups where two strong links meet."""
        return self.strong_links[0].ends[1], self.strong_links[1].ends[0]

    @staticmethod
    def place(cell: int) -> tuple[int, int]:
        """Return the row and the column of a cell, from 1."""
        return ROW_OF[cell] + 1, COL_OF[cell] + 1

    @staticmethod
    def house(index: int) -> House:
        """Return a house 0..26 as templates name it."""
        return House(index)

    @property
    def colours(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each color, two a net."""
        return tuple(
            self.cells_of(role) for role in (Role.COLOUR_A, Role.COLOUR_B, Role.COLOUR_C, Role.COLOUR_D)
        )

    @property
    def of_one_color(self) -> tuple[int, int]:
        """Two cells of the false color that see each other."""
        return next(pair for pair in combinations(self.effect_cells, 2) if common_houses(pair))

    @property
    def colored(self) -> tuple[tuple[Removal, ...], ...]:
        """The candidates of the two colors, if several digits are colored."""
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
        return digits_in(fact for fact in self.step.houses if fact.role is HouseRole.SHOWN)

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
            found.append(CellSet(cells, digits_in(facts), role_of(self.step, facts[0])))
        return tuple(found)

    @property
    def petals(self) -> Iterable[tuple[int, CellSet]]:
        """Each digit of a blossom's stem, with the set that would lose that digit."""
        return zip(self.digits_of(*self.pivot), self.sets, strict=True)

    @property
    def chained(self) -> Iterable[tuple[CellSet, Common | None]]:
        """Each almost locked set of a chain, with its link to the one before."""
        return zip(self.sets, (None, *self.commons), strict=False)

    @property
    def commons(self) -> tuple[Common, ...]:
        """The links from each almost locked set of a chain to the next."""
        return tuple(Common(House(fact.house), fact.digits) for fact in self.step.houses)

    def _houses(self, role: HouseRole) -> tuple[House, ...]:
        return tuple(dict.fromkeys(House(fact.house) for fact in self.step.houses if fact.role is role))

    @cached_property
    def bases(self) -> tuple[House, ...]:
        """The base houses: premises."""
        return self._houses(HouseRole.BASE)

    @cached_property
    def covers(self) -> tuple[House, ...]:
        """The cover houses: they contain the eliminations."""
        return self._houses(HouseRole.COVER)

    @cached_property
    def shown(self) -> tuple[House, ...]:
        """Houses worth showing."""
        return self._houses(HouseRole.SHOWN)

    @property
    def houses(self) -> tuple[House, ...]:
        """Every house of the proof, each once."""
        return tuple(dict.fromkeys(self.bases + self.covers + self.shown))
