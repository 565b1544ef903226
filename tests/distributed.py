"""Test the distribution as installed: `make wheel`, which has the tools that this needs.

Builds the sdist, the wheel without kernels and one with kernels for x86-64-v3 into `dist`. Each is installed
in an empty environment, where nothing of the repository can be seen. The tutorial and the how-tos run there,
and mypy and pyright check the examples.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

PYTHONS = (11, 12, 13)  # that get a wheel with kernels, if they are installed
ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "docs" / "library"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "engine.py").write_text("raise ImportError")
        packages = _built(place)
        for package in packages:
            python = _installed(place / f"env-{package.name}", package)
            _run(place, python, "-c", _ALONE)
            if package in packages[1:]:
                for page in ("tutorial.md", "how-to.md"):
                    _run(place, python, "-m", "doctest", LIBRARY / page)
            print(f"{package.name}: installs alone, its documents run", flush=True)
        if len(packages) > 2:
            print(f"first rating from {packages[-1].name}: {_first_rating(place, python):.2f} s", flush=True)
        examples = [*(LIBRARY / "examples").glob("*.py")]
        _run(place, sys.executable, "-m", "mypy", "--strict", "--python-executable", python, *examples)
        _run(place, sys.executable, "-m", "pyright", "--pythonpath", python, *examples)


def _built(place: Path) -> list[Path]:
    """Build the sdist, the wheel without kernels, and on x86-64 Linux the one with them, into `dist`."""
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    build = (sys.executable, "-m", "build", "--outdir", str(dist))
    subprocess.run([*build, str(ROOT)], check=True, cwd=place, stdout=subprocess.DEVNULL)  # one file a line
    built = [next(dist.glob("*.tar.gz")), next(dist.glob("*-none-any.whl"))]
    if (sys.platform, platform.machine()) == ("linux", "x86_64"):
        source = place / "source"
        subprocess.run(["tar", "--extract", f"--file={built[0]}", f"--directory={place}"], check=True)
        next(place.glob("ninefold-*")).rename(source)
        _pin(source / "pyproject.toml")
        for minor, python in _pythons(place):
            shutil.rmtree(source / "build", ignore_errors=True)  # it has the kernels of the Python before
            _compile(place, source / "engine", python)
            tags = f"--python-tag=cp3{minor}", "--plat-name=linux_x86_64"
            wheel = [
                *build,
                "--wheel",
                *(f"--config-setting=--build-option={tag}" for tag in tags),
                str(source),
            ]
            subprocess.run(wheel, check=True, cwd=place, stdout=subprocess.DEVNULL)
        built.append(next(dist.glob(f"*-cp3{sys.version_info[1]}-*-linux_x86_64.whl")))
    return built


def _pin(project: Path) -> None:
    """Require the versions that the kernels are compiled with: no others can use them."""
    numba, llvmlite = version("numba"), version("llvmlite")
    pinned = f'"numba=={numba}", "llvmlite=={llvmlite}"'
    text, count = re.subn(r'"numba[^"]*"', pinned, project.read_text(), count=1)
    assert count == 1
    project.write_text(text)


def _pythons(place: Path) -> Iterator[tuple[int, Path]]:
    """Yield the minor version and an interpreter, with what the kernels need, of each Python found here."""
    for minor in PYTHONS:
        if minor == sys.version_info[1]:
            yield minor, Path(sys.executable)
        elif (found := shutil.which(f"python3.{minor}")) and not subprocess.call([found, "-V"]):
            _run(place, found, "-m", "venv", place / f"compiling-3.{minor}")
            python = place / f"compiling-3.{minor}" / "bin" / "python"
            needed = (f"{name}=={version(name)}" for name in ("numba", "llvmlite", "numpy"))
            _run(place, python, "-m", "pip", "install", "--quiet", *needed)
            yield minor, python


def _compile(place: Path, package: Path, python: Path) -> None:
    """Compile all kernels of `package` into it, under its installed name, for x86-64-v3."""
    compiled = package / "kernels" / "compiled"
    for folder in (place / "under_its_name", compiled):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(package, place / "under_its_name" / "ninefold")
    settings = {
        "PYTHONPATH": str(place / "under_its_name"),
        "NINEFOLD_CACHE": str(compiled),
        "NUMBA_CPU_NAME": "x86-64-v3",
        "NUMBA_CPU_FEATURES": "",
    }
    for code in ("from ninefold.warm import main; main()", _WRITE_TARGET):
        subprocess.run([python, "-c", code], check=True, cwd=place, env=os.environ | settings)


_WRITE_TARGET = """
from ninefold.kernels import _cache
(_cache.cache_folder() / "target").write_text(_cache.target())
"""


def _first_rating(place: Path, python: Path) -> float:
    """Return seconds of the first rating in a process, with only the wheel's kernels and no network."""
    begun = time.perf_counter()
    code = f"import ninefold; ninefold.rate(ninefold.parse({_PUZZLE!r}))"
    alone = ["unshare", "--net"] if os.getuid() == 0 and shutil.which("unshare") else []
    empty = os.environ | {"NINEFOLD_CACHE": str(place / "empty")}
    done = subprocess.run([*alone, python, "-c", code], env=empty, cwd=place, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return time.perf_counter() - begun


_PUZZLE = "52....439......2.......4.6.4..28..............8..9.1.......1.8...85.3.12.56.4.3.."
_ALONE = """
import importlib.metadata, importlib.util, ninefold, pathlib, sys
assert "ImportError" in pathlib.Path("engine.py").read_text()  # a foreign module in the folder of the user
assert importlib.util.find_spec("webapp") is None
assert pathlib.Path(ninefold.__file__).is_relative_to(sys.prefix)
assert ninefold.Grid.__module__ == "ninefold.grid"
files = importlib.metadata.files("ninefold")
names = {str(file) for file in files}
for needed in ("py.typed", "hook-ninefold.py", "licenses/LICENSE", "man1/ninefold.1"):
    assert any(name.endswith(needed) for name in names), needed
tops = {file.parts[0] for file in files if file.parts[0] != ".." and not file.parts[0].endswith(".dist-info")}
assert tops == {"ninefold"}, tops
"""


def _installed(environment: Path, package: Path) -> Path:
    """Return the Python of a new environment with the package and its dependencies."""
    _run(environment.parent, sys.executable, "-m", "venv", environment)
    python = environment / "bin" / "python"
    _run(environment.parent, python, "-m", "pip", "install", "--quiet", package)
    return python


def _run(place: Path, *command: str | Path) -> None:
    subprocess.run(command, check=True, cwd=place)


if __name__ == "__main__":
    main()
