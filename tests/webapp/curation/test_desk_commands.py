"""The desk on the command line."""

from __future__ import annotations

import pytest
from flask import Flask


def run(app: Flask, *args: object, given: str | None = None) -> tuple[int, str]:
    done = app.test_cli_runner().invoke(args=["desk", *map(str, args)], input=given)
    return done.exit_code, done.output


@pytest.mark.parametrize(
    ("option", "value"), [("--level", 9), ("--hardest", "x"), ("--symmetry", "x"), ("--minutes", 0)]
)
def test_an_order_names_the_option_that_is_wrong(app: Flask, option: str, value: object) -> None:
    code, said = run(app, "order", 1, option, value)
    assert (code, f"Invalid value for '{option}'" in said) == (2, True)
