"""The OpenAPI document of what programs tell players: withdrawals and notices."""

from __future__ import annotations

from typing import Any

from webapp.curation import curation
from webapp.curation.api.shapes import (
    NUMBER,
    TEXT,
    TEXT_OR_NONE,
    Schema,
    in_path,
    number,
    operation,
    record,
    reply,
    sent,
)
from webapp.curation.messages import notices
from webapp.web.inputs import LARGEST


def paths() -> dict[str, Any]:
    """Return the operations by address."""
    return _withdrawal_paths() | _notice_paths()


def _withdrawal_paths() -> dict[str, Any]:
    slot = {"200": reply("The slot, as it is now.", {"$ref": "#/components/schemas/Slot"})}
    where = [in_path("date", {"type": "string", "format": "date"}), in_path("level", NUMBER)]

    return {
        "/api/v1/calendar/{date}/{level}/withdrawal": {
            "post": operation(
                "withdraw",
                "Withdraw a released daily. Its times and points are void; a replacement takes its place.",
                slot,
                where,
                sent("Withdrawal"),
            )
        },
        "/api/v1/puzzles/{id}/withdrawal": {
            "post": operation(
                "withdrawPuzzle",
                "Withdraw an approved puzzle from players. Without a reason, offer it again.",
                {"200": reply("The puzzle, as it is now.", {"$ref": "#/components/schemas/WithdrawnPuzzle"})},
                [number("id")],
                sent("Reason"),
            )
        },
        "/api/v1/collections/{id}/withdrawal": {
            "post": operation(
                "withdrawCollection",
                "Withdraw a published collection. Without a reason, offer it again.",
                {
                    "200": reply(
                        "The collection, as it is now.", {"$ref": "#/components/schemas/WithdrawnCollection"}
                    )
                },
                [number("id")],
                sent("Reason"),
            )
        },
        "/api/v1/calendar/{date}/{level}/withdrawal/undo": {
            "post": operation(
                "undoWithdrawal", "Undo a withdrawal of the last day.", slot, where, sent("Seen")
            )
        },
    }


def _notice_paths() -> dict[str, Any]:
    return {
        "/api/v1/notices": {
            "get": operation(
                "listNotices",
                "List the notices that players see on the home page, newest first.",
                {"200": reply("The notices.", {"$ref": "#/components/schemas/Notices"})},
            ),
            "post": operation(
                "publishNotice",
                "Show a notice to all players until the end of a day.",
                {"201": reply("The notice.", {"$ref": "#/components/schemas/Notice"})},
                body=sent("NewNotice"),
            ),
        },
        "/api/v1/notices/{id}/end": {
            "post": operation(
                "endNotice", "End a notice.", {"204": {"description": "It has ended."}}, [number("id")]
            )
        },
    }


def schemas() -> dict[str, Schema]:
    """Return the schemas of their bodies and replies."""
    fields: dict[str, Schema] = {
        "text": {"type": "string", "minLength": 1, "maxLength": notices.LONGEST},
        "until": {"type": "string", "format": "date"},
    }
    return {
        "Withdrawal": record(
            {
                "puzzle": NUMBER | {"description": "The puzzle there now."},
                "reason": {"type": "string", "minLength": 1, "maxLength": curation.LONGEST_REASON},
                "replacement": {"type": ["integer", "null"], "minimum": 0, "maximum": LARGEST},
            },
            optional=("replacement",),
        ),
        "Reason": record({"reason": {"type": ["string", "null"], "maxLength": curation.LONGEST_REASON}}),
        "WithdrawnPuzzle": record({"puzzle": NUMBER, "status": TEXT, "reason": TEXT_OR_NONE}),
        "WithdrawnCollection": record({"collection": NUMBER, "title": TEXT, "withdrawn": TEXT_OR_NONE}),
        "Notice": record({"id": NUMBER, **fields}),
        "NewNotice": record(fields),
        "Notices": record({"items": {"type": "array", "items": {"$ref": "#/components/schemas/Notice"}}}),
        "Seen": record({"puzzle": NUMBER | {"description": "The puzzle there now."}}),
    }
