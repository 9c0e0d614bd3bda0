"""`ringtrue rescore`: stored answers, other evaluators, no model call."""

from __future__ import annotations

from typing import Any

import click

from ringtrue.api.runs import rescore
from ringtrue.cli.shared.command import OnceCommand
from ringtrue.cli.shared.gates import floors
from ringtrue.cli.shared.options import Flags, measure_options, run_argument
from ringtrue.cli.shared.output import check_files, finish
from ringtrue.evaluators.spec import build


@click.command("rescore", cls=OnceCommand)
@run_argument
@measure_options
def command(run: str, **given: Any) -> int:
    """Score the answers of RUN (a stored id or its beginning, `last`, or a file of rows) with other evaluators.

    No system is asked.

    \b
    ringtrue rescore last -e contains -e answer_quality
    ringtrue rescore rows.jsonl -e llm_judge --judge-url http://localhost:9090
    """
    flags = Flags(**given)
    if not flags.evaluators and not flags.judge_urls and not flags.criteria:
        raise click.UsageError("Missing option '-e' / '--evaluator'.", click.get_current_context())
    check_files(flags)
    built = [build(spec) for spec in flags.evaluators or (() if flags.criteria else ("llm_judge",))]
    wanted = floors(flags.floors, flags.plan(built).keys)
    options = {name: value for name, value in flags.option_fields().items() if name != "store"}
    on_ray = flags.executor == "ray"
    folder = flags.output if on_ray else None
    chosen: dict[str, Any] = {"limit": flags.limit, "mapping": flags.mapping, "output": folder}
    found = rescore(run, built, store=flags.store, **chosen, **flags.judge, **options)
    return finish(found, flags, wanted, rows_written=on_ray)
