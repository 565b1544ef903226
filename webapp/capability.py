"""Capabilities: one entry registers everything a part of the site needs.

An entry is the object `CAPABILITY` in `capability.py` of a package. PACKAGES lists these packages in the
order in which they are called. The app, the worker, accounts, access and navigation iterate over them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Flag, auto
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import click
import sqlalchemy as sa
from flask import Blueprint, Flask, current_app, render_template, request
from markupsafe import Markup

from webapp.models import Attempt
from webapp.process.database import Base
from webapp.process.jobs import Job, Retention

if TYPE_CHECKING:
    from webapp.game.board import Board

PACKAGES: Final = (
    "webapp.bank",
    "webapp.play",
    "webapp.competition.daily",
    "webapp.competition.leaderboard",
    "webapp.competition.fair_play",
    "webapp.learn",
    "webapp.play.lab",
    "webapp.competition.races",
    "webapp.competition.groups",
    "webapp.curation",
    "webapp.people",
    "webapp.site",
)


class Right(Flag):
    """A permission that desk roles are made of."""

    SEE = 0  # every curator has it
    REVIEW = auto()  # read and review puzzles, and see the plan
    EDIT = auto()  # make, import and export puzzles, and plan the calendar
    MODERATE = auto()  # players and their solves
    APPOINT = auto()  # other curators


@dataclass(frozen=True, slots=True)
class Place:
    """A blueprint of the desk or its API, with the rights needed to read and to write there."""

    blueprint: Blueprint
    read: Right
    write: Right
    parent: str = "admin"
    more: Mapping[str, Right] = field(default_factory=dict)  # endpoints that need another right to write

    @property
    def name(self) -> str:
        """The blueprint's name in endpoints."""
        return f"{self.parent}.{self.blueprint.name}"


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a menu of other pages: `main`, `footer`, `desk` or another."""

    menu: str
    endpoint: str
    text: Callable[[], str]
    position: int = 0  # ascending from left to right
    icon: str = ""  # of web/macros/icons.html, where the menu is shown as tabs
    covers: Sequence[str] = ()  # further blueprints whose pages mark this link as current

    @property
    def current(self) -> Markup:
        """The attribute that marks the link as current, if this page is the link's own or below it."""
        if request.endpoint == self.endpoint:
            return Markup(' aria-current="page"')
        within = request.blueprint in (self.endpoint.rpartition(".")[0], *self.covers)
        within = within or capabilities().tabs.get(request.blueprint or "") == self.endpoint
        return Markup(' aria-current="true"') if within else Markup()


@dataclass(frozen=True, slots=True)
class Panel:
    """A fragment that a capability renders in another page."""

    place: str  # name that the page uses
    template: str
    values: Callable[[Mapping[str, Any]], Mapping[str, Any] | None]  # from the page's values


@dataclass(frozen=True, slots=True)
class Records:
    """A table with rows of players: its name in their export, and what happens to the rows when a guest
    signs in.
    """

    model: type[Base]
    name: str = ""  # empty: the capability's own `exported` covers it
    columns: Sequence[str] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)  # name in the export -> column
    move: bool = True  # move a guest's rows to the account; False: the capability's own `merge` does


@dataclass(frozen=True, kw_only=True)
class Capability:
    """One part of the site."""

    key: str
    pages: Sequence[Blueprint] = ()  # blueprints whose pages a sign-in may return to
    blueprints: Sequence[Blueprint] = ()  # all other blueprints
    places: Sequence[Place] = ()
    public: Sequence[str] = ()  # endpoints that also have an address in every language
    links: Sequence[Link] = ()
    tab: str = ""  # endpoint of the main link to mark as current on these pages
    panels: Sequence[Panel] = ()
    jobs: Sequence[Job] = ()
    workers: Sequence[str] = ()  # modules with `register` and `start`, which only the worker imports
    retention: Sequence[Retention] = ()
    commands: Sequence[click.Command] = ()
    records: Sequence[Records] = ()
    exported: Callable[[int], Iterator[tuple[str, Any]]] | None = None  # named parts, ready for JSON
    # Move a guest's rows to an account, in the caller's transaction
    merge: Callable[[int, int], None] | None = None
    # Delete rows that no cascade deletes, in the caller's transaction
    forget: Callable[[int], None] | None = None
    started: Callable[[Attempt, datetime, Mapping[str, Any]], None] | None = None  # in its transaction
    moved: Callable[[sa.Connection, Attempt, Board], None] | None = None  # in its transaction


class Capabilities(tuple[Capability, ...]):
    """The capabilities of one app, in the order in which they are called."""

    @cached_property
    def pages(self) -> frozenset[str]:
        """The blueprints whose pages a sign-in may return to."""
        return frozenset(blueprint.name for entry in self for blueprint in entry.pages)

    @cached_property
    def tabs(self) -> Mapping[str, str]:
        """The main link to mark as current on the pages of a blueprint."""
        return {blueprint.name: entry.tab for entry in self for blueprint in entry.pages if entry.tab}

    @cached_property
    def public(self) -> frozenset[str]:
        """The endpoints that have an address in every language."""
        return frozenset(endpoint for entry in self for endpoint in entry.public)

    @cached_property
    def places(self) -> Mapping[str, Place]:
        """The places of the desk and its API, by blueprint name."""
        return {place.name: place for entry in self for place in entry.places}

    def links(self, menu: str) -> list[Link]:
        """The links of a menu in order."""
        found = [link for entry in self for link in entry.links if link.menu == menu]
        return sorted(found, key=lambda link: link.position)


def panels(place: str, **about: Any) -> Markup:
    """Render the capabilities' panels for a place of a page. about: the page's values."""
    parts = []
    for entry in capabilities():
        for panel in entry.panels:
            values = panel.values(about) if panel.place == place else None
            if values is not None:
                parts.append(render_template(panel.template, **values))
    return Markup("").join(map(Markup, parts))


def load(packages: Iterable[str] = PACKAGES) -> Capabilities:
    """Import the entries of these packages."""
    return Capabilities(import_module(f"{name}.capability").CAPABILITY for name in packages)


def capabilities() -> Capabilities:
    """Return the current app's capabilities."""
    return capabilities_of(current_app)


def capabilities_of(app: Flask) -> Capabilities:
    """Return an app's capabilities."""
    found: Capabilities = app.extensions["capabilities"]
    return found


def started(attempt: Attempt, now: datetime, **about: Any) -> None:
    """Notify every capability that a game starts, inside its transaction. about: how it starts, such as by
    which route.
    """
    for entry in capabilities():
        if entry.started is not None:
            entry.started(attempt, now, about)


def moved(connection: sa.Connection, attempt: Attempt, board: Board) -> None:
    """Notify every capability that moves are stored, inside their transaction."""
    for entry in capabilities():
        if entry.moved is not None:
            entry.moved(connection, attempt, board)
