"""Shapes that the OpenAPI document is made of: schemas, parameters, replies, operations."""

from __future__ import annotations

from typing import Any, Final

from webapp.bank import bank
from webapp.curation.api.replies import PER_PAGE
from webapp.web.inputs import LARGEST

Schema = dict[str, Any]

NUMBER: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": LARGEST}
PUZZLE_OR_NONE: Final[Schema] = {"type": ["integer", "null"]}
MOMENT: Final[Schema] = {"type": "string", "format": "date-time"}
MOMENT_OR_NONE: Final[Schema] = {"type": ["string", "null"], "format": "date-time"}
BYTES: Final[Schema] = {"type": "string", "format": "binary"}
TEXT: Final[Schema] = {"type": "string"}
TEXT_OR_NONE: Final[Schema] = {"type": ["string", "null"]}
LEVEL: Final[Schema] = {"type": "integer", "minimum": min(bank.LEVELS), "maximum": max(bank.LEVELS)}

REFUSALS: Final = {
    "400": "We couldn’t read the request.",
    "401": "No token, or one that opens nothing.",
    "403": "The role of the token’s curator doesn’t include this.",
    "404": "It doesn’t exist.",
    "405": "The address doesn’t take this method.",
    "409": "It can’t be done as things are now.",
    "413": "The body is too large.",
    "415": "The body has the wrong type.",
    "422": "Something in the request is wrong; `errors` names it.",
    "429": "Too many requests. `Retry-After` says when to try again.",
    "503": "The site or its database is busy. Try again in a moment.",
}


def record(fields: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    """Return the schema of an object with these fields and no others."""
    needed = [name for name in fields if name not in optional]
    shape: Schema = {"type": "object", "properties": fields, "additionalProperties": False}
    return shape | ({"required": needed} if needed else {})


def sent(name: str) -> dict[str, Any]:
    """Return the content of a body of the schema with this name."""
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}


def operation(
    name: str,
    summary: str,
    answers: dict[str, Any],
    parameters: list[Schema] | None = None,
    body: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return an operation with its refusals."""
    refusals = {status: _problem(status, words) for status, words in REFUSALS.items()}
    found = {
        "operationId": name,
        "summary": summary,
        "parameters": parameters or [],
        "responses": answers | refusals,
    }
    return found | ({"requestBody": {"required": True, "content": body}} if body else {})


def _problem(status: str, words: str) -> dict[str, Any]:
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
    answer: dict[str, Any] = {"description": words, "content": {"application/problem+json": problem}}
    header = {"401": "WWW-Authenticate", "429": "Retry-After", "503": "Retry-After"}.get(status)
    return answer | ({"headers": {header: {"schema": TEXT, "required": True}}} if header else {})


def reply(words: str, schema: Schema) -> dict[str, Any]:
    """Return a reply of JSON."""
    return {"description": words, "content": {"application/json": {"schema": schema}}}


def one(name: str) -> dict[str, Any]:
    """Return the replies with one object of a schema."""
    return {"200": reply(f"The {name.lower()}.", {"$ref": f"#/components/schemas/{name}"})}


def made(words: str, name: str) -> dict[str, Any]:
    """Return the reply with an object that was made."""
    where = {"Location": {"description": "Its address.", "schema": TEXT, "required": True}}
    return reply(words, {"$ref": f"#/components/schemas/{name}"}) | {"headers": where}


def listed(name: str) -> dict[str, Any]:
    """Return the replies with a page of objects."""
    items = {"type": "array", "items": {"$ref": f"#/components/schemas/{name}"}, "maxItems": 2 * PER_PAGE}
    page = record({"items": items, "page": NUMBER, "pages": NUMBER})
    return {"200": reply("A page of them.", page)}


def page() -> Schema:
    """Return the parameter for a page of a list."""
    return query("page", {"type": "integer", "minimum": 1}, "From 1; behind the last page there is nothing.")


def query(name: str, schema: Schema, words: str = "") -> Schema:
    """Return a parameter of the query."""
    found = {"name": name, "in": "query", "schema": schema}
    return found | ({"description": words} if words else {})


def in_path(name: str, schema: Schema) -> Schema:
    """Return a parameter of the path."""
    return {"name": name, "in": "path", "required": True, "schema": schema}


def number(name: str) -> Schema:
    """Return a number in the path."""
    return in_path(name, NUMBER)
