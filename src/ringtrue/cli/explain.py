"""`ringtrue explain`: what an evaluator measures, needs and returns."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, Field, fields, is_dataclass
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

import click

from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.completion import complete_evaluator
from ringtrue.cli.shared.options import json_option
from ringtrue.evaluators.spec import find
from ringtrue.jsontext import json_text

MAX_WIDTH = 100


@click.command("explain", cls=OnceCommand)
@click.argument("name", metavar="EVALUATOR", shell_complete=complete_evaluator)
@json_option
def command(name: str, as_json: bool) -> int:
    """Explain what EVALUATOR measures and needs, its parts, its formula and the reference it matches."""
    name = name.partition("(")[0].strip()
    kind = find(name)
    home = "ringtrue.evaluators" if kind.__module__.startswith("ringtrue.evaluators.") else kind.__module__
    if as_json:
        known = {"name": name, "class": f"{home}.{kind.__qualname__}", "about": inspect.getdoc(kind) or ""}
        click.echo(json_text({**known, **dict(facts(kind))}, indent=True))
        return 0
    width = min(MAX_WIDTH, get_terminal_size().columns)
    click.echo(f"{name}  ({home}.{kind.__qualname__})\n")
    for paragraph in (inspect.getdoc(kind) or "").split("\n\n"):
        click.echo(fill(paragraph, width, initial_indent="  ", subsequent_indent="  ") + "\n")
    for label, value in facts(kind):
        click.echo(fill(value, width, initial_indent=f"  {label:<10}", subsequent_indent=" " * 12))
    return 0


def facts(kind: Any) -> list[tuple[str, str]]:
    """Return the facts about an evaluator class, as labelled lines."""
    facts = [
        ("needs", getattr(kind, "needs", "")),
        ("parts", ", ".join(getattr(kind, "parts", ()))),
        ("formula", getattr(kind, "formula", "")),
        ("matches", getattr(kind, "matches", "")),
        ("limit", f"{kind.max_chars:,} characters" if hasattr(kind, "max_chars") else ""),
        ("settings", _settings(kind)),
    ]
    return [(label, value) for label, value in facts if value]


def _settings(kind: Any) -> str:
    given = [item for item in inspect.signature(kind).parameters.values() if item.name != "name"]
    factories = {item.name: item.default_factory for item in fields(kind)} if is_dataclass(kind) else {}
    named = [item for item in given if item.kind is not item.VAR_KEYWORD]
    shown = [_setting(item, factories.get(item.name, MISSING)) for item in named]
    if len(named) < len(given) and hasattr(kind, "config_class"):
        known = {item.name for item in named}
        shown += [_field(item) for item in fields(kind.config_class) if item.name not in known]
    return ", ".join([*shown, "name=..."])


def _field(item: Field[Any]) -> str:
    return f"{item.name}={item.default_factory() if item.default_factory is not MISSING else item.default!r}"


def _setting(item: inspect.Parameter, factory: Any) -> str:
    if item.kind is item.VAR_POSITIONAL:
        return f"*{item.name}"
    if item.default is item.empty:
        return item.name
    return f"{item.name}={factory() if factory is not MISSING else item.default!r}"
