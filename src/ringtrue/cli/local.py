"""`ringtrue local`: install the embedded model, or say what is there."""

from __future__ import annotations

import importlib
import shlex
import subprocess
import sys

import click

from ringtrue.cli import GATE_FAILED, OK
from ringtrue.errors import ConfigurationError, RingtrueError
from ringtrue.models import weights


@click.group("local", short_help="Install the embedded local model, or say what is there.")
def command() -> None:
    """The embedded local model: SmolLM2-135M-Instruct (Apache-2.0) on llama.cpp, no key and no network needed."""


@command.command("install")
def install() -> int:
    """Install the weights and the engine into this environment, and verify the weights' checksum."""
    missing = [options for options in weights.INSTALLS if not _there(options[-1])]
    if not missing and not _problem():
        click.echo(f"{weights.NAME} is already installed and its checksum is right; nothing to do")
        return OK
    for options in missing or [("--force-reinstall", *weights.INSTALLS[0])]:
        _pip(options)
    importlib.invalidate_caches()
    path = weights.verify()
    click.echo(f"{weights.NAME} is installed in {path}\nsha256 {weights.SHA256} is right")
    return OK


@command.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(as_json: bool) -> int:
    """Say whether the embedded model can be used here; exit 1 if it cannot."""
    problem, path = _problem(), weights.embedded()
    packages = {name: {"installed": weights.installed(name), "pinned": pin} for name, pin in weights.VERSIONS.items()}
    if as_json:
        import orjson

        facts = {"model": weights.NAME, "ready": not problem, "path": path and str(path), "packages": packages}
        sys.stdout.write(orjson.dumps(facts, option=orjson.OPT_INDENT_2).decode() + "\n")
    else:
        for name, versions in packages.items():
            click.echo(f"{name:<12} {versions['installed'] or 'not installed'} (pinned: {versions['pinned']})")
        click.echo(problem or f"{weights.NAME} is ready: {path}")
    return GATE_FAILED if problem else OK


def _there(requirement: str) -> bool:
    name, _, pin = requirement.partition("==")
    return weights.installed(name) == pin


def _problem() -> str:
    """Why the embedded model cannot be used here, or the empty string."""
    try:
        weights.verify()
    except ConfigurationError as error:
        return str(error)
    return ""


def _pip(options: tuple[str, ...]) -> None:
    arguments = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", *options]
    click.echo(f"$ {shlex.join(arguments)}")
    # pip's own account of what it does goes to stderr: what this command says stays readable on stdout.
    done = subprocess.run(arguments, stdout=2, check=False)
    if done.returncode:
        wanted = " and ".join(shlex.join(parts) for parts in weights.INSTALLS)
        raise RingtrueError(
            f"pip ended with {done.returncode}; where this environment has no pip, install with its own tool: {wanted}"
        )
