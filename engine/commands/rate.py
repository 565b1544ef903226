"""`rate`: level, scores by scheme, techniques used and the expected time of each puzzle.

A line with placed digits or struck candidates is rated from that position.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from ..formats import Entry
from ..position import Position
from ..rating import explainer
from ..rating.figures import SOURCES, figures_of
from ..rating.rating import Rating, rate
from ..rating.scheme import MOST_EFFORT
from ..techniques.limits import MOST_SPENT
from ..text import position_of
from ..verdicts import Verdict
from .command import Answer, Command, Outcome, headline, number, puzzle, wrong
from .each import answer_each


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--explainer-set",
        choices=tuple(explainer.SETS),
        default="default",
        help="techniques for the Sudoku Explainer rating",
    )
    parser.add_argument(
        "--schemes",
        choices=("default", "all"),
        default="default",
        help="'all' adds schemes that measure a plain search, and the figures behind the papers' schemes",
    )
    parser.add_argument(
        "--effort",
        type=number(f"a number from 1 to {MOST_EFFORT}", 1, MOST_EFFORT),
        default=MOST_SPENT,
        metavar="N",
        help="what the Explainer's nested chains may cost: 10 for about a millisecond (default: %(default)s)",
    )
    schemes = "\n".join(f"  {key:18} {source}" for key, source in SOURCES.items())
    parser.epilog = f"{parser.epilog}\n\nschemes and their sources:\n{schemes}"


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Outcome]:
    def answer(entry: Entry) -> Answer:
        position = position_of(entry)
        rating = rate(
            position, schemes=options.schemes, explainer_set=options.explainer_set, effort=options.effort
        )
        return {
            "puzzle": puzzle(entry, position),
            **rating.members(),
            **_figures(options, position, rating),
            **wrong(position),
        }

    return answer_each(batches, options.jobs, answer)


def _figures(options: Namespace, position: Position, rating: Rating) -> Answer:
    """Return the member "figures", if all schemes are requested and there are givens to rate."""
    wanted = options.schemes == "all" and rating.verdict is Verdict.UNIQUE and position.unique
    return {"figures": figures_of(position.givens)} if wanted else {}


def _line(answer: Answer) -> str:
    if answer["verdict"] != "unique":
        return headline(answer, answer["verdict"])
    scores = [f"{key} {'gave up' if value is None else value}" for key, value in answer["scores"].items()]
    words = [f"level {answer['level']}", *scores, f"hardest {answer['hardest']}"]
    words += [_in_words(key, each) for key, each in answer.get("figures", {}).items() if each is not None]
    return f"{answer['puzzle']} # {', '.join(words)}"


def _in_words(scheme: str, figures: Answer) -> str:
    """Format the figures of one of the papers' schemes: 'weighted_rules (n1 54, n3 3, D 1.2247, level 2)'."""
    words = []
    for name, value in figures.items():
        if name == "counts":
            words += [f"n{rule} {uses}" for rule, uses in enumerate(value, start=1) if uses]
        elif name == "at_least":
            continue
        else:
            shown = "/".join(map(str, value)) if isinstance(value, list) else value
            more = "at least " if figures.get("at_least") and name in ("searches", "layouts") else ""
            words.append(f"{'D' if name == 'difficulty' else name} {more}{shown}")
    return f"{scheme} ({', '.join(words)})"


COMMAND = Command(
    examples="""\
  ninefold rate puzzles.txt                        each puzzle with its level and scores
  ninefold rate puzzles.txt --json --jobs 2        {"puzzle", "verdict", "level", "scores", ...} per line
  ninefold rate puzzles.txt --explainer-set bank
  ninefold rate puzzles.txt --schemes all --json   {..., "figures"}: n1 to n14, D, searches, layouts""",
    answers=_answers,
    line=_line,
    one_by_one=True,
    add_arguments=_add_arguments,
)
