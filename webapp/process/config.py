"""Typed settings from the environment. A bad value stops the start with the name of the setting."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

ROOT = Path(__file__).resolve().parents[2]
LEAST_SECRET = 32  # characters; ASVS 5.0 asks for 128 bits or more


class SettingError(ValueError):
    """An invalid setting; the message starts with its name."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        super().__init__(f"{name}: {reason}")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything an operator can configure; see the table in README.md."""

    host: str
    port: int
    instance_path: Path
    database_url: str
    secret_key: str
    public_url: str | None  # without a trailing slash
    mail_url: str | None  # the SMTP server; None: mails are only logged
    proxies: int  # reverse proxies in front of the site, each appending to X-Forwarded-For
    bank_stock: int  # fresh puzzles the worker keeps ready for every level
    drill_stock: int  # drills the worker keeps ready for every technique; 0: none
    order_days: int  # restock a level automatically when it would run out sooner; 0: never
    daily_levels: tuple[int, ...]  # the levels of each day's puzzles, ascending

    @property
    def https(self) -> bool:
        """Whether players use https, so that cookies can require it."""
        return self.public_url is not None and self.public_url.startswith("https:")

    @property
    def address(self) -> str:
        """The URL to open in a browser."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        host = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(host, host)  # a wildcard cannot be opened
        return self.public_url or f"http://{host}:{self.port}"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read every setting. Raises SettingError for the first invalid one."""
        instance_path = Path(environment.get("INSTANCE_PATH") or ROOT / "instance").absolute()
        try:
            instance_path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError("INSTANCE_PATH", f"cannot create {instance_path}: {error.strerror}") from None
        return cls(
            host=environment.get("HOST") or "127.0.0.1",
            port=_whole_number(environment, "PORT", 8000, 1, 65535),
            instance_path=instance_path,
            database_url=_database_url(environment, instance_path),
            secret_key=_secret_key(environment, instance_path),
            public_url=_public_url(environment),
            mail_url=_mail_url(environment),
            proxies=_whole_number(environment, "PROXIES", 0, 0, 9),
            bank_stock=_whole_number(environment, "BANK_STOCK", 100, 1, 100_000),
            drill_stock=_whole_number(environment, "DRILL_STOCK", 50, 0, 1000),
            order_days=_whole_number(environment, "ORDER_DAYS", 14, 0, 365),
            daily_levels=_levels(environment, "DAILY_LEVELS", "2,3,4"),
        )


def _whole_number(environment: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = environment.get(name) or str(default)
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise SettingError(name, f"expected a whole number from {least} to {most}, found {text!r}")
    return int(text)


def _levels(environment: Mapping[str, str], name: str, default: str) -> tuple[int, ...]:
    text = environment.get(name) or default
    items = [item.strip() for item in text.split(",")]
    if len(set(items)) < len(items) or not set(items) <= set("12345"):
        raise SettingError(name, f"expected different levels from 1 to 5, such as 2,3,4, found {text!r}")
    return tuple(sorted(map(int, items)))


def _database_url(environment: Mapping[str, str], instance_path: Path) -> str:
    url = environment.get("DATABASE_URL") or f"sqlite:///{instance_path / 'ninefold.sqlite'}"
    scheme, separator, rest = url.partition("://")
    if not separator:
        raise SettingError("DATABASE_URL", "expected sqlite:///FILE or postgresql://HOST/DATABASE")
    try:
        database = make_url(url).database
    except (ArgumentError, ValueError) as error:
        raise SettingError("DATABASE_URL", f"cannot parse it: {error}") from None
    if scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        return f"postgresql+psycopg://{rest}"
    if scheme == "sqlite":
        if database and not Path(database).absolute().parent.is_dir():
            raise SettingError(
                "DATABASE_URL", f"no folder {Path(database).absolute().parent}; create it first"
            )
        if rest in ("", "/", "/:memory:"):
            raise SettingError(
                "DATABASE_URL",
                "expected a file that the web server and the worker can share",
            )
        return url
    raise SettingError("DATABASE_URL", f"expected sqlite or postgresql, found {scheme!r}")


def _secret_key(environment: Mapping[str, str], instance_path: Path) -> str:
    secret = environment.get("SECRET_KEY") or _kept_secret(instance_path / "secret_key")
    if len(secret) < LEAST_SECRET:
        raise SettingError("SECRET_KEY", f"expected at least {LEAST_SECRET} characters, found {len(secret)}")
    return secret


def _kept_secret(file: Path) -> str:
    """The secret key of this instance, created once with mode 0600."""
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    if not file.exists():
        try:
            fresh.touch(mode=0o600)
            fresh.write_text(secrets.token_urlsafe(48))
            # os.link fails if the name exists, so when two processes start at once exactly one wins.
            os.link(fresh, file)
        except FileExistsError:
            pass
        except OSError as error:
            raise SettingError("INSTANCE_PATH", f"cannot write {file}: {error.strerror}") from None
        finally:
            fresh.unlink(missing_ok=True)
    return file.read_text().strip()


def _mail_url(environment: Mapping[str, str]) -> str | None:
    text = environment.get("MAIL_URL")
    if not text:
        return None
    try:
        parts = urlsplit(text)
        _port = parts.port
    except ValueError as error:
        raise SettingError("MAIL_URL", f"cannot parse it: {error}") from None
    sender = parse_qs(parts.query).get("from", [""])[0]
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname or "@" not in sender:
        # Do not echo the value: it may contain a password.
        raise SettingError("MAIL_URL", "expected smtp(s)://[USER:PASSWORD@]HOST[:PORT]/?from=ADDRESS")
    return text


def _public_url(environment: Mapping[str, str]) -> str | None:
    text = environment.get("PUBLIC_URL")
    if not text:
        return None
    try:
        parts = urlsplit(text)
        _port = parts.port
    except ValueError as error:
        raise SettingError("PUBLIC_URL", f"cannot parse {text!r}: {error}") from None
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or parts.path not in ("", "/")
        or parts.query
    ):
        raise SettingError("PUBLIC_URL", f"expected http(s)://HOST[:PORT], found {text!r}")
    return text.rstrip("/")
