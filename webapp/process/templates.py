"""Compile templates without their indentation, and cache the compiled code between starts.

Every process loads all templates before it answers its first request, and compiling them takes far longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Final

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from engine import __version__

VERBATIM: Final = re.compile(r"(</?(?:pre|textarea)\b)")


class Unindented(Extension):
    """Drops indentation when a template is compiled: white space with a line break becomes a line break.

    The text of `<pre>` and `<textarea>` stays as it is.
    """

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        """Return the tokens of a template, those of its markup with less white space."""
        verbatim = False
        for token in stream:
            if token.type == "data":
                parts = []
                for part in VERBATIM.split(token.value):
                    verbatim = part[1] != "/" if VERBATIM.fullmatch(part) else verbatim
                    parts.append(part if verbatim else re.sub(r"\s*\n\s*", "\n", part))
                token = Token(token.lineno, "data", "".join(parts))
            yield token


class CompiledTemplates(FileSystemBytecodeCache):
    """Jinja's bytecode cache, ignoring a full disk."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def init_app(app: Flask, folder: Path) -> None:
    """Compile the app's templates into `folder`; Jinja checks that their source is unchanged.

    The file names include what else the code depends on: Jinja's version, and ours for our setup of it.
    """
    app.jinja_env.add_extension(Unindented)
    folder.mkdir(parents=True, exist_ok=True)
    pattern = f"%s.{version('jinja2')}.{__version__}"
    app.jinja_env.bytecode_cache = CompiledTemplates(str(folder), pattern)
