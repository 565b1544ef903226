"""The site starts from nothing on machines unlike those it is developed on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thorough import THOROUGH
from tests.webapp.processes import ROOT, SERVE, Caller, free_port, running, wait_until
from tests.webapp.stocked import Originals, prepare

pytestmark = pytest.mark.slow

# Features that macOS, or Linux on ARM, lack.
LACKING = """
import builtins, ctypes, io, os, sys, time
del os.sched_getaffinity, time.CLOCK_BOOTTIME
sys.modules["pysqlite3"] = None
class Library(ctypes.CDLL):
    def __getattr__(self, name):
        if name == "prctl":
            raise AttributeError(name)
        return super().__getattr__(name)
ctypes.CDLL = Library
def lacking(function):
    def ask(path, *more, **named):
        if str(path).startswith(("/dev/shm", "/proc")):
            raise FileNotFoundError(2, "No such file or directory", path)
        return function(path, *more, **named)
    return ask
os.stat, io.open, builtins.open = lacking(os.stat), lacking(io.open), lacking(builtins.open)
"""


def test_the_site_runs_without_what_only_linux_has(tmp_path: Path, originals: Originals) -> None:
    instance, port = tmp_path / "instance", free_port()
    originals.copy(prepare, instance)
    (tmp_path / "sitecustomize.py").write_text(LACKING)
    more = {"PORT": str(port), "PYTHONPATH": str(tmp_path)}
    with running(*SERVE, instance=instance, log=tmp_path / "log", forked=False, **more) as site:
        wait_until(lambda: Caller(port).answers("/readyz"))
        assert Caller(port).start()
        assert site.stop() == 0
        assert not site.failed()
        assert "journal_mode=TRUNCATE" in site.output()


# Become a user without root who can only read the checkout.
UNPRIVILEGED = """
mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
shift
exec unshare --user --map-user=1000 --map-group=1000 "$@"
"""


@pytest.mark.skipif(
    not THOROUGH
    or os.geteuid() != 0
    or subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0,
    reason="for THOROUGH=1: making a file system read-only takes root, outside a chroot",
)
def test_a_user_without_root_runs_a_checkout_that_is_only_read(tmp_path: Path, originals: Originals) -> None:
    instance, port = tmp_path / "instance", free_port()
    originals.copy(prepare, instance)
    process = subprocess.Popen(
        ["unshare", "--mount", "sh", "-ec", UNPRIVILEGED, "sh", ROOT, sys.executable, "-m", *SERVE],
        cwd=ROOT,
        env=os.environ | {"PORT": str(port), "INSTANCE_PATH": str(instance)},
    )
    try:
        wait_until(lambda: process.poll() is not None or Caller(port).answers("/readyz"))
        assert process.poll() is None
        assert Path(f"/proc/{process.pid}/uid_map").read_text().split() == ["1000", "0", "1"]
        assert Caller(port).start()
    finally:
        process.terminate()
        process.wait()
