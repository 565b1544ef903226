"""The job that fills orders: an order is split into lanes, and each lane is worked on in turns.

A turn is a durable workflow of a few seconds in a queue shared by all workers; at its end it
queues the next one. A worker has one turn of each order under way, and the processors are shared between
them: a search that finds nothing for minutes keeps no other order waiting. A killed worker repeats at most
a few seconds when it restarts under its name, and an order progresses as long as one of its lanes has a
worker. The turns of a worker that does not return are queued again once its heartbeat has been missing for
a while.
"""

from __future__ import annotations

import threading
from dataclasses import asdict
from typing import Any

from dbos import DBOS, SetEnqueueOptions, SetWorkflowID
from flask import Flask

from webapp.curation.orders import orders
from webapp.curation.orders.orders import Lane
from webapp.process.clock import now
from webapp.site.jobs.desk.tending import ACTIVE, Tender, take_over

QUEUE = "turns"
BEFORE = "orders"  # the queue of turns that an older version has left
AT_ONCE = 16  # orders that a worker works on
LANES = 4  # maximum number of workers per order
TURN = 5.0  # seconds of work


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""
    stopping: threading.Event = app.extensions["stopping"]

    @DBOS.step(name="make_to_order")
    def make_to_order(lane: dict[str, Any]) -> dict[str, Any] | None:
        """Work for one turn; each puzzle is stored immediately, so it can be repeated."""
        with app.app_context():
            left = orders.work(Lane(**lane), TURN, stopping.is_set, app.extensions["clock"])
        return None if left is None else asdict(left)

    @DBOS.workflow(name="work_on_order")
    def work_on_order(lane: dict[str, Any], at: int, turn: int) -> int:
        left = make_to_order(lane)
        if left is None:
            return turn
        _queue(app, left, at, turn + 1)
        return turn

    app.extensions["work_on_order"] = work_on_order


def _queue(app: Flask, lane: dict[str, Any], at: int, turn: int) -> None:
    """Queue a turn; does nothing if it is already queued."""
    key = str(lane["order_id"])
    name = f"{_prefix(lane['order_id'], lane['run'])}{at}-{turn}"
    with SetWorkflowID(name), SetEnqueueOptions(queue_partition_key=key):
        app.extensions["order_queue"].enqueue(app.extensions["work_on_order"], lane, at, turn)


def _prefix(order_id: int, run: int) -> str:
    return f"order-{order_id}-{run}-"


def start(app: Flask) -> Tender:
    """Start tending orders; call after launch."""
    # Limit concurrency per worker, not globally: a lost worker would hold a global slot forever.
    app.extensions["order_queue"] = DBOS.register_queue(
        QUEUE, worker_concurrency=AT_ONCE, partition_worker_concurrency=1, polling_interval_sec=0.5
    )
    DBOS.register_queue(BEFORE, worker_concurrency=1, polling_interval_sec=60.0)
    return Tender(app, "orders", lambda: orders.take_up(now()), lambda: _tend(app))


def _tend(app: Flask) -> None:
    """Start waiting orders, take over abandoned turns and close finished orders."""
    holders: set[str] = set()
    for order in orders.running():
        run = orders.run_of(order)
        turns = DBOS.list_workflows(
            workflow_id_prefix=_prefix(order.id, run), load_input=False, load_output=False
        )
        if not turns:
            # The worker that started it may have died before this point, or be about to get here.
            # Queueing is idempotent.
            for at, lane in enumerate(orders.lanes(order, LANES)):
                _queue(app, asdict(lane), at, 0)
            continue
        active = [turn for turn in turns if turn.status in ACTIVE]
        if not active:
            orders.close(order.id, run, now())
        holders |= {turn.executor_id for turn in active if turn.status == "PENDING" and turn.executor_id}
    take_over(holders, "work_on_order", QUEUE)
