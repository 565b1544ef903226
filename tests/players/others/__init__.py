"""More players by someone who had not read how logs are judged; the judging was then corrected by them."""

from tests.players.others import copies, helped, honest, programs

__all__ = ["copies", "helped", "honest", "programs"]
