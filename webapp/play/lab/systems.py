"""The five systems: their names, sources, levels and scores in words, and the parameters of making."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import engine
from engine.generation import LAS_VEGAS_CELLS, METHODS, Method, Order
from engine.rating import DECISION_TREE, GIVENS_AND_SEARCH, RULE_OF, WEIGHTED_RULES
from engine.traces import Figures, figures_of, rating_in_form, system
from webapp.bank.systems import RECIPES
from webapp.game.steps.names import order_name, technique_name
from webapp.process.errors import BadInput
from webapp.process.words import comma, current_locale, format_decimal, ngettext, pgettext
from webapp.process.words import gettext as _

MOST_SEED: Final = 2**63 - 1
CELLS: Final = (5, 8, LAS_VEGAS_CELLS, 17)  # random cells to choose from
_TRANSFORM: Final = {"": None, "yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class System:
    """One of the five, by its letter on the pages."""

    letter: str
    key: str  # of its generation method
    most_nodes: int | None  # limit of its search, some tenths of a second; None if it needs none

    @property
    def method(self) -> Method:
        """The system as a generation method."""
        return METHODS[self.key]


SYSTEMS: Final[dict[str, System]] = {
    system.letter: system
    for system in (
        System("a", "dig_hole", 1_000_000),
        System("b", "weighted_rules", None),
        System("c", "exact_cover", 100_000),
        System("d", "min_candidates", 100_000),
        System("e", "propagation", 1_000_000),
    )
}
LETTERS: Final = {system.key: letter for letter, system in SYSTEMS.items()}


def system_name(letter: str) -> str:
    """Return the name of a system."""
    return {
        "a": _("Digging holes"),
        "b": _("Fourteen rules"),
        "c": _("Exact cover"),
        "d": _("Decision tree"),
        "e": _("Rounds and a stack"),
    }[letter]


class Source(NamedTuple):
    """A text: its authors and title as printed, the title in the reader's language if different, its year."""

    language: str
    authors: str
    title: str
    translated: str
    year: str


def source_of(letter: str) -> Source:
    """Return the text of a system."""
    text = SYSTEMS[letter].method.text
    translated = {
        "a": _("An algorithm that makes Sudoku by digging holes"),
        "b": _("Weights that sort Sudoku by difficulty"),
        "c": _("Making Sudoku puzzles"),
        "d": _("Creating Sudoku puzzles"),
        "e": _("A program that makes and solves Sudoku"),
    }[letter]
    return Source(text.language, text.authors, text.title, "" if _reads(letter) else translated, text.year)


def _reads(letter: str) -> bool:
    """Whether the reader's language is that of the text."""
    return current_locale().partition("_")[0] == SYSTEMS[letter].method.text.language


def level_word(letter: str) -> str:
    """Return what a system calls its levels."""
    return _("Grade") if letter == "d" else _("Level")


def level_label(letter: str, level: int) -> str:
    """Return the short name of a level: E has letters."""
    return "ABC"[level - 1] if letter == "e" else str(level)


def level_name(level: int) -> str:
    """Return A's name of a level, with the reader's if that is different."""
    name = SYSTEMS["a"].method.text.level_names[level - 1]
    ours = (
        pgettext("level in a paper", "low"),
        pgettext("level in a paper", "beginner"),
        pgettext("level in a paper", "medium"),
        pgettext("level in a paper", "high"),
        pgettext("level in a paper", "evil"),
    )[level - 1]
    return name if _reads("a") else _("%(name)s (%(ours)s)", name=name, ours=ours)


def rule_name(number: int) -> str:
    """Return the name of one of B's rules: as printed to who reads that language, else of its techniques."""
    if _reads("b"):
        return SYSTEMS["b"].method.text.rule_names[number - 1]
    return " / ".join(technique_name(key) for key, rule in RULE_OF.items() if rule == number)


class Verdict(NamedTuple):
    """The result of a text's own measure of a puzzle."""

    level: int | None
    lead: str  # Grade 3
    words: str  # and the figures behind it
    parts: tuple[tuple[str, str, int, float], ...] = ()  # of A and D: figure, value, score, weight
    counts: tuple[int, ...] = ()  # n1 to n14 of B
    scored: bool = False  # whether it takes them from the canonical form


def verdict(letter: str, grid: engine.Grid) -> Verdict | None:
    """Measure a puzzle with one solution as its text does; None for C, which measures nothing, or past a
    limit.
    """
    if letter == "e":
        level = SYSTEMS["e"].method.dug_level(grid)
        givens = ngettext("%(num)s given", "%(num)s givens", grid.givens)
        lead = _("No level") if level is None else _("Level %(level)s", level=level_label("e", level))
        return Verdict(level, lead, _("by its %(givens)s", givens=givens))
    if letter == "b":
        rated = rating_in_form(grid)
        if rated is None:
            return None
        d = rated.difficulty
        words = _("not solved by the fourteen rules") if d is None else f"D = {format_decimal(d, '0.00')}"
        lead = _("Level %(level)s", level=rated.level)
        return Verdict(rated.level, lead, words, counts=rated.counts, scored=True)
    found = figures_of(SYSTEMS[letter].key, grid)
    return None if found is None else _scored(letter, found)


def _scored(letter: str, found: Figures) -> Verdict:
    searched = whole(found.searched)
    searched = _("%(count)s or more", count=searched) if found.at_least else searched
    score = format_decimal(found.score)
    givens = ngettext("%(num)s given", "%(num)s givens", found.givens)
    figures = {"givens": givens, "line": found.fewest_in_line, "searched": searched, "score": score}
    if letter == "a":
        lead = _("Level %(level)s", level=found.level)
        name, weights = _("Searches"), GIVENS_AND_SEARCH
        words = _(
            "“%(name)s”, score %(score)s from %(givens)s, %(line)s in the emptiest line, "
            "%(searched)s searches",
            name=level_name(found.level),
            **figures,
        )
    else:
        lead = _("Grade %(level)s", level=found.level)
        name, weights = _("Layouts"), DECISION_TREE
        words = _(
            "score %(score)s from %(givens)s, %(line)s in the emptiest line, %(searched)s layouts", **figures
        )
    values = (
        (_("Givens"), str(found.givens)),
        (_("Emptiest line"), str(found.fewest_in_line)),
        (name, searched),
    )
    rows = zip(values, found.scores, weights, strict=True)
    parts = tuple((what, value, scored, weight) for (what, value), scored, weight in rows)
    return Verdict(found.level, lead, words, parts, scored=True)


def rules_of(counts: tuple[int, ...], now: int | None = None) -> list[tuple[int, str, int, int, bool]]:
    """Return the rules: number, name, weight, uses (n1 to n14), whether it is `now`, the one just used."""
    return [
        (number, rule_name(number), weight, count, number == now)
        for number, (weight, count) in enumerate(zip(WEIGHTED_RULES, counts, strict=True), 1)
    ]


def offered() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return letter and name of the five systems, and their stocks: key, and level in short."""
    return [
        (
            letter,
            system_name(letter),
            [
                (key, level_label(letter, recipe.paper_level) if recipe.paper_level else _("Play"))
                for key, recipe in RECIPES.items()
                if key.startswith(letter)
            ],
        )
        for letter in SYSTEMS
    ]


def made_by(recipe: engine.Recipe) -> str:
    """Say which system makes the puzzles of a recipe, and at which level."""
    letter = LETTERS[recipe.method]
    name = _("%(name)s (%(letter)s)", name=system_name(letter), letter=letter.upper())
    if recipe.paper_level is None:
        return name
    level = level_label(letter, recipe.paper_level)
    levelled = _("grade %(level)s", level=level) if letter == "d" else _("level %(level)s", level=level)
    return comma().join((name, levelled))


def whole(value: float | None) -> str:
    """Format a count."""
    return "–" if value is None else format_decimal(int(value))


def recipe_of(fields: Mapping[str, str]) -> tuple[engine.Recipe, Method, int]:
    """Parse a query: recipe, its method and seed. Raises BadInput by field, also for what no system has."""
    letter = fields.get("system", "a")
    transform = fields.get("transform", "")
    if letter not in SYSTEMS or transform not in _TRANSFORM:
        raise BadInput(system=_("Choose one of the options."))
    try:
        recipe = engine.Recipe(SYSTEMS[letter].key, paper_level=_number(fields, "level"))
        method = system(
            recipe,
            order=fields.get("order") or None,
            cells=_number(fields, "cells"),
            solved_grid=fields.get("start") or None,
            search=fields.get("search") or "ours",
            transform=_TRANSFORM[transform],
        )
    except engine.RecipeError as error:
        names = {"paper_level": "level", "solved_grid": "start"}
        raise BadInput(**{names.get(error.field, error.field): _("Choose one of the options.")}) from None
    seed = _number(fields, "seed")
    return recipe, method, 1 if seed is None else seed


def _number(fields: Mapping[str, str], name: str) -> int | None:
    text = fields.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and int(text[:20]) <= MOST_SEED):
        raise BadInput(**{name: _("Choose one of the options.")})
    return int(text)


def query_of(recipe: engine.Recipe, method: Method, seed: int) -> dict[str, str | int | None]:
    """Return the query parameters of a recipe, its method and a seed; None is left out."""
    usual = METHODS[method.key]
    return {
        "system": LETTERS[recipe.method],
        "level": recipe.paper_level,
        "order": None if method.order is None else method.order.value,
        "cells": method.cells,
        "start": None if method.solved_grid == usual.solved_grid else method.solved_grid,
        "search": None if method.own is None else "own",
        "transform": {0: None, 1: "yes", -1: "no"}[method.transformed - usual.transformed],
        "seed": seed,
    }


class Choice(NamedTuple):
    """A parameter that a system has, and its options: value, text, whether it is chosen."""

    name: str
    label: str
    options: list[tuple[str | int | None, str, bool]]


def choices_of(recipe: engine.Recipe, varied: Method) -> list[Choice]:
    """Return the parameters of a recipe's system, and what is chosen."""
    letter, method, chosen = LETTERS[recipe.method], METHODS[recipe.method], query_of(recipe, varied, 0)
    found: list[Choice] = []

    def offer(name: str, label: str, options: Sequence[tuple[str | int | None, str]]) -> None:
        found.append(Choice(name, label, [(value, text, value == chosen[name]) for value, text in options]))

    if method.level_count:
        levels = [(at, level_label(letter, at)) for at in range(1, method.level_count + 1)]
        offer("level", level_word(letter), [(None, _("Any")), *levels])
    if method.solved_grid is None:
        offer("search", _("Solutions by"), [("own", _("Its own tree")), (None, _("Fast search"))])
        return found
    if method.solved_grid == "linked_boxes":
        offer("start", _("Start with"), [(None, _("Three boxes")), ("centre_box", _("Center box"))])
    if method.solved_grid == "las_vegas":
        cells = [(None if count == LAS_VEGAS_CELLS else count, str(count)) for count in CELLS]
        offer("cells", _("Random cells"), cells)
    usual = recipe.plan().order
    orders = [(None if each is usual else each.value, order_name(each.value)) for each in Order]
    offer("order", _("Order"), orders)
    if method.transformed:
        offer("transform", _("Transform"), [(None, _("Yes")), ("no", _("No"))])
    return found
