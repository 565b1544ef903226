"""Find a Chromium, or install one: `python -m tests.browser.chromium` prints nothing on success.

Debian's headless shell comes first: it draws no window around the page, so a page in a new context costs half
the processor time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def executable() -> str | None:
    """Return the path in CHROMIUM, of one of the system's or of Playwright's own; None if there is none."""
    for candidate in (os.environ.get("CHROMIUM"), *map(shutil.which, NAMES)):
        if candidate and _starts(candidate):
            return candidate
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() and _starts(own) else None


@cache
def _starts(path: str) -> bool:
    """Tell whether it really runs: Ubuntu's package is a stub without snap, a download may lack libraries."""
    try:
        command = [path, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "about:blank"]
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install() -> bool:
    """Install a browser: the system's package as root, else Playwright's own download."""
    commands: list[list[str]] = []
    if _has_apt():
        apt_install = ["apt-get", "-qq", "install", "-y"]
        commands += [["apt-get", "-qq", "update"], [*apt_install, SHELL], [*apt_install, "chromium"]]
    with_libraries = ["--with-deps"] if os.getuid() == 0 else []
    commands.append([sys.executable, "-m", "playwright", "install", *with_libraries, "chromium"])
    for command in commands:
        print("Installing Chromium:", " ".join(command), flush=True)
        _run(command)
        if executable():
            return True
    return False


def _has_apt() -> bool:
    return os.getuid() == 0 and shutil.which("apt-get") is not None


def _run(command: list[str]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})


if __name__ == "__main__":
    if not executable() and not install():
        sys.exit(
            "No Chromium that starts could be installed: install one (`sudo apt install chromium`, or "
            "elsewhere `sudo .venv/bin/playwright install --with-deps chromium`) or set CHROMIUM."
        )
    # The headless shell beside the full browser, if the system packages it
    wanted = not shutil.which(SHELL) and not os.environ.get("CHROMIUM") and _has_apt()
    if wanted and subprocess.run(["apt-cache", "show", SHELL], capture_output=True, text=True).stdout:
        _run(["apt-get", "-qq", "install", "-y", SHELL])
