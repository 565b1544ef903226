"""Traces for OpenTelemetry: a span for each request, statement and job, sent to a collector if one is named.

Off unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set; then the packages of `requirements-tracing.lock` have to be
there. Spans name routes, never addresses of games, visitors or browsers, and statements without their values;
errors are without words, since these quote rows and addresses of mail.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, request
from sqlalchemy import Engine

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.trace import Span

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
_BRIEFLY: Final = 1000  # milliseconds that an ending process waits for its last spans to be sent
# What the instrumentation says of a visitor, by its older and its newer names, and what stands there instead.
_ADDRESSES: Final = ("http.target", "http.url", "url.path", "url.full")
_VISITORS: Final = ("net.peer.ip", "net.peer.port", "client.address", "client.port", "network.peer.address")
_BROWSERS: Final = ("http.user_agent", "user_agent.original", "user_agent.synthetic.type", "url.query")
# Asked every few seconds by machines, which would fill any store of traces.
_UNTRACED: Final = "/healthz$,/readyz$,/metrics$"

_provider: TracerProvider | None = None


def installed() -> bool:
    """Whether the packages are there."""
    return find_spec("opentelemetry") is not None


def start(app: Flask, engines: list[Engine], role: str) -> None:
    """Begin to trace in this process, if the settings ask for it; call once, after it was forked.

    role: `web` or `worker`, for the name of the service.
    """
    if app.extensions["settings"].otel_exporter_otlp_endpoint is None:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    os.environ.setdefault("OTEL_SERVICE_NAME", f"ninefold-{role}")
    trace(app, engines, BatchSpanProcessor(OTLPSpanExporter()))


def trace(app: Flask, engines: list[Engine], processor: Any) -> None:
    """Have `processor` take a span for each request of the app, statement of its engines, and job of DBOS."""
    global _provider
    from opentelemetry import trace
    from opentelemetry.instrumentation.flask import FlaskInstrumentor
    from opentelemetry.instrumentation.sqlalchemy import SQLAlchemyInstrumentor
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.trace import Status

    class Discreet(SpanProcessor):
        """Leaves of an error that there was one, before the next processor takes the span."""

        def on_end(self, span: ReadableSpan) -> None:
            span._status = Status(span.status.status_code)

    _provider = TracerProvider()
    _provider.add_span_processor(Discreet())
    _provider.add_span_processor(processor)
    trace.set_tracer_provider(_provider)  # DBOS asks for it, whose jobs begin elsewhere
    requests: Any = FlaskInstrumentor  # this one function of it has no types
    requests.instrument_app(
        app, response_hook=_keep_private, excluded_urls=_UNTRACED, tracer_provider=_provider
    )
    functions = app.before_request_funcs[None]
    functions.insert(0, functions.pop())  # a span begins before all else, which may answer
    SQLAlchemyInstrumentor().instrument(  # it names SQLAlchemy 2.0; the tests hold that it follows ours
        engines=engines, tracer_provider=_provider, skip_dep_check=True
    )


def flush() -> None:
    """Send what has not been sent; call before the process ends without Python's teardown."""
    if _provider is not None:
        _provider.force_flush(_BRIEFLY)


def _keep_private(span: Span | None, _status: str, _headers: list[tuple[str, str]]) -> None:
    """Put the route in the place of the address, and nothing in that of the visitor."""
    if span is None:  # what failed before it could begin
        return
    attributes = getattr(span, "attributes", None) or {}
    route = request.url_rule.rule if request.url_rule else "none"
    if request.url_rule is None:  # then the path is its name: of a game, too, if the method is wrong
        span.update_name(request.method)
    for name in attributes:
        if name in _ADDRESSES:
            span.set_attribute(name, route)
        elif name in _VISITORS + _BROWSERS:
            span.set_attribute(name, "")
