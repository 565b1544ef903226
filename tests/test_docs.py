"""The documentation stays true: examples run, settings and folders exist, links work."""

from __future__ import annotations

import ast
import doctest
import re
import sys
from dataclasses import fields
from itertools import permutations
from pathlib import Path

import grimp
import pytest

import engine
from webapp.process.config import Settings

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "docs/drawing.md",
        "docs/literature.md",
        "docs/library/tutorial.md",
        "docs/library/how-to.md",
    ],
)
def test_the_examples_run(document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ninefold", engine)  # the name the engine is installed under
    assert doctest.testfile(str(ROOT / document), module_relative=False).failed == 0


def test_the_page_of_settings_lists_every_one() -> None:
    rows = [
        f"| `{field.name.upper()}` | {field.metadata['shown']} | {field.metadata['doc']} |"
        for field in fields(Settings)
        if field.metadata
    ]
    assert re.findall(r"^\| `.*", (ROOT / "docs/settings.md").read_text(), re.MULTILINE) == rows


def test_links_lead_somewhere() -> None:
    for document in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text()):
            assert (document.parent / target).exists(), f"{document}: {target}"


@pytest.mark.parametrize(
    "document",
    ["CONTRIBUTING.md", "docs/how-it-works.md", "docs/operations.md", "engine/techniques/README.md"],
)
def test_every_path_named_in_a_guide_exists(document: str) -> None:
    text = (ROOT / document).read_text()
    named = re.findall(
        r"`((?:engine|webapp|templates|static|migrations|docs|benchmarks|tests)/[\w./*-]*)`", text
    )
    assert named
    for path in named:
        assert any(ROOT.glob(path.rstrip("/"))), path


def test_the_picture_of_the_packages_shows_every_import_between_them() -> None:
    graph = grimp.build_graph("webapp", cache_dir=None)
    imports = {
        (one.removeprefix("webapp."), other.removeprefix("webapp."))
        for one, other in permutations(graph.find_children("webapp"), 2)
        if graph.direct_import_exists(importer=one, imported=other, as_packages=True)
    }
    picture = (ROOT / "docs" / "packages.md").read_text()
    assert set(re.findall(r"^    (\w+) --> (\w+)$", picture, re.MULTILINE)) == imports


@pytest.mark.parametrize("file", ["Makefile", "docs/deployment/Containerfile"])
def test_locks_are_installed_as_they_are(file: str) -> None:
    """Otherwise a release of a dependency could break the next installation: its hash is in no lock."""
    lines = [line for line in (ROOT / file).read_text().splitlines() if re.search(r"(?i)pip\b.*-r req", line)]
    installs = [line for line in lines if "pip-audit" not in line]
    assert installs
    assert [line for line in installs if "--require-hashes --no-deps" not in line] == []


MODULES = sorted((ROOT / "webapp").rglob("*.py"))


def test_no_file_of_the_site_is_longer_than_400_lines() -> None:
    assert [path.name for path in MODULES if len(path.read_text().splitlines()) > 400] == []


def test_no_function_of_the_site_has_more_than_60_lines_or_7_parameters() -> None:
    found = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                count = len([each for each in taken if each.arg not in ("self", "cls")])
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > 60 or count > 7:
                    found.append(f"{path.name}: {node.name} has {lines} lines and {count} parameters")
    assert found == []


def test_no_folder_of_the_site_is_crowded() -> None:
    for folder in (path.parent for path in (ROOT / "webapp").rglob("__init__.py")):
        modules = {path.name for path in folder.glob("*.py")} - {"__init__.py", "capability.py"}
        assert len([*modules, *folder.glob("*/__init__.py")]) <= 14, folder


def test_every_requirement_of_asvs_has_evidence_that_exists_or_a_reason() -> None:
    text, _title, others = (ROOT / "docs/security/asvs.md").read_text().partition("## Not applicable")
    rows = re.findall(r"^(\d+\.\d+\.\d+) .+ \| (.+)$", text, re.MULTILINE)
    numbers = [number for number, _evidence in rows] + re.findall(r"\b\d+\.\d+\.\d+\b", others)
    assert len(numbers) == len(set(numbers)) == 217  # 253 of levels 1 and 2, less OAuth and WebRTC
    for number, evidence in rows:
        for path in re.findall(r"`((?:webapp|tests|templates|static|engine|docs)/[\w./-]+)`", evidence):
            assert (ROOT / path).exists(), f"{number}: {path}"


def test_what_the_library_documentation_includes_links_to_nothing_outside_it() -> None:
    """Sphinx would call such a link an error, and only `make docs` runs it."""
    included = re.search(
        r'include\} (\S+)\n:start-after: "(.+)"\n:end-before: "(.+)"',
        (ROOT / "docs" / "library" / "benchmarks.md").read_text(),
    )
    assert included
    text = (ROOT / "docs" / "library" / included[1]).resolve().read_text()
    shown = text.partition(included[2])[2].partition(included[3])[0]
    assert shown
    assert not re.findall(r"\]\((?!https?:|#)[^)]+\)", shown)


def test_the_changelog_has_at_most_30_lines_a_version() -> None:
    versions = (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1:]
    lengths = {text.split()[0]: len([line for line in text.splitlines() if line]) for text in versions}
    assert {version: lines for version, lines in lengths.items() if lines > 31} == {}  # with its heading
