"""`solve`: the solution of each puzzle, or whether it has none or several; with any solver."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Final

import numpy as np

from ..errors import PuzzleFormatError, RecipeError
from ..formats import Entry
from ..geometry import house_name
from ..grid import Grid
from ..search import ABOUT, MOST_NODES, SEARCHERS, measure
from ..search.bitboard import solution as solution_of
from ..search.bitboard import solution_count, solve_many
from ..search.min_candidates import decision_tree
from ..text import position_of
from ..traces.drawn import MOST_TREE_NODES, dot, members
from ..uniqueness import verdict
from ..verdicts import Verdict
from .command import Answer, Command, Outcome, is_sukaku, no_sukaku, number
from .each import answer_each, answer_together

_VERDICTS = (Verdict.NONE, Verdict.UNIQUE, Verdict.MULTIPLE)
_ABOUT: Final = "\n".join(
    f"  {about.key:15} {about.source}; a node: {about.node}{''.join(f'; {name}' for name in about.others)}"
    for about in ABOUT.values()
)


def verdicts(batch: list[Entry], jobs: int) -> Iterator[tuple[Entry, str, Verdict, Grid | None]]:
    """Return each entry with its puzzle as text, its verdict, and its solution if there is exactly one.

    If the givens leave several solutions, the text's placed digits and candidates decide.
    """
    givens = np.frombuffer(b"".join(entry.givens.digits for entry in batch), np.uint8).reshape(-1, 81)
    solutions, counts = solve_many(givens, limit=2, jobs=jobs)
    for entry, solution, count in zip(batch, solutions, counts.tolist(), strict=True):
        if count > 1 and is_sukaku(entry, position := position_of(entry)):
            found = verdict(position)
            only = solution_of(position) if found is Verdict.UNIQUE else None
            yield entry, position.pencilmarks(), found, only
        else:
            only = Grid(solution.tobytes()) if count == 1 else None
            yield entry, str(entry.givens), _VERDICTS[count], only


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--solver",
        choices=ABOUT,
        metavar="KEY",
        help=f"use this solver and print its cost: {', '.join(ABOUT)}",
    )
    parser.add_argument(
        "--tree",
        choices=("json", "dot"),
        help="with --solver min_candidates: print the decision tree of all solutions, as one JSON object a "
        "line or for Graphviz",
    )
    parser.add_argument(
        "--most-nodes",
        type=number("a number of nodes, 1 or more", 1),
        metavar="N",
        help="with --solver: give up after this many nodes "
        f"(default: {MOST_NODES:,}; for trees {MOST_TREE_NODES:,})",
    )


def _answers(options: Namespace, batches: Iterator[list[Entry]]) -> Iterator[Outcome]:
    if options.tree is not None and options.solver != "min_candidates":
        found = "none" if options.solver is None else repr(options.solver)
        raise RecipeError("tree", f"expected --solver min_candidates, found {found}")
    if options.most_nodes is not None and options.solver is None:
        raise RecipeError("most_nodes", f"expected --solver {', '.join(ABOUT)} with it, found none")
    if options.solver is not None:
        SEARCHERS[options.solver](Grid(bytes(81)), 1)  # loads its kernels, so that times exclude that
        return answer_each(batches, options.jobs, lambda entry: _by(options, entry))

    def answer(batch: list[Entry]) -> Iterator[Answer]:
        for _, puzzle, found, solution in verdicts(batch, options.jobs):
            yield {
                "puzzle": puzzle,
                "verdict": found.value,
                "solution": None if solution is None else str(solution),
            }

    return answer_together(batches, answer)


def _by(options: Namespace, entry: Entry) -> Outcome:
    """Return one solver's result; the verdict is None if its limit stopped it.

    A tree that is too large, or of givens that break the rules, is an error.
    """
    if is_sukaku(entry, position_of(entry)):
        return no_sukaku(entry, "--solver takes givens only")
    if options.tree is not None and (faults := entry.givens.faults()):
        place, digit = house_name(faults[0].house), faults[0].digit
        return PuzzleFormatError(
            f"tree: expected givens that keep the rules, found two {digit}s in {place}", line=entry.line
        )
    found = measure(options.solver, entry.givens, most_nodes=options.most_nodes or MOST_NODES)
    count = len(found.solutions)
    answer: Answer = {
        "puzzle": str(entry.givens),
        "verdict": None if found.exceeded else _VERDICTS[count].value,
        "solution": str(found.solutions[0]) if count == 1 and not found.exceeded else None,
        "solver": options.solver,
        "nodes": found.nodes,
        "exceeded": found.exceeded,
        **found.others,
        "ms": round(1000 * found.seconds, 3),
    }
    if options.tree is None:
        return answer
    most = options.most_nodes or MOST_TREE_NODES
    nodes = decision_tree(entry.givens, most)
    if nodes is None:
        several = solution_count(entry.givens, 2) > 1
        cause = "; the grid has several solutions" if several else ""
        return PuzzleFormatError(
            f"tree: expected at most {most:,} nodes (--most-nodes), found more{cause}", line=entry.line
        )
    tree = {"tree": members(nodes)} if options.tree == "json" else {"dot": dot(nodes, str(entry.givens))}
    return answer | tree


def _line(answer: Answer) -> str:
    if "dot" in answer:
        return str(answer["dot"])
    if "tree" in answer:
        return json.dumps(answer)
    if "solver" not in answer:
        return answer["solution"] or f"{answer['puzzle']} # {answer['verdict']}"
    words = [answer["verdict"] or "given up", f"{answer['nodes']} nodes"]
    words += [f"{answer[name]} {name}" for name in ABOUT[answer["solver"]].others]
    return f"{answer['solution'] or answer['puzzle']} # {', '.join(words)}"


COMMAND = Command(
    examples=f"""\
  ninefold solve puzzles.txt               one solution per line, or '# none' or '# multiple'
  ninefold solve - --json < puzzles.sdm    {{"puzzle", "verdict", "solution"}} per line
  ninefold generate --count 9 | ninefold solve --jobs 2
  ninefold solve puzzles.txt --solver propagation --json   {{..., "nodes", "exceeded", "rounds", "ms"}}
  ninefold solve puzzle.txt --solver min_candidates --tree dot | dot -Tsvg > tree.svg

solvers and their sources:
{_ABOUT}""",
    answers=_answers,
    line=_line,
    add_arguments=_add_arguments,
)
