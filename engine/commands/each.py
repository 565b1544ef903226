"""Process entries in order, on several cores; an error in one doesn't stop the others."""

from __future__ import annotations

from argparse import Namespace
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

from ..errors import EngineError, PuzzleFormatError, RecipeError
from ..formats import Entry
from .command import Outcome


def answer_each(
    batches: Iterator[list[Entry]], jobs: int, answer: Callable[[Entry], Outcome]
) -> Iterator[Outcome]:
    """Yield the result of each entry, in order; slightly more than `jobs` run at a time.

    Threads suffice, because the kernels release the GIL. An entry's exception becomes its result, an error
    that names its line.
    """

    def kept(entry: Entry) -> Outcome:
        return _kept(entry, lambda _: [answer(entry)])[0]

    if jobs == 1:
        for batch in batches:
            yield from map(kept, batch)
        return
    with ThreadPoolExecutor(jobs) as pool:
        under_way: deque[Future[Outcome]] = deque()
        for batch in batches:
            for entry in batch:
                under_way.append(pool.submit(kept, entry))
                if len(under_way) > 4 * jobs:
                    yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()


def each(
    answer: Callable[[Namespace, Entry], Outcome],
) -> Callable[[Namespace, Iterator[list[Entry]]], Iterator[Outcome]]:
    """Return `Command.answers` for an answer to each entry."""
    return lambda options, batches: answer_each(batches, options.jobs, partial(answer, options))


def answer_together(
    batches: Iterator[list[Entry]], answer: Callable[[list[Entry]], Iterable[Outcome]]
) -> Iterator[Outcome]:
    """Yield the results of entries that are processed in batches.

    If a batch raises, it is repeated entry by entry, so that only the faulty entry yields the error.
    """
    for batch in batches:
        try:
            answers = [*answer(batch)]
        except (RecipeError, ModuleNotFoundError):
            raise
        except Exception:
            answers = [each for entry in batch for each in _kept(entry, answer)]
        yield from answers


def _kept(entry: Entry, answer: Callable[[list[Entry]], Iterable[Outcome]]) -> list[Outcome]:
    """Return the results of one entry, or the error it raised."""
    try:
        return [*answer([entry])]
    except (RecipeError, ModuleNotFoundError):
        raise  # whatever the line
    except EngineError as error:
        return [PuzzleFormatError(str(error), line=entry.line)]
    except Exception as error:  # a bug of ours; later lines are unaffected
        fault = f"{type(error).__name__}: {error}"
        return [PuzzleFormatError(f"a bug in ninefold, please report it: {fault}", line=entry.line)]
