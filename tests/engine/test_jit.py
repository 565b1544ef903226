"""Where compiled code is kept: when it is used again, when not, and what may go wrong without harm."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import engine
from engine.kernels import _jit

pytestmark = pytest.mark.slow

ROOT = Path(engine.__file__).parents[1]

# Compiles three kernels that call each other in under a second, then says how many came from the cache. The
# package is left empty: all that `import engine` loads would cost more than they do.
SHUFFLE = """
import os, sys, types
package = sys.modules["engine"] = types.ModuleType("engine")
package.__path__ = [os.environ["PYTHONPATH"] + "/engine"]
import numpy as np
from engine.kernels.rng import seeded, shuffle
items = np.arange(9)
shuffle(seeded(7), items)
print(items.tolist(), sum(shuffle.stats.cache_hits.values()))
"""
SHUFFLED = "[8, 5, 7, 6, 1, 3, 0, 4, 2]"


def start(code: str, cache: Path, root: Path = ROOT, **environment: str) -> subprocess.Popen[str]:
    settings = {"PYTHONPATH": str(root), "NINEFOLD_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=cache.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "0", **settings, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    output, complaints = process.communicate(timeout=300)
    assert (process.returncode, complaints) == (0, "")
    return output.strip()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache that a first process leaves."""
    cache = tmp_path_factory.mktemp("compiled") / "cache"
    assert said(start(SHUFFLE, cache)) == f"{SHUFFLED} 0"
    return cache


@pytest.fixture
def cache(compiled: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(compiled, tmp_path / "cache")


def test_the_second_process_finds_what_the_first_compiled(compiled: Path) -> None:
    assert said(start(SHUFFLE, compiled)) == f"{SHUFFLED} 1"


def test_processes_that_start_at_once_on_a_cold_cache_all_work(tmp_path: Path) -> None:
    together = [start(SHUFFLE, tmp_path / "cache") for _ in range(3)]
    assert {said(process).rpartition(" ")[0] for process in together} == {SHUFFLED}
    assert said(start(SHUFFLE, tmp_path / "cache")) == f"{SHUFFLED} 1"


def test_an_install_that_is_read_only_works_and_stays_as_it_is(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    shutil.copytree(ROOT / "engine", installed / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*installed.rglob("*"), installed]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = sorted(installed.rglob("*"))
    assert said(start(SHUFFLE, tmp_path / "cache", installed)) == f"{SHUFFLED} 0"
    assert said(start(SHUFFLE, tmp_path / "cache", installed)) == f"{SHUFFLED} 1"
    assert sorted(installed.rglob("*")) == before


def test_a_system_that_is_read_only_throughout_compiles_for_the_process_alone(tmp_path: Path) -> None:
    nowhere = Path(os.devnull, "no folder")
    code = f"import tempfile; tempfile.tempdir = {os.devnull!r}\n{SHUFFLE}"
    process = start(code, tmp_path / "unused", NINEFOLD_CACHE=str(nowhere), XDG_CACHE_HOME=str(nowhere))
    assert said(process) == f"{SHUFFLED} 0"


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_torn_files_cost_a_compilation_and_are_mended(cache: Path, suffix: str) -> None:
    for path in cache.rglob(f"*{suffix}"):
        path.write_bytes(path.read_bytes()[:100])
    assert said(start(SHUFFLE, cache)) == f"{SHUFFLED} 0"
    assert said(start(SHUFFLE, cache)) == f"{SHUFFLED} 1"


def a_bit_flipped(content: bytes) -> bytes:
    """Somewhere late, where pickle would not notice it: in the machine code, or a name."""
    place = len(content) * 3 // 4
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_changed_bit_costs_a_compilation_and_is_mended(cache: Path, suffix: str) -> None:
    written = {path: path.read_bytes() for path in cache.rglob(f"*{suffix}")}
    assert written
    for path, content in written.items():
        path.write_bytes(a_bit_flipped(content))
    assert said(start(SHUFFLE, cache)) == f"{SHUFFLED} 0"
    assert said(start(SHUFFLE, cache)) == f"{SHUFFLED} 1"


def test_code_under_the_name_of_another_function_is_not_loaded(tmp_path: Path) -> None:
    name = str(tmp_path / "one.1.nbc")
    Path(name).write_bytes(_jit._checksum(name, b"code") + b"code")
    assert _jit._content(name) == b"code"
    assert _jit._content(str(Path(name).rename(tmp_path / "two.1.nbc"))) is None
    assert _jit._content(str(tmp_path / "three.1.nbc")) is None


@pytest.fixture
def fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """The fingerprint of a module of a small engine in `tmp_path`, recomputed at each call."""
    monkeypatch.setattr(_jit, "_ENGINE", tmp_path)
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "__init__.py").write_text("")
    (tmp_path / "kernels" / "low.py").write_text("LOW = 1\n")
    (tmp_path / "kernels" / "middle.py").write_text(
        "from engine.kernels.low import (\n    LOW,\n    HIGH as OTHER,\n)\n"
    )
    (tmp_path / "kernels" / "high.py").write_text("import numpy\nfrom engine.kernels import middle  # it\n")
    (tmp_path / "kernels" / "other.py").write_text("import engine.kernels.low as lower\n")

    def computed(module: str) -> str:
        _jit._source.cache_clear()
        _jit.fingerprint.cache_clear()
        return _jit.fingerprint(module)

    yield computed
    _jit._source.cache_clear()
    _jit.fingerprint.cache_clear()


@pytest.mark.parametrize("user", ["engine.kernels.middle", "engine.kernels.high", "engine.kernels.other"])
def test_an_edit_makes_what_depends_on_it_compile_anew(
    fingerprint: Callable[[str], str], tmp_path: Path, user: str
) -> None:
    before = fingerprint(user)
    (tmp_path / "kernels" / "low.py").write_text("LOW = 2\n")
    assert fingerprint(user) != before


@pytest.mark.parametrize("bystander", ["engine.kernels.low", "engine.kernels.other"])
def test_an_edit_leaves_what_does_not_depend_on_it(
    fingerprint: Callable[[str], str], tmp_path: Path, bystander: str
) -> None:
    before = fingerprint(bystander)
    (tmp_path / "kernels" / "middle.py").write_text("LOW = 2\n")
    assert fingerprint(bystander) == before


def test_another_processor_is_another_folder(
    fingerprint: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fingerprint("engine.kernels.low")
    monkeypatch.setattr(_jit, "_target", lambda: "another")
    assert fingerprint("engine.kernels.low") != before


def test_the_folder_asked_for_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NINEFOLD_CACHE", str(tmp_path / "mine"))
    assert _jit.cache_folder.__wrapped__() == tmp_path / "mine"


def test_without_a_wish_it_is_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NINEFOLD_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _jit.cache_folder.__wrapped__() == tmp_path / "ninefold"


def test_a_folder_that_others_can_write_to_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("NINEFOLD_CACHE", str(tmp_path / "open"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _jit.cache_folder.__wrapped__() == tmp_path / "ninefold"
