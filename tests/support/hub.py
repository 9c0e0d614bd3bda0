"""Small copies of the hub's datasets, in its layout and schema: as a mirror folder, and served over HTTP."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlparse

FIXTURES = Path(__file__).parent.parent / "datasets" / "hub"


def fixture(name: str) -> dict[str, Any]:
    """What `tests/datasets/hub` has of a benchmark: its hub path, its files as rows, and cases to expect."""
    found: dict[str, Any] = json.loads((FIXTURES / f"{name}.json").read_text())
    return found


def write_mirror(folder: Path, name: str) -> Path:
    """The files of a benchmark under a mirror folder, each in the format its name says."""
    found = fixture(name)
    for path, rows in found["files"].items():
        target = folder / found["path"] / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(encoded(path, rows, json_lines=found.get("json_lines", False)))
    return folder


def encoded(path: str, rows: Any, *, json_lines: bool = False) -> bytes:
    """Rows as the bytes of a file of this name."""
    if isinstance(rows, str):
        return rows.encode()
    if path.endswith(".zip"):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as files:
            for member, inside in rows.items():
                files.writestr(member, encoded(member, inside))
        return archive.getvalue()
    if path.endswith(".parquet"):
        return as_parquet(rows)
    if path.endswith(".arrow"):
        return _arrow(rows)
    if path.endswith((".csv", ".tsv")):
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), delimiter="\t" if path.endswith(".tsv") else ",")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue().encode()
    if path.endswith(".jsonl") or json_lines:
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    return json.dumps(rows).encode()


def as_parquet(rows: list[dict[str, Any]]) -> bytes:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    data = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist(rows), data)
    return data.getvalue()


def _arrow(rows: list[dict[str, Any]]) -> bytes:
    """Rows as `save_to_disk` of the datasets library writes them: a stream of record batches."""
    import pyarrow as arrow

    table = arrow.Table.from_pylist(rows)
    data = io.BytesIO()
    with arrow.ipc.new_stream(data, table.schema) as stream:
        stream.write_table(table)
    return data.getvalue()


COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Served(ThreadingHTTPServer):
    """The hub's HTTP interface, as far as datasets are read through it, over mirror folders; on loopback.

    `folders` are revisions by name (`main`, `refs/convert/parquet`, a commit); `gated` paths want a token.
    """

    def __init__(self, folders: dict[str, Path], gated: tuple[str, ...] = ()) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folders, self.gated = folders, gated
        self.commits: dict[str, str] = {}
        self.sent = 0
        self.asked: list[str] = []
        self.tokens: set[str] = set()

    @property
    def url(self) -> str:
        """Its address, for HF_ENDPOINT."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Served:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Served

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, body: bytes = b"") -> None:
        path = unquote(urlparse(self.path).path)
        found = _ASKED.fullmatch(
            path if "/api/datasets" not in path or path.count("/") > 4 else f"{path}/revision/main"
        )
        if not found:  # the client asks for other things, too
            return self._send(404, b"{}")
        self.server.asked.append(f"{self.command} {path}")
        self.server.tokens.add(self.headers.get("Authorization", ""))
        owner, what, rest = found["owner"], found["what"], found["rest"]
        revision = next((name for name in self.server.folders if rest == name or rest.startswith(f"{name}/")), None)
        folder = self.server.folders[revision] / owner if revision else None
        if folder is None or not folder.is_dir():
            return self._send(404, b"{}", {"X-Error-Code": "RevisionNotFound" if revision is None else "RepoNotFound"})
        if owner in self.server.gated and what == "resolve" and not self.headers.get("Authorization"):
            return self._send(401, b"{}", {"X-Error-Code": "GatedRepo"})
        if what == "resolve":
            return self._file(folder / rest[len(revision or "") + 1 :])
        return self._json(what, owner, revision or "", folder, body)

    def _json(self, what: str, owner: str, revision: str, folder: Path, body: bytes) -> None:
        url = urlparse(self.path)
        if what == "revision":
            commit = self.server.commits.get(revision, COMMIT)
            return self._send(200, json.dumps({"_id": "1", "id": owner, "sha": commit, "siblings": []}).encode())
        if what == "paths-info":
            given = parse_qs(body.decode()) if not body.startswith(b"{") else json.loads(body)
            wanted = [given["paths"]] if isinstance(given["paths"], str) else given["paths"]
            return self._listing(folder, [folder / path for path in wanted if (folder / path).exists()])
        top = folder / unquote(url.path).partition(f"/tree/{revision}")[2].strip("/")
        if not top.is_dir():
            return self._send(404, b"{}", {"X-Error-Code": "EntryNotFound"})
        recursive = parse_qs(url.query).get("recursive", ["true"])[0].lower() == "true"
        return self._listing(folder, list(top.rglob("*") if recursive else top.iterdir()))

    def _listing(self, folder: Path, paths: list[Path]) -> None:
        entries = [
            {"path": path.relative_to(folder).as_posix(), "oid": "0" * 40}
            | ({"type": "directory"} if path.is_dir() else {"type": "file", "size": path.stat().st_size})
            for path in sorted(paths)
        ]
        self._send(200, json.dumps(entries).encode())

    def _file(self, path: Path) -> None:
        if not path.is_file():
            return self._send(404, b"{}", {"X-Error-Code": "EntryNotFound"})
        size = path.stat().st_size
        headers = {"ETag": '"1"', "X-Repo-Commit": COMMIT, "Accept-Ranges": "bytes"}
        span = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not span:
            return self._send(200, path.read_bytes(), headers)
        start, end = int(span[1]), min(int(span[2] or size - 1), size - 1)
        headers["Content-Range"] = f"bytes {start}-{end}/{size}"
        with path.open("rb") as file:
            file.seek(start)
            return self._send(206, file.read(end + 1 - start), headers)

    def _send(self, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
            self.server.sent += len(data)


_ASKED = re.compile(
    r"/(?:api/)?datasets/(?P<owner>[^/]+/[^/]+)/(?P<what>revision|tree|paths-info|resolve)/(?P<rest>.+)"
)


READ = """
import json, sys
from ringtrue.datasets import load
from ringtrue.errors import RingtrueError
try:
    print(json.dumps(list(load(sys.argv[1], int(sys.argv[2]) if sys.argv[2:] else None))))
except RingtrueError as error:
    sys.exit(str(error))
"""


def read(server: str, folder: Path, *arguments: str, **environment: str) -> tuple[list[dict[str, Any]], str]:
    """What a process of its own reads from a hub at this address, and what it says where it cannot."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    given = {**kept, "HF_ENDPOINT": server, "HF_HOME": str(folder / "hf"), "NO_PROXY": "127.0.0.1", **environment}
    done = subprocess.run(
        [sys.executable, "-c", READ, *arguments], env=given, cwd=folder, capture_output=True, text=True, timeout=120
    )
    return json.loads(done.stdout or "[]"), done.stderr.strip()
