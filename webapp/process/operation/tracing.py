"""OpenTelemetry traces: a span for each request, statement and job, exported if a collector is configured.

Off unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set, which requires the packages of `requirements-tracing.lock`.
Spans name routes, never addresses of games, visitors or browsers. Statements have no values, and errors no
messages, since those quote rows and email addresses.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, request
from sqlalchemy import Engine

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
    from opentelemetry.trace import Span

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
_BRIEFLY: Final = 1000  # milliseconds a process may spend at exit on sending its last spans
# Attributes of a span that identify a visitor, by their older and newer names, and their replacements.
_ADDRESSES: Final = ("http.target", "http.url", "url.path", "url.full")
_VISITORS: Final = ("net.peer.ip", "net.peer.port", "client.address", "client.port", "network.peer.address")
_BROWSERS: Final = ("http.user_agent", "user_agent.original", "user_agent.synthetic.type", "url.query")
# Machines request these every few seconds, which would fill any store of traces.
_UNTRACED: Final = "/healthz$,/readyz$,/metrics$"

_provider: TracerProvider | None = None


def installed() -> bool:
    """Whether the packages are installed."""
    return find_spec("opentelemetry") is not None


def start(app: Flask, engines: list[Engine], role: str) -> None:
    """Begin to trace in this process if configured; call once, after forking.

    role: `web` or `worker`, for the name of the service.
    """
    if app.extensions["settings"].otel_exporter_otlp_endpoint is None:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    os.environ.setdefault("OTEL_SERVICE_NAME", f"ninefold-{role}")
    trace(app, engines, OTLPSpanExporter())


def trace(app: Flask, engines: list[Engine], exporter: SpanExporter) -> None:
    """Export a span for each request of the app, statement of its engines, and job of DBOS."""
    global _provider
    from opentelemetry import trace
    from opentelemetry.instrumentation.flask import FlaskInstrumentor
    from opentelemetry.instrumentation.sqlalchemy import SQLAlchemyInstrumentor
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

    class Discreet(SpanExporter):
        """An exporter that removes the messages of errors."""

        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            return exporter.export([_without_words(span) for span in spans])

        def shutdown(self) -> None:
            exporter.shutdown()

    _provider = TracerProvider()
    _provider.add_span_processor(BatchSpanProcessor(Discreet()))
    trace.set_tracer_provider(_provider)  # DBOS uses the global provider for its jobs
    requests: Any = FlaskInstrumentor  # this function has no types
    requests.instrument_app(
        app, response_hook=_keep_private, excluded_urls=_UNTRACED, tracer_provider=_provider
    )
    SQLAlchemyInstrumentor().instrument(  # it declares SQLAlchemy 2.0; the tests show that it works with ours
        engines=engines, tracer_provider=_provider, skip_dep_check=True
    )


def flush() -> None:
    """Send all pending spans; call before the process ends without Python's teardown."""
    if _provider is not None:
        _provider.force_flush(_BRIEFLY)


def _without_words(span: ReadableSpan) -> ReadableSpan:
    """Return a copy of the span whose errors have no messages."""
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import Status

    return ReadableSpan(
        name=span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes=span.attributes,
        events=[event for event in span.events if event.name != "exception"],
        links=span.links,
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )


def _keep_private(span: Span | None, _status: str, _headers: list[tuple[str, str]]) -> None:
    """Replace the address with the route, and remove the visitor."""
    if span is None:  # the request failed before a span began
        return
    attributes = getattr(span, "attributes", None) or {}
    route = request.url_rule.rule if request.url_rule else "none"
    # Without a route (a wrong method, say) the name would be the path, which may be a game's
    if request.url_rule is None:
        span.update_name(request.method)
    for name in attributes:
        if name in _ADDRESSES:
            span.set_attribute(name, route)
        elif name in _VISITORS + _BROWSERS:
            span.set_attribute(name, "")
