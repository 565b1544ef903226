"""Settings: what they are when nothing is said, and what a bad one says."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from webapp.process.config import SettingError, Settings


def read(instance: Path, **environment: str) -> Settings:
    return Settings.from_environment({"INSTANCE_PATH": str(instance), **environment})


def test_nothing_has_to_be_set(instance: Path) -> None:
    settings = read(instance)
    assert (settings.host, settings.port, settings.address) == ("127.0.0.1", 8000, "http://127.0.0.1:8000")
    assert settings.database_url == f"sqlite:///{instance}/ninefold.sqlite"
    assert not settings.https
    assert settings.daily_levels == (2, 3, 4)


def test_the_levels_of_the_daily_are_put_in_order(instance: Path) -> None:
    assert read(instance, DAILY_LEVELS="4, 1").daily_levels == (1, 4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "http"),
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "８０００"),
        ("BANK_STOCK", "-1"),
        ("DAILY_LEVELS", "0"),
        ("DAILY_LEVELS", "2,6"),
        ("DAILY_LEVELS", "2,2"),
        ("DAILY_LEVELS", "2,,3"),
        ("DAILY_LEVELS", "easy"),
        ("DATABASE_URL", "ninefold.sqlite"),
        ("DATABASE_URL", "mysql://localhost/ninefold"),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("SECRET_KEY", "too short"),
        ("PUBLIC_URL", "ninefold.example"),
        ("PUBLIC_URL", "ftp://ninefold.example"),
        ("PUBLIC_URL", "https://ninefold.example/sudoku"),
    ],
)
def test_a_bad_value_is_refused_and_its_setting_named(instance: Path, name: str, value: str) -> None:
    with pytest.raises(SettingError, match=f"^{name}: "):
        read(instance, **{name: value})


def test_an_instance_path_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingError, match=r"^INSTANCE_PATH: "):
        read(tmp_path / "file" / "instance")


def test_the_secret_is_made_once_and_readable_by_its_owner_alone(instance: Path) -> None:
    secret = read(instance).secret_key
    assert read(instance).secret_key == secret
    assert stat.S_IMODE((instance / "secret_key").stat().st_mode) == 0o600


def test_processes_that_start_together_get_one_secret(instance: Path) -> None:
    instance.mkdir()
    found: list[str] = []
    together = threading.Barrier(8)

    def start() -> None:
        together.wait()
        found.append(read(instance).secret_key)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert [path.name for path in instance.iterdir()] == ["secret_key"]


def test_a_public_url_on_https_binds_cookies_to_it(instance: Path) -> None:
    settings = read(instance, PUBLIC_URL="https://ninefold.example/")
    assert settings.https
    assert settings.address == "https://ninefold.example"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_reached_through_psycopg(instance: Path, scheme: str) -> None:
    settings = read(instance, DATABASE_URL=f"{scheme}://user@host/name")
    assert settings.database_url == "postgresql+psycopg://user@host/name"
