"""Parsers of settings: each returns a setting's value, or raises a SettingError in one sentence."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, urlsplit

LEAST_TOKEN = 16  # characters of METRICS_TOKEN
_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")


class SettingError(ValueError):
    """An invalid setting; the message starts with its name."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        super().__init__(f"{name}: {reason}")


def whole_number(environment: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = environment.get(name) or str(default)
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not digits or not least <= int(text) <= most:
        raise SettingError(name, f"expected a whole number from {least} to {most}, found {text[:40]!r}")
    return int(text)


def host(environment: Mapping[str, str]) -> str:
    text = environment.get("HOST") or "127.0.0.1"
    if not _is_host(text.lower()):
        raise SettingError("HOST", f"expected an address or a host name without a port, found {text!r}")
    return text


def _is_host(text: str) -> bool:
    """Whether this is an IP address, without brackets, or a host name in lower case."""
    try:
        ip_address(text)
    except ValueError:
        # Digits and dots alone are an address with a slip: 127.0.0.256
        return bool(_HOST.fullmatch(text)) and len(text) <= 253 and not re.fullmatch(r"[\d.]+", text)
    return True


def metrics_token(environment: Mapping[str, str]) -> str | None:
    text = environment.get("METRICS_TOKEN")
    if not text:
        return None
    if len(text) < LEAST_TOKEN or not text.isascii() or not text.isprintable() or " " in text:
        reason = f"expected at least {LEAST_TOKEN} letters, digits or signs without spaces"
        raise SettingError("METRICS_TOKEN", reason)
    return text


def check_cache(environment: Mapping[str, str]) -> None:
    """Raise SettingError if NINEFOLD_CACHE names a folder that kernels can't be stored in.

    The engine would use another folder, or compile in each process.
    """
    if not (text := environment.get("NINEFOLD_CACHE")):
        return
    try:
        folder = Path(text).expanduser()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SettingError("NINEFOLD_CACHE", f"cannot write {text}: {reason}") from None


def _split(name: str, text: str, form: str, schemes: Sequence[str]) -> SplitResult:
    """Return the parts of a URL. Raises SettingError, which doesn't quote it: it may contain a password."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise SettingError(name, f"cannot parse it: {error}") from None
    # urlsplit drops tabs and line ends, which would hide them from the checks
    if parts.scheme not in schemes or port == 0 or not text.isprintable() or " " in text:
        raise SettingError(name, f"expected {form}")
    return parts


def mail_url(environment: Mapping[str, str]) -> str | None:
    text = environment.get("MAIL_URL")
    if not text:
        return None
    form = "smtp(s)://[USER:PASSWORD@]HOST[:PORT]/?from=ADDRESS"
    parts = _split("MAIL_URL", text, form, ("smtp", "smtps"))
    fields = parse_qs(parts.query, keep_blank_values=True)
    given = fields.get("from", [""])[0]
    # No line ends: they would begin another header
    sender = parseaddr(given)[1] if given.isprintable() else ""
    if set(fields) - {"from"} or parts.fragment or parts.path not in ("", "/"):
        raise SettingError("MAIL_URL", f"expected only {form}; write # / ? in a password as %23 %2F %3F")
    if not _is_host((parts.hostname or "").lower()) or not re.fullmatch(r"[^@\s]+@[^@\s]+", sender):
        raise SettingError("MAIL_URL", f"expected {form}")
    if (parts.username is None) != (parts.password is None):
        raise SettingError("MAIL_URL", "expected both USER and PASSWORD, or neither")
    return text


def public_url(environment: Mapping[str, str]) -> str | None:
    """Return the URL as browsers write it, since it is compared with theirs."""
    text = environment.get("PUBLIC_URL")
    if not text:
        return None
    form = "http(s)://HOST[:PORT]"
    parts = _split("PUBLIC_URL", text, form, ("http", "https"))
    if parts.username is not None:
        raise SettingError("PUBLIC_URL", f"expected {form} without a name and a password")
    if parts.path not in ("", "/") or "?" in text or "#" in text:
        raise SettingError("PUBLIC_URL", f"expected {form} without a path, a ? or a #, found {text!r}")
    host = parts.hostname or ""
    if not host.isascii():
        with suppress(UnicodeError):
            raise SettingError("PUBLIC_URL", f"write its host as {host.encode('idna').decode()}")
    if "*" in host:
        raise SettingError("PUBLIC_URL", f"expected one host without *, found {text!r}")
    if not _is_host(host):
        raise SettingError("PUBLIC_URL", f"expected {form}, found {text!r}")
    port = parts.port if parts.port not in (None, {"http": 80, "https": 443}[parts.scheme]) else None
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + (f":{port}" if port else "")


def check_debug(environment: Mapping[str, str]) -> None:
    """Raise SettingError for Flask's debug mode: its error pages run code that visitors type."""
    if environment.get("FLASK_DEBUG", "").lower() not in ("", "0", "false", "no"):
        raise SettingError("FLASK_DEBUG", "a site has no debug mode; remove this variable")
