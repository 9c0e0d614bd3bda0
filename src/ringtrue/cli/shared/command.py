"""`OnceCommand`: a command in which an option that takes one value is given once."""

from __future__ import annotations

import shutil
import sys
from collections import Counter

import click

from ringtrue.safetext import printable


class OnceCommand(click.Command):
    """A command that refuses a single-valued option given twice: which of the two was meant is not known."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command."""
        if not ctx.resilient_parsing:
            _, _, given = self.make_parser(ctx).parse_args([*args])
            for param, times in Counter(given).items():
                if times > 1 and isinstance(param, click.Option) and not (param.multiple or param.is_flag):
                    raise click.UsageError(
                        f"{'/'.join(sorted(param.opts, key=len))} is given {times} times; it takes one value", ctx
                    )
        return super().parse_args(ctx, args)


def say(message: str) -> None:
    """A line on standard error: talk goes there, results go to standard output."""
    sys.stderr.write(f"ringtrue: {printable(message)}\n")


def terminal_width() -> int:
    """How wide standard output is; 80 where it is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 80
