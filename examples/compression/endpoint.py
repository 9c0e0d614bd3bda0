"""An OpenAI-compatible endpoint on this machine that reads needles out of a text: no model, no key, no network.

    python endpoint.py [PORT]

It prints its address and serves until it is ended. It answers with every value that the messages name for a key that
the question asks for, and reports the tokens it was sent, so that the figures of a run are real ones.
"""

from __future__ import annotations

import json
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ringtrue.models.tokens import count

NEEDLE = re.compile(r"to remember for (?P<key>\S+) is (?P<value>\S+)\.")
SECONDS_PER_TOKEN = 5e-6


def read_needles(messages: list[dict[str, Any]]) -> str:
    """The values in the messages whose keys are in the last of them."""
    question = str(messages[-1]["content"])
    found = [match for one in messages for match in NEEDLE.finditer(str(one["content"]))]
    values = [match["value"] for match in found if match["key"] in question]
    return ", ".join(values) or "The text does not say."


class Endpoint(BaseHTTPRequestHandler):
    """Answers `POST /v1/chat/completions`."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = read_needles(asked["messages"])
        sent = sum(count(str(one["content"])).count for one in asked["messages"])
        time.sleep(sent * SECONDS_PER_TOKEN)
        body = {
            "object": "chat.completion",
            "model": asked["model"],
            "choices": [{"index": 0, "message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": sent, "completion_tokens": count(reply).count},
        }
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: the run's progress is on the same terminal."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0), Endpoint)
    sys.stdout.write(f"http://127.0.0.1:{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()
