"""Sides that run in processes of their own: a script started again with a peer's interpreter, and asked in JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

PEERS = Path(__file__).parent.parent / ".peers"


def peer_python(environment: str) -> str:
    """The interpreter of a peer's environment; `make bench` makes the environments."""
    python = PEERS / environment / "bin" / "python"
    if not python.exists():
        sys.exit(f".peers/{environment} is missing: `make bench FAMILY=NAME` installs the peers of a family")
    return str(python)


def run_worker(python: str, script: str, *words: str, cwd: str | None = None, **environment: str) -> Any:
    """The JSON in the last line that `script --worker WORDS` prints; a worker that fails ends the benchmark."""
    command = [python, script, "--worker", *words]
    variables = {**os.environ, **environment}
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=variables, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


class PeerProcess:
    """`script --serve` in a peer's environment: one line of JSON in, one line of JSON out."""

    def __init__(self, environment: str, script: str) -> None:
        command = [peer_python(environment), script, "--serve"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> PeerProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._process:
            pass  # closes its input, which ends it, and waits

    def ask(self, *words: object) -> Any:
        """What the peer answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(words), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            sys.exit(f"the peer's process ended while it was asked {words}")
        return json.loads(answer)
