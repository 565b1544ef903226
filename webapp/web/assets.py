"""Static files under one hashed folder: style sheets and modules joined and minified, htmx added, compressed.

The hash covers every byte, so a browser may cache a file forever. `js/main.js` holds every module that it
imports, directly or not, so the number of modules costs no request. The other modules, which single pages
load with `import()`, import from it, so that its state exists once. esbuild does the work: a fifth of the
bytes of the board's scripts, and a build of 60 ms, once per change.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from wsgiref.headers import Headers

from flask import Flask
from whitenoise import WhiteNoise
from whitenoise.compress import Compressor

from webapp.process.config import ROOT
from webapp.web.security import FILES, HSTS

STATIC = ROOT / "static"
HTMX = ROOT / "node_modules" / "htmx.org" / "dist" / "htmx.min.js"
# The text face: the Latin letters of a variable font, weights 300 to 900, already compressed.
FACE = (
    ROOT / "node_modules" / "@fontsource-variable" / "figtree" / "files" / "figtree-latin-wght-normal.woff2"
)
A_YEAR = 31_536_000
PACKAGES = HTMX.parents[2]
_IMPORT = re.compile(r'^import \{([\w\s,]+)\} from "\./([\w-]+)\.js";$', re.MULTILINE)
_FROM = re.compile(r'^(?:import|export|\}).*"\./([\w-]+)\.js";$', re.MULTILINE)
# The list of the style sheets of each bundle, in order.
BUNDLES = {
    "order.txt": "style.css",
    "desk.txt": "desk.css",
    "lab.txt": "lab.css",
    "learn.txt": "learn.css",
    "path.txt": "path.css",
    "practice.txt": "practice.css",
    "analysis.txt": "analysis.css",
    "paper.txt": "paper.css",
    "patterns.txt": "patterns.css",
}


class MissingAsset(RuntimeError):
    """A file the pages need is not there."""


class BrokenAsset(RuntimeError):
    """A module or style sheet that esbuild cannot build, in its own words."""


class Assets:
    """The built tree: where it lies and what a file is called in it."""

    def __init__(self, folder: Path) -> None:
        """Build below `folder`, unless this very tree has been built there before."""
        files = dict(_sources())
        digest = hashlib.sha256((ROOT / "package-lock.json").read_bytes())
        for name, content in sorted(files.items()):
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        self.version = digest.hexdigest()[:12]
        self.folder = folder / self.version
        if not self.folder.is_dir():
            _build(files, self.folder)
        paths = (path.relative_to(self.folder) for path in self.folder.rglob("*") if path.is_file())
        self.names = sorted(path.as_posix() for path in paths if path.suffix not in (".br", ".gz"))

    def url(self, name: str) -> str:
        """The address of an asset, such as `js/main.js`; raises MissingAsset for an unknown name."""
        if name not in self.names:
            raise MissingAsset(f"there is no static file {name!r}")
        return f"/static/{self.version}/{name}"

    def text(self, name: str) -> str:
        """What an asset of text holds."""
        return (self.folder / name).read_text()


def _sources() -> Iterator[tuple[str, bytes]]:
    for name, path in {"htmx.js": HTMX, "figtree.woff2": FACE}.items():
        if not path.is_file():
            raise MissingAsset(f"{path.name} is not installed: run `make setup`")
        yield name, path.read_bytes()
    folder = STATIC / "css"
    for order, name in BUNDLES.items():
        joined = b"\n".join(_sheet(folder / sheet) for sheet in (folder / order).read_text().split())
        yield name, joined
    for path in sorted(STATIC.rglob("*")):
        if path.is_file() and folder not in path.parents:
            yield path.relative_to(STATIC).as_posix(), path.read_bytes()


def _sheet(path: Path) -> bytes:
    """A style sheet; that of high contrast holds where the system asks for it too, unless a theme is chosen.

    CSS has no way to give one rule two conditions of which one is a media query.
    """
    rules = path.read_bytes()
    if path.name != "contrast.css":
        return rules
    chosen, unchosen = b':root[data-ui~="theme-contrast"]', b':root:not([data-ui*="theme-"])'
    return rules + b"@media (prefers-contrast: more) {\n" + rules.replace(chosen, unchosen) + b"}"


def esbuild(*arguments: str, folder: Path, text: str | None = None) -> None:
    """Run esbuild in `folder`, with `text` as its input; raises MissingAsset or BrokenAsset."""
    program = next((PACKAGES / "@esbuild").glob("*/bin/esbuild"), None)  # npm installs that of this platform
    if program is None:
        raise MissingAsset("esbuild is not installed: run `make setup`")
    command = [str(program), "--minify", "--format=esm", "--log-level=warning", "--legal-comments=none"]
    done = subprocess.run([*command, *arguments], cwd=folder, input=text, text=True, capture_output=True)
    if done.returncode:
        raise BrokenAsset(done.stderr)


def bundle(folder: Path) -> None:
    """Turn the modules in `folder` into those that are served.

    `main.js` takes in all it imports, and exports what the other modules want of that. These import it from
    there, all at once; in the form `import { a, b } from "./name.js";`: raises BrokenAsset for any other.
    """
    sources = {path.stem: path.read_text() for path in folder.glob("*.js")}
    joined = _reached("main", sources)
    wanted: dict[str, set[str]] = {}
    for name in sources.keys() - joined:
        ours = [(names, module) for names, module in _IMPORT.findall(sources[name]) if module in joined]
        if len(ours) < sum(module in joined for module in _FROM.findall(sources[name])):
            raise BrokenAsset(f"{name}.js imports in a form that is not supported")
        for names, module in ours:
            wanted.setdefault(module, set()).update(re.findall(r"\w+", names))
        (folder / f"{name}.js").write_text(_from_main(sources[name], joined))
    exports = (
        f'export {{ {", ".join(sorted(names))} }} from "./{name}.js";' for name, names in wanted.items()
    )
    entry = "\n".join(['import "./main.js";', *sorted(exports)])
    esbuild("--bundle", "--outfile=main.js", "--allow-overwrite", folder=folder, text=entry)
    for name in joined - {"main"}:
        (folder / f"{name}.js").unlink()


def _from_main(source: str, joined: set[str]) -> str:
    """A module with all it imports from these in one import from `main.js`; lines keep their numbers."""
    imports = [found for found in _IMPORT.finditer(source) if found[2] in joined]
    names = ", ".join(sorted({name for found in imports for name in re.findall(r"\w+", found[1])}))
    for found in reversed(imports):
        one = f'import {{ {names} }} from "./main.js";' if found is imports[0] else ""
        source = source[: found.start()] + one + "\n" * found[0].count("\n") + source[found.end() :]
    return source


def _reached(entry: str, sources: Mapping[str, str]) -> set[str]:
    """The names of the module `entry` and of all that it imports, directly or not."""
    reached: set[str] = set()
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name in sources and name not in reached:
            reached.add(name)
            waiting += _FROM.findall(sources[name])
    return reached


def _build(files: dict[str, bytes], folder: Path) -> None:
    """Write and compress the tree aside, then move it into place whole: other processes may start too."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(dir=folder.parent))
    compressor = Compressor(quiet=True)
    for name, content in files.items():
        path = aside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    bundle(aside / "js")
    small = [path for path in aside.rglob("*") if path.suffix in (".css", ".js") and path.name != "htmx.js"]
    names = [path.relative_to(aside).as_posix() for path in small]
    esbuild(*names, "--outdir=.", "--outbase=.", "--allow-overwrite", folder=aside)
    for path in [path for path in aside.rglob("*") if path.is_file()]:
        if compressor.should_compress(path.name):
            compressor.compress(str(path))
    aside.chmod(0o755)
    try:
        aside.rename(folder)
    except OSError:
        shutil.rmtree(aside)
        if not folder.is_dir():
            raise


def init_app(app: Flask, folder: Path, *, https: bool) -> None:
    """Serve the assets and give templates `asset(name)`."""
    assets = Assets(folder)

    def add_headers(headers: Headers, _path: str, _url: str) -> None:
        for name, value in (FILES | HSTS if https else FILES).items():
            headers[name] = value

    wrapped = WhiteNoise(
        app.wsgi_app,
        root=str(assets.folder),
        prefix=f"static/{assets.version}/",
        max_age=A_YEAR,
        immutable_file_test=lambda _path, _url: True,
        add_headers_function=add_headers,
        allow_all_origins=False,
    )
    app.wsgi_app = wrapped  # type: ignore[method-assign]  # Flask's documented place for it is a method
    app.extensions["assets"] = assets
    app.jinja_env.globals.update(asset=partial(Assets.url, assets))
