"""`ringtrue score`: answers in files, scored, summed up, and gated."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import click
from click.core import ParameterSource

from ringtrue.api.score_file import score_file
from ringtrue.cli import NOTHING_MEASURED
from ringtrue.cli.shared.command import OnceCommand, require_named_once, say
from ringtrue.cli.shared.completion import complete_answers
from ringtrue.cli.shared.gates import floors
from ringtrue.cli.shared.options import Flags, cores, encoding_option, measure_options
from ringtrue.cli.shared.output import check_files, finish
from ringtrue.datasets.files.reader import FORMATS
from ringtrue.datasets.samples import SAMPLE, SAMPLES, sample_path
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator
from ringtrue.evaluators.built_in import EVERYWHERE, FREE_FORM
from ringtrue.evaluators.spec import build
from ringtrue.records import Run
from ringtrue.reports.progress import FileProgress
from ringtrue.safetext import printable, shorten

REASON_CHARS = 200


@click.command("score", cls=OnceCommand)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", shell_complete=complete_answers)
@click.option("--format", type=click.Choice(FORMATS), metavar="NAME",
              help=f"{', '.join(FORMATS)}; if the file's name does not show it.")  # fmt: skip
@encoding_option
@measure_options
def command(paths: tuple[str, ...], format: str | None, encoding: str | None, **given: Any) -> int:
    """Score the answers in FILE (JSONL, JSON, CSV, Parquet, Arrow, gzipped or not; - is standard input).

    Without -e, answer_quality and answer_found score rows that have an expected answer, or, with --judge-url,
    llm_judge. Judged evaluators ask --judge-url; their replies are stored, and running the command again costs
    nothing. The rows are kept if you add -o FILE or --store URL.

    \b
    ringtrue score answers.jsonl -e answer_quality -e "word_count(max_words=100)"
    ringtrue score run.csv -e exact_match --map response=model_said --fail-under 0.9
    ringtrue score chats.jsonl -e llm_judge --judge-url http://localhost:9090
    ringtrue score nq@sample -e answer_quality
    """
    flags = Flags(**given)
    check_files(flags)
    usual = () if flags.criteria else ("llm_judge",) if flags.judge_urls else (EVERYWHERE, FREE_FORM)
    built = [build(spec) for spec in flags.evaluators or usual]
    wanted = floors(flags.floors, flags.plan(built).keys)
    require_named_once(paths, "its rows would count as further evidence")
    files = [_file(path) for path in paths]
    options = dict(flags.option_fields())
    if click.get_current_context().get_parameter_source("store") is ParameterSource.DEFAULT:
        options.pop("store")  # keeping rows costs ten times what scoring them does
    try:
        with stoppable(), FileProgress(files, shown=flags.progress) as progress:
            run = score_file(
                files,
                built,
                mapping=flags.mapping,
                format=format,
                encoding=encoding,
                output=flags.output,
                limit=flags.limit,
                dataset=paths[0] if len(paths) == 1 and paths[0].endswith(SAMPLE) else "",
                workers=flags.max_workers or cores(),
                listener=progress,
                **flags.judge,
                **options,
            )
    except StopSignal as stop:
        say(f"{stop}; no output file was written")
        return stop.code
    code = finish(run, flags, wanted, rows_written=True)
    if run.stopped_by:
        file = "no output file was written, and " if flags.output else ""
        say(f"{file}the judges' replies are kept; the same command resumes with them")
    _explain_skips(run, built, flags.maps, said=code == NOTHING_MEASURED)
    return code


def _file(path: str) -> str:
    if path.endswith(SAMPLE):
        return sample_path(path)
    if path in SAMPLES and not os.path.exists(path):
        raise ConfigurationError(
            f"{path!r} is not a file; '{path}{SAMPLE}' is the sample of that name, and 'ringtrue run -d {path}' asks a "
            "system its questions",
            parameter="path",
            value=path,
        )
    return path


def _explain_skips(run: Run, built: Sequence[Evaluator], maps: Sequence[str], *, said: bool) -> None:
    """Say why an evaluator measured nothing at all, and what it needs; the first reason may be said already."""
    given = f" (given: {printable(', '.join(maps))})" if maps else ""
    for evaluator in built:
        found = [
            own.get(key) for systems in run.summaries.values() for own in systems.values() for key in evaluator.keys
        ]
        known = [one for one in found if one is not None]
        if known and all(one.skipped and not one.n and not one.errors for one in known):
            why = shorten(printable(run.first_skips.get(evaluator.name, "")), REASON_CHARS)
            # A judge that was asked had all that it needs.
            asked = run.spent.get("calls") or run.spent.get("cache_hits")
            needs = "" if asked else getattr(evaluator, "needs", "").partition(";")[0]
            hint = f"; it needs {needs}; --map names another field{given}" if needs else ""
            first = "" if said and evaluator is built[0] else f" (the first: {why})"
            say(f"{evaluator.name} found nothing to measure in any row{first}{hint}")


STOP_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""What service managers, batch systems, containers and closing terminals send; Windows knows the first alone."""


class StopSignal(KeyboardInterrupt):
    """A signal asked the process to end; it cleans up as for Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.code = 128 + number


@contextmanager
def stoppable() -> Iterator[None]:
    """In here SIGTERM and SIGHUP raise `StopSignal`; ignored ones stay ignored."""
    received: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        received.append(number)
        if len(received) == 1:  # more of them must not disturb the tidying
            raise StopSignal(number)

    mine = [number for number in STOP_SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in mine:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, signal.SIG_DFL)
