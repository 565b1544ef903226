"""Cache the compiled code of templates between starts.

Every process loads all templates before it answers its first request. Compiling them takes a second of
processor time a process, loading the compiled code 50 ms.
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
    """Jinja's bytecode cache, ignoring a full disk."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def init_app(app: Flask, folder: Path) -> None:
    """Cache the app's compiled templates in `folder`; Jinja checks that their source is unchanged.

    The file names include what else the code depends on: Jinja's version, and ours for our setup of it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pattern = f"%s.{version('jinja2')}.{__version__}"
    app.jinja_env.bytecode_cache = CompiledTemplates(str(folder), pattern)
