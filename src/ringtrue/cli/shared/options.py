"""The options that commands share: one name, one meaning, one default each."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

import click

from ringtrue.cli.shared.completion import complete_evaluator, complete_file, complete_run
from ringtrue.errors import ConfigurationError
from ringtrue.records import DEFAULT_STORE
from ringtrue.runner.options import Options

if TYPE_CHECKING:
    from ringtrue.runner.plan import Plan

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

store_option = click.option("--store", default=DEFAULT_STORE, show_default=True, metavar="URL",
                            help="Database for runs: sqlite:///FILE or postgresql://…")  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
encoding_option = click.option("--encoding", metavar="NAME",
                               help="Encoding of files that are not UTF-8: cp1252 …")  # fmt: skip
run_argument = click.argument("run", metavar="RUN", shell_complete=complete_run)
"""A run: a stored id or its beginning, `last`, or a file of rows that a command wrote with -o."""

_JUDGES = [
    click.option("--judge-url", "judge_urls", multiple=True, metavar="URL",
                 help="Judge endpoint: a URL, or local. Repeatable."),
    click.option("--judge-model", "judge_models", multiple=True, metavar="NAME",
                 help="Model of each judge endpoint, in their order."),
]  # fmt: skip

map_option = click.option("--map", "maps", multiple=True, metavar="MEANING=FIELD",
                          help="Field that holds input, expected, context, id, response or latency; meta.gold.0 "
                               "reaches into objects and lists. Repeatable.")  # fmt: skip

_MEASURE = [
    click.option("-e", "--evaluator", "evaluators", multiple=True, metavar="SPEC",
                 shell_complete=complete_evaluator, help="A name, or name(setting=value). Repeatable."),
    map_option,
    click.option("-n", "--limit", "--max-examples", "limit", type=click.IntRange(min=1), metavar="N",
                 help="At most N cases of each dataset."),
    *_JUDGES,
    click.option("--judge-timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
                 help="Time limit of one judge request; default 600."),
    click.option("--criterion", "criteria", multiple=True, metavar="TEXT",
                 help='Let a judge check this statement about each answer: "It is polite". Repeatable.'),
    click.option("--judge-workers", type=click.IntRange(min=1), metavar="N",
                 help="Answers judged at once; default 16, local 1."),
    click.option("--max-workers", type=click.IntRange(min=1), metavar="N",
                 help="Cases asked at once; by default 1 for a function, 16 for an async function, 64 for an "
                      "endpoint. In score: processes, by default one per core."),
    click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
                 help="Time limit of one request or function call."),
    click.option("--threshold", type=click.FloatRange(0, 1), metavar="NUMBER",
                 help="Score at which a row passes, in a suite each check; by default the evaluator's own."),
    click.option("--fail-under", "floors", multiple=True, metavar="[PART=]NUMBER",
                 help="Exit 1 if the share of cases that pass, or the mean of PART, is below this; 2 if errors make "
                      "that undecidable. Repeatable."),
    click.option("--max-errors", type=click.IntRange(min=0), metavar="N",
                 help="Stop and exit 3 after more than N errors."),
    click.option("--max-cost", type=click.FloatRange(min=0), metavar="USD", help="Stop after spending this much."),
    click.option("--max-tokens", type=click.IntRange(min=0), metavar="N", help="Stop after this many tokens."),
    click.option("--executor", type=click.Choice(["local", "ray"]), default="local", show_default=True,
                 help="Work on this machine, or on a Ray cluster with one worker per file."),
    click.option("--ray-address", metavar="ADDRESS",
                 help="Address of the Ray cluster, or auto; by default Ray starts on this machine."),
    store_option,
    click.option("--name", default="", metavar="TEXT", help="Name of the run."),
]  # fmt: skip

_OUTPUT = [
    click.option("-o", "--output", metavar="FILE", shell_complete=complete_file,
                 help="Write the rows: .jsonl, .csv or .parquet; with --executor ray a folder."),
    click.option("--html", metavar="FILE", shell_complete=complete_file, help="Write the run as one HTML page."),
    click.option("--junit", metavar="FILE", shell_complete=complete_file,
                 help="Write JUnit XML, one testcase per check."),
    click.option("--markdown", metavar="FILE", shell_complete=complete_file, help="Write the summary as Markdown."),
    json_option,
    click.option("-q", "--quiet", is_flag=True, help="Print no progress and no report."),
]  # fmt: skip


def _with(options: list[Any]) -> Decorator:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


judge_options = _with(_JUDGES)
measure_options = _with([*_MEASURE, *_OUTPUT])
"""What `run`, `score` and `suite` share."""


def field_mapping(maps: tuple[str, ...]) -> dict[str, str]:
    """Read `--map MEANING=FIELD`."""
    pairs = [item.partition("=") for item in maps]
    wrong = next((item for item, (_, sign, field) in zip(maps, pairs, strict=True) if not (sign and field)), None)
    if wrong is not None:
        raise ConfigurationError(f"--map {wrong!r}: write MEANING=FIELD, such as response=text", parameter="map")
    return {meaning: field for meaning, _, field in pairs}


@dataclass(frozen=True, kw_only=True)
class Flags:
    """The shared options of one call."""

    evaluators: tuple[str, ...]
    maps: tuple[str, ...]
    limit: int | None
    judge_urls: tuple[str, ...]
    judge_models: tuple[str, ...]
    judge_timeout: float | None
    criteria: tuple[str, ...]
    judge_workers: int | None
    max_workers: int | None
    timeout: float | None
    threshold: float | None
    floors: tuple[str, ...]
    max_errors: int | None
    max_cost: float | None
    max_tokens: int | None
    executor: Literal["local", "ray"]
    ray_address: str | None
    store: str
    name: str
    output: str | None
    html: str | None
    junit: str | None
    markdown: str | None
    as_json: bool
    quiet: bool

    @property
    def judge(self) -> dict[str, Any]:
        """The judge, as the entry points take it."""
        return {"judge": self.judge_urls or None, "judge_model": self.judge_models}

    @property
    def mapping(self) -> dict[str, str]:
        """The fields of the rows, by meaning."""
        return field_mapping(self.maps)

    def require_local(self, why: str) -> None:
        """Refuse another executor where there are no shards."""
        if self.executor != "local":
            raise click.UsageError(f"leave out --executor {self.executor}: {why}")

    @property
    def progress(self) -> bool:
        """Whether progress is shown."""
        return not self.quiet

    def __post_init__(self) -> None:
        if self.ray_address and self.executor != "ray":
            raise click.UsageError("--ray-address needs --executor ray", click.get_current_context(silent=True))

    def plan(self, evaluators: Sequence[Any]) -> Plan:
        """The plan of these evaluators with the judges and criteria of the call."""
        from ringtrue.runner.planning import plan_for  # `show` and `list` take options and plan nothing

        return plan_for(evaluators, *self.judge.values(), judge_timeout=self.judge_timeout, criteria=self.criteria)

    def options(self, **further: Any) -> Options:
        """The options of the run."""
        return Options(**{**self.option_fields(), **further})

    def option_fields(self) -> Mapping[str, Any]:
        """The fields of `Options` that the command line sets: those of the same name, and progress."""
        shared = {item.name for item in fields(self)} & {item.name for item in fields(Options)}
        return {name: getattr(self, name) for name in shared} | {"progress": self.progress}


def cores() -> int:
    """Return the number of processes that can run at the same time here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
