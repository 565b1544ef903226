"""Errors of the services. webapp/web/answers.py maps each to a response; a package's routes map the few that
have a page of their own.
"""

from __future__ import annotations

from datetime import timedelta


class SettingError(ValueError):
    """An invalid setting; the message starts with its name."""

    def __init__(self, name: str, reason: object) -> None:
        self.name = name
        super().__init__(f"{name}: {reason}")


class Refusal(Exception):
    """Base of all refusals; the text is for the user and already translated."""


class NotFound(Refusal):
    """The object doesn't exist or belongs to someone else."""


class BadMove(Refusal):
    """A move with an invalid field, or one that the board rejects."""


class LogFull(Refusal):
    """A game that has reached the limit of moves; the text says what can still be done."""


class NotYet(NotFound):
    """Something that will be available after `wait`."""

    def __init__(self, message: str, wait: timedelta) -> None:
        super().__init__(message)
        self.wait = wait


class BadAddress(Refusal):
    """An address with an invalid part."""


class BadStart(Refusal):
    """An attempt that can't be started this way, or not anymore."""


class BadPuzzle(Refusal):
    """A grid that can't be played."""


class NotReady(Refusal):
    """Something still being prepared; the request can be repeated later."""


class NoPuzzle(Refusal):
    """The bank has no puzzle to offer now."""


class Changed(Refusal):
    """A concurrent change: the object differs from what the user saw; the text describes its state."""

    def __init__(self, message: str, subject_id: int | str) -> None:
        super().__init__(message)
        self.subject_id = subject_id


class BadInput(Refusal):
    """Invalid form fields; `fields` maps each to its error."""

    def __init__(self, **fields: str) -> None:
        super().__init__(" ".join(fields.values()))
        self.fields = fields


class TooMany(Refusal):
    """A rate limit is exceeded; `retry_after` is the time until the next token."""

    def __init__(self, message: str, retry_after: timedelta) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NotACurator(Refusal):
    """Raised on a page for curators only."""


class NotYourRole(Refusal):
    """A page for curators of another role."""


class NotSignedIn(Refusal):
    """A page for players, or for players with an account."""
