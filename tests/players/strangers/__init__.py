"""Players by someone who had read neither the judging nor what it was tried on; it was tried on them."""

from tests.players.strangers import copies, helped, honest, programs

__all__ = ["copies", "helped", "honest", "programs"]
