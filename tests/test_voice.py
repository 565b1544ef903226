"""Text for players uses one word for one thing, American spelling and short sentences.

The words are those of docs/glossary.md; a message is every text that the code marks for translation.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import pytest

import engine
from tests.messages import extracted

ROOT: Final = Path(__file__).resolve().parents[1]
READ: Final = re.compile(r"templates/.*\.html|webapp/.*|engine/techniques/.*")
MARKS: Final = {
    "_": slice(1),
    "N_": slice(1),
    "gettext": slice(1),
    "lazy_gettext": slice(1),
    "ngettext": slice(2),
    "pgettext": slice(1, 2),
    "N_p": slice(1, 2),
    "npgettext": slice(1, 3),
}
LONGEST: Final = 20  # words of a sentence

pytestmark = pytest.mark.xdist_group("catalogs")  # their messages are read once


class Message(NamedTuple):
    """A text and its place."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


class Rule(NamedTuple):
    """A pattern that no message matches, and what to write instead.

    unless: the messages that may match it, each with its reason.
    """

    pattern: str
    instead: str
    unless: Mapping[str, str] = MappingProxyType({})


RULES: Final = (
    Rule(r"\battempts?\b", "game, or try for a go at it"),
    Rule(r"\bclues?\b", "given"),
    Rule(r"\bAll dailies\b|\bthe archive\b", "past dailies"),
    Rule(r"\b[Mm]ails?\b", "email"),
    Rule(
        r"\bFill\b(?! (the board|one gap|%\(num\)s gaps))|(?<!can )\bfill\b(?! the (board|cells))",
        "Auto candidates",
    ),
    Rule(r"\bcomputed candidates\b", "Auto candidates"),
    Rule(r"\bSeveral\b", "Multi-select"),
    Rule(r"\b(in doubt|doubted|doubts)\b", "under review"),
    Rule(r"\bassisted\b|^with help$", "unranked, or help used"),
    Rule(r"\blate (solve|time)|\btoo late\b(?! to undo)|^late$", "practice"),
    Rule(
        r"\bboards\b|\bboard of (the|this) day\b|\bboard('s| is| has)? close|\boff the board\b", "leaderboard"
    ),
    Rule(
        r"colour|centre|\bgrey|practis|neighbour|favour|cancelled|labelled|catalogue\b|(organ|real|recogn|minim)is",
        "American spelling",
    ),
    Rule(
        r"\b([Ww]hoever|[Nn]obody|[Ee]verybody|[Ss]hall|[Tt]hereof|supposition|whichever way)\b",
        "what people say",
    ),
    Rule(r"\bcannot\b|\bdo not\b|\bdoes not\b", "a contraction"),
    Rule(r"\b[Tt]here (is|was) no such\b", "We couldn’t find that …"),
    Rule(r"\bstands?\b(?! on)", "is"),
    Rule(r"(\d|\)s) %%", "no space before a percent sign"),
    Rule(r"'", "a typographic apostrophe: ’"),
    Rule(r"\s$|^\s|  ", "a whole sentence, not half of one"),
)


@cache
def messages() -> tuple[Message, ...]:
    return tuple(
        Message(f"{each.file}:{each.line}", text)
        for each in extracted()
        if READ.fullmatch(each.file)
        for text in ((each.text,) if isinstance(each.text, str) else each.text)
    )


def sentences(text: str) -> list[list[str]]:
    """Return the words of each sentence; a value in its place counts as one."""
    return [part.split() for part in re.split(r"(?<=[.!?])\s+", text)]


def test_every_place_is_read() -> None:
    read = {message.place.split(":")[0] for message in messages()}
    assert len(messages()) > 700
    assert {"templates/base.html", "templates/game/steps/chain.html", "webapp/web/answers.py"} <= read
    assert {message.text for message in messages()} >= {
        technique.name for technique in engine.TECHNIQUES.values()
    }


def test_every_message_is_extracted() -> None:
    """Extraction reads no call inside an f-string, so a message there would never be translated."""
    extracted = {message.text for message in messages()}
    for path in (ROOT / "webapp").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
                for text in node.args[MARKS[node.func.id]]:
                    if isinstance(text, ast.Constant):
                        assert text.value in extracted, f"{path}:{node.lineno}"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.instead)
def test_one_thing_has_one_word(rule: Rule) -> None:
    found = [message for message in messages() if re.search(rule.pattern, message.text)]
    assert [str(message) for message in found if message.text not in rule.unless] == [], f"say {rule.instead}"
    unused = rule.unless.keys() - {message.text for message in found}
    assert not unused, "an exception that nothing needs"


def test_sentences_are_short() -> None:
    long = [
        str(message)
        for message in messages()
        if any(len(words) > LONGEST for words in sentences(message.text))
    ]
    assert long == []


def test_techniques_have_the_names_of_the_field() -> None:
    """Every word of a name begins with a capital."""
    for technique in engine.TECHNIQUES.values():
        assert not re.search(r"(^|[ :-])(?!de )[a-z]", technique.name), technique.name
