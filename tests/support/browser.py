"""A real Chromium, and pages in it that record what goes wrong: the fixtures `browser` and `open_page`.

The browser belongs to one module of tests: while Playwright runs, its event loop counts as running in this thread, and
tests elsewhere start loops of their own.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

PHONE, TABLET, DESK = 380, 768, 1280


def chromium_path() -> str | None:
    """Where the machine's own Chromium is."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium for the tests of one module."""
    found = chromium_path()
    if found is None:
        pytest.skip("no chromium on this machine")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        made = play.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield made
        made.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open an address, or a file, in a page of its own.

    The page has `troubles`: what scripts threw, what the policy refused, every dialog, and every request beyond the
    page's own address.
    """
    contexts = []

    def open_it(address: str | Path, *, width: int = DESK, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("console", lambda message: troubles.append(message.text) if message.type == "error" else None)
        page.on("dialog", lambda dialog: (troubles.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        where = address.absolute().as_uri() if isinstance(address, Path) else address
        origin = where if isinstance(address, Path) else "/".join(where.split("/")[:3])
        page.on(
            "request",
            lambda asked: None if asked.url.startswith(origin) else troubles.append(f"request: {asked.url}"),
        )
        page.troubles = troubles  # type: ignore[attr-defined]
        page.goto(where)
        return page

    yield open_it
    for context in contexts:
        context.close()
