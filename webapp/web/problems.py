"""Refusals for programs: problem+json (RFC 9457), at the addresses of the API."""

from __future__ import annotations

import json

from flask import request
from werkzeug.wrappers import Response

TYPE = "application/problem+json"


def wants_problem() -> bool:
    """Whether a program asks, not a person with a browser."""
    return request.path.startswith("/api/")


def problem(status: int, title: str, detail: str, fields: object = None) -> Response:
    """Return a refusal; `fields` maps what was sent to what is wrong with it."""
    facts = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return Response(json.dumps(facts | ({"errors": fields} if fields else {})), content_type=TYPE)
