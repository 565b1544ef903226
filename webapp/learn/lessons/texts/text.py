"""Text: the words of one lesson."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.process.words import LazyText


@dataclass(frozen=True, slots=True)
class Text:
    """The words of one lesson."""

    what: LazyText  # two sentences: the pattern, and its effect
    spot: LazyText  # how to look for it
    slip: LazyText  # common mistakes
    aliases: tuple[str, ...] = ()  # other English names, for the search
