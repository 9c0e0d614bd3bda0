"""`Command`: a command in which an option that takes one value is given once."""

from __future__ import annotations

import sys
from collections import Counter

import click

from ringtrue.safetext import printable


class Command(click.Command):
    """A command that refuses a single-valued option given twice: which of the two was meant is not known."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command."""
        options = {
            name: param for param in self.get_params(ctx) if isinstance(param, click.Option) for name in param.opts
        }
        seen: Counter[str] = Counter()
        words = iter(args)
        for word in words:
            if word == "--":
                break
            name = word.partition("=")[0] if word.startswith("--") else word[:2]
            option = options.get(name)
            if option is None or option.is_flag or option.count:
                continue
            if (word == name) and not option.is_flag:
                next(words, None)
            if not option.multiple:
                seen[option.opts[-1]] += 1
                if seen[option.opts[-1]] > 1:
                    raise click.UsageError(f"{name} is given twice; it takes one value", ctx)
        return super().parse_args(ctx, args)


def say(message: str) -> None:
    """A line on standard error: talk goes there, results go to standard output."""
    sys.stderr.write(f"ringtrue: {printable(message)}\n")
