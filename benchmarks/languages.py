"""What a page costs in each language: processor time of the real routes on SQLite, in turns with English.

`python -m benchmarks languages`: pages of a player with an account, a game and a hint, each asked for ROUNDS
times in every language on offer. Prints medians in milliseconds, and what each language takes beside English.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean, median

from tests.webapp.furnished import SETTING, furnish
from tests.webapp.visitors import Visitor
from webapp import create_app
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.web.i18n.catalogs import SOURCE
from webapp.web.i18n.choice import COOKIE

ROUNDS = int(os.environ.get("ROUNDS", "60"))


def requests(visitor: Visitor) -> dict[str, Callable[[], int]]:
    """Every page by its name, as a request that answers with its status."""
    attempt = visitor.start(level=5)

    def page(address: str) -> Callable[[], int]:
        return lambda: visitor.get(address).status_code

    def hint() -> int:
        return visitor.post(f"{attempt}/hints", {"depth": 3, "seq": 1}, htmx=True).status_code

    return {
        "home": page("/"),
        "board": page(attempt),
        "hint": hint,
        "lesson": page("/learn/skyscraper"),
        "path": page("/learn"),
        "daily": page("/daily"),
        "leaderboard": page("/leaderboard"),
        "account": page("/account"),
    }


def measured(visitor: Visitor, languages: list[str]) -> dict[str, dict[str, float]]:
    """Median milliseconds of processor time by page and language."""
    found: dict[str, dict[str, float]] = {}
    for name, request in requests(visitor).items():
        times: dict[str, list[float]] = defaultdict(list)
        for number in range(ROUNDS + 2):
            for code in languages:
                visitor.client.set_cookie(COOKIE, code)
                started = time.process_time()
                status = request()
                taken = 1000 * (time.process_time() - started)
                if status != 200:
                    raise SystemExit(f"{name} in {code}: {status}")
                if number >= 2:  # the first requests compile templates and read catalogs
                    times[code].append(taken)
        found[name] = {code: median(taken) for code, taken in times.items()}
    return found


def main() -> None:
    """Print a line for each page."""
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder) / "instance"
        furnish(instance, **SETTING)
        app = create_app(Settings.from_environment({"INSTANCE_PATH": str(instance), **SETTING}))
        languages: list[str] = app.extensions["languages"]
        visitor = Visitor(app)
        visitor.register()
        found = measured(visitor, languages)
        with app.app_context():
            db.engine.dispose()
    others = [code for code in languages if code != SOURCE]
    print(f"| page | {SOURCE} | " + " | ".join(others) + " |\n|" + "---|" * (len(languages) + 1))
    for name, times in found.items():
        shares = (f"{times[code]:.1f} ms ({times[code] / times[SOURCE] - 1:+.0%})" for code in others)
        print(f"| {name} | {times[SOURCE]:.1f} ms | " + " | ".join(shares) + " |")
    means = (geometric_mean(times[code] / times[SOURCE] for times in found.values()) - 1 for code in others)
    print("| geometric mean | | " + " | ".join(f"{mean:+.1%}" for mean in means) + " |")


if __name__ == "__main__":
    main()
