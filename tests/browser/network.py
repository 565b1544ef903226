"""Requests that a test answers itself, delays or fails."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route

PROBE = "/nothing-here"  # which no page requests


def divert(page: Page, pattern: str, handler: Callable[[Route], object], times: int | None = None) -> None:
    """Route requests of `page` to `handler`, and return once the route is active.

    With the first route Chromium moves a loaded page to another network path, a moment after reporting
    success: one of 60 requests sent at once bypassed it.
    """
    page.route(f"**{PROBE}", lambda route: route.fulfill(status=204))
    page.wait_for_function("address => fetch(address).then(({ status }) => status === 204)", arg=PROBE)
    page.route(pattern, handler, times=times)
