"""Traces, as a collector receives them from a web server and a worker."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from tests.webapp.processes import WEB, WORKER, Caller, free_port, running, wait_until
from tests.webapp.stocked import Originals, prepare
from webapp.process.config import SettingError, Settings
from webapp.process.operation import tracing

SECRET = "not-for-a-store-of-traces"


class Collector:
    """Receive spans on a port of its own."""

    def __init__(self) -> None:
        requests: list[bytes] = []

        class Taking(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                requests.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                pass

        self._requests = requests
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def spans(self, service: str) -> list[dict[str, Any]]:
        """Return the spans from this service: names, ids and attributes."""
        found = []
        for body in list(self._requests):
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                if _attributes(resource.resource)["service.name"] != service:
                    continue
                for scope in resource.scope_spans:
                    found += [
                        {"name": span.name, "id": span.span_id, "parent": span.parent_span_id}
                        | {"failed": span.status.code == Status.STATUS_CODE_ERROR}
                        | _attributes(span)
                        for span in scope.spans
                    ]
        return found

    def everything(self) -> bytes:
        return b"".join(self._requests)


def _attributes(of: Any) -> dict[str, Any]:
    return {each.key: each.value.string_value for each in of.attributes}


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    thread = Thread(target=collector.server.serve_forever)
    thread.start()
    yield collector
    collector.server.shutdown()
    thread.join()
    collector.server.server_close()


@pytest.mark.slow
def test_requests_statements_and_jobs_are_spans_without_visitors_and_words_of_errors(
    tmp_path: Path, originals: Originals, collector: Collector
) -> None:
    """A database's errors quote its input: here, the name of a dropped table."""
    instance = tmp_path / "instance"
    originals.copy(prepare, instance)
    settings: dict[str, Any] = {
        "instance": instance,
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.address,
        "OTEL_BSP_SCHEDULE_DELAY": "50",  # milliseconds
    }
    port = free_port()
    with (
        running(*WEB, log=tmp_path / "web", PORT=str(port), **settings) as web,
        running(*WORKER, log=tmp_path / "worker", **settings),
    ):
        caller = Caller(port)
        wait_until(caller.answers)
        address = caller.start().split("?")[0]
        caller.request("GET", f"{address}?q={SECRET}")
        caller.request("GET", f"{address}/{SECRET}")  # a missing page
        wait_until(lambda: any("/attempts/<" in span["name"] for span in collector.spans("ninefold-web")))
        wait_until(lambda: any("dbos.operation.type" in span for span in collector.spans("ninefold-worker")))
        assert not web.failed()
        with closing(sqlite3.connect(instance / "ninefold.sqlite", timeout=30)) as database:
            database.execute("ALTER TABLE daily RENAME TO gone")
        assert caller.request("GET", "/archive")[0] == 500
        wait_until(lambda: any(span["name"] == "GET /archive" for span in collector.spans("ninefold-web")))
        assert web.stop() == 0
    spans = collector.spans("ninefold-web")
    (board,) = (span for span in spans if span["name"].startswith("GET /attempts/<"))
    below = [span for span in spans if span["parent"] == board["id"]]
    assert any(span.get("db.statement", "").startswith("SELECT") for span in below)
    for secret in (SECRET, address, address.rpartition("/")[2], "127.0.0.1:1"):
        assert secret.encode() not in collector.everything()
    assert b"healthz" not in collector.everything()
    failed = [span["name"] for span in spans if span["failed"]]
    assert "GET /archive" in failed
    assert any(name.startswith("SELECT") for name in failed)
    for word in (b"no such table", b"OperationalError", b"Traceback"):
        assert word not in collector.everything()


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tracing, "installed", lambda: False)
    with pytest.raises(SettingError, match=r"requirements-tracing\.lock"):
        Settings.from_environment({"INSTANCE_PATH": str(tmp_path), tracing.ENDPOINT: "http://collector:4318"})
