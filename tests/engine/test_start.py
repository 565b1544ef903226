"""Commands without kernels start without Numba, and those without arrays start without NumPy."""

from __future__ import annotations

import ast
import os
import pkgutil
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

import engine

GRID = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."

WITHOUT_KERNELS = f"""
engine.Grid.from_digits([0] * 81)
engine.write(engine.parse({GRID!r})), engine.FORMATS["sdk"]
engine.draw(engine.parse({GRID!r}))
[each.name for each in engine.TECHNIQUES.values()], engine.Recipe(level=4)
"""
WITHOUT_ARRAYS = f"""
from engine.cli import main
for option in ("--version", "--help"):
    try: main([option])
    except SystemExit: pass
engine.parse({GRID!r}).givens
"""


@pytest.mark.parametrize(
    ("package", "code"), [("numba", WITHOUT_KERNELS), ("numpy", WITHOUT_ARRAYS)], ids=["numba", "numpy"]
)
def test_it_starts_without(package: str, code: str) -> None:
    program = f"import sys, engine\n{code}\nprint({package!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout.splitlines()[-1:], done.stderr) == (["False"], "")


@pytest.mark.parametrize("package", ["numba", "numpy"])
@pytest.mark.parametrize(
    "code",
    [
        "import engine; engine.solution('1' + 80 * '.')",
        "from engine.cli import main; main(['solve', '1' + 80 * '.'])",
    ],
    ids=["library", "command"],
)
def test_a_missing_package_is_one_sentence(package: str, code: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; {code}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].endswith(f"ninefold needs {package}: pip install {package}")


def test_it_runs_from_a_zip_file(tmp_path: Path) -> None:
    root = Path(engine.__file__).parent
    with zipfile.ZipFile(tmp_path / "ninefold.zip", "w") as packed:
        for file in sorted(root.rglob("*.py")):
            packed.write(file, Path("ninefold", file.relative_to(root)))
    code = (
        "import ninefold; from ninefold.kernels import _cache; print(ninefold.__file__);"
        f"print(ninefold.next_step({GRID!r})); print(_cache.fingerprint('ninefold.steps.logic'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "ninefold.zip"), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    file, step, fingerprint = done.stdout.splitlines()
    assert Path(file) == tmp_path / "ninefold.zip" / "ninefold" / "__init__.py"
    assert (step, fingerprint == "None") == ("hidden_single: r4c1=8", False)


def test_the_stub_declares_the_public_names() -> None:
    stub = ast.parse(Path(engine.__file__).with_suffix(".pyi").read_text())
    imports = [each for each in stub.body if isinstance(each, ast.ImportFrom)]
    declared = {name.asname or name.name: f"engine.{each.module}" for each in imports for name in each.names}
    assert {name: module for name, (module, _) in engine._HOMES.items()} == declared


def test_the_help_imports_no_command() -> None:
    program = "import sys; from engine.cli import make_parser; make_parser([]); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    modules = set(done.stdout.split())
    assert {"engine.cli", "engine.commands"} <= modules
    assert {name for name in modules if name.startswith("engine.commands.")} == {"engine.commands.command"}


def test_no_public_name_is_that_of_a_module() -> None:
    """Importing the module would replace the function of that name."""
    modules = {found.name for found in pkgutil.iter_modules(engine.__path__)}
    assert modules.isdisjoint(engine.__all__)


def test_every_public_name_exists() -> None:
    for name in engine.__all__:
        module, there = engine._HOMES[name]
        assert getattr(engine, name) is getattr(import_module(module), there)
    assert set(engine.__all__) <= set(dir(engine))
    missing = "nothing"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(engine, missing)
