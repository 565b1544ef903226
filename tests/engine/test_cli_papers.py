"""The command line for a reader of one of the papers: solvers, trees, figures, methods, variations."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine import Grid, generate, parse, rate, solution
from engine.cli import main
from engine.generation.methods import METHODS
from engine.generation.recipe import Recipe
from engine.generation.solved_grids import ABOUT as GRIDS_ABOUT
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.rating.figures import SOURCES, figures_of
from engine.search import ABOUT, SEARCHERS
from engine.search.min_candidates import decision_tree
from engine.search.propagation import propagated
from engine.traces import make, system

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
EMPTY = "." * 81


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    return capsys.readouterr().out


@pytest.mark.parametrize("key", ABOUT)
def test_solve_prints_a_solvers_counts(run: Any, key: str) -> None:
    out, err, status = run("solve", "--solver", key, "--json", given=LINE)
    answer = json.loads(out)
    assert (err, status) == ("", 0)
    assert (answer["verdict"], answer["solution"]) == ("unique", str(solution(parse(LINE))))
    assert (answer["solver"], answer["nodes"]) == (key, SEARCHERS[key](parse(LINE)).nodes)
    assert not answer["exceeded"]
    if key == "propagation":
        assert answer["rounds"] == propagated(parse(LINE)).rounds
    assert f"{answer['nodes']} nodes" in run("solve", "--solver", key, given=LINE)[0]


def test_a_solver_that_is_cut_says_so_and_gives_no_verdict(run: Any) -> None:
    out, _, status = run("solve", "--solver", "depth_first", "--most-nodes", "10", "--json", given=LINE)
    answer = json.loads(out)
    assert (answer["verdict"], answer["solution"], answer["exceeded"], status) == (None, None, True, 0)
    assert "given up" in run("solve", "--solver", "depth_first", "--most-nodes", "10", given=LINE)[0]


def test_the_decision_tree_is_printed_as_json_and_for_graphviz(run: Any) -> None:
    asked = "solve", "--solver", "min_candidates", "--tree", "json"
    answer, again = (json.loads(run(*asked, *flag, given=LINE)[0]) for flag in ([], ["--json"]))
    assert answer["tree"] == again["tree"]
    found = decision_tree(parse(LINE))
    assert [(node["m"], node["n"], node["cell"], node["digit"]) for node in answer["tree"]] == [
        (node.blanks, node.fewest, node.cell, node.digit) for node in found
    ]
    drawn = run("solve", "--solver", "min_candidates", "--tree", "dot", given=LINE)[0]
    assert drawn.startswith(f'digraph "{LINE}" {{') and drawn.endswith("}\n")
    assert drawn.count(" -> ") == len(found) - 1


def test_a_tree_of_too_many_solutions_is_refused_and_the_next_puzzle_answered(run: Any) -> None:
    asked = "--solver", "min_candidates", "--tree", "json", "--most-nodes", "300", "--json"
    out, err, status = run("solve", *asked, given=f"{EMPTY}\n{LINE}")
    assert err == (
        "ninefold: line 1: tree: expected at most 300 nodes (--most-nodes), found more; "
        "the grid has several solutions\n"
    )
    assert json.loads(out)["puzzle"] == LINE
    assert status == 1


@pytest.mark.parametrize("arguments", [[], ["--solver", "dancing_links"]])
def test_a_solver_without_a_tree_is_refused(run: Any, arguments: list[str]) -> None:
    _, err, status = run("solve", "--tree", "dot", *arguments, given=LINE)
    found = repr(arguments[1]) if arguments else "none"
    assert err == f"ninefold: tree: expected --solver min_candidates, found {found}\n"
    assert status == 1


def test_a_tree_of_one_solution_that_is_too_large_blames_no_other_cause(run: Any) -> None:
    _, err, _ = run("solve", "--solver", "min_candidates", "--tree", "dot", "--most-nodes", "5", given=LINE)
    assert err == "ninefold: line 1: tree: expected at most 5 nodes (--most-nodes), found more\n"


@pytest.mark.parametrize("form", ["json", "dot"])
def test_the_tree_of_givens_that_break_the_rules_is_refused(run: Any, form: str) -> None:
    out, err, status = run("solve", "--solver", "min_candidates", "--tree", form, given="55" + "." * 79)
    assert (out, status) == ("", 1)
    assert err == "ninefold: line 1: tree: expected givens that keep the rules, found two 5s in row 1\n"


def test_a_bound_on_nodes_without_a_solver_is_refused(run: Any) -> None:
    out, err, status = run("solve", "--most-nodes", "5", given=LINE)
    assert (out, status) == ("", 1)
    assert err.startswith("ninefold: most_nodes: expected --solver ")
    assert err.endswith("found none\n")


def test_puzzles_past_the_bound_of_their_rating_are_sorted_last(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = METHODS["weighted_rules"]
    unrated = str(generate(Recipe("weighted_rules"), 2).grid)

    def rating(grid: Grid) -> tuple[int, float] | None:
        return None if str(grid) == unrated else method.rating(grid) if method.rating else None

    monkeypatch.setitem(METHODS, "weighted_rules", replace(method, rating=rating))
    asked = "generate", "--method", "weighted_rules", "--count", "4", "--seed", "1", "--sorted"
    lines = run(*asked)[0].splitlines()
    assert len(lines) == 4
    assert lines[-1] == f"{unrated} # level unknown"
    assert json.loads(run(*asked, "--json")[0].splitlines()[-1])["paper_level"] is None


def test_rate_prints_every_figure_of_the_papers_schemes(run: Any) -> None:
    answer = json.loads(run("rate", "--schemes", "all", "--json", given=LINE)[0])
    assert answer["figures"] == json.loads(json.dumps(figures_of(parse(LINE))))
    assert answer["figures"]["weighted_rules"]["difficulty"] == answer["scores"]["weighted_rules"]
    assert answer["figures"]["givens_and_search"]["score"] == answer["scores"]["givens_and_search"]
    assert answer["figures"]["decision_tree"]["grade"] == answer["scores"]["decision_tree"]
    line = run("rate", "--schemes", "all", given=LINE)[0]
    assert "weighted_rules (n1 51, D 1.0, level 1)" in line
    assert "givens_and_search (givens 30, fewest_in_line 1, searches " in line
    assert "figures" not in json.loads(run("rate", "--json", given=LINE)[0])


def test_every_scheme_has_a_source() -> None:
    assert list(SOURCES) == list(rate(parse(LINE), schemes="all").scores)


def test_help_names_sources_methods_levels_and_solved_grids(capsys: pytest.CaptureFixture[str]) -> None:
    generating = help_of("generate", capsys)
    for method in METHODS.values():
        assert method.source in generating
        assert all(f"{at} {name}" in generating for at, name in enumerate(method.level_names, 1))
        assert all(level in generating for level in method.levels_in_words())
    assert (
        "4 high: 30..42 givens, at least 2 in a line, serpentine order, score from 3 to below 4\n"
        in generating
    )
    assert "3 moderate: D from 4.5 to below 6\n" in generating
    assert list(GRIDS_ABOUT) == list(SOLVED_GRIDS)
    assert all(f"  {key} " in generating and about in generating for key, about in GRIDS_ABOUT.items())
    assert "centre box" not in generating
    solving, rating = help_of("solve", capsys), help_of("rate", capsys)
    assert all(about.source in solving for about in ABOUT.values())
    assert all(source in rating for source in SOURCES.values())


def test_generate_prints_the_recipe_of_a_papers_puzzle(run: Any) -> None:
    out, _, _ = run(
        "generate", "--method", "dig_hole", "--paper-level", "5", "--order", "random", "--cells", "8",
        "--no-transform", "--seed", "4", "--json",
    )  # fmt: skip
    answer = json.loads(out)
    recipe, varied = Recipe(paper_level=5), {"cells": 8, "order": "random", "transform": False}
    assert answer["recipe"] == recipe.asked | varied
    for seed in (4, answer["seed"]):
        assert str(make(recipe, seed, method=system(recipe, **varied)).puzzle) == answer["puzzle"]
    assert "recipe" not in json.loads(run("generate", "--level", "2", "--json")[0])


def test_puzzles_are_sorted_by_d(run: Any) -> None:
    asked = "generate", "--method", "weighted_rules", "--count", "60", "--seed", "1", "--sorted"
    out, err, status = run(*asked)
    assert (err, status) == ("", 0)
    lines = out.splitlines()
    assert len(lines) == 60
    levels = [int(line.partition("# level ")[2].partition(",")[0]) for line in lines]
    found = [*zip(levels, (rate(parse(line[:81])).scores["weighted_rules"] for line in lines), strict=True)]
    assert found == sorted(found)
    again = run("solve", given=out)[0]
    assert len(again.splitlines()) == 60 and "#" not in again


def test_what_has_no_rating_of_its_own_cannot_be_sorted(run: Any) -> None:
    _, err, status = run("generate", "--method", "exact_cover", "--sorted")
    assert status == 1
    assert err == (
        "ninefold: sorted: expected a method with a rating of its own "
        "(dig_hole, weighted_rules, min_candidates), found 'exact_cover'\n"
    )


def test_vary_prints_puzzles_and_how_they_came(run: Any) -> None:
    out, err, status = run("vary", "--count", "3", "--seed", "7", "--json", given=LINE)
    answers = [json.loads(line) for line in out.splitlines()]
    assert (err, status) == ("", 0)
    assert [answer["seed"] for answer in answers] == [7, 8, 9]
    assert all(answer["of"] == LINE and set(answer["transformation"]) for answer in answers)
    assert run("vary", "--seed", "8", given=LINE)[0].split() == [answers[1]["puzzle"]]


def test_vary_refuses_a_symmetry_that_a_puzzle_lacks_and_goes_on(run: Any) -> None:
    lopsided = "9" + "." * 80
    out, err, status = run("vary", "--symmetry", "half_turn", given=f"{lopsided}\n{LINE}")
    assert err.startswith("ninefold: line 1: symmetry: expected one that the givens have")
    assert (len(out.splitlines()), status) == (1, 1)
