"""Requests that a test answers itself, holds back or lets fail."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route

PROBE = "/nothing-here"  # which no page asks for


def divert(page: Page, pattern: str, handler: Callable[[Route], object], times: int | None = None) -> None:
    """Hand requests of `page` to `handler`, and return once that holds.

    With the first route Chromium gives a page that is already loaded another way to the network, a moment
    after it has said so: one of 60 requests sent at once went to the server unseen.
    """
    page.route(f"**{PROBE}", lambda route: route.fulfill(status=204))
    page.wait_for_function("address => fetch(address).then(({ status }) => status === 204)", arg=PROBE)
    page.route(pattern, handler, times=times)
