"""Weigh the repository, and fail above a ceiling: `python -m tests.weight`. Ceilings only go down."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
CEILINGS: Final = {
    "lines of webapp": 32_000,
    "lines of engine": 30_980,
    "lines of tests": 42_800,
    "lines of css and js": 10_700,
    "files of webapp": 260,
    "tables": 27,
    "routes": 141,
    "settings": 13,
    "messages": 2_545,
}


def texts() -> dict[str, str]:
    """Return the text of every file that git knows or would add, by its path."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = {name: ROOT / name for name in names.splitlines()}
    kinds = (".py", ".css", ".js", ".md", ".po")
    return {name: path.read_text() for name, path in paths.items() if path.suffix in kinds and path.is_file()}


def weights(found: Mapping[str, str]) -> dict[str, int]:
    """Return what each ceiling limits."""

    def lines(pattern: str) -> int:
        return sum(text.count("\n") for name, text in found.items() if re.search(pattern, name))

    def count(what: str, where: str) -> list[int]:
        return [
            len(re.findall(what, text, re.MULTILINE))
            for name, text in found.items()
            if re.search(where, name)
        ]

    return {
        **{f"lines of {tree}": lines(rf"^{tree}/.*\.py$") for tree in ("webapp", "engine", "tests")},
        "lines of css and js": lines(r"^static/.*\.(css|js)$"),
        "files of webapp": len(count("", r"^webapp/.*\.py$")),
        "tables": sum(count(r"^\s+__tablename__", r"^webapp/.*\.py$")),
        "routes": sum(count(r"^@\w+\.(get|post|put|patch|delete|route)\(", r"^webapp/.*\.py$")),
        "settings": sum(count(r"^\| `[A-Z_]+` \|", r"^docs/settings\.md$")),
        "messages": max(count(r"^msgid ", r"\.po$")),
    }


def main() -> int:
    """Print each weight above its ceiling. Returns 1 if there are any."""
    above = {name: now for name, now in weights(texts()).items() if now > CEILINGS[name]}
    for name, now in above.items():
        print(f"{name}: {now:,}, and the ceiling is {CEILINGS[name]:,}: take something away")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
