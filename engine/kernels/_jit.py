"""The one decorator that holds every Numba option, and where compiled code is kept.

Numba's own cache looks only at the file a function stands in, so a changed callee in another file leaves
a stale caller behind. Here the code of a module is kept in a folder named by a hash of its source and of all
engine modules it imports, of the versions of Python, Numba and LLVM, and of the processor: any change of
those is another folder, and an edit compiles only what depends on it. The folders may be deleted at any time.
"""

from __future__ import annotations

import functools
import hashlib
import io
import os
import pickle
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar, cast

import llvmlite
import numba
from llvmlite import binding
from numba.core import config, types
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
    UserProvidedCacheLocator,
)
from numba.core.codegen import get_host_cpu_features

from engine.kernels._parts import KernelCompiler, PartCompiler

try:
    import fcntl
except ImportError:  # Windows; see `_alone`
    fcntl = None  # type: ignore[assignment, unused-ignore]

P = ParamSpec("P")
R = TypeVar("R")

COMPILED: Final = not vars(config)["DISABLE_JIT"]
"""Whether kernels are compiled at all; without it they are plain Python."""

_SUM: Final = 16  # bytes of a checksum

_ENGINE = Path(__file__).resolve().parents[1]
_IMPORT = re.compile(r"^(?:from|import) (\.*)([.\w]*)(?: import (?:\(([^)]*)\)|([^\n#]*)))?", re.MULTILINE)


@functools.cache
def features() -> frozenset[str]:
    """What the processor can do that Numba compiles for, in LLVM's words."""
    asked_for = vars(config)["CPU_FEATURES"]
    listed: str = get_host_cpu_features() if asked_for is None else asked_for
    return frozenset(each[1:] for each in listed.split(",") if each.startswith("+"))


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` with Numba: no Python objects, the GIL released, kept on disk.

    A kernel whose name starts with an underscore can be called by kernels only: it gets no entry from Python,
    no machine code of its own and no files, since it becomes part of its callers (`_parts`). That takes a
    quarter off the time to compile them all.
    No kernel can raise, assert, define functions, comprehend lists or compare with None (`KernelCompiler`).
    With NUMBA_DISABLE_JIT=1 the function is left as it is, which is how coverage and debugging work.
    """
    if not COMPILED:
        return function
    inner = function.__name__.startswith("_")
    options: dict[str, Any] = {"no_cpython_wrapper": inner, "no_cfunc_wrapper": True}
    options["pipeline_class"] = PartCompiler if inner else KernelCompiler
    compiled: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
    if inner:
        _keep_inside(compiled)
    else:
        compiled._cache = _Cache(function)  # what `njit(cache=True)` does, with a cache of ours
    _widen(compiled)
    return cast("Callable[P, R]", compiled)


def _keep_inside(dispatcher: Any) -> None:
    """Make a call of `dispatcher` from Python an error: without an entry from there it would be a crash."""

    def refuse(*_: Any, **__: Any) -> None:
        raise TypeError(f"{dispatcher.__name__} can be called by kernels only")

    def remember(result: Any) -> None:
        dispatcher.overloads[tuple(result.signature.args)] = result

    dispatcher.add_overload = remember
    dispatcher._compile_for_args = refuse


def _widen(dispatcher: Any) -> None:
    """Let other kernels call `dispatcher` with 64-bit ints wherever they have signed ones.

    Numba otherwise compiles a kernel again for int32, int64 and each literal that can reach it, in every
    mixture: one kernel of the fish was compiled sixteen times, and all of them took 21.6 s instead of 5.7.
    """
    template = dispatcher.get_call_template
    known: dict[Any, Any] = {}

    def widened(arguments: Any, named: Any) -> Any:
        wide = tuple(map(_wide, arguments))
        key = wide, tuple(named.items())
        if key not in known:
            known[key] = template(wide, named)
        return known[key]

    dispatcher.get_call_template = widened


def _wide(kind: Any) -> Any:
    plain = getattr(kind, "literal_type", kind)
    return types.int64 if getattr(plain, "signed", False) else plain


@functools.cache
def cache_folder() -> Path | None:
    """The first of NINEFOLD_CACHE, the user's cache folder and the temporary folder that can be used.

    None where none can, on a system that is read-only throughout: each process compiles for itself then.
    """
    user = os.getuid() if hasattr(os, "getuid") else "user"
    for name in (
        os.environ.get("NINEFOLD_CACHE"),
        (os.environ.get("XDG_CACHE_HOME") or "~/.cache") + "/ninefold",
        f"{tempfile.gettempdir()}/ninefold-{user}",
    ):
        if name:
            folder = Path(name).expanduser()
            with suppress(OSError, RuntimeError):  # RuntimeError: there is no home
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


class _Locator(UserProvidedCacheLocator):
    """Where the code of one function is kept; the folder's name says all there is about its freshness."""

    def __init__(self, function: Callable[..., Any], _file: str) -> None:
        self._lineno = function.__code__.co_firstlineno
        folder = cast("Path", cache_folder())
        self._cache_path = str(folder / f"{function.__module__}-{fingerprint(function.__module__)}")

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Locator:
        return cls(function, file)

    def ensure_cache_path(self) -> None:
        """Nothing: `_alone` makes the folder, once there is something to keep."""

    def get_source_stamp(self) -> str:
        return ""


class _CacheFiles(CompileResultCacheImpl):
    _locator_classes = cast("list[type[object]]", [_Locator])


class _Checked(IndexDataCacheFile):
    """The index of a function and its code, each behind a checksum of its name and content.

    Numba reads what is there by pickle and runs it. Here a file that was torn, changed or exchanged counts as
    missing, so it is compiled anew and written again. No key is in it: whoever can write to the folder, which
    is ours alone, can write a right checksum too.
    """

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        whole = io.BytesIO()
        yield whole
        with super()._open_for_write(filepath) as file:
            file.write(_checksum(filepath, whole.getvalue()))
            file.write(whole.getvalue())

    def _load_index(self) -> dict[Any, str]:
        content = _content(self._index_path)
        if content is None:
            return {}
        file = io.BytesIO(content)
        version = pickle.load(file)
        stamp, overloads = pickle.load(file)
        fresh = (version, stamp) == (self._version, self._source_stamp)
        return cast("dict[Any, str]", overloads) if fresh else {}

    def _load_data(self, name: str) -> Any:
        content = _content(self._data_path(name))
        if content is None:
            raise FileNotFoundError(name)  # which Numba answers with a compilation
        return pickle.loads(content)


def _content(path: str) -> bytes | None:
    """What is in a file of the cache; None if it is missing or not as it was written."""
    try:
        whole = Path(path).read_bytes()
    except FileNotFoundError:
        return None
    content = whole[_SUM:]
    return content if whole[:_SUM] == _checksum(path, content) else None


def _checksum(path: str, content: bytes) -> bytes:
    """Of the name too, so that one function's code is not taken for another's. 1 ms for a megabyte."""
    return hashlib.blake2b(content, digest_size=_SUM, key=Path(path).name.encode()[-64:]).digest()


class _Files(FunctionCache):
    """Numba's own cache of one function, in our folder, with checksums."""

    _impl_class = _CacheFiles

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Checked(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )


class _Cache(NullCache):
    """The cache of one function, which looks for its files when they are wanted and not at import.

    A file that is wrong costs a compilation, and so does a disk that is full; no call fails for it.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @functools.cached_property
    def _files(self) -> Any:
        files: Any = _Files
        known = cache_folder() is not None and fingerprint(self._function.__module__) is not None
        return files(self._function) if known else NullCache()

    def load_overload(self, *request: Any) -> Any:
        try:
            return self._files.load_overload(*request)
        except Exception:  # a torn or foreign file can raise any exception in pickle
            with suppress(OSError):
                self._files.flush()
            return None

    def save_overload(self, *result: Any) -> None:
        folder = self._files.cache_path
        if folder is not None:
            with suppress(OSError), _alone(Path(folder)):
                self._files.save_overload(*result)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time writes to a folder: Numba numbers files by an index it has read before.

    Two that save different signatures of a function at once would else leave each other's code under their
    own signature. Without fcntl that risk, which is Numba's own, stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@functools.cache
def fingerprint(module: str) -> str | None:
    """A hash of everything the compiled code of `module` can depend on; None where its source is unknown.

    Of a module from outside of the engine: its file, and what it imports of the engine and its package.
    """
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
    return hashlib.sha256("\n".join([_target(), *parts]).encode()).hexdigest()[:16]


@functools.cache
def _source(module: str) -> tuple[str, tuple[str, ...]]:
    """A hash of a module's source, and which modules it imports; empty where there is no such module.

    Only modules of the engine and of its own package count.
    """
    file = _file(module)
    if not file.is_file():
        return "", ()
    source = file.read_bytes()
    imported = []
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    for found in _IMPORT.finditer(source.decode()):
        dots, name, names = found[1], found[2], found[3] or found[4] or ""
        if dots:
            parts = package.split(".")
            name = ".".join([*parts[: len(parts) + 1 - len(dots)], *([name] if name else [])])
        if name.partition(".")[0] in ("engine", module.partition(".")[0]):
            imported += [name, *(f"{name}.{each.split()[0]}" for each in names.split(",") if each.strip())]
    return hashlib.sha256(source).hexdigest(), tuple(imported)


def _file(module: str) -> Path:
    """Where the source of a module stands, if it has one."""
    root, _, rest = module.partition(".")
    if root != "engine":
        return Path(getattr(sys.modules.get(module), "__file__", None) or os.devnull)
    path = _ENGINE.joinpath(*rest.split(".")) if rest else _ENGINE
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@functools.cache
def _target() -> str:
    """What code is emitted for: the versions that emit it, and the processor with its features."""
    asked_for = f"{vars(config)['CPU_NAME']} {vars(config)['CPU_FEATURES']}"
    here = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    return f"{numba.__version__} {llvmlite.__version__} {sys.version} {asked_for} {here}"
