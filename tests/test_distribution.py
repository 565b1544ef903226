"""The contents of the distribution `ninefold`; `make wheel` installs and uses it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.cli import SUMMARIES, make_parser

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "library" / "examples"
PUZZLE = "52....439......2.......4.6.4..28..............8..9.1.......1.8...85.3.12.56.4.3.."


@pytest.fixture(autouse=True)
def ninefold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the examples import the engine under its installed name, without a second copy of it."""
    monkeypatch.setitem(sys.modules, "ninefold", engine)


def test_the_engine_works_under_its_installed_name_beside_a_foreign_engine(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "engine", tmp_path / "ninefold", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "engine.py").write_text("raise ImportError('this is no part of ninefold')")
    code = "import ninefold; print(ninefold.Grid, ninefold.write(ninefold.parse('1' + 80 * '.')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"<class 'ninefold.grid.Grid'> 1{80 * '.'}\n", "")


def test_every_package_of_the_engine_is_in_the_distribution() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {file.parent.relative_to(ROOT / "engine") for file in (ROOT / "engine").rglob("__init__.py")}
    assert set(listed) == {".".join(("ninefold", *folder.parts)) for folder in folders}


def test_the_man_page_has_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs/library/ninefold.1").read_text().replace("\\-", "-")
    for name in SUMMARIES:
        with pytest.raises(SystemExit):
            make_parser().parse_args([name, "--help"])
        assert f"ninefold {name}" in page
        for option in re.findall(r"(?<![\w-])--?[a-z][\w-]*", capsys.readouterr().out):
            assert option in page, f"{name} {option}: run `make man`"


def _run(code: str, file: Path) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, file, "exec"), names)
    return names


def test_the_example_that_rates_a_file_writes_a_row_a_puzzle(tmp_path: Path) -> None:
    file = EXAMPLES / "rate_a_file.py"
    (tmp_path / "puzzles.txt").write_text(f"{PUZZLE}\n{81 * '.'}\n")
    _run(file.read_text(), file)["main"](str(tmp_path / "puzzles.txt"), str(tmp_path / "ratings.csv"))
    header, one, other = (tmp_path / "ratings.csv").read_text().split()
    assert header.startswith("puzzle,verdict,level,")
    assert one.startswith(f"{PUZZLE},1,{engine.rate(engine.parse(PUZZLE)).level},")
    assert other.startswith(f"{81 * '.'},2,0,")


def test_the_example_for_a_cluster_rates_each_line_once_and_what_is_left(tmp_path: Path) -> None:
    file = EXAMPLES / "rate_a_million.py"
    names = _run(file.read_text().replace("1 << 17", "200"), file)
    source, target = tmp_path / "puzzles.txt", tmp_path / "ratings"
    lines = [PUZZLE, 81 * ".", "no puzzle", "", PUZZLE, "x" * 500, PUZZLE]
    source.write_text("\n".join(lines))
    target.mkdir()
    parts = [*names["parts_left"](source, target)]
    assert len(parts) > 4
    assert [line for part in parts for line in names["lines_of"](source, part)] == lines
    counts = [names["rate_part"](source, target, part) for part in parts[1:]]
    assert [*names["parts_left"](source, target)] == parts[:1]
    names["rate_part"](source, target, parts[0])
    with_first = "".join(each.read_text() for each in sorted(target.iterdir())).splitlines()
    assert len(with_first) == sum(map(bool, lines)) > sum(counts)
    assert with_first[0] == f"{PUZZLE},1,{engine.rate(engine.parse(PUZZLE)).scores['explainer']}"
    assert with_first[2].startswith('no puzzle,"expected 81 cells')


def test_the_example_of_the_hardest_step_describes_and_draws_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = EXAMPLES / "hardest_step.py"
    _run(file.read_text(), file)["main"](PUZZLE, str(tmp_path / "step.svg"))
    assert " => " in capsys.readouterr().out
    assert (tmp_path / "step.svg").read_text().startswith("<svg")


def test_the_notebook_runs(capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / "step_by_step.ipynb"
    cells = json.loads(file.read_text())["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    _run(code, file)
    assert all(cell.get("outputs", []) == [] for cell in cells)
    assert len(capsys.readouterr().out.splitlines()) > 50
