"""The job that fills orders: an order is split into lanes, and each lane is worked on in short runs.

A run is a durable workflow of a few seconds in a queue shared by all workers; at its end it queues the next
one. A worker has one run of each order at a time, and the processors are shared between them: a search that
finds nothing for minutes doesn't block other orders. A killed worker repeats at most a few seconds when it
restarts under its name, and an order progresses as long as one of its lanes has a worker. If a worker doesn't
return, its runs are queued again once its heartbeat has been missing for a while.
"""

from __future__ import annotations

import threading
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa
from dbos import DBOS, SetEnqueueOptions, SetWorkflowID
from flask import Flask

from webapp.curation.orders import lanes
from webapp.curation.orders.lanes import Lane
from webapp.curation.orders.tending import ACTIVE, Tender, take_over
from webapp.identity import failures
from webapp.models import Order, OrderState
from webapp.process.clock import now
from webapp.process.database import db

QUEUE = "turns"
BEFORE = "orders"  # the queue's name in an older version
AT_ONCE = 16  # orders that a worker works on at once
LANES = 4  # maximum number of workers per order
TURN = 5.0  # seconds of work


def waiting() -> bool:
    """Whether an order waits or runs."""
    states = Order.state.in_((OrderState.QUEUED, OrderState.RUNNING))
    return bool(db.session.scalar(sa.select(sa.exists().where(states))))


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""
    stopping: threading.Event = app.extensions["stopping"]

    @DBOS.step(name="make_to_order")
    def make_to_order(lane: dict[str, Any]) -> dict[str, Any] | None:
        """Work for one run; each puzzle is stored immediately, so it can be repeated."""
        with app.app_context():
            try:
                left = lanes.work(Lane(**lane), TURN, stopping.is_set, app.extensions["clock"])
            except failures.PASSING:
                raise
            except Exception as error:
                if not failures.note("order", lane["order_id"], error):
                    return lane
                lanes.give_up(lane["order_id"], now())
                return None
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
    """Queue a run; does nothing if it is already queued."""
    key = str(lane["order_id"])
    name = f"{_prefix(lane['order_id'], lane['run'])}{at}-{turn}"
    with SetWorkflowID(name), SetEnqueueOptions(queue_partition_key=key):
        app.extensions["order_queue"].enqueue(app.extensions["work_on_order"], lane, at, turn)


def _prefix(order_id: int, run: int) -> str:
    return f"order-{order_id}-{run}-"


def start(app: Flask) -> Tender:
    """Start watching orders; call after launch."""
    # Limit concurrency per worker, not globally: a lost worker would hold a global slot forever.
    app.extensions["order_queue"] = DBOS.register_queue(
        QUEUE, worker_concurrency=AT_ONCE, partition_worker_concurrency=1, polling_interval_sec=2.0
    )
    DBOS.register_queue(BEFORE, worker_concurrency=1, polling_interval_sec=60.0)
    return Tender(app, "orders", lambda: lanes.take_up(now()), lambda: _tend(app))


def _tend(app: Flask) -> None:
    """Start waiting orders, take over abandoned runs and close finished orders."""
    holders: set[str] = set()
    for order in lanes.running():
        run = lanes.run_of(order)
        turns = DBOS.list_workflows(
            workflow_id_prefix=_prefix(order.id, run), load_input=False, load_output=False
        )
        if not turns:
            # The worker that started it may have died before this point, or be about to get here. Queueing is
            # idempotent.
            for at, lane in enumerate(lanes.lanes(order, LANES)):
                _queue(app, asdict(lane), at, 0)
            continue
        active = [turn for turn in turns if turn.status in ACTIVE]
        if not active:
            lanes.close(order.id, run, now())
        holders |= {turn.executor_id for turn in active if turn.status == "PENDING" and turn.executor_id}
    take_over(holders, "work_on_order", QUEUE)
