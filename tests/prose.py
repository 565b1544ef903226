"""Find our bad habits of English in documents, docstrings and comments: `python -m tests.prose`.

Python has vale only as a package that downloads a program when it first runs, so these rules are ours.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDERS: Final = ("engine", "webapp", "benchmarks", "tests", "migrations", "static")
TRANSLATED: Final = ROOT / "docs" / "languages"  # glossaries quote other languages


class Rule(NamedTuple):
    """A pattern that no text may match, and what to write instead."""

    pattern: str
    instead: str


# "House" is a row, column or box here, so no rule forbids it.
RULES: Final = (
    Rule(r"(?-i:\b[Rr]ooms?\b)(?! (?:for|left|to|on)\b)", "package, page or space"),
    Rule(r"\bdoors?\b", "route, button or command"),
    Rule(r"\bshel(?:f|ves)\b", "submissions and collections"),
    Rule(r"\bfurnish", "prepared or stocked"),
    Rule(r"\bseats?\b", "session, client or place"),
    Rule(r"(?-i:\b[Tt]old\b)(?! to\b|:)", "shown, reported or explained"),
    Rule(r"\bjourneys?\b", "flow or test"),
    Rule(r"\bjudg", "assess, rate or verify"),
    Rule(r"\b(?:own|random|a) turns?\b(?! (?:out|to)\b)|\bturned and re", "transformation, transformed"),
    Rule(r"\bwho(?:ever|soever)\b", "a noun: players who, anyone who"),
    Rule(r"\bnobody (?:has|can|knows|needs|asks|waits)\b", "the noun, in the active: no player can"),
    Rule(r"(?:^|[.!?] )(?-i:What|Who) [^?]*?[.;:](?: |$)", "a noun as the subject"),
    Rule(r"\bcustomer\b|\bof \d+ required\b", "the product, not its contract"),
)
CHECKS: Final = [(re.compile(rule.pattern, re.IGNORECASE), rule.instead) for rule in RULES]


class Text(NamedTuple):
    """A paragraph of prose and the line where it starts."""

    line: int
    words: str


def paragraphs(lines: list[tuple[int, str]]) -> Iterator[Text]:
    """Join lines into paragraphs; a blank line, list item or table row starts another."""
    begun: list[tuple[int, str]] = []
    for number, line in [*lines, (0, "")]:
        if begun and (not line.strip() or re.match(r"\s*(?:[-*|#]|\d+\.) ?", line)):
            yield Text(begun[0][0], " ".join(part.strip() for _number, part in begun))
            begun = []
        if line.strip():
            begun.append((number, re.sub(r"^\s*(?:[-*#]+|\d+\.) ", "", line)))


def of_markdown(source: str) -> Iterator[Text]:
    """Yield the prose of a document, without code, comments and targets of links."""
    for block in (r"^( *)```.*?^ *```", r"<!--.*?-->", r"`[^`]*`", r"\]\([^)]*\)"):
        flags = re.DOTALL | re.MULTILINE
        source = re.sub(block, lambda found: "\n" * found[0].count("\n"), source, flags=flags)
    lines = list(enumerate(source.splitlines(), 1))
    return paragraphs([(number, "" if re.match(r"    \S", line) else line) for number, line in lines])


def of_python(path: Path) -> Iterator[Text]:
    """Yield the docstrings and comments of a module."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            first = node.body[0]
            lines = (ast.get_docstring(node) or "").splitlines()
            prose = ["" if line.startswith(">>>") else re.sub(r"`[^`]*`", "", line) for line in lines]
            yield from paragraphs(list(enumerate(prose, first.lineno)))
    comments: list[tuple[int, str]] = []
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                if comments and (token.start[0] > comments[-1][0] + 1 or token.line.strip()[0] != "#"):
                    comments.append((comments[-1][0], ""))
                comments.append((token.start[0], re.sub(r"`[^`]*`", "", token.string.lstrip("# "))))
    yield from paragraphs(comments)


def of_script(source: str) -> Iterator[Text]:
    """Yield the comments of a script or style sheet."""
    for found in re.finditer(r"/\*[\s\S]*?\*/|(?:^[ \t]*//.*\n)+|[ ;{}]// .*", source, re.MULTILINE):
        lines = [re.sub(r"^\s*(?://|/?\*+/?)\s?|\*/|`[^`]*`", "", line) for line in found[0].splitlines()]
        start = source.count("\n", 0, found.start()) + 1
        yield from paragraphs([(start + at, line) for at, line in enumerate(lines)])


def texts(path: Path) -> Iterator[Text]:
    """Yield the prose of a file."""
    if path.suffix == ".md":
        return of_markdown(path.read_text())
    return of_python(path) if path.suffix == ".py" else of_script(path.read_text())


def files() -> Iterator[Path]:
    """Yield every document and every file with comments."""
    yield from sorted(ROOT.glob("*.md"))
    for folder in (*FOLDERS, "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            glossary = path.parent == TRANSLATED and path.name != "README.md"
            if path.suffix in {".md", ".py", ".js", ".css"} and path != Path(__file__) and not glossary:
                yield path


def found(path: Path) -> Iterator[str]:
    """Yield each match in a file as line: match -> instead."""
    for line, words in texts(path):
        for pattern, instead in CHECKS:
            for match in pattern.finditer(words):
                yield f"{line}: {match[0].strip()!r}: write {instead}"


def main(names: list[str]) -> int:
    """Print the matches in these files, or all. Returns 1 if there are any."""
    paths = [Path(name) for name in names] or list(files())
    lines = [
        f"{path.relative_to(ROOT) if not names else path}:{line}" for path in paths for line in found(path)
    ]
    print("\n".join(lines), end="\n" if lines else "")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
