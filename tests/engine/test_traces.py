"""Traces: their counts are those of the compiled solvers, and they end at the solution."""

from __future__ import annotations

import pytest

from engine import Grid, Position, Recipe, generate, parse, solution, solution_count
from engine.kernels.dancing_links import COLUMNS_OF
from engine.rating import SCHEMES, weighted_rules
from engine.search import ABOUT, SEARCHERS, measure
from engine.search.dancing_links import updates
from engine.search.min_candidates import decision_tree, tree_nodes
from engine.search.propagation import propagated
from engine.traces import TRACES, CoverTrace, cover, depth_first, rounds, rules, trace, tree
from engine.traces.common import MOST_LAST
from engine.traces.drawn import dot, members

UNIQUE = parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
ANSWER = parse("534678912672195348198342567859761423426853791713924856961537284287419635345286179")
SEVERAL = parse("".join("." if digit in "56" else digit for digit in str(ANSWER)))
BROKEN = parse("55" + "." * 79)
DEAD = parse("12345678." + "." * 8 + "9" + "." * 63)
EMPTY = Grid(bytes(81))
LONG = parse("..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9")
WHOLE = 10**6  # no bound that matters
PUZZLES = [UNIQUE, SEVERAL, BROKEN, DEAD, ANSWER] + [
    generate(Recipe(fewest_givens=givens), givens).grid for givens in (28, 34, 45)
]


@pytest.mark.parametrize("grid", PUZZLES, ids=range(len(PUZZLES)))
def test_depth_first_counts_its_searches_as_the_solver_does(grid: Grid) -> None:
    seen = depth_first(grid, WHOLE)
    found = SEARCHERS["depth_first"](grid)
    assert not seen.cut_off
    assert sum(step.kind == "write" for step in seen.steps) == seen.searches == found.nodes
    assert sum(step.kind == "solution" for step in seen.steps) == seen.solutions == len(found.solutions)
    ends = [seen.grid_at(at + 1) for at, step in enumerate(seen.steps) if step.kind == "solution"]
    assert ends == found.solutions


@pytest.mark.parametrize("grid", PUZZLES, ids=range(len(PUZZLES)))
def test_the_exact_cover_counts_rows_and_updates_as_the_solver_does(grid: Grid) -> None:
    seen = cover(grid, WHOLE)
    found = SEARCHERS["dancing_links"](grid)
    assert sum(step.kind == "row" for step in seen.steps) == seen.nodes == found.nodes
    if grid is not BROKEN:  # rejected before its first row is chosen
        assert seen.steps[-1].updates == seen.updates == updates(grid)
    ends = [seen.grid_at(at + 1) for at, step in enumerate(seen.steps) if step.kind == "solution"]
    assert ends == found.solutions
    assert seen.solution == (found.solutions[0] if found.solutions else None)


@pytest.mark.parametrize("grid", PUZZLES, ids=range(len(PUZZLES)))
def test_the_decision_tree_has_as_many_layouts_as_the_solver_visits(grid: Grid) -> None:
    seen = tree(grid, WHOLE)
    assert len(seen.nodes) == seen.layouts == tree_nodes(grid)
    assert seen.nodes == decision_tree(grid)
    ends = {seen.grid_at(at) for at, node in enumerate(seen.nodes) if node.final}
    assert len(ends) == solution_count(grid, 1000)
    assert all(end.full and not end.faults() for end in ends)


@pytest.mark.parametrize("grid", PUZZLES, ids=range(len(PUZZLES)))
def test_rounds_and_stack_are_those_of_the_solver(grid: Grid) -> None:
    seen = rounds(grid, WHOLE)
    after, found = propagated(grid), SEARCHERS["propagation"](grid)
    assert (len(seen.rounds), seen.consistent) == (after.rounds, after.consistent)
    assert seen.grid_at(len(seen.rounds)) == after.grid
    assert sum(step.kind == "write" for step in seen.steps) == seen.nodes == found.nodes
    ends = [
        seen.grid_at(len(seen.rounds) + at + 1)
        for at, step in enumerate(seen.steps)
        if step.kind == "solution"
    ]
    assert ends == found.solutions


@pytest.mark.parametrize("grid", [UNIQUE, *PUZZLES[5:]], ids=range(4))
def test_rules_end_in_the_counts_and_d_of_their_rating(grid: Grid) -> None:
    seen = rules(grid)
    rated = weighted_rules.rating_of(weighted_rules.order().walk(Position.from_grid(grid)))
    assert seen.steps[-1].counts == seen.counts == rated.counts
    assert round(seen.steps[-1].difficulty, 4) == rated.difficulty
    assert seen.difficulty == SCHEMES["weighted_rules"](grid)
    assert seen.difficulty is not None
    assert seen.level == weighted_rules.level(seen.difficulty)
    assert seen.grid_at(len(seen)) == seen.solution == solution(grid)


def test_the_rating_of_dig_hole_stands_in_its_trace() -> None:
    measures = depth_first(UNIQUE).measures
    assert (measures["givens"], measures["fewest_in_line"]) == (30, 1)
    assert measures["score"] == SCHEMES["givens_and_search"](UNIQUE)


@pytest.mark.parametrize("key", TRACES)
@pytest.mark.parametrize("grid", [UNIQUE, SEVERAL, EMPTY, BROKEN, DEAD], ids=range(5))
def test_every_trace_is_bounded_and_says_so(key: str, grid: Grid) -> None:
    seen = trace(key, grid, 25, **({} if key == "weighted_rules" else {"most_nodes": 10_000}))
    assert len(seen) <= 25 + MOST_LAST
    assert seen.grid_at(0) == grid
    for step in range(len(seen) + 1):
        assert all(seen.grid_at(step)[cell] in (0, grid[cell]) for cell in range(81) if grid[cell])
    with pytest.raises(IndexError):
        seen.grid_at(len(seen) + 1)
    assert (seen.puzzle, seen.bound) == (grid, 25)


def test_a_bound_behind_the_solution_adds_nothing_to_what_was_shown() -> None:
    whole = rounds(SEVERAL, WHOLE)
    assert whole.solved_at is not None
    short = rounds(SEVERAL, whole.solved_at)
    assert (short.cut_off, len(short), short.solved_at) == (True, whole.solved_at, whole.solved_at)


@pytest.mark.parametrize("key", TRACES)
def test_a_bound_cuts_the_steps_and_leaves_the_measures(key: str) -> None:
    whole, short = trace(key, UNIQUE, WHOLE), trace(key, UNIQUE, 10)
    assert not whole.cut_off and short.cut_off
    assert len(short) <= 10 + MOST_LAST
    assert short.solution == whole.solution == ANSWER
    shown = {"dead_shown", "final_shown"}
    assert {name: value for name, value in short.measures.items() if name not in shown} == {
        name: value for name, value in whole.measures.items() if name not in shown
    }


@pytest.mark.parametrize("key", TRACES)
def test_the_last_steps_before_the_solution_are_kept_too(key: str) -> None:
    """Each kept step, with its number, is that of the full run, and the board after it is the same."""
    grid = generate(Recipe(level=5), seed=9).grid  # of 20,000 searches and 587 layouts
    whole, short = trace(key, grid, WHOLE), trace(key, grid, 300)
    assert short.solved_at is not None and whole.solved_at is not None
    assert short.number(short.solved_at) == whole.solved_at
    assert short.grid_at(short.solved_at) == whole.solution == solution(grid)
    for step in range(0, len(short) + 1, 9):
        assert short.grid_at(step) == whole.grid_at(short.number(step))
    if isinstance(short, CoverTrace) and isinstance(whole, CoverTrace):
        for step in range(1, len(short) + 1, 9):
            assert short.steps[step - 1] == whole.steps[short.number(step) - 1]
            assert short.live_at(step) == whole.live_at(short.number(step))


def test_a_puzzle_of_more_searches_than_the_bound_is_scored_all_the_same() -> None:
    seen = depth_first(LONG)
    assert seen.exceeded and seen.measures["searches"] is None
    assert seen.figures is not None and seen.figures.at_least
    assert seen.measures["score"] == SCHEMES["givens_and_search"](LONG)
    assert tree(LONG, 10, most_nodes=5).grade == SCHEMES["decision_tree"](LONG)


def test_a_search_beyond_its_bound_on_nodes_has_no_figure() -> None:
    assert depth_first(EMPTY, 10, most_nodes=50).measures["searches"] is None
    assert tree(EMPTY, 10, most_nodes=50).layouts is None
    assert rounds(EMPTY, 10, most_nodes=50).measures["nodes"] is None
    assert cover(EMPTY, 10, most_nodes=50).measures["updates"] is None


def test_rows_and_columns_left_are_those_no_covered_column_touches() -> None:
    seen = cover(UNIQUE)
    for at in range(0, len(seen) + 1, 7):
        live = seen.live_at(at)
        columns = set(live.columns)
        assert all(set(COLUMNS_OF[row].tolist()) <= columns for row in live.rows)
    assert len(seen.live_at(0).columns) == 324 and len(seen.live_at(0).rows) == 729
    assert len(seen.live_at(30).columns) == 324 - 4 * 30
    chosen = [step for step in seen.steps if step.kind == "column"]
    assert chosen[0].rows == 1


def test_a_rule_step_keeps_what_a_page_draws() -> None:
    seen = rules(UNIQUE)
    position = seen.position_at(5)
    step = seen.steps[5].step
    assert all(digit in position.candidates(cell) for cell, digit in step.placements | step.eliminations)


# Figure 1 of Creating Sudoku Puzzles, whose blanks the text lost: its 72 digits fit into the final layout in
# one way only.
FINAL = "528167394649328715173495268394586172817234956256719483435871629762953841981642537"
DIGITS = "281673946432871517349268345861728173495625671943435816297629534198164253"


def test_figure_1_has_nine_blanks_and_its_final_layout_is_what_the_tree_finds() -> None:
    places = _alignments(FINAL, DIGITS)
    assert len(places) == 1
    puzzle = parse("".join(digit if at in places[0] else "." for at, digit in enumerate(FINAL)))
    assert puzzle.givens == 72
    seen = tree(puzzle)
    assert str(seen.solution) == FINAL
    assert [node.blanks for node in seen.nodes] == list(range(9, -1, -1))
    assert sum(node.final for node in seen.nodes) == 1


def _alignments(whole: str, part: str, at: int = 0) -> list[list[int]]:
    """Return every way in which `part` is what is left of `whole` without some of its digits."""
    if not part:
        return [[]]
    if len(whole) - at < len(part):
        return []
    found = _alignments(whole, part, at + 1)
    if whole[at] == part[0]:
        found += [[at, *rest] for rest in _alignments(whole, part[1:], at + 1)]
    return found


def test_figure_2_has_two_solutions_from_six_blanks() -> None:
    """Its grid is not printed; any with six blanks and two solutions has such a tree."""
    swap = (32, 35, 41, 44)  # two digits in two rows and columns
    blanks = {*swap, *[cell for cell in range(81) if cell not in swap][:2]}
    puzzle = Grid(bytes(0 if cell in blanks else digit for cell, digit in enumerate(ANSWER.digits)))
    seen = tree(puzzle)
    assert (seen.nodes[0].blanks, sum(node.final for node in seen.nodes)) == (6, 2)
    assert all((node.cell is None) == (node.parent is None) == (node.digit is None) for node in seen.nodes)


@pytest.mark.parametrize("grid", [UNIQUE, SEVERAL, DEAD], ids=range(3))
def test_a_tree_has_a_final_layout_for_every_solution(grid: Grid) -> None:
    nodes = decision_tree(grid, 10_000)
    assert nodes is not None
    assert sum(node.final for node in nodes) == solution_count(grid, 1000)
    for number, node in enumerate(nodes):
        assert node.parent is None if number == 0 else node.parent is not None and node.parent < number
        children = sum(other.parent == number for other in nodes)
        assert (children == 0) == (node.final or node.dead)
    drawn = dot(nodes, "it")
    assert drawn.count(" -> ") == len(nodes) - 1
    assert [each["node"] for each in members(nodes)] == list(range(len(nodes)))


def test_a_tree_beyond_its_bound_is_none() -> None:
    assert decision_tree(EMPTY, 500) is None


@pytest.mark.parametrize("key", ABOUT)
def test_a_search_is_measured_by_what_its_solver_counts(key: str) -> None:
    found = measure(key, UNIQUE)
    assert found.solutions == (ANSWER,)
    assert found.nodes == SEARCHERS[key](UNIQUE).nodes
    assert set(found.others) == set(ABOUT[key].others)
    assert found.seconds > 0
