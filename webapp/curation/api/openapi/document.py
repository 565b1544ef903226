"""The OpenAPI document: every address, parameter and response of the API.

tests/webapp/curation/test_api_document.py has schemathesis check the running app against it.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import engine
from engine import __version__
from webapp.bank import exporting
from webapp.bank.selection import CURATED
from webapp.curation.api.openapi import desk
from webapp.curation.api.shapes import (
    BYTES,
    LEVEL,
    MOMENT,
    MOMENT_OR_NONE,
    NUMBER,
    PUZZLE_OR_NONE,
    TEXT,
    TEXT_OR_NONE,
    Schema,
    listed,
    made,
    number,
    one,
    operation,
    page,
    query,
    record,
    reply,
    sent,
)
from webapp.curation.importing import paper, printing
from webapp.curation.importing.reading import FACTS
from webapp.curation.orders import orders
from webapp.curation.queue import filters
from webapp.models import ImportState, LineState, OrderState
from webapp.web.inputs import LARGEST

MONTH: Final[Schema] = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"}
RANGE: Final[Schema] = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
TECHNIQUE: Final[Schema] = {"type": "string", "enum": list(engine.TECHNIQUES)}
TECHNIQUES: Final[Schema] = {"type": "array", "items": TECHNIQUE}

_NAMES: Final = "|".join(("puzzle", *FACTS))
_COLUMNS: Final = f"^(({_NAMES})?,)*({_NAMES})?$"


@cache
def document() -> dict[str, Any]:
    """Return the document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Ninefold’s desk",
            "version": __version__,
            "description": "Review, import, order, export and schedule puzzles, as curators do at the desk.",
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
    return {
        "/api/v1/openapi.json": {
            "get": operation("describe", "This document.", {"200": reply("It.", {"type": "object"})})
            | {"security": []}
        },
        **_import_paths(),
        **_order_paths(),
        **_export_paths(),
        **_calendar_paths(),
        **desk.paths(_filters()),
    }


def _import_paths() -> dict[str, Any]:
    lines = [query("state", {"type": "string", "enum": list(map(str, LineState))}), page()]
    return {
        "/api/v1/imports": {
            "get": operation("listImports", "List the imports, newest first.", listed("Import"), [page()]),
            "post": operation(
                "importPuzzles",
                "Import the puzzles of a file in any format. A small one is done at once, a large one by the "
                "workers.",
                {
                    "201": made("The import, done.", "Import"),
                    "202": made("The import, which waits for a worker.", "Import"),
                },
                [
                    query("name", TEXT, "What the report calls the file."),
                    query(
                        "columns",
                        {"type": "string", "pattern": _COLUMNS},
                        "The columns of a table, such as `title,puzzle,,author`. An empty name skips one.",
                    ),
                ],
                {"application/octet-stream": {"schema": BYTES}, "text/plain": {"schema": TEXT}},
            ),
        },
        "/api/v1/imports/{id}": {
            "get": operation("getImport", "How far an import is.", one("Import"), [number("id")])
        },
        "/api/v1/imports/{id}/lines": {
            "get": operation("listLines", "What became of each line.", listed("Line"), [number("id"), *lines])
        },
        "/api/v1/imports/{id}/cancel": {
            "post": operation(
                "cancelImport", "End an import and keep its puzzles.", one("Import"), [number("id")]
            )
        },
    }


def _order_paths() -> dict[str, Any]:
    return {
        "/api/v1/orders": {
            "get": operation("listOrders", "List the orders, newest first.", listed("Order"), [page()]),
            "post": operation(
                "order",
                "Order new candidates. A recipe that contradicts itself is refused with the reason.",
                {"201": made("The order.", "Order")},
                body=sent("Wish"),
            ),
        },
        "/api/v1/orders/{id}": {
            "get": operation("getOrder", "How far an order is.", one("Order"), [number("id")])
        },
        "/api/v1/orders/{id}/cancel": {
            "post": operation(
                "cancelOrder", "Cancel an order and keep its puzzles.", one("Order"), [number("id")]
            )
        },
    }


def _export_paths() -> dict[str, Any]:
    return {
        "/api/v1/export": {
            "get": operation(
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
                [query("format", {"type": "string", "enum": list(exporting.OFFERED)}), *_filters()],
            )
        },
        "/api/v1/export/pdf": {
            "get": operation(
                "exportPdf",
                "Print the dailies of some days, or up to 1,000 puzzles that match, as PDF.",
                {"200": {"description": "The document.", "content": {"application/pdf": {"schema": BYTES}}}},
                [
                    query("from", desk.DAY, "The first day of the dailies."),
                    query("days", {"type": "integer", "minimum": 1, "maximum": printing.MOST_DAYS}),
                    query("per", {"type": "string", "enum": ["1", "2", "4", "6"]}, "Puzzles on a page."),
                    query("solutions", {"type": "string", "enum": list(paper.SOLUTIONS)}),
                    query("paper", {"type": "string", "enum": list(paper.PAPERS)}),
                    query("heading", {"type": "string", "maxLength": printing.LONGEST_HEADING}),
                    *_filters(),
                ],
            )
        },
        "/api/v1/puzzles/{id}/picture": {
            "get": operation(
                "drawPuzzle",
                "Draw a puzzle, or its solution.",
                {"200": {"description": "The picture.", "content": {"image/svg+xml": {"schema": {}}}}},
                [number("id"), query("solution", {"type": "string", "enum": ["0", "1"]})],
            )
        },
    }


def _calendar_paths() -> dict[str, Any]:
    return {
        "/api/v1/calendar": {
            "get": operation(
                "getCalendar",
                "The dailies of a month, by default of this one.",
                {"200": reply("The month.", {"$ref": "#/components/schemas/Month"})},
                [query("month", MONTH, "Such as 2026-03.")],
            )
        },
        "/api/v1/calendar/{date}/{level}": {
            "put": operation(
                "schedule",
                "Make a puzzle the daily of a day. Where two curators release dailies, it becomes a draft.",
                desk.SLOT,
                desk.AT_SLOT,
                sent("Schedule"),
            ),
            "delete": operation(
                "clearDay",
                "Return the daily of a day to the bank.",
                desk.SLOT,
                [*desk.AT_SLOT, desk.STANDING],
            ),
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
        *(query(name, kinds.get(name, measured)) for name in filters.NAMES),
        *(query(name, flag) for name in filters.FLAGS),
        query("puzzle", {"type": "array", "items": NUMBER}, "Only these numbers."),
    ]


def _schemas() -> dict[str, Schema]:
    count: Schema = {"type": "integer", "minimum": 0}
    return {
        "Problem": record(
            {
                "type": TEXT,
                "title": TEXT,
                "status": {"type": "integer"},
                "detail": TEXT,
                "errors": {"type": "object", "additionalProperties": TEXT},
            },
            optional=("errors",),
        ),
        **_import_schemas(count),
        **_order_schemas(count),
        **_calendar_schemas(),
        **desk.schemas(),
    }


def _import_schemas(count: Schema) -> dict[str, Schema]:
    return {
        "Import": record(
            {
                "id": NUMBER,
                "name": TEXT,
                "state": {"type": "string", "enum": list(map(str, ImportState))},
                "bytes": count,
                "bytes_read": count,
                "counts": record({str(state): count for state in LineState}),
                "message": TEXT_OR_NONE,
                "created_at": MOMENT,
                "ended_at": MOMENT_OR_NONE,
            }
        ),
        "Line": record(
            {
                "line": NUMBER,
                "state": {"type": "string", "enum": list(map(str, LineState))},
                "puzzle": PUZZLE_OR_NONE,
                "detail": TEXT,
            }
        ),
    }


def _order_schemas(count: Schema) -> dict[str, Schema]:
    return {
        "Order": record(
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
        "Wish": record(
            {
                "count": {"type": "integer", "minimum": 1, "maximum": orders.MOST_COUNT},
                "minutes": {"type": "integer", "minimum": 1, "maximum": 24 * 60},
                "seed": {"type": "integer", "minimum": 0, "maximum": orders.LARGEST_SEED},
                "recipe": {"$ref": "#/components/schemas/Recipe"},
            },
            optional=("minutes", "seed", "recipe"),
        ),
        "Recipe": _recipe(),
    }


def _calendar_schemas() -> dict[str, Schema]:
    return {
        "Month": record(
            {
                "month": MONTH,
                "slots": {"type": "array", "items": {"$ref": "#/components/schemas/Slot"}},
                "earlier": TEXT_OR_NONE,
                "later": TEXT_OR_NONE,
            }
        ),
        "Slot": record(
            {
                "date": desk.DAY,
                "level": LEVEL,
                "puzzle": PUZZLE_OR_NONE,
                "draft": PUZZLE_OR_NONE,
                "released": {"type": "boolean"},
                "withdrawn": TEXT_OR_NONE | {"description": "The reason, if its puzzle was withdrawn."},
            }
        ),
        "Schedule": record(
            {
                "puzzle": NUMBER,
                "instead": {"type": ["integer", "null"], "minimum": 0, "maximum": LARGEST},
                "sure": {"type": "boolean"},
            },
            optional=("instead", "sure"),
        ),
    }


def _recipe() -> Schema:
    """Return the schema of a recipe; docs/library describes the fields of engine.Recipe."""
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
        **dict.fromkeys(("method", "variant", "solved_grid", "order", "search"), TEXT),
        "cells": {"type": "integer", "minimum": 0},
        "paper_level": {"type": "integer", "minimum": 1},
        "transform": {"type": "boolean"},
    }
    return record(fields, optional=tuple(fields))
