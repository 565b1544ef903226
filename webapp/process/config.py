"""Typed settings from the environment. An invalid value stops the start and names the setting."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from webapp.process import setting_values as values
from webapp.process.operation import machine
from webapp.process.setting_values import SettingError as SettingError

ROOT = Path(__file__).resolve().parents[2]
SECRET = "secret_key"  # file in INSTANCE_PATH with one key a line; the first signs
SQLITE = "ninefold.sqlite"  # file in INSTANCE_PATH that holds the database unless DATABASE_URL is set
LONG = 6  # shortest name checked for typos; shorter ones (PORT0, RHOST) are likely other programs' variables
LOOPBACK = ("127.0.0.1", "::1", "localhost")
GONE = {  # settings of older releases, and their replacements
    "METRICS_FROM": "give whoever reads /metrics from elsewhere METRICS_TOKEN instead",
    "SECRET_KEY_FALLBACKS": "list older keys in SECRET_KEY instead, after the newest, separated by commas",
    "SIGN_UPS": "set CROWD instead: an address can make twice as many accounts a day",
    "DRILL_STOCK": "drills are now made for what players practice; take it out",
    "WORKER_MEMORY": "limit the memory of the service or the container instead",
    "OWN_TURNS": "everyone gets the same grid of a daily; take it out",
    "PROVISIONAL_DAILIES": "every verified solve has a rank at once; take it out",
    "DATABASE_REPLICA_URL": "every page reads from DATABASE_URL; take it out",
    "DAILY_LEVELS": "a day has the levels 2, 3 and 4; take it out",
}
LEAST_SECRET = 32  # characters; ASVS 5.0 asks for 128 bits or more
# Parts of keys that documentation shows and people forget to replace
PLACEHOLDERS = (
    "changeme",
    "secretkey",
    "yoursecret",
    "mysecret",
    "password",
    "example",
    "insecure",
    "default",
)
# Different characters, and different steps from one to the next, of a key that isn't made by hand. 32 random
# hexadecimal digits have 14 and 19.
LEAST_VARIED = 8


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything an operator can configure; see docs/settings.md."""

    host: str
    port: int
    instance_path: Path
    database_url: str
    secret_key: str
    secret_key_fallbacks: tuple[str, ...]  # older keys, still accepted, newest first
    public_url: str | None  # in lower case, without a trailing slash or the scheme's own port
    mail_url: str | None  # the SMTP server; None: mails are only logged
    metrics_token: str | None  # allows /metrics from any address
    access_log: bool  # log every request
    web_processes: int  # of the web server; 0: as many as there are processors and memory for
    proxies: int  # reverse proxies in front of the site, each appending to X-Forwarded-For
    crowd: int  # how many people may share an IP address, for rate limits
    bank_stock: int  # fresh puzzles kept at every level, in addition to a day's demand
    order_days: int  # restock a level automatically when it would run out within so many days; 0: never
    two_person: bool  # a daily chosen by one curator must be released by another

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
        return self.public_url or self.own_address

    @property
    def own_address(self) -> str:
        """The URL of this server on its machine."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        # A browser can't open a wildcard address
        host = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(host, host)
        return f"http://{host}:{self.port}"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read every setting. Raises SettingError for the first invalid one."""
        names = _Names(environment)
        instance_path = _instance_path(names)
        try:
            instance_path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError("INSTANCE_PATH", f"cannot create {instance_path}: {error.strerror}") from None
        secret_key, *older = _secret_keys(names, instance_path)
        public_url = values.public_url(names)
        settings = cls(
            host=values.host(names),
            port=values.whole_number(names, "PORT", 8000, 1, 65535),
            instance_path=instance_path,
            database_url=database_url(names, instance_path),
            secret_key=secret_key,
            secret_key_fallbacks=tuple(older),
            public_url=public_url,
            mail_url=values.mail_url(names),
            metrics_token=values.metrics_token(names),
            access_log=values.whole_number(names, "ACCESS_LOG", 0, 0, 1) == 1,
            web_processes=values.whole_number(names, "WEB_PROCESSES", 0, 0, 256),
            proxies=values.whole_number(names, "PROXIES", 0, 0, 9),
            crowd=values.whole_number(names, "CROWD", 30, 1, 100_000),
            bank_stock=values.whole_number(names, "BANK_STOCK", 5, 1, 100_000),
            order_days=values.whole_number(names, "ORDER_DAYS", 0, 0, 365),
            two_person=values.whole_number(names, "TWO_PERSON", 0, 0, 1) == 1,
        )
        values.check_cache(names)
        values.check_debug(environment)
        names.refuse_near_misses()
        return settings


def require_site() -> None:
    """Raise SettingError if there is no site yet: reading its settings would create a folder and a key."""
    instance_path = _instance_path(os.environ)
    if not os.environ.get("DATABASE_URL") and not (instance_path / SQLITE).exists():
        raise SettingError("INSTANCE_PATH", f"there is no site at {instance_path} yet")


def _instance_path(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("INSTANCE_PATH") or ROOT / "instance").absolute()


class _Names(Mapping[str, str]):
    """The environment, recording which names are read: those are all settings."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self._asked.add(name)
        return self._environment[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._environment)

    def __len__(self) -> int:
        return len(self._environment)

    def refuse_near_misses(self) -> None:
        """Raise SettingError for a name that is a likely typo of a setting, or a removed one."""
        for name in GONE.keys() & self._environment.keys():
            raise SettingError(name, GONE[name])
        for name in self._environment.keys() - self._asked:
            for known in self._asked:
                if _is_slip(name, known):
                    raise SettingError(name, f"no such setting; did you mean {known}?")


def _is_slip(name: str, known: str) -> bool:
    """Whether a name is a typo of a known one: another case, or one letter swapped, wrong, missing or
    added.
    """
    start = _alike(name, known)
    end = _alike(name[start:][::-1], known[start:][::-1])
    found, meant = name[start : len(name) - end], known[start : len(known) - end]
    if len(found) == 2 and found == meant[::-1]:
        return True
    if len(known) < LONG:
        return False
    if name.upper() == known:
        return True
    if found and not meant:  # an added first or last letter makes another name: EMAIL_URL, DATABASE_URL2
        inside = 0 < start < len(known)
        return len(found) == 1 and (inside or (start > 0 and found in ("S", known[-1])))
    return len(found) <= 1 and len(meant) == 1


def _alike(one: str, other: str) -> int:
    """Return the length of the common prefix of two names."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def database_url(environment: Mapping[str, str], instance_path: Path) -> str:
    """Return the validated database URL with its driver. Raises SettingError; creates no folder."""
    url = environment.get("DATABASE_URL") or f"sqlite:///{instance_path / SQLITE}"
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
        folder = (
            Path(instance_path, database or "").absolute().parent
        )  # Flask-SQLAlchemy resolves relative paths against the instance folder
        if database and not folder.is_dir() and folder != instance_path.absolute():
            raise SettingError("DATABASE_URL", f"no folder {folder}; create it first")
        if rest in ("", "/", "/:memory:"):
            raise SettingError(
                "DATABASE_URL",
                "expected a file that the web server and the worker can share",
            )
        if database and Path(instance_path, database).is_dir():
            raise SettingError("DATABASE_URL", f"{database} is a folder; expected a file")
        return url
    raise SettingError("DATABASE_URL", f"expected sqlite or postgresql, found {scheme!r}")


def _secret_keys(environment: Mapping[str, str], instance_path: Path) -> list[str]:
    """Return all keys, the signing one first: from the environment, else from the instance's file."""
    text = environment.get("SECRET_KEY", "")
    given = [key.strip() for key in text.split(",") if key.strip()]
    if text and not given:
        raise SettingError("SECRET_KEY", "it is blank; leave it out to use the key in INSTANCE_PATH")
    if given:
        _refuse_weak(given[0])  # not the older ones: guests need them
    keys = given or _kept_secret(instance_path / SECRET).splitlines()
    shortest = min(map(len, keys), default=0)
    if shortest < LEAST_SECRET:
        raise SettingError("SECRET_KEY", f"expected at least {LEAST_SECRET} characters, found {shortest}")
    return list(dict.fromkeys(keys))


def _refuse_weak(key: str) -> None:
    """Raise SettingError for a key that somebody could guess; never quote it."""
    how = "make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(48))'"
    if len(key) < LEAST_SECRET:
        raise SettingError(
            "SECRET_KEY", f"expected at least {LEAST_SECRET} characters, found {len(key)}; {how}"
        )
    plain = re.sub(r"[^a-z0-9]", "", key.lower())
    steps = {ord(after) - ord(before) for before, after in pairwise(key)}
    repeated = key in (key + key)[1:-1]
    if any(word in plain for word in PLACEHOLDERS):
        raise SettingError("SECRET_KEY", f"it looks like a placeholder; {how}")
    if repeated or min(len(set(key)), len(steps)) < LEAST_VARIED:
        raise SettingError("SECRET_KEY", f"it is too regular to be secret; {how}")


def rotate(file: Path) -> int:
    """Add a new signing key to `file`; the others stay accepted. Returns the number of keys."""
    keys = [secrets.token_urlsafe(48), *_kept_secret(file).splitlines()]
    keep(file, keys)
    return len(keys)


def keep(file: Path, keys: Sequence[str]) -> None:
    """Replace `file` atomically with these keys, synced to disk and readable only by its owner."""
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    try:
        fresh.touch(mode=0o600)
        fresh.write_text("\n".join(keys))
        if os.geteuid() == 0:  # root may rotate the key of a site that runs as another user
            owner = file.stat()
            os.chown(fresh, owner.st_uid, owner.st_gid)
        machine.sync(fresh)
        fresh.replace(file)
        machine.sync(file.parent)
    except OSError as error:
        raise SettingError("INSTANCE_PATH", f"cannot write {file}: {error.strerror}") from None
    finally:
        fresh.unlink(missing_ok=True)


def _kept_secret(file: Path) -> str:
    """Return the instance's secret keys from its file; the first start creates it with mode 0600."""
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    if not file.exists():
        try:
            fresh.touch(mode=0o600)
            fresh.write_text(secrets.token_urlsafe(48))
            # os.link fails if the name exists, so of two processes that start at once exactly one wins.
            os.link(fresh, file)
        except FileExistsError:
            pass
        except OSError as error:
            raise SettingError("INSTANCE_PATH", f"cannot write {file}: {error.strerror}") from None
        finally:
            fresh.unlink(missing_ok=True)
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise SettingError("INSTANCE_PATH", f"cannot read {file}: {reason}") from None
