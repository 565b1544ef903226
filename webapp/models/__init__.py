"""The tables, one file per subject. Rows hold facts; rules are in the services."""

from webapp.models.attempt import Attempt, Footprint, Move, PackedLog, Peek, Standing, Trace, TraceKey
from webapp.models.audit import AuditEntry
from webapp.models.bucket import Bucket
from webapp.models.daily import Daily
from webapp.models.desk.collection import Collection, CollectionPuzzle
from webapp.models.desk.comment import PuzzleComment
from webapp.models.desk.importing import Import, ImportLine, ImportPiece, ImportState, LineState
from webapp.models.desk.mail import DeskMail
from webapp.models.desk.order import Order, OrderState
from webapp.models.desk.planning import DailyDraft, DayNote, Theme, WeekdayTarget
from webapp.models.desk.rule_trial import RuleTrial
from webapp.models.desk.search import PuzzleTrait, SavedSearch
from webapp.models.desk.submission import Submission
from webapp.models.desk.token import ApiToken
from webapp.models.group import Group, Membership, Race, Racer
from webapp.models.heartbeat import Heartbeat
from webapp.models.leaderboard import (
    Leaderboard,
    League,
    LeaguePlayer,
    Period,
    PointCount,
    Scope,
    Score,
    Seat,
    TimeCount,
)
from webapp.models.learning.exercise import Exercise, ExerciseKind
from webapp.models.learning.lesson import LessonProgress
from webapp.models.learning.practice import Drill, PracticeCard, PracticeSession
from webapp.models.learning.rush import RushRun
from webapp.models.learning.strength import PlayerRating, PuzzleRating, RatedGame
from webapp.models.player import Listing, Passkey, Player, Role, SignIn
from webapp.models.puzzle import Puzzle, Status

__all__ = [
    "ApiToken",
    "Attempt",
    "AuditEntry",
    "Bucket",
    "Collection",
    "CollectionPuzzle",
    "Daily",
    "DailyDraft",
    "DayNote",
    "DeskMail",
    "Drill",
    "Exercise",
    "ExerciseKind",
    "Footprint",
    "Group",
    "Heartbeat",
    "Import",
    "ImportLine",
    "ImportPiece",
    "ImportState",
    "Leaderboard",
    "League",
    "LeaguePlayer",
    "LessonProgress",
    "LineState",
    "Listing",
    "Membership",
    "Move",
    "Order",
    "OrderState",
    "PackedLog",
    "Passkey",
    "Peek",
    "Period",
    "Player",
    "PlayerRating",
    "PointCount",
    "PracticeCard",
    "PracticeSession",
    "Puzzle",
    "PuzzleComment",
    "PuzzleRating",
    "PuzzleTrait",
    "Race",
    "Racer",
    "RatedGame",
    "Role",
    "RuleTrial",
    "RushRun",
    "SavedSearch",
    "Scope",
    "Score",
    "Seat",
    "SignIn",
    "Standing",
    "Status",
    "Submission",
    "Theme",
    "TimeCount",
    "Trace",
    "TraceKey",
    "WeekdayTarget",
]
