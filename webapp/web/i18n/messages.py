"""`make messages` and `make messages CODE=fr`: extract the source's messages and update the catalogs.

A catalog has neither line numbers nor dates, so that it changes only with its messages.
docs/languages/README.md tells translators the rest.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NamedTuple

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from webapp.process.config import ROOT
from webapp.web.i18n.catalogs import CATALOGS, DOMAIN, FILE, catalog, codes, completeness, said

KEYWORDS: Final = {
    "_": None,
    "N_": None,  # names in the engine, and error sentences written away from their `raise`
    "gettext": None,
    "lazy_gettext": None,
    "ngettext": (1, 2),
    "N_p": ((1, "c"), 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    # An engine error carries a sentence and its values; the site translates it.
    "PuzzleFormatError": (1,),
    "RecipeError": (2,),
    "Format": (2,),  # the titles of the engine's formats
}
SOURCES: Final = {
    "templates": (("**.html", "jinja2"), ("**.xml", "jinja2")),
    "webapp": (("**.py", "python"),),
    "engine": (("commands/**.py", "ignore"), ("**.py", "python")),  # the command line is English only
}
STRICT: Final = {"**.html": {"silent": "false"}, "**.xml": {"silent": "false"}}
# The files of messages, those that a player meets first in front; all others come last.
SEEN: Final = (
    "templates/base.html templates/site/home templates/web",
    "templates/play webapp/play webapp/game",
    "templates/game engine/techniques",
    "templates/competition/daily templates/site webapp/web",
    "templates/learn/lessons templates/learn/practice webapp/learn",
    "templates/competition webapp/competition",
    "templates/learn templates/people webapp/people webapp/identity",
)
NOTE: Final = "Translators:"  # prefix of a comment for translators above a message
WIDTH: Final = 110
NEAR: Final = 0.7  # lowest ratio by difflib that counts as the same sentence
# Header fields that change by themselves or say nothing.
_IDLE: Final = (
    "POT-Creation-Date|PO-Revision-Date|Generated-By|Report-Msgid-Bugs-To|Last-Translator|Language-Team"
)
_DATED: Final = re.compile(rf'^"(?:{_IDLE}|Project-Id-Version): .*\n', re.MULTILINE)


class Extracted(NamedTuple):
    """A message at one place of the source."""

    file: str
    line: int
    text: str | tuple[str, ...]
    comments: list[str]
    context: str | None


def extracted() -> Iterator[Extracted]:
    """Yield every message of the source, file by file, with repetitions."""
    for folder, methods in SOURCES.items():
        for name, line, text, comments, context in extract_from_dir(
            str(ROOT / folder),
            method_map=methods,
            options_map=STRICT,
            keywords=KEYWORDS,
            comment_tags=(NOTE,),
            strip_comment_tags=True,
        ):
            yield Extracted(f"{folder}/{name}", line, text, comments, context)


def collected(found: Iterable[Extracted] | None = None) -> Catalog:
    """Return extracted messages as a catalog; by default, all of the source."""
    template = Catalog(project="Ninefold", domain=DOMAIN)
    for each in extracted() if found is None else found:
        template.add(each.text, None, [(each.file, 1)], auto_comments=each.comments, context=each.context)
    return template


def updated(old: Catalog, template: Catalog) -> Catalog:
    """Return a catalog with the messages of `template`, translated as in `old`.

    If the English has changed, the translation of the nearest removed message is kept and marked fuzzy.
    """
    # `update` stores the message objects themselves: copies keep this language out of the next catalog.
    old.update(deepcopy(template), update_creation_date=False, no_fuzzy_matching=True)
    gone = {_text(message): message for message in old.obsolete.values()}
    for message in (each for each in old if each.id and not said(each)):
        for nearest in get_close_matches(_text(message), gone, 1, NEAR):
            if gone[nearest].pluralizable == message.pluralizable:
                message.string = gone[nearest].string
                message.flags.add("fuzzy")
    return old


def _text(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def seen(message: Message) -> tuple[int, str]:
    """Return when players see a message: its place in SEEN, and its file."""
    files = [file for file, _line in message.locations]
    return min(
        (
            (number, file)
            for file in files
            for number, part in enumerate(SEEN)
            if file.startswith(tuple(part.split()))
        ),
        default=(len(SEEN), min(files, default="")),
    )


def text_of(found: Catalog) -> str:
    """Return a catalog as the text of its file, in the order in which players see the messages."""
    for message in sorted((each for each in found if each.id), key=seen):
        found.delete(message.id, message.context)
        found[message.id] = message
    file = io.BytesIO()
    write_po(file, found, width=WIDTH, include_lineno=False, ignore_obsolete=True)
    return _DATED.sub("", file.getvalue().decode())


def update(folder: Path = CATALOGS) -> None:
    """Update every catalog from the source, and print what each lacks."""
    template = collected()
    print(f"{len(template)} messages")
    for code in codes(folder):
        found = updated(catalog(folder, code), template)
        (folder / code / FILE).write_text(text_of(found), encoding="utf-8")
        state = completeness(code, found)
        print(f"{code}: {state.untranslated} untranslated, {state.fuzzy} to look at again")


def start(code: str, folder: Path = CATALOGS) -> None:
    """Create the catalog of a language. Exits for an unknown code or an existing catalog."""
    try:
        locale = Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        raise SystemExit(f"{code!r} is not the code of a language: write fr, pt_BR or zh_Hant.") from None
    file = folder / str(locale) / FILE
    if file.exists():
        raise SystemExit(f"{file} exists: `make messages` brings it up to the source.")
    file.parent.mkdir(parents=True)
    empty = Catalog(locale, DOMAIN, f"# Ninefold in {locale.english_name}.\n#", "Ninefold", fuzzy=False)
    file.write_text(text_of(updated(empty, collected())), encoding="utf-8")
    print(f"{file} is ready to be translated.")


def main(arguments: Sequence[str]) -> None:
    """Update all catalogs, or create the named one."""
    if arguments:
        start(arguments[0])
    else:
        update()


if __name__ == "__main__":
    main(sys.argv[1:])
