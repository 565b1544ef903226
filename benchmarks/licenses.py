"""`python -m benchmarks licenses`: check that we may ship every package that the site installs."""

from __future__ import annotations

import json
import re
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Words in the names of licenses that we accept; MPL and LGPL packages are used unmodified.
FREE = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python|MPL|Mozilla|LGPL|Unlicense|HPND|OFL|0BSD|zlib)", re.IGNORECASE
)


# Licenses of packages without metadata, from their LICENSE file.
STATED = {"pysqlite3": "zlib"}


def main() -> None:
    """Print every package with its license; ends with 1 if one is unknown."""
    unknown = 0
    for name, license in [*_python(), *_javascript()]:
        free = FREE.search(license) is not None
        unknown += not free
        print(f"{'' if free else 'UNKNOWN '}{name}: {license[:80]}")
    if unknown:
        raise SystemExit(f"{unknown} licenses are not among those we can ship")


def _python() -> list[tuple[str, str]]:
    locked = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    found = []
    for name in locked:
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:  # of another platform
            continue
        classes = [line for line in about.get_all("Classifier", []) if line.startswith("License ::")]
        words = [*_all(about, "License-Expression"), *classes, *_all(about, "License")]
        words.append(STATED.get(name, "none stated"))
        found.append((name, next(" ".join(word.split()) for word in words if word)))
    return found


def _all(about: metadata.PackageMetadata, name: str) -> list[str]:
    return about.get_all(name, [])


def _javascript() -> list[tuple[str, str]]:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    return [
        (path.rpartition("node_modules/")[2], str(about.get("license", "none stated")))
        for path, about in packages.items()
        if path and not about.get("dev")
    ]


if __name__ == "__main__":
    main()
