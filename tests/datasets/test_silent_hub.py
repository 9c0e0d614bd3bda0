"""A hub that goes silent, at whatever request, ends with a message; one that is slow does not."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support.hub import COMMIT, Served, fixture, write_mirror

pytest.importorskip("huggingface_hub")

CODE = """
import sys
from ringtrue.datasets.hub import hub_repository
hub_repository.ANSWER_SECONDS = 5.0
from ringtrue.datasets import load
from ringtrue.errors import RingtrueError
try:
    print(len(list(load("gsm8k"))), "rows")
except RingtrueError as error:
    print(error)
"""


class Sleepy(Served):
    """A hub that stops at the first request whose path holds `at`: before its answer, in its body, or for moments."""

    def __init__(self, folder: Path, at: str, how: str) -> None:
        super().__init__({"main": folder, COMMIT: folder, "cc7b047b6e5bb11b4f1af84efc572db110a51b3c": folder})
        self.usual = self.RequestHandlerClass._send  # type: ignore[attr-defined]
        self.RequestHandlerClass = type("Sleepy", (self.RequestHandlerClass,), {"_send": _send})
        self.at, self.how = at, how


def _send(self: Any, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
    server = self.server
    if server.at not in self.path or self.command == "HEAD":
        return server.usual(self, status, data, headers)
    if server.how == "never answers":
        time.sleep(120)
    self.send_response(status)
    for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
        self.send_header(name, value)
    self.send_header("Content-Length", str(len(data)))
    self.end_headers()
    if server.how == "stops in its answer":
        self.wfile.write(data[: len(data) // 2])
        time.sleep(120)
    for part in range(10):  # slowly
        size = len(data) // 10 + 1
        self.wfile.write(data[part * size : (part + 1) * size])
        self.wfile.flush()
        time.sleep(0.8)
    return None


SILENT = "the hub cannot be read for openai/gsm8k: it was silent for 5 s; --data-dir"
STAGES = [
    ("/revision/", "never answers", SILENT),
    ("/tree/", "never answers", SILENT),
    ("/resolve/", "stops in its answer", SILENT),
    ("/resolve/", "is slow", f"{len(next(iter(fixture('gsm8k')['files'].values())))} rows"),
]


@pytest.mark.parametrize(("at", "how", "said"), STAGES, ids=[f"{at} {how}" for at, how, _ in STAGES])
def test_a_silent_hub_ends_with_a_message(at: str, how: str, said: str, tmp_path: Path) -> None:
    with Sleepy(write_mirror(tmp_path / "files", "gsm8k"), at, how) as hub:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
        environment = {**kept, "HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "hf"), "NO_PROXY": "127.0.0.1"}
        words = [sys.executable, "-c", CODE]
        done = subprocess.run(words, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.stdout.startswith(said), done.stdout + done.stderr[-2000:]
