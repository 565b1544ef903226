"""Chinese and Japanese sentences meet without a space, also where a template puts one for other languages."""

from __future__ import annotations

import re
from typing import Final

from flask import Flask
from werkzeug.wrappers import Response

from webapp.web.i18n.choice import locale

TOGETHER: Final = frozenset(("ja", "zh_Hans", "zh_Hant"))  # whose marks have room of their own
# What readers have typed keeps its lines: only where a tag follows is a line's end a gap of ours.
_GAP: Final = re.compile(r"([，。、；：！？](?:</?(?:a|b|bdi|span|strong)\b[^<>]*>)*)(?:\s+(?=<)| +)")


def closed_up(page: str) -> str:
    """Return HTML without the spaces after full-width marks."""
    return _GAP.sub(r"\1", page)


def init_app(app: Flask) -> None:
    """Close up the pages in these languages: called after what compresses pages, so that it acts before."""

    @app.after_request
    def close_up(response: Response) -> Response:
        if response.mimetype == "text/html" and locale() in TOGETHER and not response.direct_passthrough:
            response.set_data(closed_up(response.get_data(as_text=True)))
        return response
