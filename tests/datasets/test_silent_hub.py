"""A hub that accepts and never answers ends with a message."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

CODE = """
from ringtrue.datasets.hub import hub_repository
from ringtrue.datasets.hub.revisions import Revisions
hub_repository.ANSWER_SECONDS = 1.0
from ringtrue.errors import InputError
import sys
try:
    hub_repository.Hub("org/name", None, Revisions(sys.argv[1]))
except InputError as error:
    print(error)
"""


def test_a_silent_hub_ends_with_a_message(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = f"http://127.0.0.1:{silent.getsockname()[1]}"
        environment = {**os.environ, "HF_ENDPOINT": place, "HF_HUB_OFFLINE": "0"}
        words = [sys.executable, "-c", CODE, str(tmp_path / "revisions.json")]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60)
    assert "the hub cannot be read for org/name: no answer within 1 s; --data-dir" in done.stdout, done.stderr[-2000:]
