"""`ringtrue init`: a suite to start from, which runs offline."""

from __future__ import annotations

from pathlib import Path

import click

from ringtrue.cli import OK
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.options import json_option
from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import json_text

TEMPLATES = Path(__file__).parent / "templates"


@click.command("init", cls=OnceCommand, short_help="Write a suite to start from.")
@click.argument("folder", default="evals")
@click.option("--force", is_flag=True, help="Write over files that are there.")
@json_option
def command(folder: str, force: bool, as_json: bool) -> int:
    """Write a suite that runs offline into FOLDER: cases, checks, and the function they test."""
    home = Path(folder)
    files = sorted(TEMPLATES.iterdir())
    there = [home / file.name for file in files if (home / file.name).exists()]
    if there and not force:
        raise ConfigurationError(f"{str(there[0])!r} exists; --force writes over it", parameter="folder", value=folder)
    home.mkdir(parents=True, exist_ok=True)
    for file in files:
        (home / file.name).write_bytes(file.read_bytes())
    if as_json:
        click.echo(json_text({"written": [home / file.name for file in files]}, indent=True))
        return OK
    for file in files:
        click.echo(f"wrote {home / file.name}")
    click.echo(f"\nNext: ringtrue suite {home / 'capital.suite.toml'}")
    click.echo("      then let answer() in capital.py ask your own system")
    return OK
