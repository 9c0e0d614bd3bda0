"""`ringtrue certify`: how far ringtrue agrees with the official scorers, on this machine."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version

import click

from ringtrue.api.certify import Agreement, certify
from ringtrue.cli import GATE_FAILED, NOTHING_MEASURED, OK
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.options import json_option
from ringtrue.jsontext import json_text
from ringtrue.safetext import printable

LIBRARIES = ("ringtrue", "rapidfuzz", "regex", "jsonschema-rs", "orjson")
ALLOWED_ELSEWHERE = {"math_equivalence": 0.99, "mcq_extraction": 0.97}
"""Families whose truth is not an official scorer's number: the share of checks that must agree."""


@click.command("certify", cls=OnceCommand)
@click.option("--judge-url", metavar="URL", help="Certify a judge instead: a URL, or local.")
@click.option("--judge-model", default="", metavar="NAME", help="Model to request from the judge endpoint.")
@click.option("--answers", type=click.IntRange(min=2), default=100, show_default=True, metavar="N",
              help="Labelled answers the judge sees.")  # fmt: skip
@click.option("--pairs", type=click.IntRange(min=0), default=60, show_default=True, metavar="N",
              help="Pairs of answers the judge compares.")  # fmt: skip
@json_option
def command(judge_url: str | None, judge_model: str, answers: int, pairs: int, as_json: bool) -> int:
    """Run the shipped golden files on this machine and print the agreement with the tools that made them.

    With --judge-url, ask a judge about labelled answers and pairs instead, and say how far to trust it; exit 1 if it is
    no better than chance, 3 if it gave no verdict at all.
    """
    if judge_model and judge_url is None:
        raise click.UsageError("--judge-model needs --judge-url", click.get_current_context())
    if judge_url is not None:
        return _certify_judge(judge_url, judge_model, answers, pairs, as_json)
    found = list(certify())
    versions = {name: version(name) for name in LIBRARIES}
    if as_json:
        said = {"versions": versions, "python": platform.python_version(), "agreement": found}
        sys.stdout.write(json_text(said, indent=True) + "\n")
    else:
        _print(found, versions)
    short = [item for item in found if item.agreed < item.checks * ALLOWED_ELSEWHERE.get(item.family, 1.0)]
    return GATE_FAILED if short else OK


def _certify_judge(url: str, model: str, answers: int, pairs: int, as_json: bool) -> int:
    from ringtrue.api.judge_bench import certify_judge

    found = certify_judge(url, model, answers=answers, pairs=pairs)
    click.echo(json_text(found.record(), indent=True) if as_json else "\n".join(map(printable, found.lines())))
    if found.answers.metrics["agreement"].value is None:
        return NOTHING_MEASURED
    return GATE_FAILED if found.is_no_better_than_chance else OK


def _print(found: list[Agreement], versions: dict[str, str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in ("family", "rows", "checks", "agreed", "share"):
        table.add_column(column, justify="left" if column == "family" else "right", no_wrap=True)
    table.add_column("reference", overflow="fold", max_width=60)
    for item in found:
        counts = (f"{number:,}" for number in (item.rows, item.checks, item.agreed))
        table.add_row(item.family, *counts, f"{item.agreed / max(1, item.checks):.2%}", item.reference)
    console = Console(highlight=False, markup=False, emoji=False, width=None if sys.stdout.isatty() else 120)
    console.print(table)
    made_by = {"Python": platform.python_version(), **versions}
    console.print(", ".join(f"{name} {number}" for name, number in made_by.items()), style="dim")
