"""Work that may outlast a request: done once in a background thread, awaited briefly, and cached."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Late
from queue import SimpleQueue
from threading import Lock, Thread
from time import thread_time
from typing import Generic, TypeVar

from flask import Flask

from webapp.identity import costs, limits
from webapp.identity.costs import Payer
from webapp.process.children import this_app

Key = TypeVar("Key")
Answer = TypeVar("Answer")

PATIENCE = 1.5  # seconds a request waits
MOST_KEPT = 256  # cached answers
MOST_WAITING = 8  # keys requested but not started
FREE = 0.1  # seconds of processor time that aren't charged


class Aside(Generic[Key, Answer]):
    """Cached results of `work` by key. The engine's kernels release the GIL, so requests aren't delayed."""

    def __init__(self, work: Callable[[Key], Answer], most_kept: int = MOST_KEPT) -> None:
        self._work, self._most_kept = work, most_kept
        self._asked: SimpleQueue[tuple[Key, Future[Answer], tuple[Flask, Payer] | None]] = SimpleQueue()
        self._answers: OrderedDict[Key, Future[Answer]] = OrderedDict()
        self._lock = Lock()
        self._thread: Thread | None = None

    def ask(self, key: Key, patience: float | None = None) -> Answer | None:
        """Return the result for `key`; None if it isn't ready within `patience` seconds, or PATIENCE.

        The first to request it pays for the processor time. Raises TooMany.
        """
        if not self.knows(key):
            costs.refuse(limits.PROCESSOR)
        with self._lock:
            answer = self._answers.get(key) or self._begin(key)
        if answer is None:
            return None
        try:
            return answer.result(PATIENCE if patience is None else patience)
        except Late:
            return None

    def knows(self, key: Key) -> bool:
        """Whether `key` is done or under way, so that it costs nothing more."""
        with self._lock:
            return key in self._answers

    def _begin(self, key: Key) -> Future[Answer] | None:
        if self._asked.qsize() >= MOST_WAITING:
            return None
        if self._thread is None:
            # A daemon thread, so that a running search doesn't keep the process from exiting.
            self._thread = Thread(target=self._run, name="aside", daemon=True)
            self._thread.start()
        answer: Future[Answer] = Future()
        self._answers[key] = answer
        paying = costs.payer()
        self._asked.put((key, answer, None if paying is None else (this_app(), paying)))
        while len(self._answers) > self._most_kept:
            self._answers.popitem(last=False)
        return answer

    def _run(self) -> None:
        while True:
            key, answer, bill = self._asked.get()
            began = thread_time()
            try:
                result = self._work(key)
            except Exception as error:
                answer.set_exception(error)
            else:
                answer.set_result(result)
            seconds = thread_time() - began
            if bill is not None and seconds > FREE:
                app, payer = bill
                with app.app_context():
                    costs.owe(payer, limits.PROCESSOR, seconds)
