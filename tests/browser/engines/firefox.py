"""An unmodified Firefox, by WebDriver BiDi."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.browser.engines.actions import Actions, Actor
from tests.browser.engines.driver import NOTICED, PATIENCE
from tests.webapp.processes import free_port

NAMES = ("firefox-esr", "firefox")
SIZE = ("--width", "1000", "--height", "1000")
QUIET = (  # no requests except those of pages
    'user_pref("datareporting.policy.dataSubmissionEnabled", false);',
    'user_pref("app.update.enabled", false);',
    'user_pref("network.captive-portal-service.enabled", false);',
    'user_pref("network.connectivity-service.enabled", false);',
    'user_pref("browser.safebrowsing.malware.enabled", false);',
    'user_pref("browser.safebrowsing.phishing.enabled", false);',
    'user_pref("services.settings.server", "http://127.0.0.1:9");',
    'user_pref("browser.shell.checkDefaultBrowser", false);',
    'user_pref("dom.w3c_touch_events.enabled", 1);',
)


def executable() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def installed() -> bool:
    return executable() is not None


class Firefox(Actor):
    """A new Firefox with a profile of its own."""

    name = "Firefox"

    def __init__(self) -> None:
        port, program = free_port(), executable()
        assert program is not None
        self._profile = Path(tempfile.mkdtemp(prefix="firefox-"))
        (self._profile / "user.js").write_text("\n".join(QUIET))
        command = [program, "--headless", "--no-remote", "--profile", str(self._profile), *SIZE]
        self._process = subprocess.Popen(
            [*command, f"--remote-debugging-port={port}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._open, self._patience = ExitStack(), PATIENCE
        self._socket = self._connected(port)
        self._numbers = count(1)
        self._ask("session.new", capabilities={})
        self._begin()

    def goto(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def head_for(self, address: str) -> None:
        self._patience = NOTICED  # it answers when the page begins
        with suppress(RuntimeError, TimeoutError):
            self._ask("browsingContext.navigate", context=self._tab, url=address, wait="none")
        self._patience = PATIENCE

    def run(self, script: str) -> Any:
        whole = f"(async () => JSON.stringify((await ({script})) ?? null))()"
        target = {"context": self._tab}
        answer = self._ask("script.evaluate", expression=whole, target=target, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def act(self, actions: Actions) -> None:
        self._ask("input.performActions", context=self._tab, actions=actions)

    def travel(self, steps: int) -> None:
        self._ask("browsingContext.traverseHistory", context=self._tab, delta=steps)

    def open_tab(self, address: str) -> None:
        self._create_tab()
        self.goto(address)

    def show_tab(self, number: int) -> None:
        self._tab = self._tabs[number]
        self._ask("browsingContext.activate", context=self._tab)

    def forget(self) -> None:
        before = self._user
        self._begin()
        self._ask("browser.removeUserContext", userContext=before)  # with its tabs

    def close(self) -> None:
        self._open.close()
        self._process.terminate()
        self._process.wait(PATIENCE)
        shutil.rmtree(self._profile, ignore_errors=True)

    def _begin(self) -> None:
        self._user = self._ask("browser.createUserContext")["userContext"]
        self._tabs: list[str] = []
        self._create_tab()

    def _create_tab(self) -> None:
        made = self._ask("browsingContext.create", type="tab", userContext=self._user)
        self._tabs.append(made["context"])
        self.show_tab(len(self._tabs) - 1)  # else nothing on its page gets the focus

    def _ask(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(self._patience))
            if answer.get("id") == number:
                break
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]

    def _connected(self, port: int) -> ClientConnection:
        address, give_up = f"ws://127.0.0.1:{port}/session", time.monotonic() + PATIENCE
        while True:
            try:
                return self._open.enter_context(connect(address, proxy=None, max_size=None))
            except OSError:
                assert time.monotonic() < give_up, "Firefox does not answer"
                time.sleep(0.1)
