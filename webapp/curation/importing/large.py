"""Accept one large body at a time in each process, so that slow senders occupy one of its threads."""

from __future__ import annotations

from threading import BoundedSemaphore

from flask import g, request

from webapp.process.database import Busy
from webapp.web.security import LARGEST_FORM

_turn = BoundedSemaphore(1)


def begin() -> None:
    """Take this process's turn until the end of the request, for a body larger than a form's. Raises Busy."""
    if request.content_length is not None and request.content_length <= LARGEST_FORM:
        return
    if not _turn.acquire(blocking=False):
        raise Busy("another file is being sent")
    g.sends_a_file = True


def end(_error: BaseException | None) -> None:
    """Give the turn back."""
    if g.pop("sends_a_file", False):
        _turn.release()
