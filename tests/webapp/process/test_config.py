"""Settings: what they are when nothing is said, and what a bad one says."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from webapp.process.config import SettingError, Settings, keep, rotate


def read(instance: Path, **environment: str) -> Settings:
    return Settings.from_environment({"INSTANCE_PATH": str(instance), **environment})


def test_nothing_has_to_be_set(instance: Path) -> None:
    settings = read(instance)
    assert (settings.host, settings.port, settings.address) == ("127.0.0.1", 8000, "http://127.0.0.1:8000")
    assert settings.database_url == f"sqlite:///{instance}/ninefold.sqlite"
    assert not settings.https
    assert settings.daily_levels == (2, 3, 4)
    assert not settings.two_person


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
        ("SECRET_KEY_FALLBACKS", f"{'x' * 32},too short"),
        ("METRICS_FROM", "everywhere"),
        ("METRICS_FROM", "10.0.0.1/8"),
        ("ACCESS_LOG", "yes"),
        ("PUBLIC_URL", "ninefold.example"),
        ("PUBLIC_URL", "ftp://ninefold.example"),
        ("PUBLIC_URL", "https://nine fold.example"),
        ("PUBLIC_URL", "https://ninefold.example/sudoku"),
    ],
)
def test_a_bad_value_is_refused_and_its_setting_named(instance: Path, name: str, value: str) -> None:
    with pytest.raises(SettingError, match=f"^{name}: "):
        read(instance, **{name: value})


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("DATABSE_URL", "DATABASE_URL"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("BANK_STOCKS", "BANK_STOCK"),
        ("PROT", "PORT"),
        ("HSOT", "HOST"),
        ("SECERT_KEY", "SECRET_KEY"),
        ("SECRETT_KEY", "SECRET_KEY"),
        ("PROXIESS", "PROXIES"),
        ("MAIL_UR", "MAIL_URL"),
        ("Public_Url", "PUBLIC_URL"),
    ],
)
def test_a_misspelled_setting_is_refused_with_the_right_name(instance: Path, wrong: str, right: str) -> None:
    with pytest.raises(SettingError, match=f"^{wrong}: no such setting; did you mean {right}\\?$"):
        read(instance, **{wrong: "1"})


INNOCENT = """HOSTNAME HOSTTYPE PGHOST PGPORT MAIL TEST_DATABASE_URL NINEFOLD_CACHE PORT0 PORT1 HOSTS
host port RHOST LHOST VHOST EMAIL_URL MAILER_URL
DEV_DATABASE_URL PG_DATABASE_URL DATABASE_URL2 MY_SECRET_KEY"""


@pytest.mark.parametrize("name", INNOCENT.split())
def test_what_other_programs_read_is_no_misspelled_setting(instance: Path, name: str) -> None:
    read(instance, **{name: "1"})


def test_a_database_file_is_looked_for_where_it_will_be(instance: Path, tmp_path: Path) -> None:
    (instance / "sub").mkdir(parents=True)
    read(instance, DATABASE_URL="sqlite:///sub/site.sqlite")
    read(instance, DATABASE_URL="sqlite:///site.sqlite")
    read(instance, DATABASE_URL=f"sqlite:///{tmp_path}/site.sqlite")
    with pytest.raises(SettingError, match=f"no folder {instance}/other; create it first"):
        read(instance, DATABASE_URL="sqlite:///other/site.sqlite")


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


@pytest.mark.both_databases
@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_reached_through_psycopg(instance: Path, scheme: str) -> None:
    settings = read(instance, DATABASE_URL=f"{scheme}://user@host/name")
    assert settings.database_url == "postgresql+psycopg://user@host/name"


def test_older_keys_are_the_further_lines_of_the_file(instance: Path) -> None:
    first = read(instance).secret_key
    assert rotate(instance / "secret_key") == 2
    settings = read(instance)
    assert (settings.secret_key != first, settings.secret_key_fallbacks) == (True, (first,))
    assert stat.S_IMODE((instance / "secret_key").stat().st_mode) == 0o600


def test_a_new_key_is_on_the_disk_before_the_command_ends(
    instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(instance)
    synced: list[str] = []
    real = os.fsync

    def sync(number: int) -> None:
        synced.append(Path(f"/proc/self/fd/{number}").resolve().name.partition(".")[0])
        real(number)

    monkeypatch.setattr(os, "fsync", sync)
    rotate(instance / "secret_key")
    assert synced == ["secret_key", instance.name]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_key_that_root_changes_stays_its_owners(instance: Path) -> None:
    read(instance)
    file = instance / "secret_key"
    os.chown(file, 65534, 65533)
    rotate(file)
    assert (file.stat().st_uid, file.stat().st_gid) == (65534, 65533)


def test_a_key_that_cannot_be_read_is_named(instance: Path) -> None:
    instance.mkdir()
    file = instance / "secret_key"
    file.write_bytes(b"\xff" * 40)
    with pytest.raises(SettingError, match=r"^INSTANCE_PATH: cannot read .*secret_key: it is no text$"):
        read(instance)
    file.unlink()
    file.mkdir()
    with pytest.raises(SettingError, match=r"^INSTANCE_PATH: cannot read .*secret_key: Is a directory$"):
        read(instance)
    with pytest.raises(SettingError, match=r"^INSTANCE_PATH: cannot write .*secret_key: Is a directory$"):
        keep(file, ["a" * 32])
    assert [path.name for path in instance.iterdir()] == ["secret_key"]


def test_older_keys_come_from_the_environment_too(instance: Path) -> None:
    older = ["b" * 32, "c" * 40]
    settings = read(instance, SECRET_KEY="a" * 32, SECRET_KEY_FALLBACKS=", ".join(older))
    assert (settings.secret_key, list(settings.secret_key_fallbacks)) == ("a" * 32, older)
