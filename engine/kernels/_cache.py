"""Where compiled kernels are stored, and when they are outdated.

Numba's own cache only checks the file that a function is in, so a changed callee in another file leaves a
stale caller. Here a module's code is in a folder named by a hash of its source, of all engine modules it
imports, and of the target: the versions of Python, Numba and LLVM, and the processor. Any change leads to
another folder, and an edit recompiles only what depends on it. The folders may be deleted at any time.

A wheel for one platform includes kernels for a common level of processors (`packaged`). They are used until
all are compiled for this processor, which `ninefold compile` does.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import re
import stat
import sys
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

COMPILED: Final = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
"""Whether kernels are compiled at all; otherwise they run as plain Python."""

_ENGINE = Path(__file__).resolve().parents[1]
_NAME = __name__.partition(".")[0]  # `engine` in the repository, `ninefold` when installed
_IMPORT = re.compile(r"^(?:from|import) (\.*)([.\w]*)(?: import (?:\(([^)]*)\)|([^\n#]*)))?", re.MULTILINE)

PACKAGED: Final = Path(__file__).resolve().with_name("compiled")
"""The kernels of the wheel, if any; its file `target` names what they were compiled for."""

# Features of x86-64-v3 beyond v2.
_LEVEL_3: Final = frozenset(["avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt"])


@functools.cache
def cache_folder() -> Path | None:
    """Return the first usable one of NINEFOLD_CACHE, the user's cache folder and the temporary folder.

    None if none is usable, on a read-only system: each process then compiles for itself.
    """
    user = os.getuid() if hasattr(os, "getuid") else "user"
    named, home = os.environ.get("NINEFOLD_CACHE"), os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    for name in (*([named] if named else ()), f"{home}/ninefold", ""):
        with suppress(OSError, RuntimeError):  # no temporary folder; RuntimeError: no home folder
            folder = Path(name or f"{tempfile.gettempdir()}/ninefold-{user}").expanduser()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _only_ours(folder):
                tempfile.TemporaryFile(dir=folder).close()
                return folder
    return None


def _only_ours(folder: Path) -> bool:
    """Whether nobody else can put code there that we would run."""
    if not hasattr(os, "getuid"):
        return True
    found = folder.stat()
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@functools.cache
def packaged() -> Path | None:
    """Return the folder of the wheel's kernels if they run here and are the better choice; else None.

    Kernels compiled for this processor are better: they solve a fifth faster.
    """
    if not _packaged_for_here() or os.environ.get("NINEFOLD_KERNELS") == "native":
        return None
    folder = cache_folder()
    return None if folder is not None and marker(folder, _here()).exists() else PACKAGED


def marker(folder: Path, target: str, stage: str = "") -> Path:
    """Return a file that exists once the kernels of these sources are compiled for a target.

    stage: up to which tier of techniques for hints; all kernels without it.
    """
    return folder / f"warm{stage}-{_fingerprint(f'{_NAME}.warm', target)}"


def ready(stage: str = "") -> bool:
    """Whether nothing needs compiling, up to a stage: the kernels are on disk, or run as plain Python."""
    folder = cache_folder()
    folders = [each for each in (packaged(), folder) if each is not None]
    return not COMPILED or folder is None or any(marker(each, target(), stage).exists() for each in folders)


def _packaged_for_here() -> bool:
    try:
        made_for = (PACKAGED / "target").read_text()
    except OSError:
        return False
    return made_for == _portable() and host_features() >= _LEVEL_3


@functools.cache
def host_features() -> frozenset[str]:
    """Return the processor's features, by LLVM's names."""
    from llvmlite import binding

    return frozenset(name for name, has in binding.get_host_cpu_features().items() if has)


@functools.cache
def features() -> frozenset[str]:
    """Return the features that kernels are compiled for, by LLVM's names."""
    if packaged() is not None or os.environ.get("NUMBA_CPU_NAME") == "x86-64-v3":
        return _LEVEL_3
    asked_for = os.environ.get("NUMBA_CPU_FEATURES")
    if asked_for is None:
        return host_features()
    return frozenset(each[1:] for each in asked_for.split(",") if each.startswith("+"))


@functools.cache
def target() -> str:
    """Return what kernels are compiled for in this process: versions, and the processor or a level of
    processors.
    """
    return _here() if packaged() is None else _portable()


@functools.cache
def _versions() -> str:
    """Return the versions of what generates code, including our two modules that configure Numba."""
    from importlib.metadata import version  # slow: it imports the e-mail parser

    ours = hashlib.sha256()
    for name in ("_lowered", "_numba"):
        ours.update(_text(f"{_NAME}.kernels.{name}")[0])
    numba = f"{version('numba')} {version('llvmlite')}"
    return f"{numba} {sys.implementation.cache_tag} {sys.platform} {platform.machine()} {ours.hexdigest()}"


def _portable() -> str:
    return f"{_versions()} x86-64-v3"


@functools.cache
def _here() -> str:
    """Return this processor, or the configured one."""
    name, asked_for = os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")
    if asked_for is None:
        asked_for = ",".join(sorted(host_features()))
    if name is None:
        from llvmlite import binding

        name = binding.get_host_cpu_name()
    return f"{_versions()} {name} {asked_for}".rstrip()


def fingerprint(module: str) -> str | None:
    """Return a hash of everything the compiled code of `module` can depend on; None if its source is unknown.

    For a module outside the engine: its file, and what it imports of the engine and its package.
    """
    return _fingerprint(module, target())


@functools.cache
def _fingerprint(module: str, target: str) -> str | None:
    if not _source(module)[0]:
        return None
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += _source(name)[1]
    parts = [f"{name} {_source(name)[0]}" for name in sorted(seen)]
    return hashlib.sha256("\n".join([target, *parts]).encode()).hexdigest()[:16]


@functools.cache
def _source(module: str) -> tuple[str, tuple[str, ...]]:
    """Return a hash of a module's source, and the modules it imports; empty if there is no such module.

    Only modules of the engine and of its own package count.
    """
    source, is_package = _text(module)
    if not source:
        return "", ()
    imported = []
    package = module if is_package else module.rpartition(".")[0]
    for found in _IMPORT.finditer(source.decode()):
        dots, name, names = found[1], found[2], found[3] or found[4] or ""
        if dots:
            parts = package.split(".")
            name = ".".join([*parts[: len(parts) + 1 - len(dots)], *([name] if name else [])])
        if name.startswith(f"{_NAME}.kernels._"):
            continue  # the target covers these
        if name.partition(".")[0] in (_NAME, module.partition(".")[0]):
            imported += [name, *(f"{name}.{each.split()[0]}" for each in names.split(",") if each.strip())]
    return hashlib.sha256(source).hexdigest(), tuple(imported)


def _text(module: str) -> tuple[bytes, bool]:
    """Return a module's source and whether it is a package; empty if there is no such module."""
    root, _, rest = module.partition(".")
    if root != _NAME:
        file = Path(getattr(sys.modules.get(module), "__file__", None) or os.devnull)
        return file.read_bytes() if file.is_file() else b"", file.name == "__init__.py"
    if not _ENGINE.is_dir():  # in a zip file, or frozen
        return _loaded(module)
    path = _ENGINE.joinpath(*rest.split(".")) if rest else _ENGINE
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_bytes() if file.is_file() else b"", path.is_dir()


def _loaded(module: str) -> tuple[bytes, bool]:
    """Return the same from the module's loader."""
    try:
        found = find_spec(module)
        source = getattr(found and found.loader, "get_source", lambda _: None)(module)
    except (ImportError, ValueError):
        return b"", False
    return (source or "").encode(), bool(found and found.submodule_search_locations)
