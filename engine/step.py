"""Step: what one technique does to a position, and the facts that prove it. Holds no prose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.arguments import whole
from engine.branches import Branch, Link, Marked, branches_of
from engine.errors import ArgumentError
from engine.geometry import cell_name, house_name
from engine.kernels import steps as buffer
from engine.kernels.steps import BY_ALS, BY_LEMMA, Steps
from engine.techniques.entry import HouseRole, Role
from engine.techniques.keys import KEYS

Candidate = tuple[int, int]  # cell 0..80, digit 1..9
Effects = tuple[frozenset[int], frozenset[int]]  # placements and eliminations as words of a buffer


@dataclass(frozen=True, slots=True)
class PatternCell:
    """A cell of the proof."""

    role: int  # a Role; almost locked sets are numbered Role.ALS, Role.ALS + 1, ...
    cell: int  # 0..80
    digits: tuple[int, ...]  # those of its candidates that matter, ascending

    def __str__(self) -> str:
        return f"{cell_name(self.cell)}({''.join(map(str, self.digits))})"


@dataclass(frozen=True, slots=True)
class PatternHouse:
    """A house of the proof."""

    role: HouseRole
    house: int  # 0..26
    digits: tuple[int, ...]

    def __str__(self) -> str:
        return house_name(self.house)


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a technique.

    >>> step.placements, step.eliminations  # doctest: +SKIP
    (frozenset(), frozenset({(12, 4), (14, 4)}))
    """

    technique: str
    placements: frozenset[Candidate]
    eliminations: frozenset[Candidate]
    digits: tuple[int, ...]  # what the step is about
    cells: tuple[PatternCell, ...]
    houses: tuple[PatternHouse, ...]
    links: tuple[Link, ...]
    variant: int  # the technique's own number, 0 where it has none
    size: int  # cells of a loop, nodes of a chain: what a length-dependent rating needs
    lemmas: tuple[Step, ...] = ()  # steps that arise under an assumption and serve the links

    def cells_of(self, role: int) -> tuple[int, ...]:
        """The cells that play `role`, in the order of the proof."""
        number = whole("role", role)
        return tuple(cell.cell for cell in self.cells if cell.role == number)

    def _repr_svg_(self) -> str:
        """The picture in a notebook; `engine.draw` can do more."""
        from engine.drawing import draw

        return draw(self)

    def branches(self, position: Marked | None = None) -> tuple[Branch, ...]:
        """The proof of a chain or net: a branch for each assumption; empty for a pattern.

        position: the Position where the step was found. Without it a claim about a group names all three
        cells of its segment, with it those that have the digit as a candidate.
        """
        try:
            return branches_of(self.links, self.cells_of, position)
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise ArgumentError("links", f"expected those of a step the engine found: {error}") from error


# What the words of a buffer stand for, made once each: decoding takes most of the time of a path.
_DIGITS: Final = tuple(tuple(digit + 1 for digit in range(9) if mask >> digit & 1) for mask in range(512))
_CANDIDATES: Final = tuple((word // 9, word % 9 + 1) for word in range(729))


@cache
def _cell(word: int) -> PatternCell:
    return PatternCell(_role(word >> 16), word & 0x7F, _DIGITS[word >> 7 & 0x1FF])


@cache
def _house(word: int) -> PatternHouse:
    return PatternHouse(HouseRole(word >> 16), word & 0x7F, _DIGITS[word >> 7 & 0x1FF])


def _candidates(words: list[int]) -> frozenset[Candidate]:
    return frozenset(_CANDIDATES[word] for word in words)


class _Words:
    """The headers and the facts of a buffer as lists: to slice those takes a third of what arrays do."""

    def __init__(self, out: Steps) -> None:
        headers = out[buffer.FIRST_HEADER :][: int(out[buffer.COUNT]) * buffer.WIDTH]
        self.headers: list[list[int]] = headers.reshape(-1, buffer.WIDTH).tolist()
        self._base = buffer.FIRST_HEADER + (int(out[buffer.ROOM]) + 1) * buffer.WIDTH
        self._facts: list[int] = out[self._base : int(out[buffer.FREE])].tolist()

    def facts(self, header: list[int], field: int) -> list[int]:
        """The words of a range that a header points to."""
        return self._facts[header[field] - self._base : header[field + 1] - self._base]


def _decode(words: _Words, header: list[int]) -> Step:
    """The step of a header."""
    facts = words.facts
    of_links = facts(header, buffer.LINKS)
    links = [of_links[at : at + 3] for at in range(0, len(of_links), buffer.LINK_WIDTH)]
    lemmas = sorted({cause - BY_LEMMA for _, _, cause in links if BY_LEMMA <= cause < BY_ALS})
    return Step(
        technique=KEYS[header[buffer.KEY]],
        placements=_candidates(facts(header, buffer.PLACED)),
        eliminations=_candidates(facts(header, buffer.REMOVED)),
        digits=_DIGITS[header[buffer.DIGIT_MASK]],
        cells=tuple(map(_cell, facts(header, buffer.PATTERN))),
        houses=tuple(map(_house, facts(header, buffer.HOUSES))),
        links=tuple(
            Link(
                source,
                target,
                BY_LEMMA + lemmas.index(cause - BY_LEMMA) if BY_LEMMA <= cause < BY_ALS else cause,
            )
            for source, target, cause in links
        ),
        variant=header[buffer.VARIANT],
        size=header[buffer.SIZE],
        lemmas=tuple(_decode(words, words.headers[lemma]) for lemma in lemmas),
    )


def _role(number: int) -> int:
    return Role(number) if number <= Role.ALS else number


def decode_first(out: Steps) -> Step | None:
    """The first step of a buffer that is no lemma."""
    words = _Words(out)
    return next((_decode(words, header) for header in words.headers if not header[buffer.LEMMA]), None)


def decode_all(out: Steps) -> list[Step]:
    """Every step of a buffer that is no lemma, in the order found."""
    words = _Words(out)
    return [_decode(words, header) for header in words.headers if not header[buffer.LEMMA]]


def decode_shortest(out: Steps, most: int | None = None, told: set[Effects] | None = None) -> list[Step]:
    """For each set of effects in a buffer the shortest step, the first of equals; in the order first found.

    Shortest: by size, then by how many facts it has. Decoding only these saves most of a search's time where
    it meets the same effects thousands of times.
    most: how many to decode at most, the shortest of all. told: effects to leave out; mutated, those met here
    are added.
    """
    shortest: dict[Effects, tuple[int, int, int]] = {}
    words = _Words(out)
    for index, header in enumerate(words.headers):
        if header[buffer.LEMMA]:
            continue
        placed, removed = (frozenset(words.facts(header, field)) for field in (buffer.PLACED, buffer.REMOVED))
        effects = placed, removed
        if told is not None and effects in told:
            continue
        links = (header[buffer.LINKS + 1] - header[buffer.LINKS]) // buffer.LINK_WIDTH
        facts = header[buffer.HOUSES + 1] - header[buffer.PATTERN] + links
        known = shortest.get(effects)
        if known is None or (header[buffer.SIZE], facts) < known[:2]:
            shortest[effects] = header[buffer.SIZE], facts, index
    if told is not None:
        told.update(shortest)
    kept = sorted(sorted(shortest.values())[:most], key=lambda known: known[2]) if most else shortest.values()
    return [_decode(words, words.headers[index]) for _, _, index in kept]
