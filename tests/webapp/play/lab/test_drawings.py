"""The drawings of the laboratory are correct: ones of the matrix, layouts of the tree."""

from __future__ import annotations

from itertools import pairwise

import pytest

import engine
from engine.traces import cover
from engine.traces import tree as decision_tree
from webapp.play.lab import matrix, tree
from webapp.play.lab.routes import EXAMPLE

GRID = engine.parse(EXAMPLE)


@pytest.mark.parametrize("whole", [False, True])
def test_every_step_draws_the_ones_that_stay_and_those_that_change(whole: bool) -> None:
    trace = cover(GRID)
    for step in range(0, len(trace), 7):
        drawn = matrix.drawn(trace, step, whole=whole)
        before, after = trace.live_at(max(0, step - 1)), trace.live_at(step)
        fewer, more = sorted((before, after), key=lambda live: len(live.columns))
        assert drawn.left.count("M") == 4 * len(fewer.rows)
        assert drawn.changed.count("M") == 4 * (len(more.rows) - len(fewer.rows))
        assert len(drawn.bands) == abs(len(before.columns) - len(after.columns))
        if whole:
            assert (drawn.width, drawn.height) == (324, 729)
            assert drawn.gone.count("M") == 4 * (729 - len(more.rows))
        else:
            assert (drawn.columns, drawn.rows) == (len(more.columns), len(more.rows))


def test_a_small_rest_has_names() -> None:
    trace = cover(GRID)
    steps = range(len(trace) + 1)
    named = [drawn for step in steps if (drawn := matrix.drawn(trace, step, whole=False)).column_names]
    assert named
    for drawn in named:
        assert len(drawn.column_names) == drawn.columns <= matrix.MOST_NAMED
        assert len(drawn.row_names) == drawn.rows <= matrix.MOST_NAMED
        assert sum(name.changed for name in drawn.column_names) == len(drawn.bands)


def test_columns_and_rows_are_named_as_the_matrix_numbers_them() -> None:
    assert [matrix.column_name(column) for column in (0, 80, 81, 162, 243, 323)] == [
        "r1c1",
        "r9c9",
        "1 in r1",
        "1 in c1",
        "1 in b1",
        "9 in b9",
    ]
    assert [matrix.row_name(row) for row in (0, 728)] == ["r1c1=1", "r9c9=9"]


@pytest.mark.parametrize("line", [EXAMPLE, "." * 81], ids=["one solution", "empty"])
def test_every_step_has_its_layout_in_the_drawing_and_few_leaves(line: str) -> None:
    nodes = decision_tree(engine.parse(line)).nodes
    for step in range(0, len(nodes), max(1, len(nodes) // 60)):
        drawn = tree.drawn(nodes, step, whole=False)
        at = {node.number: node for node in drawn.nodes}
        assert [node.number for node in drawn.nodes if node.now] == [step]
        assert len(drawn.edges) == len(drawn.nodes) - 1
        levels: dict[float, list[float]] = {}
        for node in drawn.nodes:
            levels.setdefault(node.y, []).append(node.x)
            assert 0 < node.x < drawn.width
            assert 0 < node.y < drawn.height
            parent = nodes[node.number].parent
            assert parent not in at or at[parent].y == node.y - tree.DOWN
        assert all(b - a >= tree.ACROSS for xs in levels.values() for a, b in pairwise(sorted(xs)))
        assert max(map(len, levels.values())) <= tree.LEAVES
        assert len(levels) <= tree.ABOVE + 1 + tree.BELOW


def test_a_whole_tree_is_drawn_where_it_is_small_enough() -> None:
    nodes = decision_tree(GRID).nodes
    assert len(nodes) <= tree.MOST_WHOLE
    drawn = tree.drawn(nodes, 3, whole=True)
    assert drawn.whole
    assert {node.number for node in drawn.nodes} == set(range(len(nodes)))
    assert not any(node.more for node in drawn.nodes)
    empty = decision_tree(engine.parse("." * 81)).nodes
    assert not tree.drawn(empty, 3, whole=True).whole
