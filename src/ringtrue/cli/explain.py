"""`ringtrue explain`: what an evaluator measures, needs and returns."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields, is_dataclass
from textwrap import indent
from typing import Any

import click

from ringtrue.evaluators.spec import find


@click.command("explain", short_help="Say what an evaluator measures, needs and returns.")
@click.argument("name", metavar="EVALUATOR")
def command(name: str) -> int:
    """Say what EVALUATOR measures, what it needs, its parts, its formula and the reference it matches."""
    kind = find(name.partition("(")[0].strip())
    click.echo(f"{name}  ({kind.__module__}.{kind.__qualname__})\n")
    click.echo(indent(inspect.getdoc(kind) or "", "  ") + "\n")
    for label, value in facts(kind):
        click.echo(f"  {label:<10}{value}")
    return 0


def facts(kind: Any) -> list[tuple[str, str]]:
    """What there is to know about an evaluator class, as labelled lines."""
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
    if not is_dataclass(kind):
        return str(inspect.signature(kind))
    given = []
    for item in fields(kind):
        if item.init and item.name != "name":
            if item.default is not MISSING:
                given.append(f"{item.name}={item.default!r}")
            else:
                given.append(
                    item.name if item.default_factory is MISSING else f"{item.name}={item.default_factory()!r}"
                )
    return ", ".join([*given, "name=..."])
