"""The tables, one file per subject. Rows hold facts; the services hold the rules."""

from webapp.models.attempt import Attempt, Move, PackedLog, Peek, Standing, Trace
from webapp.models.daily import Daily, Leaderboard, Scope, Score
from webapp.models.operation import (
    AuditEntry,
    BackupRecord,
    Bucket,
    Failure,
    Heartbeat,
    MailState,
    QueuedMail,
)
from webapp.models.player import LessonProgress, Listing, Player, Role, SignIn
from webapp.models.puzzle import Puzzle, PuzzleTrait, PuzzleVote, Status
