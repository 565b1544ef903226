"""Strong links of one digit: the cells that a step joins, and the name of two links by their geometry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..geometry import HOUSES_OF
from ..techniques import HouseRole
from .step import Step

# The techniques whose cells are in link order, from one outer end to the other.
_CHAINS: Final = frozenset(
    {"skyscraper", "two_string_kite", "turbot_fish", *(f"strong_links_{number}" for number in range(2, 7))}
)

Cells = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StrongLink:
    """A house whose digit is at one of two ends: cells or, in a grouped link, several cells in a line."""

    house: int  # 0..26
    ends: tuple[Cells, Cells]  # in the order of the chain

    @property
    def grouped(self) -> bool:
        """Whether an end has more than one cell."""
        return any(len(end) > 1 for end in self.ends)


def strong_links(step: Step) -> tuple[StrongLink, ...]:
    """Return the strong links of a chain of one digit, in order; empty for any other step."""
    if step.technique not in _CHAINS:
        return ()
    bases = [fact.house for fact in step.houses if fact.role is HouseRole.BASE]
    joints = [fact.house for fact in step.houses if fact.role is HouseRole.COVER]
    cells = [fact.cell for fact in step.cells]
    links = []
    for number, house in enumerate(bases):
        # The cells of a link are adjacent; without joints there are no groups, so each link has two.
        count = next((at for at, cell in enumerate(cells) if house not in HOUSES_OF[cell]), len(cells))
        before = joints[number - 1] if joints and number else None
        after = joints[number] if number < len(bases) - 1 and joints else None
        links.append(StrongLink(house, _parted(tuple(cells[: count if joints else 2]), house, before, after)))
        cells = cells[count if joints else 2 :]
    return tuple(links)


def _parted(cells: Cells, house: int, before: int | None, after: int | None) -> tuple[Cells, Cells]:
    """Split the cells of a link into its ends, each of which shares a house with the adjacent link."""
    for at in range(1, len(cells)):
        first, second = cells[:at], cells[at:]
        if _fits(first, house, before) and _fits(second, house, after):
            return first, second
    raise ValueError(f"expected the two ends of a strong link, found the cells {cells}")


def _fits(end: Cells, house: int, joint: int | None) -> bool:
    shared = set.intersection(*({*HOUSES_OF[cell]} for cell in end)) - {house}
    return bool(shared) if joint is None else joint in shared


def shape(step: Step) -> str:
    """Return the technique that two strong links form by their geometry; the step's own for any other.

    Two rows or two columns joined by a line are a Skyscraper, a row and a column joined by a box a Two-String
    Kite, two links with a grouped box an Empty Rectangle, and the rest Turbot Fish. A loop is an X-Wing if
    its lines are parallel, else an X-Cycle. Ends may be groups, except in an X-Wing.
    """
    if step.technique != "strong_links_2":
        return step.technique
    links = strong_links(step)
    kinds = sorted(link.house // 9 for link in links)
    ring = sum(fact.role is HouseRole.COVER for fact in step.houses) > 1
    joint = next(fact.house // 9 for fact in step.houses if fact.role is HouseRole.COVER)
    if ring:
        parallel = kinds in ([0, 0], [1, 1]) and not any(link.grouped for link in links)
        return "x_wing" if parallel and joint != 2 else "x_cycle"
    if kinds in ([0, 0], [1, 1]) and joint != 2:
        return "skyscraper"
    if kinds == [0, 1]:
        return "two_string_kite"
    box = [link for link in links if link.house >= 18 and link.grouped]
    if len(box) == 1 and not all(link.grouped for link in links) and kinds != [2, 2]:
        return "empty_rectangle"
    return "turbot_fish"


def grouped(step: Step) -> bool:
    """Return whether an end of a strong link of a step is a group."""
    return any(link.grouped for link in strong_links(step))
