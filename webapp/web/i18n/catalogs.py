"""The message catalogs: which languages are complete and so offered, and their compiled form.

webapp/translations/<code>/LC_MESSAGES/messages.po is the source. Each start compiles them below
the instance, in a folder named by their hash. So the repository has no compiled files, and none get stale.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from webapp.process.config import ROOT
from webapp.process.operation import machine

CATALOGS: Final = ROOT / "webapp" / "translations"
DOMAIN: Final = "messages"
FILE: Final = Path("LC_MESSAGES") / f"{DOMAIN}.po"
SOURCE: Final = "en"  # the language of the messages in the source


@dataclass(frozen=True, slots=True)
class Completeness:
    """How much of a catalog is translated."""

    code: str
    messages: int
    untranslated: int
    fuzzy: int  # marked for review: the English message has changed

    @property
    def complete(self) -> bool:
        """Whether the language is offered."""
        return self.messages > 0 and not self.untranslated and not self.fuzzy


def codes(folder: Path) -> list[str]:
    """Return the languages that have a catalog in `folder`, complete or not."""
    return sorted(path.parts[-3] for path in folder.glob(f"*/{FILE}"))


def catalog(folder: Path, code: str) -> Catalog:
    """Read a catalog."""
    with (folder / code / FILE).open("rb") as file:
        return read_po(file, locale=code, domain=DOMAIN)


def completeness(code: str, found: Catalog) -> Completeness:
    """Count a catalog's missing messages; one with plurals needs every form."""
    messages = [message for message in found if message.id]
    fuzzy = sum(message.fuzzy for message in messages)
    missing = sum(not said(message) for message in messages if not message.fuzzy)
    return Completeness(code, len(messages), missing, fuzzy)


def said(message: Message) -> bool:
    """Whether a message is translated, with all its plurals."""
    text = message.string
    return all(text) if isinstance(text, list | tuple) else bool(text)


def compiled(folder: Path, kept: Path) -> Path:
    """Compile the complete catalogs of `folder` below `kept`, unless that was done; return the folder."""
    digest = hashlib.sha256()
    for code in codes(folder):
        content = (folder / code / FILE).read_bytes()
        digest.update(f"{code}\0{len(content)}\0".encode() + content)
    target = kept / digest.hexdigest()[:12]
    if not target.is_dir():
        _compile(folder, target)
    return target


def _compile(folder: Path, target: Path) -> None:
    with machine.built_aside(target) as aside:
        for code in codes(folder):
            found = catalog(folder, code)
            if completeness(code, found).complete:
                file = (aside / code / FILE).with_suffix(".mo")
                file.parent.mkdir(parents=True)
                with file.open("wb") as out:
                    write_mo(out, found)


def offered(folder: Path) -> Iterator[str]:
    """Yield the languages compiled into `folder`."""
    yield from sorted(path.parts[-3] for path in folder.glob(f"*/{FILE.with_suffix('.mo')}"))
