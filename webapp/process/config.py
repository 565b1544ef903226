"""Typed settings from the environment. An invalid value stops the start and names the setting."""

from __future__ import annotations

import json
import logging
import os
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import SplitResult, parse_qs, urlsplit

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from webapp.process import signing
from webapp.process.errors import SettingError

T = TypeVar("T")
log = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parents[2]
SQLITE = "ninefold.sqlite"  # file in INSTANCE_PATH that holds the database unless DATABASE_URL is set
LOOPBACK = ("127.0.0.1", "::1", "localhost")
# Settings of older releases, and what to do about each
RETIRED: Mapping[str, str] = json.loads(Path(__file__).with_name("retired.json").read_text())
LONG = 6  # shortest name checked for typos; shorter ones (PORT0, RHOST) are likely other programs' variables
_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")


# Parsers return a setting's value, or raise a ValueError with the reason. None quotes what may be a password.
def _whole(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
        if not digits or not least <= int(text) <= most:
            raise ValueError(f"expected a whole number from {least} to {most}, found {text[:40]!r}")
        return int(text)

    return parse


def _host(text: str) -> str:
    if not _is_host(text.lower()):
        raise ValueError(f"expected an address or a host name without a port, found {text!r}")
    return text


def _is_host(text: str) -> bool:
    """Whether this is an IP address, without brackets, or a host name in lower case."""
    with suppress(ValueError):
        return bool(ip_address(text))
    address = re.fullmatch(r"[\d.]+", text)  # with a slip: 127.0.0.256
    return bool(_HOST.fullmatch(text)) and len(text) <= 253 and not address


def _split(text: str, form: str, schemes: Sequence[str]) -> SplitResult:
    parts = urlsplit(text)
    # urlsplit drops tabs and line ends, which would hide them from the checks
    if parts.scheme not in schemes or parts.port == 0 or not text.isprintable() or " " in text:
        raise ValueError(f"expected {form}")
    return parts


def _public_url(text: str) -> str:
    """Return the URL as browsers write it, since it is compared with theirs."""
    form = "http(s)://HOST[:PORT], without a name, a password, a path, a ? or a #"
    parts = _split(text, form, ("http", "https"))
    host = parts.hostname or ""
    if not host.isascii():
        raise ValueError(f"write its host as {host.encode('idna').decode()}")
    if parts.username is not None or parts.path.strip("/") or {*"?#"} & {*text} or not _is_host(host):
        raise ValueError(f"expected {form}")
    port = parts.port if parts.port not in (None, {"http": 80, "https": 443}[parts.scheme]) else None
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (f":{port}" if port else "")


def _mail_url(text: str) -> str:
    form = "smtp(s)://[USER:PASSWORD@]HOST[:PORT]/?from=ADDRESS"
    parts = _split(text, form, ("smtp", "smtps"))
    query = parse_qs(parts.query, keep_blank_values=True)
    given = query.get("from", [""])[0]
    sender = parseaddr(given)[1] if given.isprintable() else ""  # a line end would begin a header
    more = set(query) - {"from"} or parts.fragment or parts.path not in ("", "/")
    right = _is_host((parts.hostname or "").lower()) and re.fullmatch(r"[^@\s]+@[^@\s]+", sender)
    if more or not right or (parts.username is None) != (parts.password is None):
        raise ValueError(f"expected only {form}; write # / ? in a password as %23 %2F %3F")
    return text


def _metrics_token(text: str) -> str:
    if len(text) < 16 or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("expected at least 16 letters, digits or signs without spaces")
    return text


def database_url(text: str, instance_path: Path) -> str:
    """Return a database URL with its driver. Raises ValueError; creates no folder."""
    scheme, _, rest = text.partition("://")
    if scheme not in ("sqlite", "postgres", "postgresql", "postgresql+psycopg"):
        raise ValueError("expected sqlite:///FILE or postgresql://HOST/DATABASE")
    try:
        database = make_url(text).database or ""
    except (ArgumentError, ValueError) as error:
        raise ValueError(f"cannot parse it: {error}") from None
    if scheme != "sqlite":
        return f"postgresql+psycopg://{rest}"
    file = Path(instance_path, database).absolute()  # as Flask-SQLAlchemy does
    if database and not file.parent.is_dir() and file.parent != instance_path.absolute():
        raise ValueError(f"no folder {file.parent}; create it first")
    if database in ("", ":memory:") or file.is_dir():
        raise ValueError("expected a file that the web server and the worker can share")
    return text


def _folder(text: str) -> Path:
    """Create a folder, by default the instance’s."""
    folder = Path(text or ROOT / "instance").expanduser().absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"cannot create {folder}: {error.strerror}") from None
    return folder


def _cache_folder(text: str) -> None:
    """Check that kernels can be stored there: else the engine would compile in each process."""
    try:
        if text:
            tempfile.TemporaryFile(dir=_folder(text)).close()
    except (OSError, RuntimeError) as error:  # RuntimeError: no home folder
        raise ValueError(f"cannot write {text}: {getattr(error, 'strerror', error)}") from None


def _setting(doc: str, parse: Callable[[str], T], default: str | None = None, shown: str = "none") -> T:
    """Declare a setting. default: its text unless it is set. shown: how docs write an empty default."""
    about = {"doc": doc, "parse": parse, "default": default, "shown": f"`{default}`" if default else shown}
    value: T = field(metadata=about)
    return value


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything an operator can configure, in the order of docs/settings.md."""

    host: str = _setting("the address to listen on", _host, "127.0.0.1")
    port: int = _setting("the port to listen on", _whole(1, 65535), "8000")
    instance_path: Path = _setting("the folder of the site's files", _folder, "", "`instance/`")
    database_url: str = _setting(
        "the database; `postgresql://…` lets you grow past one machine", str, "", "SQLite in `INSTANCE_PATH`"
    )
    secret_key: str = _setting(
        "signs cookies and encrypts curators’ second factors; at least 32 characters, at random. Older keys "
        "follow after commas: what they signed stays valid",
        *(str, "", "generated once in `INSTANCE_PATH`, readable only by its owner"),
    )
    public_url: str | None = _setting(
        "the address players use: scheme, host and port. With https, cookies require it, and browsers use "
        "nothing else for a year",
        _public_url,
    )
    mail_url: str | None = _setting(
        "`smtp(s)://[USER:PASSWORD@]HOST[:PORT]/?from=ADDRESS`, for password resets and confirming addresses",
        *(_mail_url, None, "none: emails are only logged"),
    )
    metrics_token: str | None = _setting(
        "opens `/metrics` to requests with `Authorization: Bearer TOKEN`; at least 16 characters",
        _metrics_token,
    )
    access_log: int = _setting("`1`: log every request, without the addresses of games", _whole(0, 1), "0")
    web_processes: int = _setting(
        "web processes, each with 4 threads; `0`: one for each processor, or for each CPU of the container's "
        "quota, but not more than the memory or its limit has 350 MB for",
        *(_whole(0, 256), "0"),
    )
    proxies: int = _setting(
        "the number of proxies in front that append to `X-Forwarded-For`; rate limits rely on it",
        *(_whole(0, 9), "0"),
    )
    crowd: int = _setting(
        "how many people may share one internet address, such as a school's. Limits by address grow with it "
        "([all limits](security/asvs.md#limits))",
        *(_whole(1, 100_000), "30"),
    )
    bank_stock: int = _setting(
        "fresh puzzles kept at each level, in addition to as many as were started there in the last day",
        *(_whole(1, 100_000), "5"),
    )
    secret_key_fallbacks: tuple[str, ...] = ()  # older keys, still accepted, newest first

    @property
    def at_home(self) -> bool:
        """Whether the site serves this machine only. Behind a proxy it never does."""
        return urlsplit(self.public_url or "http://localhost").hostname in LOOPBACK

    @property
    def https(self) -> bool:
        """Whether players use HTTPS, so that cookies can require it."""
        return self.public_url is not None and self.public_url.startswith("https:")

    @property
    def address(self) -> str:
        """The URL at which an operator opens the site."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # browsers open no wildcard
        return self.public_url or f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read every setting. Raises SettingError for the first invalid one."""

        def read(name: str, parse: Callable[..., Any], default: str | None = "", *more: Path) -> Any:
            text = environment.get(name) or default
            try:
                return None if text is None else parse(text, *more)
            except ValueError as error:
                raise error if isinstance(error, SettingError) else SettingError(name, error) from None

        known = {each.name.upper(): each.metadata for each in fields(cls) if each.metadata}
        found = {name.lower(): read(name, each["parse"], each["default"]) for name, each in known.items()}
        folder: Path = found["instance_path"]
        found["database_url"] = read("DATABASE_URL", database_url, f"sqlite:///{folder / SQLITE}", folder)
        key, *older = read("SECRET_KEY", signing.keys, "", folder)
        read("NINEFOLD_CACHE", _cache_folder)
        if environment.get("FLASK_DEBUG", "").lower() not in ("", "0", "false", "no"):
            raise SettingError("FLASK_DEBUG", "debug pages run code that visitors type; remove it")
        for name in environment.keys() - known:
            if name in RETIRED:
                log.warning("%s is no longer a setting: %s", name, RETIRED[name])
            elif slip := next((right for right in [*known, "NINEFOLD_CACHE"] if _is_slip(name, right)), None):
                raise SettingError(name, f"no such setting; did you mean {slip}?")
        return cls(**found | {"secret_key": key, "secret_key_fallbacks": tuple(older)})


def _is_slip(name: str, known: str) -> bool:
    """Whether a name is a typo of a known one: its case, or one letter swapped, wrong, missing or added."""
    places = range(len(known))
    if name in (known[:at] + known[at : at + 2][::-1] + known[at + 2 :] for at in places):
        return name != known
    if name == known or len(known) < LONG:
        return False
    wrong_or_missing = [f"{known[:at]}.?{known[at + 1 :]}" for at in places]
    # An added first or last letter makes another name: EMAIL_URL, DATABASE_URL2
    added = [*(f"{known[:at]}.{known[at:]}" for at in places[1:]), f"{known}S", known + known[-1]]
    return name.upper() == known or re.fullmatch("|".join(wrong_or_missing + added), name) is not None
