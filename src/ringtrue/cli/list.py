"""`ringtrue list`: what there is to use."""

from __future__ import annotations

import sys

import click

from ringtrue.evaluators.spec import find, plugins
from ringtrue.evaluators.table import BUILT_IN


@click.command("list", short_help="List what there is to use.")
@click.argument("what", type=click.Choice(["evaluators", "samples"]))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(what: str, as_json: bool) -> int:
    """List evaluators, or the samples that come with the package."""
    entries = _evaluators() if what == "evaluators" else _samples()
    if as_json:
        import orjson

        sys.stdout.write(orjson.dumps(entries, option=orjson.OPT_INDENT_2).decode() + "\n")
        return 0
    width = max(len(entry["name"]) for entry in entries)
    for entry in entries:
        click.echo(f"{entry['name']:<{width}}  {entry['about']}")
    return 0


def _evaluators() -> list[dict[str, str]]:
    names = sorted([*BUILT_IN, *(plugin.name for plugin in plugins())])
    return [{"name": name, "about": _first_sentence(find(name).__doc__)} for name in names]


def _samples() -> list[dict[str, str]]:
    from ringtrue.datasets.samples import SAMPLES

    return [{"name": f"{name}@sample", "about": about} for name, about in SAMPLES.items()]


def _first_sentence(docstring: str | None) -> str:
    lines = (docstring or "").strip().split("\n\n")[0].split()
    return " ".join(lines)
