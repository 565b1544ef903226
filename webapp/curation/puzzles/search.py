"""The one line of search at the desk, such as “hard x-wing symmetrical”, “#77” or “new”."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import engine
from engine.generation import Symmetry
from webapp.bank import bank, selection
from webapp.bank.selection import ANY, CURATED, Filters
from webapp.curation.puzzles import imports
from webapp.curation.words import status_words, symmetry_name
from webapp.game.steps.names import technique_name
from webapp.models import Puzzle
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name
from webapp.web.inputs import row_number

PER_PAGE = 24
MOST_FOUND = 1000
LONGEST = 400  # characters of a search
WORDS = 5  # of a phrase, at most
LEVELS = ("beginner", "easy", "medium", "hard", "evil")


@dataclass(frozen=True, slots=True)
class Chip:
    """A part of the search as it was understood, and the search without it."""

    words: str
    without: str
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A page of the puzzles found."""

    filters: Filters
    chips: Sequence[Chip]
    ids: Sequence[int]  # of all, up to MOST_FOUND
    number: int  # of the page, from 1
    pages: int

    @property
    def shown(self) -> Sequence[int]:
        """The ids of this page."""
        return self.ids[(self.number - 1) * PER_PAGE : self.number * PER_PAGE]


def search(text: str, number: int) -> Found:
    """Return a page of what a search finds, newest first; too large a number means the last page."""
    filters, chips = read(text)
    ids = selection.listed(filters, MOST_FOUND)
    pages = max(1, -(-len(ids) // PER_PAGE))
    return Found(filters, chips, ids, min(max(number, 1), pages), pages)


def read(text: str) -> tuple[Filters, list[Chip]]:
    """Return the filters that a search means, and what each of its parts was understood as.

    Words that mean nothing else name an author or a source.
    """
    words = text[:LONGEST].split()
    known = _phrases()
    filters, chips, rest = Filters(), list[Chip](), list[int]()
    at = 0
    while at < len(words):
        size, values, name = next(_read_here(words, at, known, filters), (1, None, ""))
        if values is None:
            rest.append(at)
        else:
            filters = replace(filters, **values)
            chips.append(Chip(name, " ".join(words[:at] + words[at + size :]), values.get("level")))
        at += size
    if rest:
        told = " ".join(words[at] for at in rest)
        without = " ".join(word for at, word in enumerate(words) if at not in rest)
        filters = replace(filters, told=told)
        chips.append(Chip(_("From “%(source)s”", source=told), without))
    return filters, chips


Reading = tuple[int, dict[str, Any], str]  # words read, values of filters, what that means in words


def _read_here(
    words: Sequence[str], at: int, known: dict[str, tuple[dict[str, Any], str]], so_far: Filters
) -> Iterator[Reading]:
    """Yield how the words from here on can be read, the longest phrase first."""
    for size in range(min(WORDS, len(words) - at), 0, -1):
        found = known.get(_folded(" ".join(words[at : at + size])))
        if found is not None:
            yield size, *found
    word = words[at]
    number = row_number(word.removeprefix("#"))
    if number is not None:
        yield 1, {"ids": (*so_far.ids, number)}, f"#{number}"
    kind, _colon, text = word.partition(":")
    if (number := row_number(text)) is not None:
        if kind == "order":
            yield 1, {"order": number}, _("Order %(number)s", number=number)
        if kind == "import":
            yield 1, {"ids": imports.brought(number)}, _("Import %(number)s", number=number)
    if len(word) >= 81:
        try:
            grid = engine.parse(word)
        except engine.PuzzleFormatError:
            return
        if engine.verdict(grid) is engine.Verdict.UNIQUE:
            yield 1, {"like": str(grid)}, _("Equivalent to a grid")


def _folded(text: str) -> str:
    return " ".join(text.casefold().replace("-", " ").replace("_", " ").split())


def _phrases() -> dict[str, tuple[dict[str, Any], str]]:
    """Return the phrases of the reader's language and of English, with the filters that they mean."""
    found: dict[str, tuple[dict[str, Any], str]] = {}

    def add(values: dict[str, Any], words: str, *phrases: str) -> None:
        for phrase in (words, *phrases):
            found[_folded(phrase)] = values, words

    for key, entry in engine.TECHNIQUES.items():
        name = technique_name(key)
        words = _("Hardest step: %(name)s", name=name)
        add({"hardest": key}, words, name, entry.name, key)
    for level in bank.LEVELS:
        add({"level": level}, level_name(level), LEVELS[level - 1])
    for status in CURATED:
        add({"status": str(status)}, status_words(status), str(status))
    add({"status": "candidate"}, status_words("candidate"), "new")
    add({"symmetry": ANY}, symmetry_name(ANY), _("symmetrical"), "symmetrical", "symmetric")
    for symmetry in Symmetry:
        if symmetry is not Symmetry.NONE:
            add({"symmetry": symmetry.value}, symmetry_name(symmetry.value), symmetry.value)
    add({"favorite": True}, _("Favorite"), "favorite", "favourite")
    add({"liked": True}, _("Best liked first"), _("liked"), "liked")
    return found


def minutes(puzzle: Puzzle) -> int | None:
    """Return the expected minutes of a puzzle, at least one; None while unrated."""
    seconds = puzzle.expected_seconds
    return None if seconds is None else max(1, round(seconds / 60))
