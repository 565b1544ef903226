"""Cells, houses and peers."""

from __future__ import annotations

from engine.geometry import BOX_OF, COL_OF, HOUSES, HOUSES_OF, PEERS, ROW_OF, cell_name, house_name


def test_every_house_has_nine_cells() -> None:
    assert len(HOUSES) == 27
    assert all(len(set(house)) == 9 for house in HOUSES)


def test_rows_come_first_then_columns_then_boxes() -> None:
    assert HOUSES[0] == tuple(range(9))
    assert HOUSES[9] == tuple(range(0, 81, 9))
    assert HOUSES[18] == (0, 1, 2, 9, 10, 11, 18, 19, 20)
    assert HOUSES[26] == (60, 61, 62, 69, 70, 71, 78, 79, 80)


def test_a_cell_lies_in_its_row_column_and_box() -> None:
    for cell in range(81):
        assert HOUSES_OF[cell] == (ROW_OF[cell], 9 + COL_OF[cell], 18 + BOX_OF[cell])
        assert all(cell in HOUSES[house] for house in HOUSES_OF[cell])


def test_every_cell_has_twenty_peers() -> None:
    assert all(len(PEERS[cell]) == 20 and cell not in PEERS[cell] for cell in range(81))


def test_peers_are_peers_of_each_other() -> None:
    assert all(cell in PEERS[peer] for cell in range(81) for peer in PEERS[cell])


def test_names() -> None:
    assert cell_name(30) == "r4c4"
    assert [house_name(house) for house in (3, 10, 26)] == ["row 4", "column 2", "box 9"]
