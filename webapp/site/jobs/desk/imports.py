"""The job that imports large files, each in a durable workflow.

What is read is stored part by part together with the counts. So a killed worker goes on behind the last
part when it restarts under its name, and another worker does if it does not come back.
"""

from __future__ import annotations

import threading

from dbos import DBOS, SetWorkflowID
from flask import Flask

from webapp.curation.importing import importing, uploads
from webapp.site.jobs.desk.tending import ACTIVE, Tender, take_over

QUEUE = "imports"
AT_ONCE = 4  # files that a worker imports


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""
    stopping: threading.Event = app.extensions["stopping"]

    @DBOS.step(name="import_lines")
    def import_lines(batch_id: int) -> bool:
        """Import until the end of the file or of this worker; parts that are stored are not stored again."""
        with app.app_context():
            return importing.work(batch_id, stopping.is_set, app.extensions["clock"])

    @DBOS.workflow(name="work_on_import")
    def work_on_import(batch_id: int, turn: int) -> int:
        if not import_lines(batch_id):
            _queue(app, batch_id, turn + 1)
        return turn

    app.extensions["work_on_import"] = work_on_import


def _queue(app: Flask, batch_id: int, turn: int) -> None:
    """Queue a turn; does nothing if it is already queued."""
    with SetWorkflowID(f"{_prefix(batch_id)}{turn}"):
        app.extensions["import_queue"].enqueue(app.extensions["work_on_import"], batch_id, turn)


def _prefix(batch_id: int) -> str:
    return f"import-{batch_id}-"


def start(app: Flask) -> Tender:
    """Start tending imports; call after launch."""
    # Limit concurrency per worker, not globally: a lost worker would hold a global slot forever.
    app.extensions["import_queue"] = DBOS.register_queue(
        QUEUE, worker_concurrency=AT_ONCE, polling_interval_sec=0.5
    )
    return Tender(app, "imports", importing.take_up, lambda: _tend(app))


def _tend(app: Flask) -> None:
    """Start a turn of every running import that has none, and take over abandoned ones."""
    holders: set[str] = set()
    for batch_id in uploads.running():
        turns = DBOS.list_workflows(workflow_id_prefix=_prefix(batch_id), load_input=False, load_output=False)
        active = [turn for turn in turns if turn.status in ACTIVE]
        if not active:
            _queue(app, batch_id, len(turns))
        holders |= {turn.executor_id for turn in active if turn.status == "PENDING" and turn.executor_id}
    take_over(holders, "work_on_import", QUEUE)
