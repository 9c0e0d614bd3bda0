"""`ringtrue rescore`: stored answers, other evaluators, no model call."""

from __future__ import annotations

import click

from ringtrue.api.rescore import rescore
from ringtrue.cli.judges import judge_options
from ringtrue.cli.results import show
from ringtrue.cli.stores import json_option, store_option


@click.command("rescore", short_help="Score the answers of a stored run again.")
@click.argument("run", metavar="RUN")
@click.option("-e", "--evaluator", "evaluators", multiple=True, required=True, metavar="SPEC",
              help="An evaluator: a name, or name(setting=value). Repeatable.")  # fmt: skip
@judge_options
@json_option
@store_option
def command(
    run: str,
    evaluators: tuple[str, ...],
    judge_urls: tuple[str, ...],
    judge_models: tuple[str, ...],
    as_json: bool,
    store: str,
) -> int:
    """Score the answers of RUN with other evaluators; no system is asked."""
    result = rescore(run, evaluators, store=store, judge=judge_urls, judge_model=judge_models)
    show(result, "json" if as_json else "table", store)
    return 0
