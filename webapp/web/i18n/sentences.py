"""Remove the spaces that templates put between sentences from Chinese and Japanese pages."""

from __future__ import annotations

import re
from typing import Final

from flask import Flask
from werkzeug.wrappers import Response

from webapp.web.i18n.choice import locale

TOGETHER: Final = frozenset(("ja", "zh_Hans", "zh_Hant"))  # their full-width marks include the space
# Readers' own text keeps its lines: a gap of ours ends with an indentation or before a tag.
_GAP: Final = re.compile(r"([，。、；：！？](?:</?(?:a|b|bdi|span|strong)\b[^<>]*>)*)(?:\s+(?=<)|\s*\n +| +)")


def closed_up(page: str) -> str:
    """Return HTML without the spaces after full-width marks."""
    return _GAP.sub(r"\1", page)


def init_app(app: Flask) -> None:
    """Process the pages in these languages; call after the compression's `init_app`, so that this runs
    first.
    """

    @app.after_request
    def close_up(response: Response) -> Response:
        if response.mimetype == "text/html" and locale() in TOGETHER and not response.direct_passthrough:
            response.set_data(closed_up(response.get_data(as_text=True)))
        return response
