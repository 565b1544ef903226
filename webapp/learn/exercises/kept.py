"""Serialize steps to store with their exercise: some searches take longer than a response may. Pure."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterable
from functools import cached_property, lru_cache
from typing import Any

import engine
from engine.geometry import Candidate
from engine.steps import Link, PatternCell, PatternHouse
from engine.techniques import HouseRole

READ = 512  # cached parsed texts


class KeptStep:
    """A stored step. Its proof is parsed on demand: a response shows one of up to a hundred."""

    def __init__(self, placements: list[int], eliminations: list[int], proof: str) -> None:
        self.placements = _candidates(placements)
        self.eliminations = _candidates(eliminations)
        self._proof = proof

    @cached_property
    def step(self) -> engine.Step:
        """The whole step, as the engine found it."""
        return _step(json.loads(self._proof))


Effects = engine.Step | KeptStep  # placements and eliminations of a step


def text_of(steps: Iterable[engine.Step]) -> str:
    """Return steps as one line: JSON in plain lists and numbers, compressed; each step is a nested text."""
    plain = [
        (_numbers(step.placements), _numbers(step.eliminations), _written(_plain(step))) for step in steps
    ]
    return b64encode(zlib.compress(_written(plain).encode())).decode()


@lru_cache(maxsize=READ)
def read(text: str) -> tuple[KeptStep, ...]:
    """Parse the steps written by `text_of`."""
    return tuple(KeptStep(*parts) for parts in json.loads(zlib.decompress(b64decode(text))))


def whole(found: Effects) -> engine.Step:
    """Return the step, with its proof."""
    return found.step if isinstance(found, KeptStep) else found


def _written(plain: Any) -> str:
    return json.dumps(plain, separators=(",", ":"))


def _plain(step: engine.Step) -> list[Any]:
    return [
        step.technique,
        _numbers(step.placements),
        _numbers(step.eliminations),
        step.digits,
        [(int(fact.role), fact.cell, fact.digits) for fact in step.cells],
        [(int(fact.role), fact.house, fact.digits) for fact in step.houses],
        [number for link in step.links for number in (link.source, link.target, link.cause)],
        step.variant,
        step.size,
        [_plain(lemma) for lemma in step.lemmas],
    ]


def _step(plain: list[Any]) -> engine.Step:
    technique, placements, eliminations, digits, cells, houses, links, variant, size, lemmas = plain
    numbers = iter(links)
    return engine.Step(
        technique,
        _candidates(placements),
        _candidates(eliminations),
        tuple(digits),
        tuple(PatternCell(role, cell, tuple(of)) for role, cell, of in cells),
        tuple(PatternHouse(HouseRole(role), house, tuple(of)) for role, house, of in houses),
        tuple(map(Link, numbers, numbers, numbers)),
        variant,
        size,
        tuple(map(_step, lemmas)),
    )


def _numbers(candidates: Collection[Candidate]) -> list[int]:
    return sorted(10 * cell + digit for cell, digit in candidates)


def _candidates(numbers: list[int]) -> frozenset[Candidate]:
    return frozenset(divmod(number, 10) for number in numbers)
