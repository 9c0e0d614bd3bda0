"""`ringtrue serve-local`: the embedded model as an OpenAI-compatible server on loopback."""

from __future__ import annotations

import click

from ringtrue.cli import ERRORS_ABOVE_BUDGET, OK
from ringtrue.cli.stores import json_option
from ringtrue.jsontext import json_text
from ringtrue.models.local.local_model import CONTEXT_TOKENS
from ringtrue.models.local.server import serve


@click.command("serve-local", short_help="Serve the embedded model on loopback, OpenAI-compatible.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port; a free one by default.")
@click.option("--model", "path", metavar="PATH", help="Another model, as a GGUF file.")
@click.option("--context-tokens", type=click.IntRange(min=1), default=CONTEXT_TOKENS, show_default=True, metavar="N",
              help="How many tokens a prompt and its answer may have.")  # fmt: skip
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
              help="Threads to compute with; more than there are idle cores make it many times slower.")  # fmt: skip
@json_option
def command(port: int, path: str | None, context_tokens: int, threads: int, as_json: bool) -> int:
    """Serve the embedded model, or the GGUF file PATH, on 127.0.0.1 until Ctrl-C.

    \b
    ringtrue serve-local --port 8080
    OPENAI_BASE_URL=http://127.0.0.1:8080/v1 OPENAI_API_KEY=none your-program
    """
    try:
        with serve(port, path, context_tokens=context_tokens, threads=threads) as server:
            click.echo(
                json_text({"base_url": server.base_url, "pid": server.pid}, indent=True) if as_json else server.base_url
            )
            click.echo(f"ringtrue: serving in process {server.pid}; Ctrl-C stops it", err=True)
            code = server.wait()
    except KeyboardInterrupt:
        return OK
    click.echo(f"ringtrue: the server ended by itself with {code}", err=True)
    return ERRORS_ABOVE_BUDGET
