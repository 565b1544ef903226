"""The cache of compiled code: hits, misses, and failures without harm."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import engine
from engine.kernels import _cache
from engine.kernels._numba import read_checked, write_checked
from tests.engine.forks import Code, Forks, forks

pytestmark = pytest.mark.slow

ROOT = Path(engine.__file__).parents[1]

# Compiles three kernels that call each other in under a second, then prints how many came from the cache. The
# package is left empty: importing all of the engine would cost more than they do.
SHUFFLE = """
import os, sys, types
package = sys.modules["engine"] = types.ModuleType("engine")
package.__path__ = [os.environ["PYTHONPATH"] + "/engine"]
import numpy as np
from engine.kernels.rng import seeded, shuffle
items = np.arange(9)
shuffle(seeded(7), items)
print(items.tolist(), sum(shuffle.dispatcher.stats.cache_hits.values()))
"""
SHUFFLED = "[8, 5, 7, 6, 1, 3, 0, 4, 2]"
SAID = "compiling kernels for this machine, once; it can take minutes, and `ninefold compile` does it ahead"
COMPILED, FOUND = f"{SAID}\n{SHUFFLED} 0", f"{SHUFFLED} 1"


@pytest.fixture(scope="module")
def parent() -> Iterator[Forks]:
    with forks(NUMBA_DISABLE_JIT="0", PYTHONDONTWRITEBYTECODE="1") as parent:
        yield parent


# A third-party technique, whose scan calls the long `_put` of the engine.
OUTSIDE = """
from engine.kernels._jit import kernel
from engine.kernels.steps import begin, commit, put_placed
from engine.techniques.entry import SHORT, Family, Technique

@kernel
def scan(position, limits, mode, out):
    begin(out, 0, 0, 1, 1)
    put_placed(out, 5, 0)
    commit(out, mode)

TECHNIQUE = Technique("outside", "Outside", scan=scan, family=Family.SINGLES, tier=1, bound=SHORT)
"""
REGISTER = """
import os, sys
sys.path[:0] = os.environ["PYTHONPATH"].split(os.pathsep)
import numpy as np
from engine import techniques
from engine.kernels.dispatch import address_of
from engine.kernels.steps import COUNT, new_steps
from outside import TECHNIQUE
techniques.register(TECHNIQUE)
out = new_steps(4, 64)
assert address_of(TECHNIQUE.scan)
TECHNIQUE.scan(np.zeros(9, np.int32), np.zeros(9, np.int32), 0, out)
print(out[COUNT], sum(TECHNIQUE.scan.dispatcher.stats.cache_hits.values()))
"""


def test_a_technique_from_outside_is_compiled_once_and_after_each_change(
    parent: Forks, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.py"
    changed = tmp_path / "changed"
    shutil.copytree(ROOT / "engine", changed / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    with (changed / "engine" / "kernels" / "steps.py").open("a") as file:
        file.write("# Changed.\n")

    def said(root: Path) -> str:
        paths = f"{root}{os.pathsep}{tmp_path}"
        settings = {"PYTHONPATH": paths, "NINEFOLD_CACHE": str(tmp_path / "cache")}
        return parent.said(Code(REGISTER, tmp_path, settings))[0]

    outside.write_text(OUTSIDE)
    assert said(ROOT) == f"{SAID}\n1 0"
    assert said(ROOT) == "1 1"
    assert said(changed) == f"{SAID}\n1 0", "the code for another engine would call what is not there"
    assert said(ROOT) == "1 1"
    outside.write_text(f"{OUTSIDE}# Changed.\n")
    assert said(ROOT) == f"{SAID}\n1 0"


# Templates of kernels, one of which calls itself, inside another kernel and a function cached by Numba.
PARTS = """
import numba
from engine.kernels._jit import kernel

@kernel
def _twice(number):
    return 2 * number

@kernel
def _doubled(times):
    return 1 if times == 0 else _twice(_doubled(times - 1))

@kernel
def power(times):
    return _doubled(times) + _twice(0)

@numba.njit(cache=True)
def theirs(times):
    return power(times) + _doubled(times)
"""
ASK_PARTS = """
import os, sys, types
sys.path[:0] = os.environ["PYTHONPATH"].split(os.pathsep)
package = sys.modules["engine"] = types.ModuleType("engine")
package.__path__ = [sys.path[0] + "/engine"]
from parts import _doubled, power, theirs
try:
    _doubled(1)
except TypeError as error:
    print(error)
numbers = power(5), theirs(5)
print(*numbers, *(sum(each.stats.cache_hits.values()) for each in (power.dispatcher, theirs)))
"""


def test_a_kernel_for_kernels_is_whole_in_whatever_calls_it(parent: Forks, tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text(PARTS)
    settings = {"PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}", "NINEFOLD_CACHE": str(tmp_path / "cache")}

    def said() -> list[str]:
        return parent.said(Code(ASK_PARTS, tmp_path, settings))[0].splitlines()

    refused = "_doubled can be called by kernels only"
    assert said() == [refused, SAID, "32 64 0 0"]
    assert said() == [refused, "32 64 1 1"]
    assert not [path for path in (tmp_path / "cache").rglob("*") if "_doubled" in path.name]


Shuffled = Callable[..., list[str]]


@pytest.fixture(scope="module")
def shuffled(parent: Forks) -> Shuffled:
    """Return the output of several processes that start at once on a cache."""

    def shuffled(cache: Path, root: Path = ROOT, *, at_once: int = 1) -> list[str]:
        settings = {"PYTHONPATH": str(root), "NINEFOLD_CACHE": str(cache)}
        return parent.said(*[Code(SHUFFLE, cache.parent, settings)] * at_once)

    return shuffled


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory, shuffled: Shuffled) -> Path:
    """Return the cache that a first process leaves."""
    cache = tmp_path_factory.mktemp("compiled") / "cache"
    assert shuffled(cache) == [COMPILED]
    return cache


@pytest.fixture
def cache(compiled: Path, tmp_path: Path) -> Path:
    """Return a copy of the compiled cache."""
    return shutil.copytree(compiled, tmp_path / "cache")


def test_the_second_process_finds_what_the_first_compiled(shuffled: Shuffled, compiled: Path) -> None:
    assert shuffled(compiled) == [FOUND]


def test_a_process_from_nothing_finds_it_too(compiled: Path) -> None:
    settings = {"PYTHONPATH": str(ROOT), "NINEFOLD_CACHE": str(compiled), "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", SHUFFLE], env=os.environ | settings, capture_output=True, text=True
    )
    assert (done.stdout.strip(), done.stderr, done.returncode) == (FOUND, "", 0)


def test_processes_that_start_at_once_on_a_cold_cache_all_work(shuffled: Shuffled, tmp_path: Path) -> None:
    together = shuffled(tmp_path / "cache", at_once=3)
    assert {said.rpartition(" ")[0].removeprefix(f"{SAID}\n") for said in together} == {SHUFFLED}
    assert shuffled(tmp_path / "cache") == [FOUND]


def test_an_install_that_is_read_only_works_and_stays_as_it_is(shuffled: Shuffled, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    shutil.copytree(ROOT / "engine", installed / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*installed.rglob("*"), installed]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = sorted(installed.rglob("*"))
    assert shuffled(tmp_path / "cache", installed) == [COMPILED]
    assert shuffled(tmp_path / "cache", installed) == [FOUND]
    assert sorted(installed.rglob("*")) == before


def test_a_system_that_is_read_only_throughout_compiles_for_the_process_alone(
    parent: Forks, tmp_path: Path
) -> None:
    nowhere = str(Path(os.devnull, "no folder"))
    settings = {"PYTHONPATH": str(ROOT), "NINEFOLD_CACHE": nowhere, "XDG_CACHE_HOME": nowhere}
    code = f"import tempfile; tempfile.tempdir = {os.devnull!r}\n{SHUFFLE}"
    assert parent.said(Code(code, tmp_path, settings)) == [COMPILED]


def a_bit_flipped(content: bytes) -> bytes:
    """Flip a bit late in the content, where pickle would not notice: in the machine code, or a name."""
    place = len(content) * 3 // 4
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


@pytest.mark.parametrize("harm", [lambda content: content[:100], a_bit_flipped])
def test_files_that_came_to_harm_cost_a_compilation_and_are_mended(
    shuffled: Shuffled, cache: Path, harm: Callable[[bytes], bytes]
) -> None:
    written = {path: path.read_bytes() for path in cache.rglob("*.kernel")}
    assert written
    for path, content in written.items():
        path.write_bytes(harm(content))
    assert shuffled(cache) == [COMPILED]
    assert shuffled(cache) == [FOUND]


def test_code_under_the_name_of_another_function_is_not_loaded(tmp_path: Path) -> None:
    one = tmp_path / "one.kernel"
    write_checked(one, b"code")
    assert read_checked(one) == b"code"
    assert read_checked(one.rename(tmp_path / "two.kernel")) is None
    assert read_checked(tmp_path / "three.kernel") is None


@pytest.fixture
def fingerprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """Return the fingerprint of a module of a small engine in `tmp_path`, recomputed at each call."""
    monkeypatch.setattr(_cache, "_ENGINE", tmp_path)
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "__init__.py").write_text("")
    (tmp_path / "kernels" / "low.py").write_text("LOW = 1\n")
    (tmp_path / "kernels" / "middle.py").write_text(
        "from engine.kernels.low import (\n    LOW,\n    HIGH as OTHER,\n)\n"
    )
    (tmp_path / "kernels" / "high.py").write_text("import numpy\nfrom engine.kernels import middle  # it\n")
    (tmp_path / "kernels" / "other.py").write_text("import engine.kernels.low as lower\n")

    def computed(module: str) -> str:
        _cache._source.cache_clear()
        _cache._fingerprint.cache_clear()
        found = _cache.fingerprint(module)
        assert found is not None
        return found

    yield computed
    _cache._source.cache_clear()
    _cache._fingerprint.cache_clear()


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


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of another package, which imports one of the small engine and one beside it."""
    (tmp_path / "beside.py").write_text("")
    (tmp_path / "own.py").write_text("from engine.kernels.middle import LOW\nfrom . import beside\n")
    for name in ("own", "beside"):
        module = ModuleType(f"outside.{name}")
        module.__file__ = str(tmp_path / f"{name}.py")
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return "outside.own"


@pytest.mark.parametrize("edited", ["own.py", "beside.py", "kernels/low.py"])
def test_a_module_from_outside_is_compiled_anew_with_what_it_depends_on(
    fingerprint: Callable[[str], str], outside: str, tmp_path: Path, edited: str
) -> None:
    before = fingerprint(outside)
    assert fingerprint(outside) == before
    with (tmp_path / edited).open("a") as file:
        file.write("# Changed.\n")
    assert fingerprint(outside) != before


@pytest.mark.usefixtures("fingerprint")
def test_a_module_without_a_file_has_no_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "outside.typed", ModuleType("outside.typed"))
    assert _cache.fingerprint("outside.typed") is None


def test_another_processor_is_another_folder(
    fingerprint: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = fingerprint("engine.kernels.low")
    monkeypatch.setattr(_cache, "target", lambda: "another")
    assert fingerprint("engine.kernels.low") != before


def test_the_folder_asked_for_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NINEFOLD_CACHE", str(tmp_path / "mine"))
    assert _cache.cache_folder.__wrapped__() == tmp_path / "mine"


def test_without_a_wish_it_is_the_users_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NINEFOLD_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _cache.cache_folder.__wrapped__() == tmp_path / "ninefold"


def test_a_folder_that_others_can_write_to_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    monkeypatch.setenv("NINEFOLD_CACHE", str(tmp_path / "open"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _cache.cache_folder.__wrapped__() == tmp_path / "ninefold"
