"""`python -m benchmarks overdue`: check that packages are updated as often as `SECURITY.md` promises."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "package-lock.json")
AT_LEAST = timedelta(days=90)  # from SECURITY.md


def main() -> None:
    """Print when each lock file was last renewed; exit with 1 if that was too long ago."""
    now = datetime.now(UTC)
    overdue = [lock for lock in LOCKS if _renewed(lock, now) > AT_LEAST]
    if overdue:
        raise SystemExit(f"not brought up to date for {AT_LEAST.days} days: {', '.join(overdue)}")


def _renewed(lock: str, now: datetime) -> timedelta:
    command = ["git", "log", "-1", "--format=%ct", "--", lock]
    seconds = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    if not seconds.strip():
        raise SystemExit(f"{lock}: git does not know when it was renewed")
    renewed = datetime.fromtimestamp(int(seconds), UTC)
    print(f"{lock}: renewed {renewed.date()}, {(now - renewed).days} days ago")
    return now - renewed


if __name__ == "__main__":
    main()
