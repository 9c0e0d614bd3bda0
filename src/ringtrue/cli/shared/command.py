"""`OnceCommand`: a command that takes each single value once, and writes over nothing that it reads."""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ringtrue.cli.shared.help_sections import MANY, write_sections
from ringtrue.errors import ConfigurationError
from ringtrue.safetext import printable

_WRITTEN = {"output": "-o", "html": "--html", "junit": "--junit", "markdown": "--markdown"}
_READ = (
    "paths", "path", "datasets", "more_datasets", "systems", "system", "evaluators", "template", "run", "runs",
    "regrade", "rules", "baseline", "personas", "product",
)  # fmt: skip


class OnceCommand(click.Command):
    """A command that refuses a single-valued option given twice: which of the two was meant is not known.

    It also refuses to write a file that it reads, or two files under one name.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command."""
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args([*args])
            for param, times in Counter(given).items():
                if times > 1 and isinstance(param, click.Option) and not (param.multiple or param.is_flag):
                    raise click.UsageError(
                        f"{'/'.join(sorted(param.opts, key=len))} is given {times} times; it takes one value", ctx
                    )
        rest = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            _require_files_of_their_own(ctx.params)
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options; many of them in sections."""
        if len(self.params) > MANY:
            write_sections(self, ctx, formatter)
        else:
            super().format_options(ctx, formatter)


def _require_files_of_their_own(given: Mapping[str, Any]) -> None:
    read = list(_files_read(given))
    written: dict[Path, str] = {}
    for name, option in _WRITTEN.items():
        if not isinstance(given.get(name), str):
            continue
        file = Path(given[name]).absolute()
        if file.is_file() and any(file.samefile(one) for one in read):
            words = f"{option} {given[name]!r} is a file that this command reads; give it another name"
            raise ConfigurationError(words, parameter=name, value=given[name])
        if file in written:
            words = f"{written[file]} and {option} name the same file {given[name]!r}; give each its own"
            raise ConfigurationError(words, parameter=name, value=given[name])
        written[file] = option


def _files_read(given: Mapping[str, Any]) -> Iterator[Path]:
    """The existing files that words such as `a.jsonl`, `mine=app.py:answer` and `replay:a.jsonl` name."""
    for name in _READ:
        value = given.get(name) or ()
        for word in (value,) if isinstance(value, str) else value:
            for piece in {word, *re.split("[=:]", word)}:
                if len(piece) < 4_096 and "\0" not in piece and Path(piece).is_file():
                    yield Path(piece)


def say(message: str) -> None:
    """A line on standard error: talk goes there, results go to standard output."""
    sys.stderr.write(f"ringtrue: {printable(message)}\n")


def require_named_once(names: Sequence[str], why: str) -> None:
    """Raise a ConfigurationError if a dataset or a file is named twice."""
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ConfigurationError(f"{name!r} is named twice; {why}", parameter="dataset", value=name)


def terminal_width() -> int:
    """Return the width of standard output; 80 if it is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
