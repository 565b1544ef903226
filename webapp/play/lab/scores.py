"""The papers' scores: three figures, the score of each, their weights and the sum."""

from __future__ import annotations

from dataclasses import dataclass

from engine.generation import Text
from engine.rating import DECISION_TREE, GIVENS_AND_SEARCH, Figures
from webapp.play.lab import views
from webapp.play.lab.lab import System
from webapp.play.lab.views import whole
from webapp.process.words import format_decimal, pgettext
from webapp.process.words import gettext as _


@dataclass(frozen=True, slots=True)
class Part:
    """One of the three figures."""

    name: str
    value: str
    score: int
    weight: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The figures and their total."""

    parts: tuple[Part, ...]
    words: str


def by_givens_and_search(system: System, found: Figures | None) -> Chart | None:
    """Return the chart of A, used for E too: E prints neither weights nor intervals."""
    if found is None:
        return None
    parts = _parts(found, _("Searches of the canonical form"), GIVENS_AND_SEARCH)
    score, name = format_decimal(found.score), level_name(system, found.level)
    if not name:
        words = _("Score %(score)s: level %(level)s of 5 by A’s intervals.", score=score, level=found.level)
    else:
        words = _(
            "Score %(score)s: level %(level)s of 5, “%(name)s” in the paper.",
            score=score,
            level=found.level,
            name=name,
        )
    return Chart(parts, words)


def by_tree(found: Figures | None) -> Chart | None:
    """Return the chart of D."""
    if found is None:
        return None
    parts = _parts(found, _("Layouts of the canonical form"), DECISION_TREE)
    words = _("Score %(score)s: grade %(grade)s of 4.", score=format_decimal(found.score), grade=found.level)
    return Chart(parts, words)


def _parts(found: Figures, searched: str, weighing: tuple[float, float, float]) -> tuple[Part, ...]:
    count = whole(found.searched)
    values = (
        (_("Givens"), str(found.givens)),
        (_("Fewest givens in a line"), str(found.fewest_in_line)),
        (searched, _("%(count)s or more", count=count) if found.at_least else count),
    )
    each = zip(values, found.scores, weighing, strict=True)
    return tuple(Part(name, value, score, weight) for (name, value), score, weight in each)


def level_name(system: System, level: int) -> str:
    """Return a paper's name of a level, with the reader's if that is different."""
    text = system.method.text
    if not text.level_names:
        return ""
    name, ours = text.level_names[level - 1], _own_words()[level - 1]
    return name if views.reads(text) else _("%(name)s (%(ours)s)", name=name, ours=ours)


def _own_words() -> tuple[str, ...]:
    return (
        pgettext("level in a paper", "low"),
        pgettext("level in a paper", "beginner"),
        pgettext("level in a paper", "medium"),
        pgettext("level in a paper", "high"),
        pgettext("level in a paper", "evil"),
    )


def rule_name(text: Text, number: int, ours: str) -> tuple[str, str]:
    """Return a paper's name of a rule, with a translation if the paper is in another language."""
    return text.rule_names[number - 1], "" if views.reads(text) else ours
