"""WebKitGTK's MiniBrowser by WebDriver, on a display of its own: the engine of Safari."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.browser.engines.actions import Actions, Actor
from tests.browser.engines.driver import PATIENCE
from tests.webapp.processes import free_port

DRIVER, DISPLAY = "WebKitWebDriver", "Xvfb"


def _browser() -> Path | None:
    return next(iter(sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))), None)


def installed() -> bool:
    return all(map(shutil.which, (DRIVER, DISPLAY))) and _browser() is not None


class WebKit(Actor):
    """A new MiniBrowser."""

    name = "WebKit"

    def __init__(self) -> None:
        self._display = subprocess.Popen(
            [DISPLAY, "-displayfd", "1", "-screen", "0", "1200x1000x24", "-nolisten", "tcp"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._display.stdout is not None
        number = self._display.stdout.readline().decode().strip()
        self._port = free_port()
        self._driver = subprocess.Popen(
            [DRIVER, f"--port={self._port}"],
            env=os.environ | {"DISPLAY": f":{number}", "WEBKIT_DISABLE_DMABUF_RENDERER": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        options = {"binary": str(_browser()), "args": ["--automation"]}
        self._path = ""
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._path = f"/session/{self._started(wanted)['sessionId']}"
        self._tabs: list[str] = [self._ask("GET", "/window")]  # the driver lists them in no order
        self._place()

    def goto(self, address: str) -> None:
        self._ask("POST", "/url", {"url": address})

    def head_for(self, address: str) -> None:
        self.run(f"location.assign({json.dumps(address)})")

    def run(self, script: str) -> Any:
        whole = f"const done = arguments[0]; (async () => done((await ({script})) ?? null))()"
        return self._ask("POST", "/execute/async", {"script": whole, "args": []})

    def act(self, actions: Actions) -> None:
        self._ask("POST", "/actions", {"actions": actions})

    def spread(self, one: tuple[int, int], other: tuple[int, int]) -> None:
        """Send the fingers' events by script: the driver turns touches into clicks."""
        for kind, number, (x, y) in (
            ("down", 1, one),
            ("down", 2, other),
            ("move", 1, (one[0] - 40, one[1])),
            ("up", 1, (one[0] - 40, one[1])),
            ("up", 2, other),
        ):
            event: dict[str, Any] = {
                "pointerId": number,
                "isPrimary": number == 1,
                "clientX": x,
                "clientY": y,
            }
            event |= {"pointerType": "touch", "bubbles": True, "buttons": int(kind != "up")}
            at = f"document.elementFromPoint({x}, {y})"
            self.run(f"{at}.dispatchEvent(new PointerEvent('pointer{kind}', {json.dumps(event)}))")

    def travel(self, steps: int) -> None:
        self._ask("POST", "/back" if steps < 0 else "/forward", {})

    def open_tab(self, address: str) -> None:
        """Open a window: nothing brings a tab of MiniBrowser to the front."""
        self._tabs.append(self._ask("POST", "/window/new", {"type": "window"})["handle"])
        self.show_tab(-1)
        self._place()
        self.goto(address)

    def show_tab(self, number: int) -> None:
        self._ask("POST", "/window", {"handle": self._tabs[number]})

    def forget(self) -> None:
        self._ask("DELETE", "/cookie")

    def close(self) -> None:
        os.killpg(self._driver.pid, signal.SIGTERM)  # with the browser, whatever it is waiting for
        self._display.terminate()
        for process in (self._driver, self._display):
            process.wait(PATIENCE)
        assert self._display.stdout is not None
        self._display.stdout.close()

    def _place(self) -> None:
        self._ask("POST", "/window/rect", {"x": 0, "y": 0, "width": 1000, "height": 960})

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            text = json.dumps(body) if body is not None else None
            connection.request(method, self._path + path, text, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{path}: {value['error']}: {value.get('message')}")
        return value

    def _started(self, wanted: dict[str, Any]) -> Any:
        give_up = time.monotonic() + PATIENCE
        while True:
            try:
                return self._ask("POST", "/session", wanted)
            except OSError:
                assert time.monotonic() < give_up, f"{DRIVER} does not answer"
                time.sleep(0.1)
