"""The drawings of the laboratory are correct: ones of the matrix, layouts of the tree."""

from __future__ import annotations

import pytest

import engine
from engine.traces import around, column_of, columns_of, cover, live_rows
from engine.traces import tree as decision_tree
from engine.traces.drawn import ABOVE, DOWN
from webapp.play.lab import matrix
from webapp.play.lab.routes import EXAMPLE

GRID = engine.parse(EXAMPLE)


def test_a_column_has_the_fewest_rows_and_takes_those_that_share_one_away() -> None:
    trace = cover(GRID)
    rows = [at for at, step in enumerate(trace.steps, 1) if step.kind == "row"]
    for at in rows:
        row = trace.steps[at - 1].row
        digits = bytearray(trace.grid_at(at).digits)
        digits[row // 9] = 0
        before = live_rows(engine.Grid(bytes(digits)))
        found = column_of(before, None, row)
        after = trace.live_at(at)
        assert found.column in columns_of(row)
        assert (found.rows_left, found.columns_left) == (len(after.rows), len(after.columns))
        assert set(before) - set(after.rows) == {*found.rows, *found.leaving}


def test_the_table_names_and_counts_every_one_of_a_row() -> None:
    found = column_of(live_rows(GRID))
    drawn = matrix.table(column_of(live_rows(GRID), found.column, found.rows[0]))
    assert drawn.rows[0].chosen and drawn.rows[0].others == 0
    for row in [*drawn.rows, *drawn.leaving]:
        assert sum(row.ones) + row.others == 4 == sum(row.ones[: matrix.ALWAYS]) + row.others_narrow
    assert [covered for _house, _what, covered in drawn.columns[:4]] == [True] * 4


def test_columns_are_named_as_the_matrix_numbers_them(app: object) -> None:
    del app
    names = [matrix.column_name(column) for column in (0, 80, 81, 162, 243, 323)]
    assert names == ["r1c1", "r9c9", "1 in row 1", "1 in col 1", "1 in box 1", "9 in box 9"]


@pytest.mark.parametrize("line", [EXAMPLE, "." * 81], ids=["one solution", "empty"])
def test_every_step_has_its_layout_in_the_drawing_below_its_parent(line: str) -> None:
    nodes = decision_tree(engine.parse(line)).nodes
    for step in range(0, len(nodes), max(1, len(nodes) // 60)):
        drawn = around(nodes, step)
        (now,) = [node for node in drawn.nodes if node.now]
        assert now.text == f"({nodes[step].blanks}, {nodes[step].fewest})"
        assert all(0 < node.x < drawn.width and 0 < node.y < drawn.height for node in drawn.nodes)
        places = [(node.x, node.y) for node in drawn.nodes]
        assert len(set(places)) == len(places)
        levels = {node.y for node in drawn.nodes}
        assert len(levels) <= ABOVE + 2
        for node in drawn.nodes:
            assert not node.edge or (node.from_x, node.y - DOWN) in places
