"""`python -m benchmarks overdue`: whether packages have been brought up to date as `SECURITY.md` promises."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "requirements-tracing.lock", "package-lock.json")
AT_LEAST = timedelta(days=90)  # SECURITY.md says so


def main() -> None:
    """Print when each lock was last renewed; ends with 1 if that was too long ago."""
    now = datetime.now(UTC)
    overdue = [lock for lock in LOCKS if _told(lock, now) > AT_LEAST]
    if overdue:
        raise SystemExit(f"not brought up to date for {AT_LEAST.days} days: {', '.join(overdue)}")


def _told(lock: str, now: datetime) -> timedelta:
    command = ["git", "log", "-1", "--format=%ct", "--", lock]
    seconds = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    if not seconds.strip():
        raise SystemExit(f"{lock}: git does not know when it was renewed")
    renewed = datetime.fromtimestamp(int(seconds), UTC)
    print(f"{lock}: renewed {renewed.date()}, {(now - renewed).days} days ago")
    return now - renewed


if __name__ == "__main__":
    main()
