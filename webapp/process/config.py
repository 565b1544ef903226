"""Typed settings from the environment. A bad value stops the start with the name of the setting."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from webapp.process.operation import tracing

ROOT = Path(__file__).resolve().parents[2]
SECRET = "secret_key"  # the file in INSTANCE_PATH: a key a line, the one that signs first
SQLITE = "ninefold.sqlite"  # the file in INSTANCE_PATH that is the database if DATABASE_URL names none
LONG = 6  # letters of a name that others hardly have but for one; PORT0, RHOST and host are theirs
LOOPBACK = ("127.0.0.1", "::1", "localhost")
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
    database_pool: bool  # whether that leads to a pool in transaction mode, such as pgbouncer
    database_replica_url: str | None  # a streaming replica of it, which leaderboards are read from
    secret_key: str
    secret_key_fallbacks: tuple[str, ...]  # older keys, still accepted, newest first
    public_url: str | None  # without a trailing slash
    mail_url: str | None  # the SMTP server; None: mails are only logged
    metrics_token: str | None  # opens /metrics from anywhere
    metrics_from: tuple[IPv4Network | IPv6Network, ...]  # where /metrics is open without it
    otel_exporter_otlp_endpoint: (
        str | None
    )  # the collector of OpenTelemetry that spans are sent to; None: none are made
    access_log: bool  # a log line for every request
    worker_memory: int  # MB a web worker may hold before it is replaced
    proxies: int  # reverse proxies in front of the site, each appending to X-Forwarded-For
    crowd: int  # people who may share an address, for limits by address
    sign_ups: int  # accounts that an address can make in a day
    bank_stock: int  # fresh puzzles the worker keeps ready for every level
    drill_stock: int  # drills the worker keeps ready for every technique; 0: none
    order_days: int  # restock a level automatically when it would run out sooner; 0: never
    two_person: bool  # a daily picked by one curator is released by another
    provisional_dailies: int  # the first ranked dailies of a player, whose times earn points later; 0: none
    own_turns: bool  # every player of a ranked daily gets it turned and relabeled differently
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
        names = _Names(environment)
        instance_path = _instance_path(names)
        try:
            instance_path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingError("INSTANCE_PATH", f"cannot create {instance_path}: {error.strerror}") from None
        secret_key, *older = _secret_keys(names, instance_path)
        public_url = _public_url(names)
        # A proxy on this machine has its address, so a public site says itself who may read its figures.
        here = urlsplit(public_url or "http://localhost").hostname in LOOPBACK
        settings = cls(
            host=names.get("HOST") or "127.0.0.1",
            port=_whole_number(names, "PORT", 8000, 1, 65535),
            instance_path=instance_path,
            database_url=database_url(names, instance_path),
            database_pool=_whole_number(names, "DATABASE_POOL", 0, 0, 1) == 1,
            database_replica_url=_replica_url(names, instance_path),
            secret_key=secret_key,
            secret_key_fallbacks=tuple(older),
            public_url=public_url,
            mail_url=_mail_url(names),
            metrics_token=names.get("METRICS_TOKEN") or None,
            metrics_from=_networks(names, "METRICS_FROM", "127.0.0.1,::1" if here else ""),
            otel_exporter_otlp_endpoint=_traces(names),
            access_log=_whole_number(names, "ACCESS_LOG", 0, 0, 1) == 1,
            worker_memory=_whole_number(names, "WORKER_MEMORY", 600, 100, 1_000_000),
            proxies=_whole_number(names, "PROXIES", 0, 0, 9),
            crowd=_whole_number(names, "CROWD", 30, 1, 100_000),
            sign_ups=_whole_number(names, "SIGN_UPS", 5, 1, 100_000),
            bank_stock=_whole_number(names, "BANK_STOCK", 100, 1, 100_000),
            drill_stock=_whole_number(names, "DRILL_STOCK", 50, 0, 1000),
            order_days=_whole_number(names, "ORDER_DAYS", 14, 0, 365),
            two_person=_whole_number(names, "TWO_PERSON", 0, 0, 1) == 1,
            provisional_dailies=_whole_number(names, "PROVISIONAL_DAILIES", 5, 0, 100),
            own_turns=_whole_number(names, "OWN_TURNS", 1, 0, 1) == 1,
            daily_levels=_levels(names, "DAILY_LEVELS", "2,3,4"),
        )
        names.refuse_near_misses()
        return settings


def refuse_nowhere(environment: Mapping[str, str] = os.environ) -> None:
    """Raise SettingError where no site has begun: to read its settings would make a folder and a key."""
    instance_path = _instance_path(environment)
    if not environment.get("DATABASE_URL") and not (instance_path / SQLITE).exists():
        raise SettingError("INSTANCE_PATH", f"there is no site at {instance_path} yet")


def _instance_path(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("INSTANCE_PATH") or ROOT / "instance").absolute()


class _Names(Mapping[str, str]):
    """The environment, which notes the names that are asked for: those of all settings."""

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
        """Raise SettingError for a name that is nearly a setting's: it would be ignored."""
        for name in self._environment.keys() - self._asked:
            for known in self._asked:
                if _is_slip(name, known):
                    raise SettingError(name, f"no such setting; did you mean {known}?")


def _is_slip(name: str, known: str) -> bool:
    """Whether a name is the known one but for its case, a swap, or one letter wrong, missing or added."""
    start = _alike(name, known)
    end = _alike(name[start:][::-1], known[start:][::-1])
    found, meant = name[start : len(name) - end], known[start : len(known) - end]
    if len(found) == 2 and found == meant[::-1]:
        return True
    if len(known) < LONG:
        return False
    if name.upper() == known:
        return True
    if found and not meant:  # at the front or the end, it makes another name: EMAIL_URL, DATABASE_URL2
        inside = 0 < start < len(known)
        return len(found) == 1 and (inside or (start > 0 and found in ("S", known[-1])))
    return len(found) <= 1 and len(meant) == 1


def _alike(one: str, other: str) -> int:
    """How many letters two names begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _whole_number(environment: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = environment.get(name) or str(default)
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise SettingError(name, f"expected a whole number from {least} to {most}, found {text!r}")
    return int(text)


def _networks(
    environment: Mapping[str, str], name: str, default: str
) -> tuple[IPv4Network | IPv6Network, ...]:
    text = environment.get(name, default)  # empty: none
    try:
        return tuple(ip_network(item.strip()) for item in text.split(",") if item.strip())
    except ValueError as error:
        raise SettingError(
            name, f"expected addresses or networks such as 127.0.0.1,10.0.0.0/8: {error}"
        ) from None


def _levels(environment: Mapping[str, str], name: str, default: str) -> tuple[int, ...]:
    text = environment.get(name) or default
    items = [item.strip() for item in text.split(",")]
    if len(set(items)) < len(items) or not set(items) <= set("12345"):
        raise SettingError(name, f"expected different levels from 1 to 5, such as 2,3,4, found {text!r}")
    return tuple(sorted(map(int, items)))


def database_url(environment: Mapping[str, str], instance_path: Path) -> str:
    """The checked URL of the database, with its driver. Raises SettingError; makes no folder."""
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
        )  # where Flask-SQLAlchemy takes it to be
        if database and not folder.is_dir() and folder != instance_path.absolute():
            raise SettingError("DATABASE_URL", f"no folder {folder}; create it first")
        if rest in ("", "/", "/:memory:"):
            raise SettingError(
                "DATABASE_URL",
                "expected a file that the web server and the worker can share",
            )
        return url
    raise SettingError("DATABASE_URL", f"expected sqlite or postgresql, found {scheme!r}")


def _replica_url(environment: Mapping[str, str], instance_path: Path) -> str | None:
    text = environment.get("DATABASE_REPLICA_URL")
    if not text:
        return None
    try:
        url = database_url({"DATABASE_URL": text}, instance_path)
    except SettingError as error:
        raise SettingError("DATABASE_REPLICA_URL", str(error).partition(": ")[2]) from None
    for found in (url, database_url(environment, instance_path)):
        if not found.startswith("postgresql"):
            raise SettingError("DATABASE_REPLICA_URL", "only a PostgreSQL database has replicas")
    return url


def _secret_keys(environment: Mapping[str, str], instance_path: Path) -> list[str]:
    """All keys, the one that signs first: from the environment, else from the file of this instance."""
    older = [key.strip() for key in environment.get("SECRET_KEY_FALLBACKS", "").split(",") if key.strip()]
    given = environment.get("SECRET_KEY")
    keys = [given] if given else _kept_secret(instance_path / SECRET).splitlines()
    for name, found in {"SECRET_KEY": keys or [""], "SECRET_KEY_FALLBACKS": older}.items():
        shortest = min(map(len, found), default=LEAST_SECRET)
        if shortest < LEAST_SECRET:
            raise SettingError(name, f"expected at least {LEAST_SECRET} characters, found {shortest}")
    return list(dict.fromkeys([*keys, *older]))


def rotate(file: Path) -> int:
    """Put a new key before those in `file`, which stay accepted. Returns how many there are."""
    keys = [secrets.token_urlsafe(48), *_kept_secret(file).splitlines()]
    keep(file, keys)
    return len(keys)


def keep(file: Path, keys: Sequence[str]) -> None:
    """Write these keys to `file` in one step, on the disk at the end, readable only by its owner."""
    fresh = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    try:
        fresh.touch(mode=0o600)
        fresh.write_text("\n".join(keys))
        if os.geteuid() == 0:  # root changes the key of a site that runs as another user
            owner = file.stat()
            os.chown(fresh, owner.st_uid, owner.st_gid)
        _sync(fresh)
        fresh.replace(file)
        _sync(file.parent)
    except OSError as error:
        raise SettingError("INSTANCE_PATH", f"cannot write {file}: {error.strerror}") from None
    finally:
        fresh.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _kept_secret(file: Path) -> str:
    """The secret keys of this instance, a line each; the first is created once, with mode 0600."""
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
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise SettingError("INSTANCE_PATH", f"cannot read {file}: {reason}") from None


def _traces(environment: Mapping[str, str]) -> str | None:
    text = environment.get(tracing.ENDPOINT)
    if not text:
        return None
    if not text.startswith(("http://", "https://")):
        raise SettingError(tracing.ENDPOINT, f"expected http(s)://HOST:PORT, found {text!r}")
    if not tracing.installed():
        raise SettingError(
            tracing.ENDPOINT,
            "needs more packages: pip install --require-hashes --no-deps -r requirements-tracing.lock",
        )
    return text


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
        or " " in text
        or parts.path not in ("", "/")
        or parts.query
    ):
        raise SettingError("PUBLIC_URL", f"expected http(s)://HOST[:PORT], found {text!r}")
    return text.rstrip("/")
