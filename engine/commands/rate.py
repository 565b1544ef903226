"""`rate`: level, scores by scheme, techniques used and the expected time of each puzzle."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from engine.commands.command import Answer, Command
from engine.commands.each import answer_each
from engine.formats import Entry
from engine.rating import explainer
from engine.rating.rating import rate


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--explainer-set",
        choices=tuple(explainer.SETS),
        default="default",
        help="techniques the Explainer's scheme may use",
    )
    parser.add_argument(
        "--schemes",
        choices=("default", "all"),
        default="default",
        help="'all': also the schemes that count a plain search",
    )


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Answer]:
    def answer(entry: Entry) -> Answer:
        rating = rate(entry.givens, schemes=options.schemes, explainer_set=options.explainer_set)
        return {
            "puzzle": str(entry.givens),
            "verdict": rating.verdict.value,
            "level": rating.level,
            "scores": dict(rating.scores),
            "counts": dict(rating.counts),
            "hardest": rating.hardest,
            "expected_seconds": rating.expected_seconds,
            "gave_up": sorted(rating.gave_up),
        }

    return answer_each(batches, options.jobs, answer)


def _line(answer: Answer) -> str:
    if answer["verdict"] != "unique":
        return f"{answer['puzzle']} # {answer['verdict']}"
    scores = [f"{key} {'gave up' if value is None else value}" for key, value in answer["scores"].items()]
    words = [f"level {answer['level']}", *scores, f"hardest {answer['hardest']}"]
    return f"{answer['puzzle']} # {', '.join(words)}"


COMMAND = Command(
    name="rate",
    summary="tell how hard each puzzle is, by several schemes",
    examples="""\
  ninefold rate puzzles.txt                        level and scores behind each puzzle
  ninefold rate puzzles.txt --json --jobs 2        {"puzzle", "verdict", "level", "scores", ...} a line
  ninefold rate puzzles.txt --explainer-set bank --schemes all""",
    answers=_answers,
    line=_line,
    one_by_one=True,
    add_arguments=_add_arguments,
)
