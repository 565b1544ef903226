"""Step: a technique's effects on a position, and the facts that prove it. Holds no text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from ..arguments import whole
from ..errors import ArgumentError
from ..geometry import Candidate, cell_name, house_name
from ..grid import Pictured
from ..kernels import steps as buffer
from ..kernels.steps import BY_ALS, BY_LEMMA, Steps
from ..techniques.entry import HouseRole, Role
from ..techniques.keys import KEYS
from .branches import Branch, Claim, Link, Marked, branches_of

_SHOWN: Final = 3  # effects in one line

Effects = tuple[frozenset[int], frozenset[int]]  # placements and eliminations as words of a buffer


@dataclass(frozen=True, slots=True)
class PatternCell:
    """A cell of the proof."""

    role: int  # a Role; almost locked sets are numbered Role.ALS, Role.ALS + 1, ...
    cell: int  # 0..80
    digits: tuple[int, ...]  # its relevant candidates, ascending

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


@dataclass(frozen=True, slots=True, repr=False)
class Step(Pictured):
    """One application of a technique.

    >>> from engine import Position, next_step, parse
    >>> step = next_step(Position.from_grid(parse("1234567.." + 72 * ".")))
    >>> print(step)
    claiming: r2c7<>8, r2c8<>8, r2c9<>8, ...
    """

    technique: str
    placements: frozenset[Candidate]
    eliminations: frozenset[Candidate]
    digits: tuple[int, ...]  # the digits that the step is about
    cells: tuple[PatternCell, ...]
    houses: tuple[PatternHouse, ...]
    links: tuple[Link, ...]
    variant: int  # the technique's own number, 0 if it has none
    size: int  # cells of a loop, nodes of a chain: for length-dependent ratings
    lemmas: tuple[Step, ...] = ()  # steps that arise under an assumption and support the links

    def __str__(self) -> str:
        """Return the technique and its effects, abbreviated; `sentence` includes the proof."""
        effects = [f"{cell_name(cell)}={digit}" for cell, digit in sorted(self.placements)]
        effects += [f"{cell_name(cell)}<>{digit}" for cell, digit in sorted(self.eliminations)]
        more = ", ..." if len(effects) > _SHOWN else ""
        return f"{self.technique}: {', '.join(effects[:_SHOWN])}{more}"

    def __repr__(self) -> str:
        return f"<Step {self}>"

    def members(self, position: Marked | None = None) -> dict[str, Any]:
        """Return the step as JSON members: candidates are [cell 0..80, digit].

        A cell has a role, from `engine.Role` or 'set A', and its relevant candidates. A link is one
        inference: each claim is [cells, digit, whether it is true]; "branch" is the assumption it depends on.
        position: as for `branches`.
        """
        return {
            "technique": self.technique,
            "placements": sorted([cell, digit] for cell, digit in self.placements),
            "eliminations": sorted([cell, digit] for cell, digit in self.eliminations),
            "cells": [
                {"cell": fact.cell, "role": role_key(fact.role), "digits": list(fact.digits)}
                for fact in self.cells
            ],
            "houses": [
                {"house": str(fact), "role": fact.role.name.lower(), "digits": list(fact.digits)}
                for fact in self.houses
            ],
            "links": [
                {
                    "branch": number,
                    "from": [_claim(premise) for premise in inference.premises],
                    "to": _claim(inference.result),
                    "by": inference.cause.value,
                }
                for number, branch in enumerate(self.branches(position), 1)
                for inference in branch.inferences
            ],
        }

    def to_json(self, position: Marked | None = None) -> str:
        """Return the step as JSON: `members` as one object."""
        return json.dumps(self.members(position))

    def cells_of(self, role: int) -> tuple[int, ...]:
        """Return the cells with a role, in the order of the proof."""
        number = whole("role", role)
        return tuple(cell.cell for cell in self.cells if cell.role == number)

    def branches(self, position: Marked | None = None) -> tuple[Branch, ...]:
        """Return the proof of a chain or net: a branch for each assumption; empty for a pattern.

        position: where the step was found. Without it, a claim about a group names all three cells of its
        segment; with it, only those that have the digit as a candidate.
        """
        try:
            return branches_of(self.links, self.cells_of, position)
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            raise ArgumentError("links", f"expected those of a step the engine found: {error}") from error


def by_digits(candidates: Iterable[Candidate]) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Group candidates: the cells that have the same digits, by these digits, all in the given order."""
    digits_of: dict[int, tuple[int, ...]] = {}
    for cell, digit in candidates:
        digits_of[cell] = (*digits_of.get(cell, ()), digit)
    cells_of: dict[tuple[int, ...], tuple[int, ...]] = {}
    for cell, digits in digits_of.items():
        cells_of[digits] = (*cells_of.get(digits, ()), cell)
    return cells_of


def role_key(role: int) -> str:
    """Return the name of a role: 'pivot', 'set A'."""
    return f"set {chr(ord('A') + role - Role.ALS)}" if role >= Role.ALS else Role(role).name.lower()


def _claim(claim: Claim) -> list[Any]:
    return [list(claim.cells), claim.digit, claim.on]


# Decoded words of a buffer, cached: decoding takes most of the time of a path.
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
    """The headers and the facts of a buffer as lists: slicing those takes a third of the time of arrays."""

    def __init__(self, out: Steps) -> None:
        headers = out[buffer.FIRST_HEADER :][: int(out[buffer.COUNT]) * buffer.WIDTH]
        self.headers: list[list[int]] = headers.reshape(-1, buffer.WIDTH).tolist()
        self._base = buffer.FIRST_HEADER + (int(out[buffer.ROOM]) + 1) * buffer.WIDTH
        self._facts: list[int] = out[self._base : int(out[buffer.FREE])].tolist()

    def facts(self, header: list[int], field: int) -> list[int]:
        """Return the words of a range in a header."""
        return self._facts[header[field] - self._base : header[field + 1] - self._base]


def _decode(words: _Words, header: list[int]) -> Step:
    """Decode the step of a header."""
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
    """Decode the first step of a buffer that isn't a lemma."""
    words = _Words(out)
    return next((_decode(words, header) for header in words.headers if not header[buffer.LEMMA]), None)


def decode_all(out: Steps) -> list[Step]:
    """Decode every step of a buffer that isn't a lemma, in the order found."""
    words = _Words(out)
    return [_decode(words, header) for header in words.headers if not header[buffer.LEMMA]]


def decode_shortest(out: Steps, most: int | None = None, seen: set[Effects] | None = None) -> list[Step]:
    """Decode the shortest step for each set of effects, ties going to the first; in the order first found.

    Shortest: by size, then by number of facts. Decoding only these saves most of the time of a search that
    finds the same effects thousands of times.
    most: how many to decode at most, the shortest of all. seen: effects to leave out; mutated, since those
    met here are added.
    """
    shortest: dict[Effects, tuple[int, int, int]] = {}
    words = _Words(out)
    for index, header in enumerate(words.headers):
        if header[buffer.LEMMA]:
            continue
        placed, removed = (frozenset(words.facts(header, field)) for field in (buffer.PLACED, buffer.REMOVED))
        effects = placed, removed
        if seen is not None and effects in seen:
            continue
        links = (header[buffer.LINKS + 1] - header[buffer.LINKS]) // buffer.LINK_WIDTH
        facts = header[buffer.HOUSES + 1] - header[buffer.PATTERN] + links
        known = shortest.get(effects)
        if known is None or (header[buffer.SIZE], facts) < known[:2]:
            shortest[effects] = header[buffer.SIZE], facts, index
    if seen is not None:
        seen.update(shortest)
    kept = sorted(sorted(shortest.values())[:most], key=lambda known: known[2]) if most else shortest.values()
    return [_decode(words, words.headers[index]) for _, _, index in kept]
