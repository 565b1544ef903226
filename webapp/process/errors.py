"""Errors of the services. Each is mapped once to a response, in webapp/web/answers.py
or, for a page of its own, in that package's routes."""

from __future__ import annotations

from datetime import timedelta


class Refusal(Exception):
    """Base of all refusals; the text is for the user and already translated."""


class NotFound(Refusal):
    """It does not exist or belongs to someone else."""


class BadMove(Refusal):
    """A move with an invalid field, or one the board rejects."""


class LogFull(Refusal):
    """A game with as many moves as are kept; the text says what can still be done."""


class NotYet(NotFound):
    """It will be available after `wait`."""

    def __init__(self, message: str, wait: timedelta) -> None:
        super().__init__(message)
        self.wait = wait


class BadAddress(Refusal):
    """An invalid part of an address."""


class BadStart(Refusal):
    """An attempt that cannot be started this way, or no longer."""


class BadPuzzle(Refusal):
    """A grid that cannot be played."""


class NotReady(Refusal):
    """Still being prepared; the request can be repeated later."""


class NoPuzzle(Refusal):
    """The bank has no puzzle to offer right now."""


class Changed(Refusal):
    """A concurrent change: the subject is no longer as it was seen; the text describes its state."""

    def __init__(self, message: str, subject_id: int | str) -> None:
        super().__init__(message)
        self.subject_id = subject_id


class BadInput(Refusal):
    """Invalid form fields; `fields` maps each to its error."""

    def __init__(self, **fields: str) -> None:
        super().__init__(" ".join(fields.values()))
        self.fields = fields


class TooMany(Refusal):
    """A rate limit is used up; `retry_after` is the time until the next token."""

    def __init__(self, message: str, retry_after: timedelta) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BadToken(Refusal):
    """A program without a token that opens anything."""


class NotACurator(Refusal):
    """Only for curators."""


class NotYourRole(Refusal):
    """Only for curators of another role."""


class NotSignedIn(Refusal):
    """Only for players, or only for players with a name."""
