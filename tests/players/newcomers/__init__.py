"""Players by a third author who had not read the judging either; they were looked at only afterwards."""

from tests.players.newcomers import helped, honest, programs

__all__ = ["helped", "honest", "programs"]
