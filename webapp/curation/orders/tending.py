"""A thread of the worker that watches curators' work, and takes over from lost workers."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable

from dbos import DBOS
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from webapp.curation.orders import workers
from webapp.process.clock import now
from webapp.process.database import Busy

log = logging.getLogger(__name__)

LOOK_EVERY = 2.0  # seconds between checks for waiting work
TEND_EVERY = 5  # how many of these checks between two inspections of running work
ACTIVE = ["ENQUEUED", "DELAYED", "PENDING"]


class Tender:
    """Calls `tend` within the app: after each `take_up` that found something, and every ten seconds."""

    def __init__(
        self, app: Flask, name: str, take_up: Callable[[], object], tend: Callable[[], None]
    ) -> None:
        self._app, self._name = app, name
        self._take_up, self._tend = take_up, tend
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def terminate(self) -> None:
        """Ask the thread to stop."""
        self._over.set()

    def wait(self) -> None:
        """Wait for the thread to stop."""
        self._thread.join()

    def _run(self) -> None:
        looks = 0
        while not self._over.wait(LOOK_EVERY):
            try:
                with self._app.app_context():
                    if self._take_up() or looks % TEND_EVERY == 0:
                        self._tend()
            except (Busy, SQLAlchemyError):
                log.warning("could not check on the %s", self._name, exc_info=True)
            except Exception:  # the next look may fare better, and nobody else looks
                log.exception("could not check on the %s", self._name)
            looks += 1


def take_over(holders: Iterable[str], workflow: str, queue: str) -> None:
    """Queue again the work of those of these workers whose heartbeat is missing."""
    for worker in workers.gone(set(holders), now()):
        left_behind = DBOS.list_workflows(
            status="PENDING", name=workflow, executor_id=worker, load_input=False, load_output=False
        )
        for turn in left_behind:
            log.warning("taking over %s from worker %s", turn.workflow_id, worker)
            DBOS.resume_workflow(turn.workflow_id, queue_name=turn.queue_name or queue)
