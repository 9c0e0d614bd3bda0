"""`ringtrue view`: look at runs in a browser, on this machine."""

from __future__ import annotations

import asyncio

import click

from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.cli.shared.completion import complete_run
from ringtrue.cli.shared.options import json_option, store_option
from ringtrue.jsontext import json_text
from ringtrue.reports.number import count

LOOPBACK = "127.0.0.1"


@click.command("view", cls=OnceCommand)
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=complete_run)
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="PORT",
              help="Port of the page. [default: a free one]")  # fmt: skip
@click.option("--host", default=LOOPBACK, show_default=True, metavar="ADDRESS",
              help="Address to listen on. Any other than loopback lets other machines in.")  # fmt: skip
@click.option("--no-open", is_flag=True, help="Print the address without opening a browser.")
@click.option("--bundle", metavar="DIR", help="Write a static copy to a new folder instead, to share.")
@json_option
@store_option
def command(
    runs: tuple[str, ...], port: int, host: str, no_open: bool, bundle: str | None, as_json: bool, store: str
) -> int:
    """Look at the runs of the store, or at these RUNs only, in a browser: rows, cases, comparisons, labels.

    RUN is a stored id or its beginning, `last`, or a file of rows.

    \b
    ringtrue view
    ringtrue view last
    ringtrue view old.jsonl new.jsonl
    ringtrue view last --bundle report/
    """
    from ringtrue.viewer.library import Library

    with Library(runs, store) as library:
        if bundle is not None:
            from ringtrue.viewer.bundle import write_bundle

            pages = write_bundle(library, bundle)
            found = {"index": f"{bundle}/index.html", "pages": pages}
            click.echo(json_text(found, indent=True) if as_json else found["index"])
            say(f"{count(pages, 'page')} written")
            return 0
        try:
            asyncio.run(_serve(library, host, port, no_open, as_json))
        except KeyboardInterrupt:
            say("stopped")
    return 0


async def _serve(library: object, host: str, port: int, no_open: bool, as_json: bool) -> None:
    import webbrowser

    from ringtrue.errors import ConfigurationError
    from ringtrue.viewer.library import Library
    from ringtrue.viewer.page_state import ServerLinks
    from ringtrue.viewer.server import ViewerServer, is_loopback

    assert isinstance(library, Library)
    server = ViewerServer(library, host, port)
    try:
        await server.start()
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {host}:{port}: {error.strerror or error}; choose another --host or --port",
            parameter="port",
        ) from error
    path = ServerLinks().run(library.only[0]) if len(library.only) == 1 else "/"
    link = server.link(path)
    click.echo(json_text({"url": link}, indent=True) if as_json else link)
    if not is_loopback(host):
        say(f"warning: every machine that reaches {host} and has this address can read these runs, without encryption")
    say("Ctrl-C ends it")
    if not no_open:
        webbrowser.open(link)
    try:
        await asyncio.Event().wait()
    finally:
        await server.stop()
