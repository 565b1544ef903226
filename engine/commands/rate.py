"""`rate`: level, scores by scheme, techniques used and the expected time of each puzzle.

A line with placed digits or struck candidates is rated from that position.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from ..formats import Entry
from ..rating import explainer
from ..rating.figures import SOURCES, figures_of
from ..rating.rating import rate
from ..rating.scheme import MOST_EFFORT
from ..techniques.limits import MOST_SPENT
from ..text import position_of
from ..verdicts import Verdict
from .command import Answer, Command, headline, number, puzzle, wrong
from .each import each


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


def _answer(options: Namespace, entry: Entry) -> Answer:
    position = position_of(entry)
    rating = rate(
        position, schemes=options.schemes, explainer_set=options.explainer_set, effort=options.effort
    )
    answer = {"puzzle": puzzle(entry, position), **rating.members()}
    if options.schemes == "all" and rating.verdict is Verdict.UNIQUE and position.unique:
        answer["figures"] = figures_of(position.givens)
    return answer | wrong(position)


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
    answers=each(_answer),
    line=_line,
    one_by_one=True,
    add_arguments=_add_arguments,
)
