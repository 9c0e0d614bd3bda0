"""Serve a function as an OpenAI-compatible endpoint on this machine, in place of a model: no key, no network.

    python serve.py FILE.py PORT

FILE.py has `reply(asked)`, a function of the request's JSON. It returns a text, or a dict as a judge's verdict.
"""

from __future__ import annotations

import json
import re
import runpy
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

REPLY = runpy.run_path(sys.argv[1])["reply"]


def verdict_text(verdict: dict[str, Any], prompt: str) -> str:
    """The JSON of a verdict, with the token that proves that the judge wrote it and not the judged text."""
    token = re.search(r'Put "([0-9a-f]+)" into the field nonce', prompt)
    return json.dumps({**verdict, **({"nonce": token[1]} if token else {})})


class Endpoint(BaseHTTPRequestHandler):
    """Answers `POST /v1/chat/completions`."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = REPLY(asked)
        if isinstance(said, dict):
            said = verdict_text(said, json.dumps([one["content"] for one in asked["messages"]]).replace('\\"', '"'))
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        data = json.dumps({"object": "chat.completion", "model": asked["model"], "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:
        """Print nothing: the run's progress is on the same terminal."""


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Endpoint).serve_forever()
