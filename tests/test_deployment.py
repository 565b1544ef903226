"""The deployment kit names only settings, commands and files that exist, and its units are hardened."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from webapp import create_app
from webapp.process.config import Settings

ROOT = Path(__file__).resolve().parents[1]
KIT = ROOT / "docs" / "deployment"
UNITS = sorted(KIT.glob("*.service"))


def text_of(*names: str) -> str:
    return "\n".join((KIT / name).read_text() for name in names)


def test_every_setting_the_kit_names_exists() -> None:
    settings = {field.name.upper() for field in fields(Settings)}
    theirs = {"NINEFOLD_CACHE", "PYTHONUNBUFFERED", "POSTGRES_USER", "POSTGRES_PASSWORD"}
    theirs |= {"NINEFOLD_HOST", "NINEFOLD_UPSTREAM"}
    compose = re.findall(r"^ +([A-Z_]+):", text_of("compose.yaml"), re.MULTILINE)
    container = re.findall(r"\b([A-Z_]{4,})=", text_of("Containerfile"))
    assert {*compose, *container} <= settings | theirs
    assert "PROXIES" in compose and "INSTANCE_PATH" in container
    elsewhere = {"HOST", "PORT", "INSTANCE_PATH", "SECRET_KEY_FALLBACKS"}
    assert settings - elsewhere <= set(compose)


def test_the_limits_of_nginx_follow_from_the_crowd(tmp_path: Path) -> None:
    """For each person: 2 requests a second, 10 at once, 6 being answered; and none on static files."""
    crowd = Settings.from_environment({"INSTANCE_PATH": str(tmp_path)}).crowd
    recipe = text_of("nginx.conf")
    assert f"CROWD ({crowd})" in recipe
    assert set(re.findall(r"rate=(\d+)r/s", recipe)) == {str(2 * crowd)}
    assert set(re.findall(r"burst=(\d+)", recipe)) == {str(10 * crowd)}
    assert set(re.findall(r"limit_conn ninefold_connections (\d+)", recipe)) == {str(6 * crowd)}
    static = recipe.partition("location /static/ {")[2].partition("\n    }")[0]
    assert "proxy_cache ninefold;" in static and "limit_" not in static


def test_the_build_of_the_image_gets_what_it_copies_and_no_more() -> None:
    allowed = re.findall(r"^!(.+)$", text_of("Containerfile.dockerignore"), re.MULTILINE)
    build = text_of("Containerfile").partition("\nFROM docker.io/library/python:3.11-slim-bookworm\n")[0]
    copied = [word for line in re.findall(r"^COPY (.+) \S+$", build, re.MULTILINE) for word in line.split()]
    assert sorted(allowed) == sorted(copied)


def test_every_command_of_the_kit_exists(tmp_path: Path) -> None:
    commands = create_app(Settings.from_environment({"INSTANCE_PATH": str(tmp_path)})).cli.commands
    kit = text_of(*(path.name for path in UNITS), "compose.yaml", "Containerfile", "README.md")
    kit += (ROOT / "docs" / "storage.md").read_text() + (ROOT / "SECURITY.md").read_text()
    named = set(re.findall(r"wsgi[\"',]* [\"']?([a-z-]+)", kit)) | set(re.findall(r"`flask ([a-z-]+)", kit))
    assert named >= {"backup", "restore", "copy", "verify", "serve", "worker", "rotate-key"}
    assert named <= {*commands, "db"}


def test_commands_are_run_by_hand_as_the_units_run_theirs() -> None:
    line = text_of("README.md").partition("systemd-run ")[2].partition("\n\n")[0]
    for unit in UNITS:
        set_there = dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.MULTILINE))
        assert f"--uid={set_there['User']} " in line
        assert f"WorkingDirectory={set_there['WorkingDirectory']} " in line
        assert f"EnvironmentFile={set_there['EnvironmentFile']} " in line
        for variable in set_there["Environment"].split():
            assert f"--setenv={variable} " in line


def test_the_image_gets_every_folder_the_site_reads() -> None:
    copied = set(re.findall(r"^COPY (\w+) \1$", text_of("Containerfile"), re.MULTILINE))
    assert copied == {"engine", "webapp", "templates", "static", "migrations"}
    assert "COPY docs/literature.md docs/\n" in text_of("Containerfile")  # for /lab/claims


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_a_unit_is_exposed_to_less_than_2_of_10(unit: Path) -> None:
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--threshold=19", str(unit)], capture_output=True
    )
    assert rated.returncode == 0, rated.stdout.decode()[-400:]


def test_no_unit_reloads_what_gunicorn_has_preloaded() -> None:
    assert UNITS
    assert not [unit.name for unit in UNITS if "ExecReload" in unit.read_text()]
