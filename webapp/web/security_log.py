"""Log lines of security events and, if enabled, of every request: what, who, where; never secrets or input.

The loggers `ninefold.security` and `ninefold.access` let an operator route them separately.
"""

from __future__ import annotations

import logging
import time

from flask import Flask, g, request
from werkzeug.wrappers import Response

from webapp.identity.limits import network
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.web.auth import who

log = logging.getLogger("ninefold.security")
access = logging.getLogger("ninefold.access")


def init_app(app: Flask, settings: Settings) -> None:
    """Enable the log lines, whatever the root logger's level."""
    log.setLevel(logging.INFO)
    access.setLevel(logging.INFO)
    if not settings.access_log:
        return

    @app.after_request
    def note_request(response: Response) -> Response:
        # The route, not the address: addresses of games, groups and resets are secrets.
        line = {
            "route": f"{request.method} {request.url_rule.rule if request.url_rule else None}",
            "status": response.status_code,
            "ms": round(1000 * (time.perf_counter() - g.began), 1),
            "from": network(request.remote_addr),
        }
        access.info("request", extra={"facts": line, "same": None})
        return response


def note(event: str, **facts: str | int | None) -> None:
    """Log an event of this request; `facts` are ids and constant words.

    The limit on repeated messages counts each network separately, so that no attacker hides another.
    """
    actor = who()
    came_from = network(request.remote_addr)
    line = {
        "at": now().isoformat(),
        "event": event,
        "actor": None if actor is None else actor.id,
        "route": f"{request.method} {request.url_rule.rule if request.url_rule else None}",
        "from": came_from,
        **facts,
    }
    log.info("%s", event, extra={"facts": line, "same": (event, came_from)})


def note_command(event: str, actor: int) -> None:
    """Log an event that an operator's command caused, about the player `actor`."""
    line = {"at": now().isoformat(), "event": event, "actor": actor, "route": "command"}
    log.info("%s", event, extra={"facts": line, "same": None})
