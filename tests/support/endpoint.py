"""An OpenAI-compatible server on loopback, in its own process, that fails on purpose and remembers what it was asked.

`EndpointServer` starts it (`endpoint_process.py`) and speaks with it. A plan (see `DEFAULT_PLAN`) says how fast it
answers, what it answers and how it fails: by sequence (the first requests meet these faults, in order of arrival), by
share (decided by seed, content and how often that content came, so that the order of arrival does not matter), by
capacity, by rate, or by a time before which everything is refused.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections import Counter
from typing import Any

from support import endpoint_process
from support.endpoint_process import DEFAULT_PLAN, FAULTS


class EndpointServer:
    """The server process: `with EndpointServer() as server: … server.base_url …`."""

    def __init__(self, **plan: Any) -> None:
        self._plan = plan

    def __enter__(self) -> EndpointServer:
        self._process = subprocess.Popen(
            [sys.executable, endpoint_process.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        self.base_url = f"http://127.0.0.1:{self.port}/v1"
        self.plan(**self._plan)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()  # the server ends with its parent, however that ends
        self._process.wait(60)
        self._process.stdout.close()

    def plan(self, **plan: Any) -> None:
        """Forget everything and behave like this from now on."""
        unknown = [*(set(plan) - set(DEFAULT_PLAN)), *(set(plan.get("shares", {})) - set(FAULTS))]
        assert not unknown, f"no such setting: {unknown}"
        self._call("POST", "/plan", json.dumps(DEFAULT_PLAN | plan))

    def stats(self) -> dict[str, Any]:
        """`requests`, `answered`, `most_at_once`, `faults` (counts) and `log`.

        An entry of the log has `at` (monotonic seconds, this machine's clock), `content` (the last message), `fault`,
        `retry_after`, `authorization`, and `left_at` once the client has gone or was answered.
        """
        return dict(json.loads(self._call("GET", "/stats")))

    def asked(self) -> Counter[str]:
        """How often each content arrived."""
        return Counter(entry["content"] for entry in self.stats()["log"])

    def early(self) -> list[dict[str, Any]]:
        """Arrivals of a content before the time that an earlier refusal of the same content had named."""
        allowed: dict[str, float] = {}
        found = []
        for entry in self.stats()["log"]:
            if entry["at"] < allowed.get(entry["content"], 0.0):
                found.append(entry)
            if entry["retry_after"] is not None:
                allowed[entry["content"]] = entry["at"] + entry["retry_after"]
        return found

    def _call(self, method: str, path: str, body: str = "") -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, body)
            return connection.getresponse().read()
        finally:
            connection.close()
