"""What each technique has ready on a running site: `python -m tests.stock_table`, for that of INSTANCE_PATH.

Prints the table of docs/exercises.md: whether the lesson opens, its positions and its near miss, and how many
drills and near misses for drills the worker has made.
"""

from __future__ import annotations

import engine
from tests.webapp.visitors import Visitor
from webapp import create_app
from webapp.learn.exercises import store
from webapp.models import ExerciseKind
from webapp.process.config import Settings


def main() -> None:
    """Print a line for each technique."""
    app = create_app(Settings.from_environment())
    reader = Visitor(app)
    with app.app_context():
        drills, near = store.stocks(), store.stocks(ExerciseKind.DRILL_NEAR_MISS)
        lessons = {key: store.lesson(key) for key in engine.TECHNIQUES}
    print("| technique | lesson | positions | near miss | drills ready | near misses ready |")
    print("| --- | --- | --- | --- | --- | --- |")
    for key, lesson in lessons.items():
        opens = "yes" if reader.get(f"/learn/{key}").status_code == 200 else "no"
        positions = sum(each is not None for each in (lesson.worked, lesson.exercise))
        miss = "yes" if lesson.near_miss else "none"
        print(f"| {key} | {opens} | {positions} | {miss} | {drills[key]} | {near[key]} |", flush=True)


if __name__ == "__main__":
    main()
