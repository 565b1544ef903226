"""Finds a Chromium, or installs one: `python -m tests.browser.chromium` prints nothing when all is well."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def executable() -> str | None:
    """The path of CHROMIUM, of one of the system's or of Playwright's own; None where there is none."""
    for candidate in (os.environ.get("CHROMIUM"), *map(shutil.which, NAMES)):
        if candidate and _starts(candidate):
            return candidate
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() and _starts(own) else None


@cache
def _starts(path: str) -> bool:
    """Whether it really runs: Ubuntu's package is a stub without snap, a download may lack libraries."""
    try:
        command = [path, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "about:blank"]
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install() -> bool:
    """Install one: the system's package as root, else Playwright's own download."""
    commands: list[list[str]] = []
    if os.getuid() == 0 and shutil.which("apt-get"):
        commands += [["apt-get", "-qq", "update"], ["apt-get", "-qq", "install", "-y", "chromium"]]
    with_libraries = ["--with-deps"] if os.getuid() == 0 else []
    commands.append([sys.executable, "-m", "playwright", "install", *with_libraries, "chromium"])
    for command in commands:
        print("Installing Chromium:", " ".join(command[:3]), flush=True)
        subprocess.run(
            command, stdout=subprocess.DEVNULL, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        )
        if executable():
            return True
    return False


if __name__ == "__main__" and not executable() and not install():
    sys.exit(
        "No Chromium that starts could be installed: install one (`sudo apt install chromium`, or elsewhere "
        "`sudo .venv/bin/playwright install --with-deps chromium`) or set CHROMIUM."
    )
