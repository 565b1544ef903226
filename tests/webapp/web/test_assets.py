"""The assets of a page: each module only where it is needed, within the budgets."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from flask import Flask

from tests.webapp.visitors import Visitor
from webapp.web.assets import A_YEAR, RELEASES, BrokenAsset, bundle, init_app
from webapp.web.assets import FACE as FACE_FILE

SCRIPTS = 20_000  # bytes of our own JavaScript, gzipped: that of the board page
# All pages together: as much, plus the drawing table of the desk, which works by keys like a board,
# and quick taps on the analysis board; then failed decisions at the desk, closed notes and merging two
# devices' moves. Keeping a failed connection from stopping a board took 3,000, keeping the screen on and
# vibration 300, and what a hint says of cells, with arrows through their names, 200.
ALL_SCRIPTS = SCRIPTS + 300 + 400 + 100 + 1_000 + 3_000 + 300 + 200
FIRST_LOAD = 60_000  # bytes, gzipped, without the font; less for browsers that accept brotli
FACE = 25_000  # bytes of the text font
LESSON = 73_000  # bytes of a lesson with brotli, with headers and the font
HOME = 66_000  # the same of a first visit
REQUESTS = 20
OF_OTHER_PAGES = ("analysis", "desk", "entry", "guide", "lab", "mark", "page", "review")


def gzipped(content: bytes) -> int:
    return len(gzip.compress(content, 9))


@pytest.fixture
def board(app: Flask, guest: Visitor) -> dict[str, bytes]:
    """Every file that the board page loads: module name or path -> content as it is served."""
    address = guest.start(level=1)
    page = guest.get(address)
    names = re.findall(r'(?:href|src)="/static/\w+/([^"]+)"', page.text)
    folder = app.extensions["assets"].folder
    files = {name: (folder / name).read_bytes() for name in names}
    return files | {address: page.data, "sw.js": guest.get("/sw.js").data}


def test_the_boards_own_javascript_keeps_to_its_budget(board: dict[str, bytes]) -> None:
    scripts = {name: gzipped(text) for name, text in board.items() if name.startswith(("js/", "sw"))}
    assert set(scripts) == {"js/main.js", "sw.js"}
    assert sum(scripts.values()) < SCRIPTS, scripts


def test_the_first_load_of_the_board_keeps_to_its_budget(board: dict[str, bytes]) -> None:
    sizes = {name: gzipped(content) for name, content in board.items() if "touch-180" not in name}
    assert len(sizes) <= REQUESTS, sorted(sizes)
    assert sizes.pop("figtree.woff2") <= FACE
    assert sum(sizes.values()) <= FIRST_LOAD, sizes


@pytest.mark.parametrize(
    ("address", "most"),
    [
        ("/", HOME),
        ("/learn/aic?tab=example", LESSON),
        ("/learn/hidden_pair?tab=try", LESSON),
        ("/analysis", LESSON),
    ],
)
def test_the_first_load_of_a_page_keeps_to_its_budget(
    app: Flask, guest: Visitor, address: str, most: int
) -> None:
    page = guest.get(address, **{"Accept-Encoding": "br"})
    text = guest.get(address).text
    assets = re.findall(r'(?:href|src)="(/static/\w+/[^"]+\.(?:css|js|woff2))"', text)
    if "tab=try" in address:
        assets.append(app.extensions["assets"].url("js/mark.js"))
    sizes = {address: len(page.data) + len(str(page.headers))}
    for name in assets:
        with guest.get(name, **{"Accept-Encoding": "br"}) as file:
            sizes[name] = len(file.data) + len(str(file.headers))
    assert len(assets) >= 4
    assert sum(sizes.values()) <= most, sizes


def test_the_face_is_loaded_early_and_kept_for_a_year(app: Flask, guest: Visitor) -> None:
    guest.get("/login")
    link = guest.page.find("link", rel="preload")
    assert (link["as"], link["type"], link.has_attr("crossorigin")) == ("font", "font/woff2", True)
    with guest.get(link["href"]) as answer:
        assert answer.data == FACE_FILE.read_bytes()
        assert answer.mimetype == "font/woff2"
        assert answer.cache_control.max_age >= A_YEAR
    # The style sheet must name the preloaded file, or it would be downloaded twice.
    assert "figtree.woff2" in app.extensions["assets"].text("style.css")


def test_the_board_page_names_one_module_and_every_other_page_loads_its_own(
    app: Flask, board: dict[str, bytes]
) -> None:
    assert [name for name in board if name.startswith("js/")] == ["js/main.js"]
    assets = app.extensions["assets"]
    others = {name for name in assets.names if name.startswith("js/")} - {"js/main.js"}
    assert all(name.startswith(tuple(f"js/{other}" for other in OF_OTHER_PAGES)) for name in others)
    sources = "".join(assets.text(name) for name in others)
    assert set(re.findall(r'from"([^"]+)"', sources)) == {"./main.js"}, (
        "already there, so this costs no request"
    )
    exported = set(re.findall(r"\bas (\w+)", assets.text("js/main.js").rpartition("export{")[2]))
    for names in re.findall(r"import\{(.*?)\}", sources):
        assert {name.split(" as ")[0] for name in names.split(",")} <= exported


def bundled(folder: Path, modules: dict[str, str]) -> dict[str, str]:
    """Return these modules as they are served; name without suffix -> source."""
    for name, source in modules.items():
        (folder / f"{name}.js").write_text(source)
    bundle(folder)
    return {path.stem: path.read_text() for path in folder.glob("*.js")}


def test_modules_are_joined_once_and_the_others_import_from_main(tmp_path: Path) -> None:
    modules = {
        "main": 'import { one } from "./parts.js";\nexport { three } from "./more-parts.js";\n'
        "console.log(one);\n",
        "parts": 'import { three } from "./more-parts.js";\nexport const one = 1 + three;\n',
        "more-parts": 'export const three = 3;\nconsole.log("run");\n',
        "other": 'import { three } from "./main.js";\nexport const four = 1 + three;\n',
    }
    served = bundled(tmp_path, modules)
    assert set(served) == {"main", "other"}
    assert served["main"].count('"run"') == 1
    assert re.findall(r"as (\w+)", served["main"]) == ["three"]
    assert re.findall(r'from"([^"]+)"', served["other"]) == ["./main.js"]


@pytest.mark.parametrize("statement", ["import { one } from", "import", "export { one } from"])
def test_a_module_of_one_page_that_would_load_a_part_twice_is_refused(statement: str, tmp_path: Path) -> None:
    main = 'import { one } from "./parts.js";\nconsole.log(one);\n'
    page = f'{statement} "./parts.js";\n'
    with pytest.raises(BrokenAsset, match=r"page\.js:1"):
        bundled(tmp_path, {"main": main, "parts": "export const one = 1;\n", "page": page})


def test_a_module_with_a_mistake_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(BrokenAsset, match=r"parts\.js:1:12"):
        bundled(tmp_path, {"main": 'import "./parts.js";\n', "parts": "const one = ;\n"})


def test_all_hand_written_javascript_together_keeps_to_its_budget(app: Flask, guest: Visitor) -> None:
    """The board's modules as one, then those of each other page and of the desk, and the service worker."""
    assets = app.extensions["assets"]
    others = [
        name for name in assets.names if name.startswith(tuple(f"js/{other}" for other in OF_OTHER_PAGES))
    ]
    modules = [(assets.folder / name).read_bytes() for name in ["js/main.js", *others]]
    assert gzipped(b"".join([*modules, guest.get("/sw.js").data])) < ALL_SCRIPTS


def test_the_files_of_the_last_releases_are_served_and_those_of_older_ones_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An open page may load a module of its own release later; without it, a button would fail."""
    addresses = []
    for release in range(RELEASES + 1):
        monkeypatch.setattr("webapp.web.assets._sources", lambda n=release: _changed(n))
        app = Flask(__name__)
        init_app(app, tmp_path, {})
        addresses.append(app.extensions["assets"].url("js/page.js"))
    statuses = []
    for address in addresses:
        with app.test_client().get(address) as answer:
            statuses.append(answer.status_code)
    assert statuses == [404, *[200] * RELEASES]


def _changed(release: int) -> list[tuple[str, bytes]]:
    scripts = [("js/main.js", b"console.log(1);"), ("js/page.js", f"export const a = {release};".encode())]
    return [*scripts, ("icons/mark.svg", b"<svg/>"), ("sw.js", b"")]
