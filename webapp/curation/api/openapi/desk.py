"""The OpenAPI document of puzzles, days, drafts, collections, withdrawals and notices."""

from __future__ import annotations

from typing import Any, Final

from webapp.bank.selection import CURATED
from webapp.curation import curation
from webapp.curation.api.shapes import (
    LEVEL,
    MOMENT,
    NUMBER,
    PUZZLE_OR_NONE,
    TEXT,
    TEXT_OR_NONE,
    Schema,
    in_path,
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
from webapp.curation.messages import notices
from webapp.curation.queue.tagging import LONGEST_TAG
from webapp.web.inputs import LARGEST

DAY: Final[Schema] = {"type": "string", "format": "date"}
SEEN: Final = "You can’t play it ranked any more."
GONE: Final = {"204": {"description": "Done."}}
SLOT: Final = {"200": reply("The slot, as it is now.", {"$ref": "#/components/schemas/Slot"})}
AT_SLOT: Final = [in_path("date", DAY), in_path("level", NUMBER)]
VERSION: Final = query("version", NUMBER, "As you last read it.") | {"required": True}
STANDING: Final = query("puzzle", NUMBER, "The puzzle there now.") | {"required": True}


def paths(filters: list[Schema]) -> dict[str, Any]:
    """Return the paths. filters: the parameters of a search."""
    public = _withdrawal_paths() | _notice_paths()
    return public | _puzzle_paths(filters) | _day_paths() | _collection_paths()


def _puzzle_paths(filters: list[Schema]) -> dict[str, Any]:
    tag = in_path("tag", {"type": "string", "minLength": 1, "maxLength": LONGEST_TAG})
    return {
        "/api/v1/puzzles": {
            "get": operation(
                "listPuzzles",
                f"List the puzzles that match. {SEEN}",
                listed("Puzzle"),
                [page(), *filters],
            )
        },
        "/api/v1/puzzles/{id}": {
            "get": operation(
                "getPuzzle",
                f"Read a puzzle. {SEEN}",
                one("Puzzle"),
                [number("id")],
            )
        },
        "/api/v1/puzzles/{id}/decision": {
            "post": operation(
                "decidePuzzle",
                "Approve or reject a puzzle.",
                one("Puzzle"),
                [number("id")],
                sent("Decision"),
            )
        },
        "/api/v1/puzzles/{id}/tags/{tag}": {
            "put": operation("tagPuzzle", "Tag a puzzle.", one("Puzzle"), [number("id"), tag]),
            "delete": operation("untagPuzzle", "Remove a tag.", one("Puzzle"), [number("id"), tag]),
        },
    }


def _day_paths() -> dict[str, Any]:
    return {
        "/api/v1/drafts/{date}/{level}": {
            "put": operation("draft", "Draft a puzzle for a day.", SLOT, AT_SLOT, sent("Schedule")),
            "delete": operation("dropDraft", "Delete a draft.", SLOT, [*AT_SLOT, STANDING]),
        },
        "/api/v1/drafts/release": {
            "post": operation(
                "releaseDrafts",
                "Make dailies of these drafts, all of them or none.",
                {"200": reply("How many.", record({"released": NUMBER}))},
                body=sent("Drafts"),
            )
        },
    }


def _collection_paths() -> dict[str, Any]:
    whole, both = one("Collection"), [number("id"), number("puzzle")]
    return {
        "/api/v1/collections": {
            "get": operation(
                "listCollections",
                "List the collections, newest first, without their puzzles.",
                {
                    "200": reply(
                        "Them.",
                        record(
                            {"items": {"type": "array", "items": {"$ref": "#/components/schemas/Collection"}}}
                        ),
                    )
                },
            ),
            "post": operation(
                "createCollection",
                "Create a collection.",
                {"201": made("The collection.", "Collection")},
                body=sent("NewCollection"),
            ),
        },
        "/api/v1/collections/{id}": {
            "get": operation("getCollection", "Read a collection.", whole, [number("id")]),
            "put": operation(
                "changeCollection", "Replace its fields.", whole, [number("id")], sent("CollectionFields")
            ),
            "delete": operation("deleteCollection", "Delete it.", GONE, [number("id"), VERSION]),
        },
        "/api/v1/collections/{id}/puzzles/{puzzle}": {
            "put": operation("collect", "Append an approved puzzle.", whole, both),
            "delete": operation("uncollect", "Remove a puzzle.", whole, both),
        },
    }


def _withdrawal_paths() -> dict[str, Any]:
    return {
        "/api/v1/calendar/{date}/{level}/withdrawal": {
            "post": operation(
                "withdraw",
                "Withdraw a released daily. Its times and points are void; a replacement takes its place.",
                SLOT,
                AT_SLOT,
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
                "undoWithdrawal", "Undo a withdrawal of the last day.", SLOT, AT_SLOT, sent("Seen")
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
    """Return their schemas."""
    measured: Schema = {"type": ["number", "null"]}
    fields = {
        "title": TEXT,
        "text": TEXT,
        "author": TEXT,
        "publish_on": {"type": ["string", "null"], "format": "date"},
        "group": PUZZLE_OR_NONE,
        "cover": PUZZLE_OR_NONE,
    }
    return {
        **_public_schemas(),
        "Puzzle": record(
            {
                "id": NUMBER,
                "version": NUMBER,
                "puzzle": TEXT,
                "status": {"type": "string", "enum": list(map(str, CURATED))},
                "reason": TEXT_OR_NONE,
                "level": {"type": ["integer", "null"]},
                "er": measured,
                "hardest": TEXT_OR_NONE,
                "minutes": measured,
                **dict.fromkeys(("title", "author", "source"), TEXT_OR_NONE),
                "tags": {"type": "array", "items": TEXT},
                "created_at": MOMENT,
            }
        ),
        "Decision": record(
            {
                "action": {"type": "string", "enum": list(curation.TO)},
                "version": NUMBER,
                "reason": {"type": "string", "maxLength": curation.LONGEST_REASON},
            },
            optional=("reason",),
        ),
        "Drafts": record(
            {
                "drafts": {
                    "type": "array",
                    "minItems": 1,
                    "items": record({"date": DAY, "level": LEVEL, "puzzle": NUMBER}),
                }
            }
        ),
        "NewCollection": record({"title": {"type": "string", "minLength": 1}}),
        "CollectionFields": record({"version": NUMBER, **fields}, optional=tuple(fields)[1:]),
        "Collection": record(
            {
                "id": NUMBER,
                "version": NUMBER,
                **fields,
                "created_at": MOMENT,
                "puzzles": {"type": "array", "items": NUMBER},
            },
            optional=("puzzles",),
        ),
    }


def _public_schemas() -> dict[str, Schema]:
    fields: dict[str, Schema] = {
        "text": {"type": "string", "minLength": 1, "maxLength": notices.LONGEST},
        "until": DAY,
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
