"""The tables, one file per subject. Rows hold facts; the services hold the rules."""

from webapp.models.attempt import Attempt, Move, PackedLog, Peek, Standing, Trace
from webapp.models.audit import AuditEntry
from webapp.models.daily import Daily
from webapp.models.desk.importing import Import, ImportLine, ImportPiece, ImportState, LineState
from webapp.models.desk.messages import Notice, PuzzleComment, PuzzleReport
from webapp.models.desk.order import Order, OrderState
from webapp.models.desk.planning import DailyDraft, DayNote, DeskSetting, Theme, WeekdayLook, WeekdayTarget
from webapp.models.desk.search import PuzzleTrait, SavedSearch
from webapp.models.group import Group, Membership, Race, Racer
from webapp.models.leaderboard import Leaderboard, Scope, Score
from webapp.models.learning import LessonProgress
from webapp.models.operation import BackupRecord, Bucket, Failure, Heartbeat, MailState, QueuedMail
from webapp.models.player import Listing, Player, Role, SignIn
from webapp.models.puzzle import Puzzle, Status
