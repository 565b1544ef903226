"""The desk's background work: orders and imports, each in short durable workflows.

A workflow works for a few seconds and then queues the next one, so that a worker stops quickly and several
orders share it. A killed worker repeats at most a few seconds when it restarts under its name. If it doesn't
return, its work is queued again once its heartbeat has been missing for a while.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Final

import sqlalchemy as sa
from dbos import DBOS, SetWorkflowID
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from webapp.curation.puzzles import imports, orders
from webapp.curation.puzzles.tables import Import, JobState, Order
from webapp.identity import failures, workers
from webapp.process.clock import now
from webapp.process.database import Busy, db, write_tx

log = logging.getLogger(__name__)

QUEUE: Final = "desk"
AT_ONCE: Final = 4  # orders and imports that a worker works on at once
TURN: Final = 5.0  # seconds of work
LOOK_EVERY: Final = 2.0  # seconds between checks for new work
TEND_EVERY: Final = 5  # how many of these checks between two inspections of running work
ACTIVE: Final = ["ENQUEUED", "DELAYED", "PENDING"]

Work = Callable[[int, float, Callable[[], bool], Callable[[], datetime]], bool]  # True once it has ended
KINDS: Final[dict[str, tuple[type[Order] | type[Import], Work, Callable[[int, datetime], None]]]] = {
    "order": (Order, orders.work, orders.give_up),
    "import": (Import, imports.work, imports.give_up),
}


def waiting() -> bool:
    """Whether an order or an import waits or runs."""
    states = JobState.QUEUED, JobState.RUNNING
    found = (sa.select(sa.exists().where(kind[0].state.in_(states))) for kind in KINDS.values())
    return any(db.session.scalar(each) for each in found)


def register(app: Flask) -> None:
    """Register the workflow with DBOS; call before launch."""
    stopping: threading.Event = app.extensions["stopping"]

    @DBOS.step(name="desk_turn")
    def turn(kind: str, number: int) -> bool:
        """Work for a while; every result is stored at once, so it can be repeated. True at the end."""
        _model, work, give_up = KINDS[kind]
        with app.app_context():
            try:
                return work(number, TURN, stopping.is_set, app.extensions["clock"])
            except failures.PASSING:
                raise
            except Exception as error:
                if failures.note(kind, number, error):
                    give_up(number, now())
                    return True
                return False

    @DBOS.workflow(name="desk_work")
    def desk_work(kind: str, number: int, at: int) -> int:
        if not turn(kind, number):
            _queue(app, kind, number, at + 1)
        return at

    app.extensions["desk_work"] = desk_work


def _queue(app: Flask, kind: str, number: int, at: int) -> None:
    """Queue five seconds of work, unless they are queued already."""
    with SetWorkflowID(f"{kind}-{number}-{at}"):
        app.extensions["desk_queue"].enqueue(app.extensions["desk_work"], kind, number, at)


def start(app: Flask) -> Watch:
    """Start watching for work; call after launch."""
    # Limit concurrency per worker, not globally: a lost worker would hold a global slot forever.
    app.extensions["desk_queue"] = DBOS.register_queue(
        QUEUE, worker_concurrency=AT_ONCE, polling_interval_sec=LOOK_EVERY
    )
    return Watch(app)


class Watch:
    """A thread that starts waiting work, and queues again the work of lost workers."""

    def __init__(self, app: Flask) -> None:
        self._app, self._over = app, threading.Event()
        self._thread = threading.Thread(target=self._run, name="desk", daemon=True)
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
                    begun = [_begin(kind) for kind in KINDS]
                    if any(begun) or looks % TEND_EVERY == 0:
                        _tend(self._app)
            except (Busy, SQLAlchemyError):
                log.warning("could not check on the desk's work", exc_info=True)
            except Exception:  # the next look may fare better, and nobody else looks
                log.exception("could not check on the desk's work")
            looks += 1


def _begin(kind: str) -> bool:
    """Start the waiting work of a kind; whether there was any."""
    model = KINDS[kind][0]
    ids = list(db.session.scalars(sa.select(model.id).where(model.state == JobState.QUEUED)))
    db.session.rollback()
    if ids:
        with write_tx():
            chosen = sa.update(model).where(model.id.in_(ids), model.state == JobState.QUEUED)
            db.session.execute(chosen.values(state=JobState.RUNNING))
    return bool(ids)


def _tend(app: Flask) -> None:
    """Queue work for everything that runs and has none queued, and take over from lost workers."""
    for kind, (model, _work, _give_up) in KINDS.items():
        running = list(db.session.scalars(sa.select(model.id).where(model.state == JobState.RUNNING)))
        db.session.rollback()
        for number in running:
            turns = DBOS.list_workflows(
                workflow_id_prefix=f"{kind}-{number}-", load_input=False, load_output=False
            )
            active = [turn for turn in turns if turn.status in ACTIVE]
            if not active:
                _queue(app, kind, number, len(turns))
            holders = {turn.executor_id for turn in active if turn.status == "PENDING" and turn.executor_id}
            lost = workers.gone(holders, now())
            for turn in active:
                if turn.status == "PENDING" and turn.executor_id in lost:
                    log.warning("taking over %s from worker %s", turn.workflow_id, turn.executor_id)
                    DBOS.resume_workflow(turn.workflow_id, queue_name=QUEUE)
