"""Check that each target of the Makefile and each campaign starts: its commands, without their work."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks.tables import ROOT, names
from tests.campaigns import CAMPAIGNS

PATIENCE: Final = 120  # seconds
PYTHON: Final = ".venv/bin/python"


def targets() -> list[str]:
    """List the targets that `make help` shows."""
    return re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)


def dry_start(target: str) -> list[str]:
    """Start the commands of a target. Returns the errors."""
    done = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", target, "CODE=fr"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return [done.stderr.strip()]
    lines = done.stdout.replace("\\\n", " ").splitlines()
    return [fault for line in lines if (fault := _starts(line))]


def dry_campaign(name: str) -> list[str]:
    """Start the programs of a campaign. Returns the errors."""
    commands = (
        shlex.join([*(f"{key}={value}" for key, value in given.items()), PYTHON, *words])
        for given, (_python, *words) in CAMPAIGNS[name].commands()
    )
    return [fault for command in commands if (fault := _starts(command))]


@cache
def _starts(line: str) -> str:
    """Start a command of Python, and look for any other program. Returns the errors."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:  # a piece of shell
        return ""
    given = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
    words = [word for word in words if not re.match(r"[A-Z_]+=", word)]
    if len(words) < 3 or words[0] != PYTHON or words[1] != "-m":
        program = words[0] if words else ""
        there = not program.startswith((".venv/bin/", "node_modules/")) or (ROOT / program).exists()
        return "" if there else f"{program} is not there"
    module, arguments = words[2], words[3:]
    if module == "benchmarks":
        return "" if set(arguments[:1]) <= set(names()) else f"no benchmark is called {arguments[0]}"
    if module == "pytest":
        named = any("/" in word and (ROOT / word.partition("::")[0]).exists() for word in arguments)
        only = "--collect-only" if named else "--version"  # the whole suite takes minutes
        return _run([*words, only, "-q", "-n", "0", "--no-header"], given)
    if module.startswith("tests."):
        return _run([words[0], "-c", f"import {module}"], given)
    if module in ("pip", "flask"):
        return _run([words[0], "-m", module, "--help"], given)
    return "" if _found(module) else f"there is no module {module}"


def _found(module: str) -> bool:
    """Tell whether a module can be run here."""
    known = Path(ROOT / module.replace(".", "/"))
    if known.with_suffix(".py").exists() or (known / "__main__.py").exists():
        return True
    return shutil.which(module, path=str(ROOT / ".venv" / "bin")) is not None


def _run(command: list[str], given: dict[str, str]) -> str:
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | given,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{shlex.join(command)} did not end within {PATIENCE} s"
    return "" if done.returncode == 0 else f"{shlex.join(command)}: {(done.stdout + done.stderr)[-800:]}"
