"""Security events as JSON lines: when, what, who, where; never secrets or user input.

The lines go to stderr by the logger `ninefold.security`, so that an operator can send them elsewhere.
"""

from __future__ import annotations

import json
import logging

from flask import request

from webapp.identity.limits import network
from webapp.process.clock import now
from webapp.process.proxies import ERRORS
from webapp.web.auth import who

log = logging.getLogger("ninefold.security")


def init_app() -> None:
    """Enable the log lines, whatever the root logger's level."""
    log.setLevel(logging.INFO)
    if not log.handlers:
        handler = logging.StreamHandler(ERRORS)
        handler.setFormatter(logging.Formatter("%(message)s"))
        log.addHandler(handler)


def note(event: str, **facts: str | int | None) -> None:
    """Log an event of this request; `facts` are ids and constant words."""
    actor = who()
    line = {
        "at": now().isoformat(),
        "event": event,
        "actor": None if actor is None else actor.id,
        "route": f"{request.method} {request.url_rule.rule if request.url_rule else None}",
        "from": network(request.remote_addr),
        **facts,
    }
    log.info(json.dumps(line))
