"""Capability entries: each table with a player is exported, merged and forgotten by one of them."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.desk import Curator
from tests.webapp.visitors import SetClock, Visitor
from webapp.capability import Records, capabilities_of
from webapp.identity import players
from webapp.identity.players import player_column
from webapp.models import Player
from webapp.people import accounts
from webapp.process.column_types import UtcDateTime
from webapp.process.database import db, write_tx

DIGITS = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."


def with_a_player() -> dict[str, sa.Table]:
    """Return the tables that refer to a player, by name."""
    return {
        table.name: table
        for table in db.metadata.sorted_tables
        if any(key.column.table is Player.__table__ for key in table.foreign_keys)
    }


def records(app: Flask) -> list[Records]:
    return [each for entry in capabilities_of(app) for each in entry.records]


def test_each_table_with_a_player_has_one_entry(app: Flask) -> None:
    assert sorted(each.model.__table__.name for each in records(app)) == sorted(with_a_player())


class Filler:
    """Insert a row of any table with values of the columns' types, after the rows it refers to."""

    def __init__(self, player: int) -> None:
        self.player, self.made = player, 0

    def row(self, table: sa.Table) -> dict[str, Any]:
        """Write a row and return it."""
        self.made += 1
        values = {
            column.name: self._value(column)
            for column in table.columns
            if not (column.autoincrement is True or column.nullable or column is table.autoincrement_column)
            or column.references(Player.__table__.c.id)
        }
        db.session.execute(table.insert().values(values))
        match = [table.c[name] == value for name, value in values.items() if name != "givens"]
        return dict(db.session.execute(sa.select(table).where(*match)).mappings().all()[-1])

    def _value(self, column: sa.Column[Any]) -> Any:
        for key in column.foreign_keys:
            target = key.column
            return self.player if target.table is Player.__table__ else self.row(target.table)[target.name]
        if column.name in ("level", "weekday"):
            return 1
        kind = datetime if isinstance(column.type, UtcDateTime) else column.type.python_type
        if getattr(column.type, "length", None) == 81:
            return DIGITS[self.made % 81 :] + DIGITS[: self.made % 81]
        if kind is str:
            return f"x{self.made}{column.name}"[: getattr(column.type, "length", None) or 20]
        made = {int: self.made, float: 1.0, bool: True, bytes: bytes([self.made])}
        made[datetime] = SetClock.time + timedelta(hours=self.made)
        made[date] = SetClock.time.date()
        return made[kind]


def _player(name: str | None) -> int:
    player = players.new_guest(SetClock.time)
    if name is not None:
        player.name = player.name_key = player.password_hash = name
        player.named_at = SetClock.time
    db.session.flush()
    return player.id


def _with_rows(player: int) -> set[str]:
    counts = {
        name: db.session.scalar(sa.select(sa.func.count()).where(player_column(table) == player))
        for name, table in with_a_player().items()
    }
    return {name for name, count in counts.items() if count}


@pytest.mark.both_databases
@pytest.mark.usefixtures("inside")
def test_rows_are_exported_merged_and_forgotten() -> None:
    with write_tx():
        guest, account = _player(None), _player("Ada")
        filler = Filler(guest)
        for table in with_a_player().values():
            filler.row(table)
    exported = _parts(guest)
    assert [part for part, rows in exported.items() if not rows] == []
    with write_tx():
        accounts._take_over(guest, db.session.get_one(Player, account))
    assert set(with_a_player()) - _with_rows(account) == {"score"}  # recomputed from the games
    assert _parts(account).keys() == exported.keys()
    accounts.forget(account)
    assert _with_rows(account) == set()


def _parts(player: int) -> dict[str, Any]:
    found = {
        part: value if isinstance(value, list) else list(value)
        for part, value in accounts.export(player)
        if part != "player"
    }
    json.dumps(found)
    return found


ONE_OF_MANY = re.compile(r"[?].*|\d[\w-]*|(?<=/learn/)\w+|(?<=/players/)\w+")
LINK = re.compile(r'(?:href|hx-get)="(/(?!static/|analysis/path)[^"#]*)"')  # an animation takes seconds


def walked(visitor: Visitor) -> dict[str, int]:
    """Return the status of every kind of linked page."""
    found: dict[str, int] = {}
    waiting = ["/"]
    while waiting:
        address = waiting.pop(0)
        kind = ONE_OF_MANY.sub("…", address)
        if kind not in found:
            answer = visitor.get(address)
            found[kind] = answer.status_code
            if answer.mimetype == "text/html":
                waiting += [link.replace("&amp;", "&") for link in LINK.findall(answer.text)]
            elif answer.status_code == 303:
                waiting.append(answer.location)
    return found


@pytest.mark.usefixtures("day")
def test_no_link_leads_nowhere(guest: Visitor, cora: Curator) -> None:
    for visitor, least in ((guest, 20), (cora, 40)):
        visitor.start(level=1)
        pages = walked(visitor)
        assert {page: status for page, status in pages.items() if status >= 400} == {}
        assert len(pages) > least
