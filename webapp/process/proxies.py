"""What Flask hands out behind a proxy, with its type."""

from __future__ import annotations

from typing import Any, Final, TextIO, cast

from flask import Flask, current_app
from flask.logging import wsgi_errors_stream

ERRORS: Final = cast("TextIO", wsgi_errors_stream)
"""Where the web server wants errors; stderr outside a request."""


def this_app() -> Flask:
    """The application itself, for a thread or a call that outlives its context."""
    proxy: Any = current_app
    app: Flask = proxy._get_current_object()
    return app
