"""Answers to entries, in order, on several cores; what goes wrong with one entry ends none of the others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from engine.commands.command import Outcome
from engine.errors import EngineError, PuzzleFormatError, RecipeError
from engine.formats import Entry


def answer_each(
    batches: Iterator[list[Entry]], jobs: int, answer: Callable[[Entry], Outcome]
) -> Iterator[Outcome]:
    """The answer to each entry, in order; a few more than `jobs` run at a time.

    Threads are enough, because the kernels release the GIL. What an entry raises is its answer, an error that
    names its line.
    """

    def kept(entry: Entry) -> Outcome:
        return _kept(entry, lambda: [answer(entry)])[0]

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


def answer_together(
    batches: Iterator[list[Entry]], answer: Callable[[list[Entry]], Iterable[Outcome]]
) -> Iterator[Outcome]:
    """The answers to entries that are answered a batch at a time.

    A batch that raises is asked again entry by entry, so the error is the answer of the one at fault alone.
    """
    for batch in batches:
        try:
            answers = [*answer(batch)]
        except RecipeError:
            raise
        except Exception:
            answers = [each for entry in batch for each in _alone(entry, answer)]
        yield from answers


def _alone(entry: Entry, answer: Callable[[list[Entry]], Iterable[Outcome]]) -> list[Outcome]:
    return _kept(entry, lambda: [*answer([entry])])


def _kept(entry: Entry, answer: Callable[[], list[Outcome]]) -> list[Outcome]:
    """The answers to one entry, or the error it raised."""
    try:
        return answer()
    except RecipeError:
        raise  # what was asked for cannot be met, whatever the line
    except EngineError as error:
        return [PuzzleFormatError(str(error), line=entry.line)]
    except Exception as error:  # a fault of ours; the lines that follow have nothing to do with it
        fault = f"{type(error).__name__}: {error}"
        return [PuzzleFormatError(f"a bug in ninefold, please report it: {fault}", line=entry.line)]
