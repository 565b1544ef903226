"""Only routes and views may depend on requests; services don't."""

from __future__ import annotations

import ast
import re

from webapp.process.config import ROOT

# Modules that parse requests or render pages, capability entries, and those run by the worker and `flask`.
PAGES = re.compile(r"(^|_)(routes|views|panel|worker|mail|commands)$")
OTHERS = {
    "webapp/capability.py": "renders panels",
    "webapp/curation/access.py": "checks every request for the desk",
    "webapp/curation/desk.py": "registers the desk",
    "webapp/curation/log.py": "links what it names",
    "webapp/curation/today/today.py": "links what waits",
    "webapp/identity/aside.py": "takes the app into a thread",
    "webapp/identity/outbox.py": "takes the app into a thread",
    "webapp/identity/budget.py": "counts the cost of requests",
    "webapp/play/lab/making.py": "is a view",
    "webapp/play/lab/solving.py": "is a view",
}
PACKAGES = ("bank", "competition", "curation", "game", "identity", "learn", "models", "people", "play")
SERVICES = sorted(
    path.relative_to(ROOT).as_posix()
    for package in PACKAGES
    for path in (ROOT / "webapp" / package).rglob("*.py")
    if not PAGES.search(path.stem) and path.stem not in ("capability", "__init__")
)


def imported(file: str) -> set[str]:
    """Return everything that a file imports, as full names."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def breaches(file: str) -> set[str]:
    """Return imports that a service may not have."""
    names = imported(file)
    of_requests = {name for name in names if name.startswith("flask.")} - {"flask.current_app"}
    ours = {name for name in names if name.startswith("webapp.")}
    return of_requests | {name for name in ours if any(PAGES.search(part) for part in name.split(".")[1:])}


def test_services_know_no_request_and_no_page() -> None:
    found = {file: breaches(file) for file in SERVICES if file not in OTHERS}
    assert {file: names for file, names in found.items() if names} == {}
