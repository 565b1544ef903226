"""What the services refuse. Each is mapped once to an answer, in webapp/web/answers.py
or, where the answer is a room's own page, in that room's routes."""

from __future__ import annotations

from datetime import timedelta


class Refusal(Exception):
    """Base of every refusal; its text is for the person who reads it, already translated."""


class NotFound(Refusal):
    """There is no such thing, or it belongs to somebody else."""


class BadMove(Refusal):
    """A move with a field that cannot be, or one the board does not take."""


class NotYet(NotFound):
    """Something that will be there after `wait`."""

    def __init__(self, message: str, wait: timedelta) -> None:
        super().__init__(message)
        self.wait = wait


class BadAddress(Refusal):
    """A part of an address that cannot be read."""


class BadStart(Refusal):
    """An attempt that cannot be started like this, or not any more."""


class BadPuzzle(Refusal):
    """A grid that cannot be played."""


class NotReady(Refusal):
    """Something this machine is still preparing; the request can be repeated in a while."""


class NoPuzzle(Refusal):
    """The bank has nothing to offer at this moment."""


class Changed(Refusal):
    """Somebody was quicker: what was to be changed is not as it was seen; the text says what stands."""

    def __init__(self, message: str, subject_id: int | str) -> None:
        super().__init__(message)
        self.subject_id = subject_id


class BadInput(Refusal):
    """Fields of a form that cannot be taken; `fields` says of each what is wrong with it."""

    def __init__(self, **fields: str) -> None:
        super().__init__(" ".join(fields.values()))
        self.fields = fields


class TooMany(Refusal):
    """A limit is used up; `retry_after` says when there is one more."""

    def __init__(self, message: str, retry_after: timedelta) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NotACurator(Refusal):
    """Only for curators."""


class NotSignedIn(Refusal):
    """Only for players, or only for players with a name."""
