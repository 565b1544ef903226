"""Static files under one hashed folder: style sheets and modules joined, htmx added, compressed in advance.

The hash covers every byte, so a browser may cache a file forever. `js/main.js` holds every module that it
imports, directly or not, so the number of modules costs no request. The other modules, which single pages
load with `import()`, import from it.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from wsgiref.headers import Headers

from flask import Flask
from whitenoise import WhiteNoise
from whitenoise.compress import Compressor

from webapp.process.config import ROOT
from webapp.web.security import EVERYWHERE

STATIC = ROOT / "static"
HTMX = ROOT / "node_modules" / "htmx.org" / "dist" / "htmx.min.js"
A_YEAR = 31_536_000
_IMPORT = re.compile(r'^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
# What the joiner does not understand: other forms at the top level of a module.
_OTHER_IMPORT = re.compile(r"^(import|export)\b(?!\()", re.MULTILINE)
_OTHER_DECLARATION = re.compile(
    r"^(?:export )?(?:var\b|(?:async )?function ?\*|(?:const|let) [\[{]|(?:const|let) \w+,).*$", re.MULTILINE
)
# The list of the style sheets of each bundle, in order.
BUNDLES = {"order.txt": "style.css", "desk.txt": "desk.css", "lab.txt": "lab.css"}


class MissingAsset(RuntimeError):
    """A file the pages need is not there."""


class UnjoinableModule(RuntimeError):
    """A module that cannot be joined with the others."""


class Assets:
    """The built tree: where it lies and what a file is called in it."""

    def __init__(self, folder: Path) -> None:
        """Build below `folder`, unless this very tree has been built there before."""
        files = dict(_sources())
        digest = hashlib.sha256()
        for name, content in sorted(files.items()):
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
        self.version = digest.hexdigest()[:12]
        self.names = sorted(files)
        self.folder = folder / self.version
        if not self.folder.is_dir():
            _build(files, self.folder)

    def url(self, name: str) -> str:
        """The address of an asset, such as `js/main.js`; raises MissingAsset for an unknown name."""
        if name not in self.names:
            raise MissingAsset(f"there is no static file {name!r}")
        return f"/static/{self.version}/{name}"

    def text(self, name: str) -> str:
        """What an asset of text holds."""
        return (self.folder / name).read_text()


def _sources() -> Iterator[tuple[str, bytes]]:
    if not HTMX.is_file():
        raise MissingAsset("htmx is not installed: run `make setup`")
    yield "htmx.js", HTMX.read_bytes()
    folder = STATIC / "css"
    for order, name in BUNDLES.items():
        joined = b"\n".join(_sheet(folder / sheet) for sheet in (folder / order).read_text().split())
        yield name, re.sub(rb"/\*.*?\*/|^\s+", b"", joined, flags=re.DOTALL | re.MULTILINE)
    modules = scripts({path.stem: path.read_text() for path in (STATIC / "js").glob("*.js")})
    yield from ((f"js/{name}.js", _bare(module.encode())) for name, module in sorted(modules.items()))
    for path in sorted(STATIC.rglob("*")):
        if path.is_file() and not {folder, STATIC / "js"} & set(path.parents):
            content = path.read_bytes()
            yield path.relative_to(STATIC).as_posix(), _bare(content) if path.suffix == ".js" else content


def _sheet(path: Path) -> bytes:
    """A style sheet; that of high contrast holds where the system asks for it too, unless a theme is chosen.

    CSS has no way to give one rule two conditions of which one is a media query.
    """
    rules = path.read_bytes()
    if path.name != "contrast.css":
        return rules
    chosen, unchosen = b':root[data-ui~="theme-contrast"]', b':root:not([data-ui*="theme-"])'
    return rules + b"@media (prefers-contrast: more) {\n" + rules.replace(chosen, unchosen) + b"}"


def _bare(module: bytes) -> bytes:
    """A module without indentation and without comments: a fifth of what would travel."""
    return re.sub(rb"^\s*(//|/\*\*|\*).*\n|^\s+| // .*", b"", module, flags=re.MULTILINE)


def scripts(modules: Mapping[str, str]) -> dict[str, str]:
    """The modules as they are served: `main` with all that it imports, and those that are not among these.

    modules: name without suffix -> source. Imports are `import { a, b } from "./name.js";` and exports are
    declared functions, constants and classes. The joined ones share one scope, so their top-level names are
    unique. Raises UnjoinableModule for any other form, a name declared twice, a missing module, a cycle. One
    request instead of eighteen: the board's first load by itself leaves no room for more.
    """
    for name, source in modules.items():
        _refuse_other_forms(name, source)
    joined = _with_imports("main", modules)
    served = {name: source for name, source in modules.items() if name not in joined}
    declared = {name for source in joined.values() for name in _DECLARED.findall(source)}
    wanted = set()
    for name, source in served.items():
        for names, imported in _IMPORT.findall(source):
            if imported in joined:
                asked = set(re.findall(r"\w+", names))
                if not asked <= declared:
                    raise UnjoinableModule(
                        f"{name} imports {sorted(asked - declared)}, which {imported} lacks"
                    )
                wanted |= asked
                served[name] = served[name].replace(f'"./{imported}.js"', '"./main.js"')
    text = _IMPORT.sub("", "".join(joined.values()))
    text = _EXPORT.sub(lambda found: found[0] if found[1] in wanted else "", text)
    return served | {"main": text}


def _refuse_other_forms(name: str, source: str) -> None:
    if _OTHER_IMPORT.search(_EXPORT.sub("", _IMPORT.sub("", source))):
        raise UnjoinableModule(f"{name} imports or exports in a form that is not supported")
    if found := _OTHER_DECLARATION.search(source):
        raise UnjoinableModule(f"{name} declares in a form that is not supported: {found[0]}")


def _with_imports(entry: str, modules: Mapping[str, str]) -> dict[str, str]:
    """The module `entry` and all that it imports, directly or not, each behind those that it imports."""
    parts: dict[str, str] = {}
    entered: list[str] = []
    declared: dict[str, str] = {}

    def add(name: str) -> None:
        if name in parts:
            return
        if name in entered or name not in modules:
            raise UnjoinableModule(" imports ".join([*entered, name]))
        entered.append(name)
        for _names, imported in _IMPORT.findall(modules[name]):
            add(imported)
        entered.pop()
        for found in _DECLARED.findall(modules[name]):
            if declared.setdefault(found, name) != name:
                raise UnjoinableModule(f"{declared[found]} and {name} both declare {found}")
        parts[name] = modules[name]

    add(entry)
    return parts


def _build(files: dict[str, bytes], folder: Path) -> None:
    """Write and compress the tree aside, then move it into place whole: other processes may start too."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(dir=folder.parent))
    compressor = Compressor(quiet=True)
    for name, content in files.items():
        path = aside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if compressor.should_compress(name):
            compressor.compress(str(path))
    aside.chmod(0o755)
    try:
        aside.rename(folder)
    except OSError:
        shutil.rmtree(aside)
        if not folder.is_dir():
            raise


def _add_headers(headers: Headers, _path: str, _url: str) -> None:
    for name, value in EVERYWHERE.items():
        headers[name] = value


def init_app(app: Flask, folder: Path) -> None:
    """Serve the assets and give templates `asset(name)`."""
    assets = Assets(folder)
    wrapped = WhiteNoise(
        app.wsgi_app,
        root=str(assets.folder),
        prefix=f"static/{assets.version}/",
        max_age=A_YEAR,
        immutable_file_test=lambda _path, _url: True,
        add_headers_function=_add_headers,
        allow_all_origins=False,
    )
    app.wsgi_app = wrapped  # type: ignore[method-assign]  # Flask's documented place for it is a method
    app.extensions["assets"] = assets
    app.jinja_env.globals.update(asset=partial(Assets.url, assets))
