"""/metrics: access, and its counts."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

import engine
from tests.webapp.visitors import SetClock, Visitor
from webapp import create_app
from webapp.identity import workers
from webapp.process.config import Settings
from webapp.process.operation import metrics

DOCS = Path(__file__).resolve().parents[3] / "docs"
BOARD, ALERTS = DOCS / "grafana.json", DOCS / "alerts.yaml"


def figure(text: str, name: str) -> float:
    """The value of a metric named with its labels; 0 if there is none yet."""
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def reader(settings: Settings, **changed: object) -> Flask:
    """The site with other settings; nothing queries its database."""
    return create_app(replace(settings, **changed))


def test_counts_of_several_workers_are_for_their_owner_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for changed in ("figures", "values"):
        monkeypatch.setattr(metrics, changed, getattr(metrics, changed))
    made: list[int] = []
    monkeypatch.setattr(Path, "mkdir", lambda _path, mode=0o777, **_more: made.append(mode))
    monkeypatch.setattr(metrics, "Figures", lambda: None)
    monkeypatch.setattr(metrics.values, "ValueClass", None)
    metrics.share("test")
    metrics.unshare()
    assert made == [0o700]


def test_metrics_are_for_this_machine_unless_said_otherwise(settings: Settings) -> None:
    client = reader(settings).test_client()
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", environ_base={"REMOTE_ADDR": "192.0.2.7"}).status_code == 404


def test_a_token_opens_metrics_from_anywhere(settings: Settings) -> None:
    client = reader(settings, metrics_token="a token for figures").test_client()
    for token, status in {"a token for figures": 200, "a token": 404, "": 404}.items():
        response = client.get(
            "/metrics",
            headers={"Authorization": f"Bearer {token}"},
            environ_base={"REMOTE_ADDR": "192.0.2.7"},
        )
        assert response.status_code == status


@pytest.mark.parametrize("proxies", [0, 2])
def test_what_came_through_a_proxy_opens_nothing(settings: Settings, proxies: int) -> None:
    """The proxy's address is this machine's, and it forwards every visitor's requests and headers."""
    client = reader(settings, proxies=proxies).test_client()
    assert client.get("/metrics").status_code == 200
    put_in = ("For", "Proto", "Host", "Port", "Prefix")
    for name in (*(f"X-Forwarded-{end}" for end in put_in), "Forwarded", "X-Real-IP", "Via"):
        assert client.get("/metrics", headers={name: "127.0.0.1"}).status_code == 404, name


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({}, 404),
        ({"PUBLIC_URL": "http://localhost:8000"}, 200),
    ],
)
def test_the_figures_of_a_public_site_take_the_token(
    settings: Settings, more: dict[str, str], status: int
) -> None:
    stated = {"INSTANCE_PATH": str(settings.instance_path), "PUBLIC_URL": "https://sudoku.example"}
    client = reader(Settings.from_environment(stated | more)).test_client()
    assert client.get("/metrics").status_code == status


@pytest.mark.both_databases
def test_metrics_count_requests_moves_and_what_waits(guest: Visitor) -> None:
    before = guest.get("/metrics").text
    address = guest.start()
    guest.get(address)
    assert guest.move(address, 1, ("corner", 0, 9)).status_code == 200
    after = guest.get("/metrics").text

    def risen(name: str) -> float:
        return figure(after, name) - figure(before, name)

    assert risen('ninefold_requests_total{endpoint="play.show",method="GET",status="200"}') == 1
    assert risen('ninefold_request_seconds_count{endpoint="play.moves"}') == 1
    assert risen("ninefold_moves_total") == 1
    assert risen("ninefold_moves_acknowledged_total") == 1
    assert figure(after, "ninefold_database_up") == 1
    assert figure(after, 'ninefold_queue_length{queue="flagged_solves"}') == 0
    assert figure(after, 'ninefold_stock{level="5"}') == 1
    assert figure(after, f'ninefold_info{{version="{engine.__version__}"}}') == 1
    assert figure(after, 'ninefold_mails{state="waiting"}') == 0
    assert 0 < figure(after, "ninefold_disk_free_bytes") < figure(after, "ninefold_disk_bytes")
    assert 0 < figure(after, "ninefold_memory_bytes") < figure(after, "ninefold_memory_limit_bytes")
    assert 0 <= figure(after, "ninefold_days_scheduled") <= 14


def test_the_board_for_grafana_and_the_alerts_name_only_what_is_counted(
    app: Flask, guest: Visitor, clock: SetClock, tmp_path: Path
) -> None:
    with app.app_context():
        workers.report("ada", clock())
    assert app.test_cli_runner().invoke(args=["backup", "--into", str(tmp_path)]).exit_code == 0
    text = guest.get("/metrics").text
    board = [json.loads(each) for each in re.findall(r'"expr": ("(?:[^"\\]|\\.)*")', BOARD.read_text())]
    alerts = re.findall(r"^ +expr: (.*)", ALERTS.read_text(), re.MULTILINE)
    assert board and alerts
    for query in [*board, *alerts]:
        for name in re.findall(r"ninefold_\w+", query):
            assert re.search(rf"^# TYPE {re.sub('_bucket$|_count$|_sum$', '', name)} ", text, re.MULTILINE), (
                name
            )
