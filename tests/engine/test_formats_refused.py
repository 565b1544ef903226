"""Invalid text of every kind is rejected with PuzzleFormatError and no other exception."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Grid, PuzzleFormatError, parse
from tests.format_examples import EXAMPLES
from tests.fuzz_parse import mutant
from tests.thorough import amount


def read_or_refused(text: str) -> None:
    try:
        assert isinstance(parse(text), Grid)
    except PuzzleFormatError as error:
        assert error.reason


@given(st.integers(0, 2**64))
@settings(max_examples=amount("TEXTS", 60, 400))
def test_a_mutated_example_is_read_or_refused(seed: int) -> None:
    read_or_refused(mutant(random.Random(seed)))


@pytest.mark.slow
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refused(text)


@given(st.text("123456789.0*-_xX |\n", max_size=200))
def test_any_text_of_cell_characters_is_read_or_refused(text: str) -> None:
    read_or_refused(text)


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_cut_anywhere_is_read_or_refused(text: str) -> None:
    for end in range(0, len(text), max(1, len(text) // 50)):
        read_or_refused(text[:end])
