"""The tables, one file a thing. Rows hold facts; rules stand in services."""

from webapp.models.attempt import Attempt, Move
from webapp.models.heartbeat import Heartbeat
from webapp.models.player import Player
from webapp.models.puzzle import Puzzle, Status

__all__ = ["Attempt", "Heartbeat", "Move", "Player", "Puzzle", "Status"]
