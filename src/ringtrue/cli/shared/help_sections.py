"""The sections of a long help text: options by what they are about, in the order in which a reader needs them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

MANY = 24
"""A command with more options than this shows them in sections."""

_SECTIONS = {
    "Data": (
        "datasets", "tags", "case_ids", "maps", "limit", "first", "shuffle", "seed", "split", "few_shot", "template",
        "format", "encoding", "data_dir",
    ),
    "Systems": (
        "systems", "proxies", "models", "system_prompt", "temperature", "max_output_tokens", "repeats", "regrade",
        "validate",
    ),
    "Scores": ("evaluators", "headline", "threshold", "floors", "stop_when_decided"),
    "Judges": ("judge_urls", "judge_models", "criteria", "judge_timeout", "judge_workers", "judges"),
    "Limits": ("max_workers", "timeout", "max_errors", "max_cost", "max_tokens"),
    "Results": ("output", "html", "junit", "markdown", "as_json", "quiet"),
    "Storage": ("name", "store", "cache_dir", "fresh", "no_reuse"),
    "Cluster": ("executor", "ray_address"),
}  # fmt: skip
_OBVIOUS = re.compile(r"; x>=[01](?=\])|\s+\[x>=?[01]\]")
"""A bound that every count and every price has."""


def write_sections(command: click.Command, context: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the options of a command under headings, in columns of one width."""
    shown = [param for param in command.get_params(context) if isinstance(param, click.Option)]
    options = {param.name: record for param in shown if (record := _record(param, context))}
    width = max(len(names) for names, _ in options.values())
    for title, names in _sections(options):
        with formatter.section(title):
            rows = [options[name] for name in names]
            formatter.write_dl([(called.ljust(width), meaning) for called, meaning in rows])


def _sections(options: dict[str | None, tuple[str, str]]) -> Iterator[tuple[str, list[str | None]]]:
    """The sections that have options; what no section names comes last."""
    placed = {name for names in _SECTIONS.values() for name in names}
    for title, names in (_SECTIONS | {"Other": tuple(name for name in options if name not in placed)}).items():
        if found := [name for name in names if name in options]:
            yield title, found


def _record(option: click.Option, context: click.Context) -> tuple[str, str] | None:
    """The names and the meaning of an option, without what is obvious."""
    record = option.get_help_record(context)
    return record and (record[0].replace(", --max-examples", ""), _OBVIOUS.sub("", record[1]))
