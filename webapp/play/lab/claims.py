"""The five papers' claims and their reproduction here, read from the table of docs/literature.md."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from webapp.play.lab.lab import SYSTEMS
from webapp.process.config import ROOT

DOCUMENT: Final = ROOT / "docs" / "literature.md"
ROW: Final = re.compile(r"^\| ([A-E]) \| (.+) \| (.+) \| (.+) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of one paper."""

    text: str
    verdict: str
    proofs: tuple[str, ...]  # names of tests and lines of benchmarks/papers.md


@cache
def claims() -> Mapping[str, tuple[Claim, ...]]:
    """Read the claims of each system, by its letter."""
    table = DOCUMENT.read_text(encoding="utf-8").partition("\n## Every claim\n")[2].replace("`", "")
    rows = [(found[1].lower(), Claim(found[2], found[3], _names(found[4]))) for found in ROW.finditer(table)]
    return {letter: tuple(claim for its, claim in rows if its == letter) for letter in SYSTEMS}


def _names(links: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\[([\w-]+)\]", links))
