"""Serve static files below one hashed folder: style sheets and modules are joined, minified and compressed.

The hash covers every byte, so a browser may cache a file forever. `js/main.js` includes all modules that it
imports, directly or not, so the number of modules costs no requests. The modules that single pages load with
`import()` import from it, so that its state exists once.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from wsgiref.headers import Headers

from flask import Flask
from whitenoise import WhiteNoise
from whitenoise.compress import Compressor

from webapp.process.config import ROOT
from webapp.process.operation import machine

STATIC = ROOT / "static"
HTMX = ROOT / "node_modules" / "htmx.org" / "dist" / "htmx.min.js"
# The text face: the Latin subset of a variable font, weights 300 to 900, already compressed.
FACE = (
    ROOT / "node_modules" / "@fontsource-variable" / "figtree" / "files" / "figtree-latin-wght-normal.woff2"
)
A_YEAR = 31_536_000
PACKAGES = HTMX.parents[2]
# The oldest supported browsers, as docs/operations.md and /help name them: esbuild's target.
FLOOR = ("chrome112", "edge112", "firefox115", "safari16.4", "ios16.4")
RELEASES = 3  # whose files are served, since open pages still request their own

# CSS functions newer than the oldest browsers. web/tokens.css sets one of two custom properties to empty
# where the function is known; `_lowered` writes two values, and the browser drops the one with the empty
# property.
_NEWER: dict[str, Callable[..., str]] = {
    "light-dark": lambda light, dark: f"var(--light, {light}) var(--dark, {dark})",
    "round": lambda way, value, unit: f"var(--rounds, round({way}, {value}, {unit})) var(--exact, {value})",
}


class MissingAsset(RuntimeError):
    """A missing file that the pages need."""


class BrokenAsset(RuntimeError):
    """A module or style sheet that esbuild can't build, with its message."""


class Assets:
    """The built tree: its folder and the file names in it."""

    def __init__(self, folder: Path) -> None:
        """Build below `folder`, unless the same tree is already built there."""
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
        """Return the address of an asset, such as `js/main.js`; raises MissingAsset for an unknown name."""
        if name not in self.names:
            raise MissingAsset(f"there is no static file {name!r}")
        return f"/static/{self.version}/{name}"

    def text(self, name: str) -> str:
        """Return the content of a text asset."""
        return (self.folder / name).read_text()


def _sources() -> Iterator[tuple[str, bytes]]:
    for name, path in {"htmx.js": HTMX, "figtree.woff2": FACE}.items():
        if not path.is_file():
            raise MissingAsset(f"{path.name} is not installed: run `make setup`")
        yield name, path.read_bytes()
    folder = STATIC / "css"
    for order in sorted(folder.glob("*.txt")):  # lists a bundle's style sheets in order
        joined = "\n".join(_sheet(folder / sheet) for sheet in order.read_text().split())
        yield f"{order.stem}.css", _lowered(joined).encode()
    for path in sorted(STATIC.rglob("*")):
        if path.is_file() and folder not in path.parents:
            yield path.relative_to(STATIC).as_posix(), path.read_bytes()


def _lowered(css: str) -> str:
    """Write `light-dark()` and the rounding of `--board` with a fallback for browsers without them."""
    written, done = [], 0
    for call in re.finditer(r"(light-dark)\((?!\))|(?<=--board: )(round)\(", css):
        arguments, end = _arguments(css, call.end())
        written += [css[done : call.start()], _NEWER[call[1] or call[2]](*arguments)]
        done = end
    return "".join([*written, css[done:]])


def _arguments(css: str, start: int) -> tuple[list[str], int]:
    """Return the arguments of the function whose parenthesis opens before `start`, and where it ends."""
    depth, arguments, begin = 1, [], start
    for place in range(start, len(css)):
        depth += (css[place] == "(") - (css[place] == ")")
        if depth == 0 or (depth == 1 and css[place] == ","):
            arguments.append(css[begin:place].strip())
            begin = place + 1
        if depth == 0:
            return arguments, begin
    raise BrokenAsset("a function in a style sheet does not end")


def _sheet(path: Path) -> str:
    """Return a style sheet; the high-contrast one also applies by media query, unless a theme is chosen.

    CSS can't combine a selector and a media query as alternatives in one rule.
    """
    rules = path.read_text()
    if path.name != "contrast.css":
        return rules
    chosen, unchosen = ':root[data-ui~="theme-contrast"]', ':root:not([data-ui*="theme-"])'
    return rules + "@media (prefers-contrast: more) {\n" + rules.replace(chosen, unchosen) + "}"


def esbuild(*arguments: str, folder: Path) -> None:
    """Run esbuild in `folder`; raises MissingAsset or BrokenAsset."""
    program = next((PACKAGES / "@esbuild").glob("*/bin/esbuild"), None)  # npm installs this platform's binary
    if program is None:
        raise MissingAsset("esbuild is not installed: run `make setup`")
    command = [str(program), "--minify", "--format=esm", f"--target={','.join(FLOOR)}"]
    command += ["--log-level=warning", "--legal-comments=none"]
    done = subprocess.run([*command, *arguments], cwd=folder, text=True, capture_output=True)
    if done.returncode:
        raise BrokenAsset(done.stderr)


def bundle(folder: Path) -> None:
    """Turn the modules in `folder` into those that are served: `main.js` with what it imports, and others.

    The others import from `./main.js`, so that its state exists once. Raises BrokenAsset for one that imports
    a part of it directly.
    """
    written = ("--bundle", "--outdir=.", "--allow-overwrite")
    esbuild("main.js", *written, "--metafile=parts.json", folder=folder)
    parts = json.loads((folder / "parts.json").read_text())["inputs"]
    for name in {*parts, "parts.json"} - {"main.js"}:
        (folder / name).unlink()
    others = [path.name for path in folder.glob("*.js") if path.name != "main.js"]
    esbuild(*others, *written, "--splitting", "--external:./main.js", folder=folder)


def _build(files: dict[str, bytes], folder: Path) -> None:
    """Write, minify and compress the tree."""
    with machine.built_aside(folder) as aside:
        for name, content in files.items():
            path = aside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        bundle(aside / "js")
        sheets = [path.name for path in aside.glob("*.css")]
        esbuild(*sheets, "sw.js", "--outdir=.", "--allow-overwrite", folder=aside)
        compressor = Compressor(quiet=True)
        for path in [path for path in aside.rglob("*") if path.is_file()]:
            if compressor.should_compress(path.name):
                compressor.compress(str(path))


def _kept(current: Path) -> list[Path]:
    """Return the trees of the last few releases, the current one first, and remove older ones."""
    current.touch()
    trees = [tree for tree in current.parent.iterdir() if len(tree.name) == len(current.name)]
    trees.sort(key=lambda tree: tree.stat().st_mtime, reverse=True)
    for tree in trees[RELEASES:]:
        shutil.rmtree(tree, ignore_errors=True)
    return trees[:RELEASES]


def init_app(app: Flask, folder: Path, headers: Mapping[str, str]) -> None:
    """Serve the assets of this and recent releases with these headers, and add `asset(name)` to templates."""
    assets = Assets(folder)

    def add_headers(given: Headers, _path: str, _url: str) -> None:
        for name, value in headers.items():
            given[name] = value

    wrapped = WhiteNoise(
        app.wsgi_app,
        max_age=A_YEAR,
        immutable_file_test=lambda _path, _url: True,
        add_headers_function=add_headers,
        allow_all_origins=False,
    )
    for tree in _kept(assets.folder):
        wrapped.add_files(str(tree), prefix=f"static/{tree.name}/")
    app.wsgi_app = wrapped  # type: ignore[method-assign]  # Flask's documented place for it is a method
    app.extensions["assets"] = assets
    app.jinja_env.globals.update(asset=partial(Assets.url, assets))
