"""An HTTP server on loopback that answers JSON as a test says, and remembers what it was sent."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self


class Sent(NamedTuple):
    """One request."""

    method: str
    path: str
    body: Any
    headers: Mapping[str, str]
    at: float


Answer = tuple[int, bytes | Any, Mapping[str, str]]
"""A status, a body (bytes as they are, anything else as JSON), and headers."""


class JsonServer:
    """`with JsonServer(lambda sent: (200, {"response": "hi"}, {})) as server: … server.url …`."""

    def __init__(self, answer: Callable[[Sent], Answer]) -> None:
        self.answer = answer
        self.sent: list[Sent] = []

    def __enter__(self) -> Self:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                sent = Sent(self.command, self.path, json.loads(text or b"null"), dict(self.headers), time.monotonic())
                owner.sent.append(sent)
                status, body, headers = owner.answer(sent)
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def do_PUT(self) -> None:
                self.do_POST()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()
        self.root = f"http://127.0.0.1:{self._server.server_port}"
        self.url = f"{self.root}/ask"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
