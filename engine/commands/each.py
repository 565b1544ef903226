"""Compute independent answers on several cores and yield them in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from engine.formats import Entry

T = TypeVar("T")


def answer_each(batches: Iterator[list[Entry]], jobs: int, answer: Callable[[Entry], T]) -> Iterator[T]:
    """The answer to each entry, in order; a few more than `jobs` run at a time.

    Threads are enough, because the kernels release the GIL.
    """
    if jobs == 1:
        for batch in batches:
            yield from map(answer, batch)
        return
    with ThreadPoolExecutor(jobs) as pool:
        under_way: deque[Future[T]] = deque()
        for batch in batches:
            for entry in batch:
                under_way.append(pool.submit(answer, entry))
                if len(under_way) > 4 * jobs:
                    yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
