"""The five systems side by side: names, sources and figures in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import engine
from engine.generation import Text
from engine.rating import SOURCES
from webapp.play.lab.lab import SYSTEMS, Bench, Run, System
from webapp.process.words import comma, current_locale, format_decimal, ngettext
from webapp.process.words import gettext as _


@dataclass(frozen=True, slots=True)
class Row:
    """One system beside the others."""

    letter: str
    name: str
    source: str
    figures: tuple[str, ...]  # its counts, in words
    time: str
    here: bool  # whether it is selected


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure with its name."""

    name: str
    value: str
    language: str = "en"


def reads(text: Text) -> bool:
    """Whether the reader's language is that of the paper."""
    return current_locale().partition("_")[0] == text.language


def system_name(letter: str) -> str:
    """Return the name of a system."""
    return {
        "a": _("Digging holes"),
        "b": _("Fourteen weighted rules"),
        "c": _("Exact cover"),
        "d": _("Decision tree"),
        "e": _("Propagation and a stack"),
    }[letter]


def sources_of(system: System) -> list[Fact]:
    """Return the sources of its parts."""
    text = system.method.text
    found = [Fact(_("Published as"), f"{text.authors}: {text.title}", text.language)]
    if not reads(text):
        found.append(Fact(_("In English"), system.method.source))
    found.append(Fact(_("Solver"), system.solver_source))
    scheme = {"a": "givens_and_search", "b": "weighted_rules", "d": "decision_tree"}.get(system.letter)
    return [*found, Fact(_("Rating"), SOURCES[scheme])] if scheme else found


def rows_of(bench: Bench) -> list[Row]:
    """Return the five systems side by side."""
    return [
        Row(
            letter,
            system_name(letter),
            system.method.source,
            _spent() if (run := bench.runs[letter]) is None else _figures(letter, run),
            "–" if run is None else milliseconds(run.seconds),
            letter == bench.system.letter,
        )
        for letter, system in SYSTEMS.items()
    ]


def milliseconds(seconds: float) -> str:
    """Format a time."""
    form = "0.00" if seconds < 0.01 else "#,##0"
    return _("%(number)s ms", number=format_decimal(1000 * seconds, form))


def _spent() -> tuple[str, ...]:
    return (_("Not run: this page ran out of time. Open this system on its own."),)


def _figures(letter: str, run: Run) -> tuple[str, ...]:
    found = run.measures
    if letter == "a":
        return (
            _counted(found["searches"], "searches", letter),
            *_rated(found, _("score %(value)s", value=found.get("score"))),
        )
    if letter == "b":
        steps = ngettext("%(num)s step", "%(num)s steps", int(found["steps"] or 0))
        if found["difficulty"] is None:
            return steps, _("not solved by these rules")
        return steps, *_rated(found, f"D {found['difficulty']:.2f}")
    if letter == "c":
        return tuple(_counted(found[name], name, letter) for name in ("nodes", "updates"))
    if letter == "d":
        grade = found.get("grade")
        return (
            _counted(found["layouts"], "layouts", letter),
            *((_("grade %(grade)s", grade=int(grade)),) if grade else ()),
        )
    rounds = int(found["rounds"] or 0)
    return (
        ngettext("%(num)s round", "%(num)s rounds", rounds),
        ngettext(
            "%(count)s cell fixed",
            "%(count)s cells fixed",
            int(found["fixed"] or 0),
            count=whole(found["fixed"]),
        ),
        _counted(found["nodes"], "nodes", letter),
    )


def _rated(found: Mapping[str, float | None], words: str) -> tuple[str, ...]:
    level = found.get("level")
    return () if level is None else (words, _("level %(level)s", level=int(level)))


def _counted(value: float | None, what: str, letter: str) -> str:
    if value is None:
        return _("stopped after %(amount)s", amount=_amount(SYSTEMS[letter].most_nodes, what))
    return _amount(value, what)


def _amount(value: float | None, what: str) -> str:
    number, count = int(value or 0), whole(value)
    if what == "searches":
        return ngettext("%(count)s search", "%(count)s searches", number, count=count)
    if what == "layouts":
        return ngettext("%(count)s layout", "%(count)s layouts", number, count=count)
    if what == "nodes":
        return ngettext("%(count)s node", "%(count)s nodes", number, count=count)
    return ngettext("%(count)s update", "%(count)s updates", number, count=count)


def whole(value: float | None) -> str:
    """Format a count."""
    return "–" if value is None else format_decimal(int(value))


def part_of(value: int, total: float | None) -> str:
    """Format a count so far, of the total if known."""
    return (
        whole(value) if total is None else _("%(value)s of %(total)s", value=whole(value), total=whole(total))
    )


def over(total: int | None, most: int) -> str:
    """Format a count, or the limit that it exceeded."""
    return _("over %(most)s", most=whole(most)) if total is None else whole(total)


def rows_of_digits(grid: engine.Grid | None) -> list[str]:
    """Return a full grid as nine rows; empty without one."""
    return [] if grid is None else [str(grid)[start : start + 9] for start in range(0, 81, 9)]


def solutions_words(bench: Bench) -> str:
    """Say how many solutions the puzzle has."""
    givens = ngettext("%(num)s given", "%(num)s givens", bench.grid.givens)
    how_many = (_("no solution"), _("one solution"), _("several solutions"))[bench.solutions]
    return comma().join((givens, how_many))
