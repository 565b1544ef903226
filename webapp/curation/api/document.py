"""The OpenAPI document: every address, parameter and answer of the API. Describes; changes nothing.

tests/webapp/curation/test_api_document.py has schemathesis check the running app against it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import engine
from engine import __version__
from webapp.bank import bank, exporting
from webapp.bank.selection import CURATED
from webapp.curation.api.replies import PER_PAGE
from webapp.curation.orders import orders
from webapp.curation.queue import filters
from webapp.models import ImportState, LineState, OrderState
from webapp.web.inputs import LARGEST

Schema = dict[str, Any]

NUMBER: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": LARGEST}
PUZZLE_OR_NONE: Final[Schema] = {"type": ["integer", "null"]}
MOMENT: Final[Schema] = {"type": "string", "format": "date-time"}
MOMENT_OR_NONE: Final[Schema] = {"type": ["string", "null"], "format": "date-time"}
TEXT: Final[Schema] = {"type": "string"}
TEXT_OR_NONE: Final[Schema] = {"type": ["string", "null"]}
MONTH: Final[Schema] = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"}
LEVEL: Final[Schema] = {"type": "integer", "minimum": min(bank.LEVELS), "maximum": max(bank.LEVELS)}
RANGE: Final[Schema] = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
TECHNIQUE: Final[Schema] = {"type": "string", "enum": list(engine.TECHNIQUES)}
TECHNIQUES: Final[Schema] = {"type": "array", "items": TECHNIQUE}

REFUSALS: Final = {
    "400": "We couldn’t read the request.",
    "401": "No token, or one that opens nothing.",
    "403": "The role of the token’s curator doesn’t include this.",
    "404": "It doesn’t exist.",
    "409": "It can’t be done as things are now.",
    "413": "The body is too large.",
    "415": "The body has the wrong type.",
    "422": "Something in the request is wrong; `errors` names it.",
    "429": "Too many requests. `Retry-After` says when to try again.",
    "503": "The site or its database is busy. Try again in a moment.",
}


@cache
def document() -> dict[str, Any]:
    """Return the document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Ninefold’s desk",
            "version": __version__,
            "description": "Import, order, export and schedule puzzles, as `flask desk` does.",
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": _paths(),
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": _schemas(),
        },
    }


def _paths() -> dict[str, Any]:
    lines = [_query("state", {"type": "string", "enum": list(map(str, LineState))}), _page()]
    return {
        "/api/v1/openapi.json": {
            "get": _operation("describe", "This document.", {"200": _json("It.", {"type": "object"})})
            | {"security": []}
        },
        "/api/v1/imports": {
            "get": _operation("listImports", "List the imports, newest first.", _listed("Import"), [_page()]),
            "post": _operation(
                "import",
                "Import the puzzles of a file in any format. A small one is done at once, a large one by the "
                "workers.",
                {
                    "201": _made("The import, done.", "Import"),
                    "202": _made("The import, which waits for a worker.", "Import"),
                },
                [_query("name", {"type": "string"}, "What the report calls the file.")],
                {kind: {"schema": {"type": "string"}} for kind in ("text/plain", "application/octet-stream")},
            ),
        },
        "/api/v1/imports/{id}": {
            "get": _operation("getImport", "How far an import is.", _one("Import"), [_number("id")])
        },
        "/api/v1/imports/{id}/lines": {
            "get": _operation(
                "listLines", "What became of each line.", _listed("Line"), [_number("id"), *lines]
            )
        },
        "/api/v1/imports/{id}/cancel": {
            "post": _operation(
                "cancelImport", "End an import and keep its puzzles.", _one("Import"), [_number("id")]
            )
        },
        "/api/v1/orders": {
            "get": _operation("listOrders", "List the orders, newest first.", _listed("Order"), [_page()]),
            "post": _operation(
                "order",
                "Order new candidates. A recipe that contradicts itself is refused with the reason.",
                {"201": _made("The order.", "Order")},
                body={"application/json": {"schema": {"$ref": "#/components/schemas/Wish"}}},
            ),
        },
        "/api/v1/orders/{id}": {
            "get": _operation("getOrder", "How far an order is.", _one("Order"), [_number("id")])
        },
        "/api/v1/orders/{id}/cancel": {
            "post": _operation(
                "cancelOrder", "Cancel an order and keep its puzzles.", _one("Order"), [_number("id")]
            )
        },
        "/api/v1/export": {
            "get": _operation(
                "export",
                "Export all puzzles that match, as a stream. You can’t play them ranked any more.",
                {
                    "200": {
                        "description": "The puzzles, by default one JSON object a line.",
                        "content": {
                            "application/x-ndjson": {"schema": TEXT},
                            "text/csv": {"schema": TEXT},
                            "text/plain": {"schema": TEXT},
                            "application/xml": {"schema": {}},
                        },
                    }
                },
                [_query("format", {"type": "string", "enum": list(exporting.OFFERED)}), *_filters()],
            )
        },
        "/api/v1/calendar": {
            "get": _operation(
                "getCalendar",
                "The dailies of a month, by default of this one.",
                {"200": _json("The month.", {"$ref": "#/components/schemas/Month"})},
                [_query("month", MONTH, "Such as 2026-03.")],
            )
        },
        "/api/v1/calendar/{date}/{level}": {
            "put": _operation(
                "schedule",
                "Make a puzzle the daily of a day. Where two curators release dailies, it becomes a draft.",
                {"200": _json("The slot, as it is now.", {"$ref": "#/components/schemas/Slot"})},
                [_path("date", {"type": "string", "format": "date"}), _path("level", NUMBER)],
                {"application/json": {"schema": {"$ref": "#/components/schemas/Schedule"}}},
            )
        },
    }


def _filters() -> list[Schema]:
    """Return the filters of the queue."""
    kinds: dict[str, Schema] = {
        "status": {"type": "string", "enum": [*map(str, CURATED), filters.ALL]},
        "level": LEVEL,
        "hardest": TECHNIQUE,
        "uses": TECHNIQUE,
        "symmetry": {"type": "string", "enum": list(filters.SYMMETRIES)},
        "made": {"type": "string", "enum": list(filters.MADE)},
        **dict.fromkeys(("told", "tag", "like"), TEXT),
        **dict.fromkeys(("order", "batch", "givens_from", "givens_to"), NUMBER),
    }
    measured: Schema = {"type": "number", "minimum": 0, "maximum": filters.MOST}
    flag: Schema = {"type": "string", "enum": ["1"]}
    return [
        *(_query(name, kinds.get(name, measured)) for name in filters.NAMES),
        *(_query(name, flag) for name in filters.FLAGS),
        _query("puzzle", {"type": "array", "items": NUMBER}, "Only these numbers."),
    ]


def _schemas() -> dict[str, Schema]:
    count = {"type": "integer", "minimum": 0}
    return {
        "Problem": _object(
            {
                "type": TEXT,
                "title": TEXT,
                "status": {"type": "integer"},
                "detail": TEXT,
                "errors": {"type": "object", "additionalProperties": TEXT},
            },
            optional=("errors",),
        ),
        "Import": _object(
            {
                "id": NUMBER,
                "name": TEXT,
                "state": {"type": "string", "enum": list(map(str, ImportState))},
                "bytes": count,
                "bytes_read": count,
                "counts": _object({str(state): count for state in LineState}),
                "message": TEXT_OR_NONE,
                "created_at": MOMENT,
                "ended_at": MOMENT_OR_NONE,
            }
        ),
        "Line": _object(
            {
                "line": NUMBER,
                "state": {"type": "string", "enum": list(map(str, LineState))},
                "puzzle": PUZZLE_OR_NONE,
                "detail": TEXT,
            }
        ),
        "Order": _object(
            {
                "id": NUMBER,
                "state": {"type": "string", "enum": list(map(str, OrderState))},
                "recipe": {"type": "object"},
                "seed": {"type": "integer"},
                "count": count,
                "made": count,
                "minutes": {"type": "number"},
                "message": TEXT_OR_NONE,
                "created_at": MOMENT,
                "ended_at": MOMENT_OR_NONE,
            }
        ),
        "Wish": _object(
            {
                "count": {"type": "integer", "minimum": 1, "maximum": orders.MOST_COUNT},
                "minutes": {"type": "integer", "minimum": 1, "maximum": 24 * 60},
                "seed": {"type": "integer", "minimum": 0, "maximum": orders.LARGEST_SEED},
                "recipe": {"$ref": "#/components/schemas/Recipe"},
            },
            optional=("minutes", "seed", "recipe"),
        ),
        "Recipe": _recipe(),
        "Month": _object(
            {
                "month": MONTH,
                "slots": {"type": "array", "items": {"$ref": "#/components/schemas/Slot"}},
                "earlier": TEXT_OR_NONE,
                "later": TEXT_OR_NONE,
            }
        ),
        "Slot": _object(
            {
                "date": {"type": "string", "format": "date"},
                "level": LEVEL,
                "puzzle": PUZZLE_OR_NONE,
                "draft": PUZZLE_OR_NONE,
                "released": {"type": "boolean"},
            }
        ),
        "Schedule": _object(
            {
                "puzzle": NUMBER,
                "instead": {"type": ["integer", "null"], "minimum": 0, "maximum": LARGEST},
                "sure": {"type": "boolean"},
            },
            optional=("instead", "sure"),
        ),
    }


def _recipe() -> Schema:
    """Return what can be asked of a puzzle; docs/library describes the fields of engine.Recipe."""
    fields: dict[str, Schema] = {
        "level": LEVEL,
        "levels": {"type": "array", "items": LEVEL, "minItems": 1, "description": "Taken in turn."},
        "er": RANGE,
        "minutes": RANGE,
        "hardest": TECHNIQUE,
        "must": TECHNIQUES,
        "must_not": TECHNIQUES,
        "symmetry": {"type": "string", "enum": ["any", "none", *filters.SYMMETRIES]},
        "minimal": {"type": "boolean"},
        "fewest_givens": {"type": "integer", "minimum": 17, "maximum": 81},
        "most_givens": {"type": "integer", "minimum": 17, "maximum": 81},
        "pattern": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 80}},
        **dict.fromkeys(("method", "variant", "solved_grid", "search"), TEXT),
        "paper_level": {"type": "integer", "minimum": 1},
        "transform": {"type": "boolean"},
    }
    return _object(fields, optional=tuple(fields))


def _object(fields: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    needed = [name for name in fields if name not in optional]
    shape: Schema = {"type": "object", "properties": fields, "additionalProperties": False}
    return shape | ({"required": needed} if needed else {})


def _operation(
    name: str,
    summary: str,
    answers: dict[str, Any],
    parameters: list[Schema] | None = None,
    body: dict[str, Any] | None = None,
) -> dict[str, Any]:
    refusals = {status: _problem(status, words) for status, words in REFUSALS.items()}
    found = {
        "operationId": name,
        "summary": summary,
        "parameters": parameters or [],
        "responses": answers | refusals,
    }
    return found | ({"requestBody": {"required": True, "content": body}} if body else {})


def _problem(status: str, words: str) -> dict[str, Any]:
    shape = {"schema": {"$ref": "#/components/schemas/Problem"}}
    answer: dict[str, Any] = {"description": words, "content": {"application/problem+json": shape}}
    header = {"401": "WWW-Authenticate", "429": "Retry-After", "503": "Retry-After"}.get(status)
    return answer | ({"headers": {header: {"schema": TEXT, "required": True}}} if header else {})


def _json(words: str, schema: Schema) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": schema}}}


def _one(name: str) -> dict[str, Any]:
    return {"200": _json(f"The {name.lower()}.", {"$ref": f"#/components/schemas/{name}"})}


def _made(words: str, name: str) -> dict[str, Any]:
    where = {"Location": {"description": "Its address.", "schema": TEXT, "required": True}}
    return _json(words, {"$ref": f"#/components/schemas/{name}"}) | {"headers": where}


def _listed(name: str) -> dict[str, Any]:
    items = {"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}, "maxItems": 2 * PER_PAGE}
    page = _object({"items": items, "page": NUMBER, "pages": NUMBER})
    return {"200": _json("A page of them.", page)}


def _page() -> Schema:
    return _query("page", {"type": "integer", "minimum": 1}, "From 1; behind the last page there is nothing.")


def _query(name: str, schema: Schema, words: str = "") -> Schema:
    found = {"name": name, "in": "query", "schema": schema}
    return found | ({"description": words} if words else {})


def _path(name: str, schema: Schema) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _number(name: str) -> Schema:
    return _path(name, NUMBER)
