"""Settings: their defaults, and the error of a bad one."""

from __future__ import annotations

import os
import re
import secrets
import stat
import string
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from webapp.process import signing
from webapp.process.config import RETIRED, Settings
from webapp.process.errors import SettingError


def read(instance: Path, **environment: str) -> Settings:
    return Settings.from_environment({"INSTANCE_PATH": str(instance), **environment})


def test_nothing_has_to_be_set(instance: Path) -> None:
    settings = read(instance)
    assert (settings.host, settings.port, settings.address) == ("127.0.0.1", 8000, "http://127.0.0.1:8000")
    assert settings.database_url == f"sqlite:///{instance}/ninefold.sqlite"
    assert not settings.https


KEY = "Zq3vX8-pLm_T5rYc7Wd2Ks9Hf4Jg6Nb1"  # as secrets.token_urlsafe(24) makes them
WRONG = [
    *(("PORT", value) for value in ("http", "0", "65536", " 8000", "８０００", "9" * 5000)),
    *(("HOST", value) for value in ("http://0.0.0.0", "127.0.0.256")),
    ("BANK_STOCK", "-1"),
    ("CROWD", "0"),
    ("PROXIES", "10"),
    ("ACCESS_LOG", "yes"),
    ("FLASK_DEBUG", "1"),
    *(("DATABASE_URL", value) for value in ("ninefold.sqlite", "mysql://localhost/x", "sqlite://")),
    *(("DATABASE_URL", value) for value in ("sqlite:////tmp", "postgresql://localhost:port/ninefold")),
    *(("SECRET_KEY", value) for value in ("too short", f"{KEY},too short", "x" * 64)),
    *(("SECRET_KEY", value) for value in ("please-change-me-before-production-7421", string.printable[:36])),
    *(("METRICS_TOKEN", value) for value in ("token", "a token with some spaces in it")),
    *(("MAIL_URL", value) for value in ("mail.example", "smtp://mail.example")),
    *(("MAIL_URL", f"smtp://mail.example/?{value}") for value in ("from=nobody", "form=a@b.example")),
    ("MAIL_URL", "smtp://mail.example/?from=a@b.example%0d%0aBcc:c@d.example"),
    *(("MAIL_URL", f"smtp://{host}/?from=a@b.example") for host in ("b:0", "me:pass#word@b", "me@b")),
    *(("PUBLIC_URL", value) for value in ("ninefold.example", "ftp://ninefold.example")),
    *(("PUBLIC_URL", f"https://ninefold.example{value}") for value in ("/sudoku", "?page=1", ":port")),
    *(("PUBLIC_URL", f"https://{host}.example") for host in ("nine fold", "*.a", "neunfältig", "-a")),
    ("PUBLIC_URL", "https://me:hidden-word@ninefold.example"),
    ("NINEFOLD_CACHE", "/proc/ninefold"),
]
RIGHT = [
    ("PUBLIC_URL", "HTTPS://Ninefold.Example/", "https://ninefold.example"),
    ("PUBLIC_URL", "https://ninefold.example:443", "https://ninefold.example"),
    ("PUBLIC_URL", "https://ninefold.example:8443", "https://ninefold.example:8443"),
    ("PUBLIC_URL", "http://[::1]:8000", "http://[::1]:8000"),
    ("PUBLIC_URL", "http://192.0.2.1", "http://192.0.2.1"),
    ("HOST", "::", "::"),
    ("HOST", "localhost", "localhost"),
    ("PORT", "65535", 65535),
    ("SECRET_KEY", KEY, KEY),
    ("SECRET_KEY", "3f9a1c07be52d846f0e17a9b2c5d8e34", "3f9a1c07be52d846f0e17a9b2c5d8e34"),
    ("SECRET_KEY", "8f14e45f-ceea-467f-a830-5b1c2d3e4f60", "8f14e45f-ceea-467f-a830-5b1c2d3e4f60"),
    ("METRICS_TOKEN", KEY, KEY),
    (
        "MAIL_URL",
        "smtps://me:pass%23word@mail.example:465/?from=Ninefold <site@ninefold.example>".replace(" ", "%20"),
        "smtps://me:pass%23word@mail.example:465/?from=Ninefold%20<site@ninefold.example>",
    ),
]


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_value_is_refused_in_one_sentence(instance: Path, name: str, value: str) -> None:
    with pytest.raises(SettingError) as refused:
        read(instance, **{name: value})
    sentence = str(refused.value)
    assert re.fullmatch(rf"{name}: [^\n]{{10,400}}", sentence)
    assert "hidden-word" not in sentence and "pass#word" not in sentence  # no password reaches a log


@pytest.mark.parametrize(("name", "value", "taken"), RIGHT)
def test_a_right_value_is_taken_as_meant(instance: Path, name: str, value: str, taken: object) -> None:
    assert getattr(read(instance, **{name: value}), name.lower()) == taken


def test_random_keys_of_every_common_kind_are_taken(instance: Path) -> None:
    for kind in (secrets.token_urlsafe, secrets.token_hex):
        for number in range(1000):
            signing._refuse_weak(kind(24 if number % 2 else 32))
    assert read(instance, SECRET_KEY=secrets.token_hex(16))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("DATABSE_URL", "DATABASE_URL"),
        ("MAIL_URI", "MAIL_URL"),
        ("PROT", "PORT"),
        ("SECERT_KEY", "SECRET_KEY"),
        ("Public_Url", "PUBLIC_URL"),
    ],
)
def test_a_misspelled_setting_is_refused_with_the_right_name(instance: Path, wrong: str, right: str) -> None:
    with pytest.raises(SettingError, match=f"^{wrong}: no such setting; did you mean {right}\\?$"):
        read(instance, **{wrong: "1"})


def test_a_debug_mode_that_is_off_is_no_error(instance: Path) -> None:
    for off in ("0", "false", "No", ""):
        read(instance, FLASK_DEBUG=off)


INNOCENT = """HOSTNAME HOSTTYPE PGHOST PGPORT MAIL TEST_DATABASE_URL PORT0 PORT1 HOSTS
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
    together = threading.Barrier(8)

    def start(_process: int) -> str:
        together.wait()
        return read(instance).secret_key

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(start, range(8)))) == 1
    assert [path.name for path in instance.iterdir()] == ["secret_key"]


@pytest.mark.both_databases
@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_reached_through_psycopg(instance: Path, scheme: str) -> None:
    settings = read(instance, DATABASE_URL=f"{scheme}://user@host/name")
    assert settings.database_url == "postgresql+psycopg://user@host/name"


def test_older_keys_are_the_further_lines_of_the_file(instance: Path) -> None:
    first = read(instance).secret_key
    assert signing.rotate(instance / "secret_key") == 2
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
    signing.rotate(instance / "secret_key")
    assert synced == ["secret_key", instance.name]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_key_that_root_changes_stays_its_owners(instance: Path) -> None:
    read(instance)
    file = instance / "secret_key"
    os.chown(file, 65534, 65533)
    signing.rotate(file)
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
        signing.keep(file, ["a" * 32])
    assert [path.name for path in instance.iterdir()] == ["secret_key"]


def test_older_keys_come_from_the_environment_too(instance: Path) -> None:
    keys = [secrets.token_urlsafe(32) for _ in range(3)]
    settings = read(instance, SECRET_KEY=", ".join(keys))
    assert [settings.secret_key, *settings.secret_key_fallbacks] == keys


def test_a_retired_setting_warns_and_the_site_starts(
    instance: Path, caplog: pytest.LogCaptureFixture
) -> None:
    read(instance, **dict.fromkeys(RETIRED, "1"))
    assert sorted(caplog.messages) == [
        f"{name} is no longer a setting: {advice}" for name, advice in sorted(RETIRED.items())
    ]
