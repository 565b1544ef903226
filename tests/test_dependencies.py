"""Dependencies are used through their documented interfaces: private names may change with any release."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OURS = ("benchmarks", "engine", "migrations", "tests", "webapp")
DOCUMENTED = {"_exit", "_mapping"}  # of os and of SQLAlchemy's rows, whose documentation names them
# The only module that uses a dependency's internals, and the test that finds changes after an upgrade.
INSIDE = {"engine/kernels/_numba.py", "tests/engine/test_numba.py"}
PRIVATE = r"_[a-zA-Z]\w*"
# A name is ours if one of our files has that name or defines it, alone or as an attribute of its objects.
DEFINED = re.compile(rf"(?:^|[^\w.\"'])({PRIVATE})|self\.({PRIVATE})(?=[^=\n]*=[^=])", re.MULTILINE)
USED = re.compile(rf"[\w)\]]\.({PRIVATE})")
THEIRS = rf"(?!{'|'.join(OURS)}|\.|__)(\S+)"
IMPORTED = re.compile(rf"^ *(?:from {THEIRS} import ([^\n(]+|\([^)]*\))|import (.+))", re.MULTILINE)
CODE = re.compile(r'"""[\s\S]*?"""|"[^"\n]*"|#.*')  # strings and comments


def test_no_private_name_of_a_dependency_is_used() -> None:
    files = [ROOT / "wsgi.py", *(file for folder in OURS for file in (ROOT / folder).rglob("*.py"))]
    texts = {file.relative_to(ROOT).as_posix(): CODE.sub("", file.read_text()) for file in files}
    modules = {Path(file).stem for file in texts}
    ours = DOCUMENTED.union(modules, *(pair for text in texts.values() for pair in DEFINED.findall(text)))
    found = []
    for file in texts.keys() - INSIDE:
        found += [f"{file}: .{name}" for name in USED.findall(texts[file]) if name not in ours]
        for parts in IMPORTED.findall(texts[file]):
            found += [f"{file}: {name}" for name in re.findall(rf"(?<!\w){PRIVATE}", " ".join(parts))]
    assert found == []
