"""Templates: what all share without a copy, and their code, kept between starts.

Every process loads them all before it answers its first request. Compiling all of them takes a second of
processor time in each process, loading them 50 ms.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from flask import Flask
from flask.templating import Environment
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from engine import __version__


class Templates(Environment):
    """Flask's environment, in which a template without globals of its own has those of all themselves.

    Jinja copies them each time it renders one, and reading them through its ChainMap took a sixth of that.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template; `d`: its own."""
        return super().make_globals(d) if d else self.globals


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
