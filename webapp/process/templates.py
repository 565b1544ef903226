"""Compiled templates, kept between starts: every process loads them all before it answers its first request.

Compiling all of them takes a second of processor time in each process, loading them 50 ms.
"""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from engine import __version__


class CompiledTemplates(FileSystemBytecodeCache):
    """Jinja's own cache, which a full disk does not stop."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def init_app(app: Flask, folder: Path) -> None:
    """Keep the app's compiled templates in `folder`; Jinja checks that their source is the same.

    What else the code depends on is in the file names: the version of Jinja, and ours for how it is set up.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pattern = f"%s.{version('jinja2')}.{__version__}"
    app.jinja_env.bytecode_cache = CompiledTemplates(str(folder), pattern)
