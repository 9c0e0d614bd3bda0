"""`BrowserTarget`: a system that only a web page shows, asked through a browser."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from multivon_eval.values import required


class BrowserTarget:
    """Types an input into a page, submits it, and reads the answer; each case begins on the page as it is when opened.

    A page that does not answer raises, and the case is a model_error. `timeout` is in milliseconds. Playwright and its
    Chromium are needed; `launch` goes to its `chromium.launch`.
    """

    def __init__(
        self,
        url: str,
        input_selector: str = "textarea",
        submit_selector: str = "button[type='submit']",
        response_selector: str = ".response",
        wait_for: str | None = None,
        login: Mapping[str, str] | None = None,
        headless: bool = True,
        timeout: int = 30_000,
        screenshot_on_fail: bool = True,
        *,
        launch: Mapping[str, Any] | None = None,
    ) -> None:
        self.url, self.wait_for, self.login = url, wait_for, dict(login or {})
        self.input_selector, self.submit_selector = input_selector, submit_selector
        self.response_selector, self.timeout = response_selector, timeout
        self.headless, self.screenshot_on_fail = headless, screenshot_on_fail
        self._launch = dict(launch or {})
        self._playwright: Any = None
        self._page: Any = None
        self._home = url
        # Playwright's objects belong to the thread that made them; a suite asks from several.
        self._thread = ThreadPoolExecutor(1, "multivon-browser")

    def __call__(self, input: str) -> str:
        return self._thread.submit(self._asked, input).result()

    def close(self) -> None:
        """Close the browser."""
        self._thread.submit(self._closed).result()

    def __enter__(self) -> BrowserTarget:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _asked(self, text: str) -> str:
        page = self._opened()
        try:
            page.goto(self._home)
            page.fill(self.input_selector, text)
            page.click(self.submit_selector)
            self._settled(page)
            return page.text_content(self.response_selector) or ""
        except Exception:
            if self.screenshot_on_fail:
                page.screenshot(path=f"multivon-fail-{time.time_ns()}.png")
            raise

    def _settled(self, page: Any) -> None:
        if self.wait_for:
            page.wait_for_selector(self.wait_for, timeout=self.timeout)
        else:
            page.wait_for_load_state("networkidle", timeout=self.timeout)

    def _opened(self) -> Any:
        if self._page is None:
            api = required("playwright.sync_api", "BrowserTarget", "playwright")
            self._playwright = api.sync_playwright().start()
            page = self._playwright.chromium.launch(headless=self.headless, **self._launch).new_page()
            page.set_default_timeout(self.timeout)
            page.goto(self.url)
            if self.login:
                for kind, text in self.login.items():
                    page.fill(f"input[type='{kind}']", text)
                page.click("button[type='submit']")
                page.wait_for_load_state("networkidle")
            self._page, self._home = page, page.url
        return self._page

    def _closed(self) -> None:
        if self._playwright is not None:
            self._playwright.stop()
        self._playwright = self._page = None
