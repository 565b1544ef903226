"""The job that imports large files, each in a durable workflow.

Each part is stored together with the counts. So a killed worker continues after the last part when it
restarts under its name; if it doesn't, another worker continues.
"""

from __future__ import annotations

import threading

import sqlalchemy as sa
from dbos import DBOS, SetWorkflowID
from flask import Flask

from webapp.curation.importing import importing, uploads
from webapp.curation.orders.tending import ACTIVE, Tender, take_over
from webapp.identity import failures
from webapp.models import Import, ImportState
from webapp.process.clock import now
from webapp.process.database import db

QUEUE = "imports"
AT_ONCE = 4  # files that a worker imports at once


def waiting() -> bool:
    """Whether an import waits or runs."""
    states = Import.state.in_((ImportState.QUEUED, ImportState.RUNNING))
    return bool(db.session.scalar(sa.select(sa.exists().where(states))))


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""
    stopping: threading.Event = app.extensions["stopping"]

    @DBOS.step(name="import_lines")
    def import_lines(batch_id: int) -> bool:
        """Import until the end of the file or of this worker; stored parts aren't stored again."""
        with app.app_context():
            try:
                return importing.work(batch_id, stopping.is_set, app.extensions["clock"])
            except failures.PASSING:
                raise
            except Exception as error:
                return failures.note("import", batch_id, error) and importing.give_up(batch_id, now())

    @DBOS.workflow(name="work_on_import")
    def work_on_import(batch_id: int, turn: int) -> int:
        if not import_lines(batch_id):
            _queue(app, batch_id, turn + 1)
        return turn

    app.extensions["work_on_import"] = work_on_import


def _queue(app: Flask, batch_id: int, turn: int) -> None:
    """Queue the next run; does nothing if it is already queued."""
    with SetWorkflowID(f"{_prefix(batch_id)}{turn}"):
        app.extensions["import_queue"].enqueue(app.extensions["work_on_import"], batch_id, turn)


def _prefix(batch_id: int) -> str:
    return f"import-{batch_id}-"


def start(app: Flask) -> Tender:
    """Start watching imports; call after launch."""
    # Limit concurrency per worker, not globally: a lost worker would hold a global slot forever.
    app.extensions["import_queue"] = DBOS.register_queue(
        QUEUE, worker_concurrency=AT_ONCE, polling_interval_sec=2.0
    )
    return Tender(app, "imports", importing.take_up, lambda: _tend(app))


def _tend(app: Flask) -> None:
    """Queue a run for every import without one, and take over abandoned ones."""
    holders: set[str] = set()
    for batch_id in uploads.in_state(ImportState.RUNNING):
        turns = DBOS.list_workflows(workflow_id_prefix=_prefix(batch_id), load_input=False, load_output=False)
        active = [turn for turn in turns if turn.status in ACTIVE]
        if not active:
            _queue(app, batch_id, len(turns))
        holders |= {turn.executor_id for turn in active if turn.status == "PENDING" and turn.executor_id}
    take_over(holders, "work_on_import", QUEUE)
