"""`serve`: the local model as an OpenAI-compatible server on loopback, in a process of its own.

In a process of its own because llama.cpp never comes back from stopping a server that is amid a call, and because a
damaged model file can end the process that loads it.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

from ringtrue.errors import ConfigurationError, RingtrueError
from ringtrue.jsontext import json_bytes, json_text, parse_json
from ringtrue.models.local import weights
from ringtrue.models.local.local_model import CONTEXT_TOKENS
from ringtrue.require import require_count


class LocalServer:
    """A running server: its address, its process, and `stop()`; it also ends with the process that started it."""

    def __init__(self, process: subprocess.Popen[bytes], address: str) -> None:
        self._process = process
        self.address = address
        self.pid = process.pid

    @property
    def base_url(self) -> str:
        """The address that OpenAI clients call `base_url`."""
        return f"{self.address}/v1"

    def wait(self) -> int:
        """The exit code, once the server has ended by itself."""
        return self._process.wait()

    def stop(self) -> None:
        """End the server, whatever it is doing; a second time does nothing."""
        _end(self._process)

    def __enter__(self) -> LocalServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def serve(
    port: int = 0,
    path: str | Path | None = None,
    *,
    context_tokens: int = CONTEXT_TOKENS,
    threads: int = 1,
    reuse_prefix: bool = False,
) -> LocalServer:
    """Serve the embedded model, or the GGUF at `path`, once it is loaded; port 0 takes a free one."""
    found = weights.find(path)
    _require_free(port)
    options = {"context_tokens": context_tokens, "threads": threads, "reuse_prefix": reuse_prefix, "port": port}
    job = json_text({"path": None if path is None else str(found.resolve()), **options})
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "ringtrue.models.local.server", job],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "GGML_NO_BACKTRACE": "1"},  # a failing llama.cpp would start a debugger
    )
    try:
        return LocalServer(process, _address(process, found))
    except BaseException:  # whatever happens, the process does not stay
        _end(process)
        raise


def _address(process: subprocess.Popen[bytes], path: Path) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    said = parse_json(line) if line else {"error": f"llama.cpp died while it loaded {str(path)!r}; is the file whole?"}
    if "error" in said:
        raise ConfigurationError(said["error"], parameter="model", value=str(path))
    address: str = said["address"]
    return address


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        pipe.close()


def _require_free(port: int) -> None:
    require_count("port", port, least=0, most=2**16 - 1)
    with socket.socket() as probe:
        # As servers do: a port whose last connections are fading is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise ConfigurationError(
                f"cannot listen on 127.0.0.1:{port}: {error.strerror}; choose another port, or 0 for a free one",
                parameter="port",
                value=port,
            ) from error


def _serve_until_parent_ends(job: dict[str, Any]) -> None:
    """Load, say the address on what was stdout, and end as soon as stdin does."""
    from ringtrue.models.local import llama

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    channel = os.dup(1)
    os.dup2(2, 1)  # what llama.cpp prints must not look like the answer
    path = job.pop("path")
    said: dict[str, str] = {}
    try:
        server = llama.load(llama.Settings(None if path is None else Path(path), **job))
        said["address"] = server.listening_address
    except RingtrueError as error:
        said["error"] = str(error)
    os.write(channel, json_bytes(said) + b"\n")
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    _serve_until_parent_ends(parse_json(sys.argv[1]))
