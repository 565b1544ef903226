"""Every public function and class has an example in its docstring, and the examples are true."""

from __future__ import annotations

import doctest
import inspect
from enum import Enum
from importlib import import_module

import pytest

import engine

ALL = {name: getattr(engine, name) for name in engine.__all__}
PUBLIC = [
    name
    for name, found in ALL.items()
    if inspect.isfunction(found) or (inspect.isclass(found) and not issubclass(found, Enum))
]


def test_its_docstring_has_an_example() -> None:
    assert [name for name in PUBLIC if ">>>" not in (inspect.getdoc(ALL[name]) or "")] == []


@pytest.mark.parametrize("module", sorted({getattr(engine, name).__module__ for name in PUBLIC}))
def test_the_examples_are_true(module: str) -> None:
    assert doctest.testmod(import_module(module)).failed == 0
