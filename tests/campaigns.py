"""The long tests and their sizes: `make campaign NAME=chaos`.

Without a name, they are listed. A variable of the environment overrides the size here; arguments behind the
name go to the last program.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]


class Campaign(NamedTuple):
    """A campaign's purpose, and its programs: variables, a module, arguments."""

    purpose: str
    programs: Sequence[str]

    def commands(self, more: Sequence[str] = ()) -> Iterator[tuple[dict[str, str], list[str]]]:
        """Yield the environment and the command of each program."""
        for program in self.programs:
            words = shlex.split(program)
            given = dict(word.split("=", 1) for word in words if word.partition("=")[0].isupper())
            behind = more if program is self.programs[-1] else ()
            yield given, [sys.executable, "-m", *words[len(given) :], *behind]


def _tests(purpose: str, program: str) -> Campaign:
    """Return a campaign of tests that the suite runs at smaller sizes."""
    variables, _pytest, arguments = program.partition("pytest ")
    workers = "" if " -n " in arguments else " -n 0"
    return Campaign(purpose, (f"{variables}pytest {arguments}{workers} -rP",))


CAMPAIGNS: Final[Mapping[str, Campaign]] = {
    "axe": _tests(
        "check every page with axe-core in all themes and widths, and every address in all languages",
        "AXE=all pytest tests/browser/test_accessibility.py",
    ),
    "backups": _tests(
        "back up a site 100 times while players move, restore and verify each",
        "BACKUPS=100 DATABASES=both pytest tests/webapp/site/test_backup.py -k while_players_move",
    ),
    "chaos": Campaign(
        "run 60 faults (--faults) under play on each database, then outages of a minute with 30 clients",
        ("tests.webapp.chaos",),
    ),
    "copy": Campaign(
        "copy a million games (GAMES) from SQLite to PostgreSQL, killed once on the way",
        ("tests.webapp.copies",),
    ),
    "coverage": Campaign(
        "measure test coverage, with the kernels as plain Python",
        ("NUMBA_DISABLE_JIT=1 pytest -m kernel --cov --cov-report=", "pytest --cov --cov-append"),
    ),
    "devices": _tests(
        "play 500 random games on two devices", "GAMES=500 pytest tests/browser/test_devices.py"
    ),
    "forgery": _tests(
        "forge 10,000 finishes on each database and check that none reaches a leaderboard",
        "FORGED=10000 DATABASES=both pytest tests/webapp/competition/test_forgery.py",
    ),
    "fresh": _tests(
        "start five new instances: their first dailies have the levels they claim",
        "FRESH=5 pytest tests/webapp/process/test_processes.py -k one_command",
    ),
    "fuzz": _tests(
        "send 50,000 requests of noise to every address, none may answer 5xx",
        "FUZZ=50000 pytest tests/webapp/web/test_inputs.py -k request -n 2",
    ),
    "hostile": _tests(
        "call the public functions of the engine 100,000 times with hostile values",
        "HOSTILE=100000 pytest tests/engine/test_hostile.py -k random",
    ),
    "kills": _tests(
        "kill a server 20 times mid-game and a worker at 1,000 puzzles",
        "KILLS=20 FILLED=200 DATABASES=both pytest tests/webapp -k killed",
    ),
    "lessons": _tests(
        "open every lesson in the browser, solve its exercise wrong and right, with axe",
        "THOROUGH=1 pytest tests/browser/test_lessons.py",
    ),
    "levels": _tests(
        "check 1,000 offered puzzles of each level: techniques, givens, symmetry, empty houses",
        "OFFERED=1000 pytest tests/webapp/bank/test_offered.py",
    ),
    "midnight": _tests(
        "run 30 clients through midnight and check that each gets the right daily",
        "CLIENTS=30 SECONDS=10 pytest tests/webapp/competition/test_midnight.py",
    ),
    "proxy": Campaign(
        "run the recipes for nginx and Caddy on loopback, and kill one of two hosts behind nginx",
        ("tests.webapp.proxied",),
    ),
    "small-disk": _tests(
        "back up every hour for 100 hours on a disk of 50 MB that the site shares (as root)",
        "ROUNDS=100 pytest tests/webapp/site/test_keeping.py -k small_disk",
    ),
    "soundness": _tests(
        "check every step of thousands of puzzles against the solution (needs NINEFOLD_DATA, an hour)",
        f"SOUNDNESS=all pytest tests/engine/test_soundness.py -k shared -n {os.cpu_count()}",
    ),
    "thorough": Campaign(
        "run all Python tests at full length, each on both databases",
        ("THOROUGH=1 DATABASES=both pytest -n 4 --dist loadgroup --no-loadscope-reorder --durations=20",),
    ),
}


def main(arguments: Sequence[str]) -> int:
    """Run the campaign of that name, or list all."""
    if not arguments:
        for name, campaign in CAMPAIGNS.items():
            print(f"{name:11} {campaign.purpose}")
        return 0
    name, *more = arguments
    if name not in CAMPAIGNS:
        print(f"No campaign is called {name}. There are: {', '.join(CAMPAIGNS)}.", file=sys.stderr)
        return 2
    for given, command in CAMPAIGNS[name].commands(more):
        if status := subprocess.run(command, cwd=ROOT, env={**given, **os.environ}, check=False).returncode:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
