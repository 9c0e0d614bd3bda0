"""A run that grows while it is open in a real Chromium."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from support.endpoint import EndpointServer
from support.viewed_runs import serve

QUESTIONS = 60


@contextmanager
def slow_run(folder: Path, endpoint: EndpointServer) -> Iterator[subprocess.Popen[bytes]]:
    """`ringtrue run` on an endpoint that takes its time, two questions at once."""
    cases = [{"id": n, "question": f"question {n} [[gold]]", "answer": "gold" if n % 3 else "lead"}
             for n in range(QUESTIONS)]  # fmt: skip
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, cases)))
    words = ["run", "-d", "questions.jsonl", "--proxy", endpoint.base_url, "-m", "small", "--max-workers", "2", "-q"]
    process = subprocess.Popen([sys.executable, "-m", "ringtrue", *words], cwd=folder)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)


def rows_done(page: Any) -> int:
    found = re.search(r"([\d,]+) of", page.locator("#live-words").inner_text())
    return int(found[1]) if found else 0


@pytest.mark.heavy
def test_a_run_grows_while_someone_looks(tmp_path: Path, open_page: Callable[..., Any]) -> None:
    with EndpointServer(latency_seconds=1.0) as endpoint, slow_run(tmp_path, endpoint) as process:
        store = tmp_path / ".ringtrue" / "ringtrue.db"
        deadline = time.monotonic() + 60
        while not store.exists() and time.monotonic() < deadline:
            time.sleep(0.2)
        with serve(f"sqlite:///{store}") as server:
            page = open_page(server.link())
            while not page.get_by_text("running:").count() and time.monotonic() < deadline:
                page.reload()
            page.locator("a.go").first.click()
            page.wait_for_selector("#live")
            seen, shown = rows_done(page), page.locator(".rows > li").count()
            page.evaluate("scrollTo(0, 40)")
            place = page.evaluate("scrollY")
            page.wait_for_selector("#live-more", state="visible", timeout=60_000)
            assert rows_done(page) > seen
            assert re.fullmatch(r"\d+ new rows?", page.locator("#live-more").inner_text())
            assert page.evaluate("scrollY") == place, "the page never jumps"
            assert page.locator(".rows > li").count() == shown
            page.locator("#live-more").click()
            page.wait_for_load_state()
            assert page.locator(".rows > li").count() > shown
            assert page.locator(".headline svg .h").count() > 0
            page.get_by_text("finished: show the result").wait_for(timeout=120_000)
            process.wait(60)
            page.locator("#live-more").click()
            page.wait_for_selector("#live", state="detached")
            assert "small passes 40 of 60 cases" in page.locator(".verdict").inner_text()
            assert page.troubles == []
