"""Bait for hostile programs, and the checks the golden rows demand afterwards."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from support.machine import marked


class Canary:
    """A directory everybody may write to, a secret in it and in the environment, and a port that notices visitors."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.marker = f"canary{secrets.token_hex(8)}"
        self.secret = f"secret{secrets.token_hex(8)}"
        self.variable = f"CANARY_{secrets.token_hex(4).upper()}"
        self.visits: list[str] = []
        self._open = True
        self._streams = socket.create_server(("127.0.0.1", 0))
        self.port = self._streams.getsockname()[1]
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind(("127.0.0.1", self.port))
        for server, listen in ((self._streams, self._accept), (self._datagrams, self._receive)):
            server.settimeout(0.2)
            Thread(target=listen, daemon=True).start()
        for name, text in (("precious.txt", "precious"), ("secret.txt", self.secret)):
            (folder / name).write_text(text)
            (folder / name).chmod(0o666)
        folder.chmod(0o777)
        os.environ[self.variable] = self.secret
        self._before = (self.tree(), os.getcwd(), dict(os.environ), shutil.disk_usage("/").used)

    def close(self) -> None:
        self._open = False
        self._streams.close()
        self._datagrams.close()
        del os.environ[self.variable]

    def tree(self) -> dict[str, tuple[bytes, int]]:
        return {
            str(path.relative_to(self.folder)): (path.read_bytes(), stat.S_IMODE(path.stat().st_mode))
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }

    def filled(self, text: str) -> str:
        """A golden text with its tokens replaced."""
        tokens = {
            "{CANARY_DIR}": str(self.folder),
            "{CANARY_MARKER}": self.marker,
            "{CANARY_PORT}": str(self.port),
            "{CANARY_ENV}": self.variable,
            "{CANARY_SECRET}": self.secret,
        }
        for token, value in tokens.items():
            text = text.replace(token, value)
        return text

    def hold(self, checks: list[dict[str, Any]], said: str, peak_bytes: int = 0) -> None:
        """Assert every check of a golden row; `said` is all that was captured or reported."""
        for check in checks:
            time.sleep(check.get("after_s", 0))
            kind = check["type"]
            if kind in ("path_absent", "glob_absent"):
                pattern = self.filled(check.get("path") or check["pattern"])
                assert not list(Path("/").glob(pattern.lstrip("/"))), check
            elif kind in ("tree_unchanged", "mode_unchanged"):
                assert self.tree() == self._before[0], check
            elif kind == "output_excludes":
                assert self.filled(check["text"]) not in said, check
            elif kind in ("no_connection_to", "no_datagram_to"):
                assert not self.visits, check
            elif kind in ("no_process_with_marker", "no_process_cmdline"):
                text = self.filled(check.get("marker") or check.get("text") or check["pattern"])
                assert not marked(text), check
            elif kind == "captured_output_max_bytes":
                assert len(said.encode(errors="replace")) <= check["bytes"], check
            elif kind == "peak_rss_max_mb":
                assert peak_bytes <= check["mb"] * 2**20, check
            elif kind == "disk_growth_max_mb":
                assert shutil.disk_usage("/").used - self._before[3] <= check["mb"] * 2**20, check
            elif kind == "evaluator_cwd_and_env_unchanged":
                assert (os.getcwd(), dict(os.environ)) == self._before[1:3], check
            else:
                assert kind == "evaluator_alive", check

    def _accept(self) -> None:
        while self._open:
            try:
                connection, address = self._streams.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            self.visits.append(str(address))
            connection.close()

    def _receive(self) -> None:
        while self._open:
            try:
                self.visits.append(str(self._datagrams.recvfrom(100)))
            except TimeoutError:
                continue
            except OSError:
                return


@contextmanager
def canary(folder: Path) -> Iterator[Canary]:
    made = Canary(folder)
    try:
        yield made
    finally:
        made.close()
