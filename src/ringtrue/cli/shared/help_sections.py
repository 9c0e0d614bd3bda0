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
    found = {title: [_record(option, context) for option in options] for title, options in sections(command, context)}
    width = max(len(names) for rows in found.values() for names, _ in rows)
    for title, rows in found.items():
        with formatter.section(title):
            formatter.write_dl([(names.ljust(width), meaning) for names, meaning in rows])


def sections(command: click.Command, context: click.Context) -> Iterator[tuple[str, list[click.Option]]]:
    """The headings with their options; those that no section names come last."""
    shown = [param for param in command.get_params(context) if isinstance(param, click.Option) and not param.hidden]
    options = {option.name or "": option for option in shown}
    placed = {name for names in _SECTIONS.values() for name in names}
    for title, names in (_SECTIONS | {"Other": tuple(name for name in options if name not in placed)}).items():
        if found := [options[name] for name in names if name in options]:
            yield title, found


def _record(option: click.Option, context: click.Context) -> tuple[str, str]:
    """The names and the meaning of an option, without what is obvious."""
    names, meaning = option.get_help_record(context) or ("", "")
    return names.replace(", --max-examples", ""), _OBVIOUS.sub("", meaning)
