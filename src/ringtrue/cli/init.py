"""`ringtrue init`: a project to start from, which runs offline."""

from __future__ import annotations

from pathlib import Path

import click

from ringtrue._version import __version__
from ringtrue.cli import OK
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.options import json_option
from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import json_text

TEMPLATES = Path(__file__).parent / "templates"
WORKFLOW = "evals.yml"
"""The one file that goes into another folder, where GitHub looks for it; an existing one is kept."""


@click.command("init", cls=OnceCommand)
@click.argument("folder", default="evals")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@json_option
def command(folder: str, force: bool, as_json: bool) -> int:
    """Write a project that runs offline: cases with checks and the function they test in FOLDER, and a CI workflow."""
    home = Path(folder)
    if home.is_file():
        raise ConfigurationError(f"{folder!r} is a file; name a folder", parameter="folder", value=folder)
    texts = {_place(home, file.name): file.read_text("utf-8") for file in sorted(TEMPLATES.iterdir()) if file.is_file()}
    kept = [path for path in texts if path.exists() and path.name == WORKFLOW and not force]
    written = [path for path in texts if path not in kept]
    existing = next((path for path in written if path.exists()), None)
    if existing and not force:
        raise ConfigurationError(f"{str(existing)!r} exists; --force overwrites it", parameter="folder", value=folder)
    for path in written:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[path].replace("FOLDER", home.as_posix()).replace("VERSION", __version__), "utf-8")
    if as_json:
        click.echo(json_text({"written": written, "kept": kept}, indent=True))
        return OK
    for path in written:
        click.echo(f"wrote {path}")
    for path in kept:
        click.echo(f"kept {path}: add {home / 'capital.suite.toml'} to it, or overwrite it with --force")
    click.echo(f"\nNext: ringtrue suite {home / 'capital.suite.toml'}")
    click.echo(f"      then change answer() in {home / 'capital.py'} to call your own system")
    return OK


def _place(home: Path, name: str) -> Path:
    return Path(".github", "workflows", name) if name == WORKFLOW else home / name
