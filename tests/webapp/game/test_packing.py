"""Packed logs: every move and its time is restored, and truncated data is rejected."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thorough import amount
from webapp.game.moves import HINT_DEPTHS, MAY_HAVE_DIGIT, NAMES_CELLS, NEEDS_DIGIT, Kind, Move
from webapp.game.packing import KINDS, Torn, pack, unpack

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
CELLS = st.lists(st.integers(0, 80), min_size=1, max_size=81, unique=True)
CANDIDATES = st.lists(st.tuples(st.integers(0, 80), st.integers(1, 9)), min_size=1, max_size=20, unique=True)

LOG = [
    (Move(1, Kind.DIGIT, (30,), (), 4), START),
    (Move(2, Kind.COLOUR, (1, 2), ((3, 5),), 3), START + timedelta(seconds=2)),
    (Move(3, Kind.CHECK), START + timedelta(seconds=2, microseconds=1)),
]
PACKED = (
    "01ae0ab65b060421780a1e54010270188090cfffbdba588092f40102",
    "02cfe7588c060421780a1e540102701cf9e400fefbf4b0011e8480000001",
)


@st.composite
def moves(draw: st.DrawFn, seq: int = 1) -> Move:
    """Draw any move that a form can send."""
    kind = draw(st.sampled_from(Kind))
    digits = st.integers(1, HINT_DEPTHS if kind is Kind.HINT else 9)
    if kind not in NEEDS_DIGIT:
        digits = digits | st.none() if kind in MAY_HAVE_DIGIT else st.none()
    cells, candidates = (), ()
    if kind in NAMES_CELLS:
        shape = draw(st.sampled_from(("cells", "candidates", "both") if kind is Kind.COLOUR else ("cells",)))
        cells = tuple(draw(CELLS)) if shape != "candidates" else ()
        candidates = tuple(draw(CANDIDATES)) if shape != "cells" else ()
    return Move(seq, kind, cells, candidates, draw(digits))


@settings(max_examples=amount("PACKINGS", 60, 2000), deadline=None)
@given(st.data())
def test_every_move_and_its_time_come_back(data: st.DataObject) -> None:
    gaps = data.draw(st.lists(st.integers(-(10**9), 10**13), max_size=30))
    at, log = START, []
    for seq, gap in enumerate(gaps, 1):
        at = max(at + timedelta(microseconds=gap), datetime(1990, 1, 1, tzinfo=UTC))
        log.append((data.draw(moves(seq)), at))
    back = unpack(pack(log))
    assert back == log
    # The raw fields of the row are restored too, as they were sent.
    assert [move.cell for move, _at in back] == [move.cell for move, _at in log]


def test_times_come_back_where_their_code_grows_by_a_byte() -> None:
    for apart in (63, 64, 65, 8191, 8192):
        log = [(Move(seq, Kind.UNDO), START + seq * timedelta(microseconds=apart << 20)) for seq in (1, 2)]
        assert unpack(pack(log)) == log


def test_a_log_of_no_moves_comes_back() -> None:
    assert unpack(pack([])) == []


def test_a_gap_in_the_numbers_is_not_packed() -> None:
    with pytest.raises(ValueError, match="expected move 1, found 2"):
        pack([(Move(2, Kind.UNDO), START)])


def test_every_kind_has_a_code_that_fits() -> None:
    assert sorted(KINDS) == sorted(Kind)
    assert len(KINDS) <= 25


@pytest.mark.parametrize("kept", PACKED)
def test_a_value_of_each_version_is_read_for_ever(kept: str) -> None:
    """Packed games stay as they are, so the meaning of these bytes must never change."""
    assert unpack(bytes.fromhex(kept)) == LOG


def test_the_newest_version_is_written() -> None:
    assert pack(LOG) == bytes.fromhex(PACKED[-1])


@pytest.mark.parametrize("place", [0, 1, 5, -1])
def test_a_changed_byte_is_not_read(place: int) -> None:
    packed = bytearray(pack([(Move(1, Kind.DIGIT, (30,), (), 4), START)]))
    packed[place] ^= 1
    with pytest.raises(Torn):
        unpack(bytes(packed))
    with pytest.raises(Torn):
        unpack(bytes(packed[:3]))
