"""What the worker says when it ends."""

from __future__ import annotations

import logging

from dbos._dbos import DBOS

from webapp.site.jobs.worker import is_news


def told(words: str) -> bool:
    return is_news(logging.LogRecord("dbos", logging.ERROR, "queue.py", 1, words, None, None))


def test_work_claimed_by_a_dbos_that_has_ended_is_no_news() -> None:
    """The words are those of the DBOS that is installed."""
    ended = object.__new__(DBOS)
    ended._executor_field = None
    try:
        words = str(ended._executor)
    except Exception as error:
        words = f"Error executing workflow daily-1: {error}"
    assert words.startswith("Error")
    assert not told(words)


def test_what_else_goes_wrong_meanwhile_is_told() -> None:
    assert told("Error executing workflow daily-1: database is locked")
