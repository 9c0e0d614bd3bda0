"""Saved reports in a browser on this machine: nothing is written, nobody else is answered."""

from __future__ import annotations

import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from multivon_eval.dirview import Changed, Entry, discover, load_report, render_diff, render_index, render_open
from multivon_eval.spoken import say

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What every page may do; each says itself which script it allows, by its hash."""

Page = Callable[[str, dict[str, str]], str]
"""The page at a path with a query; a LookupError where there is none."""


def serve_report(path: Path, *, port: int = 0, no_browser: bool = False) -> int:
    """Show one report until Ctrl-C; 1 if the port is taken."""
    html = load_report(path).to_html()

    def page(at: str, query: dict[str, str]) -> str:
        if at != "/":
            raise LookupError(at)
        return html

    return _serve(page, str(path), port, no_browser)


def serve_directory(directory: Path, recursive: bool = False, port: int = 0, no_browser: bool = False) -> int:
    """Show the reports of a folder until Ctrl-C, as the folder is at each request; 1 if the port is taken."""

    def page(at: str, query: dict[str, str]) -> str:
        entries, skipped = discover(directory, recursive)
        if at == "/":
            return render_index(entries, skipped, directory, query.get("sort", "run"), query.get("direction", "asc"))
        if at == "/diff":
            before, after = (_named(entries, query[side]) for side in ("a", "b"))
            old, new = (load_report(entry.path, base_dir=directory) for entry in (before, after))
            return render_diff(old, new, before.name, after.name)
        entry = _named(entries, query.get("key") or at.removeprefix("/r/"))
        return render_open(load_report(entry.path, expected_digest=query.get("digest"), base_dir=directory), entry)

    return _serve(page, str(directory), port, no_browser)


def _named(entries: Sequence[Entry], name: str) -> Entry:
    """The entry with this key, or at this place; files may come and go, and a key stays a file's."""
    found = [entry for entry in entries if name in (entry.key, str(entry.idx))]
    if not found:
        raise LookupError(name)
    return found[0]


def _serve(page: Page, source: str, port: int, no_browser: bool) -> int:
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), _handler(page))
    except (OSError, OverflowError) as error:
        say(f"multivon-eval: could not bind 127.0.0.1:{port}: {error}", sys.stderr)
        return 1
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    say(f"{source} → {url}")
    say("Ctrl-C stops it")
    sys.stdout.flush()
    if not no_browser:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    with server, _ended_by_signals():
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("stopped")
    return 0


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """`kill` ends the server as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _handler(page: Page) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        server: ThreadingHTTPServer

        def do_GET(self) -> None:
            status, html = self._found()
            body = html.encode("utf-8", "backslashreplace")
            self.send_response(status)
            for name, value in (
                ("Content-Type", "text/html; charset=utf-8"),
                ("Content-Length", str(len(body))),
                ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
                ("X-Frame-Options", "DENY"),
                ("Referrer-Policy", "no-referrer"),
                ("Content-Security-Policy", _POLICY),
            ):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def _found(self) -> tuple[HTTPStatus, str]:
            port, headers = self.server.server_port, self.headers
            hosts = (f"127.0.0.1:{port}", f"localhost:{port}")
            # A page of elsewhere may have its name point here, or ask in the name of whoever looks at it.
            own = headers.get("Origin") in (None, *(f"http://{host}" for host in hosts))
            if headers.get("Host") not in hosts or not own or headers.get("Sec-Fetch-Site") == "cross-site":
                return HTTPStatus.FORBIDDEN, "this address answers its own pages only"
            asked = urlsplit(self.path)
            query = {name: found[0] for name, found in parse_qs(asked.query).items()}
            try:
                return HTTPStatus.OK, page(asked.path, query)
            except Changed:
                return HTTPStatus.CONFLICT, 'the report has changed; <a href="/">all reports</a>'
            except LookupError:
                return HTTPStatus.NOT_FOUND, 'there is nothing here; <a href="/">all reports</a>'
            except (OSError, ValueError):
                return HTTPStatus.INTERNAL_SERVER_ERROR, "the report cannot be read"

        def log_message(self, format: str, *arguments: object) -> None:
            """Nothing: the address was printed."""

    return Handler
