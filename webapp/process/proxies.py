"""Typed access to the objects behind Flask's proxies."""

from __future__ import annotations

from typing import Final, TextIO, cast

from flask import Flask
from flask.globals import app_ctx
from flask.logging import wsgi_errors_stream

ERRORS: Final = cast("TextIO", wsgi_errors_stream)
"""The web server's error stream; stderr outside a request."""


def this_app() -> Flask:
    """Return the application itself, for threads and calls that outlive its context."""
    return app_ctx.app
