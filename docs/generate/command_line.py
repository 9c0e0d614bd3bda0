"""The pages of the command line: every command with its options, and the exit codes."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module

import click

from generate.markdown import block, fill, table
from ringtrue import cli
from ringtrue.cli.shared.help_sections import MANY, sections

CODES = (
    (cli.OK, "The command did what it was asked; every gate passed."),
    (
        cli.GATE_FAILED,
        "A gate failed (`--fail-under`, `gate`, `compare --fail-if-worse`), or a case of a suite failed.",
    ),
    (cli.UNDECIDED, "Errors make the result undecidable: the gate could go either way."),
    (cli.NOTHING_MEASURED, "Nothing was measured, or there were more errors than `--max-errors` allows."),
    (cli.USAGE, "A usage error: an unknown option, a missing file, a wrong setting. Nothing was asked."),
    (cli.INTERRUPTED, "Ctrl-C. Finished rows are kept; `ringtrue resume` continues the run."),
    (143, "SIGTERM. No partial output file is left."),
)


def command_line_page() -> str:
    """Every command, in the groups of `ringtrue --help`."""
    return fill("command-line.md", commands="\n\n".join(filter(None, _commands())))


def _commands() -> Iterator[str]:
    for title, commands in cli.GROUPS.items():
        yield f"## {title}"
        for name in commands:
            found: click.Command = import_module(f"ringtrue.cli.{name.replace('-', '_')}").command
            yield from _command(f"ringtrue {name}", found)


def _command(called: str, command: click.Command) -> Iterator[str]:
    yield f"### {called}"
    yield from _words(inspect.cleandoc(command.help or ""))
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from _command(f"{called} {name}", below)
        return
    context = click.Context(command, info_name=called)
    arguments = " ".join(one.make_metavar(context) for one in command.params if isinstance(one, click.Argument))
    yield block(f"{called} [OPTIONS] {arguments}".rstrip())
    shown = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    groups = [*sections(command, context)] if len(command.params) > MANY else [("", shown)]
    for title, options in groups:
        if title != "Other":  # it has --help alone
            yield f"**{title}**" * bool(title)
            yield table(("option", "meaning"), (_option(one, context) for one in options))


def _words(help: str) -> Iterator[str]:
    """The paragraphs of a help text; those that begin with a backspace are examples, line by line."""
    for paragraph in help.split("\n\n"):
        kept, _, examples = paragraph.partition("\b\n")
        yield block(inspect.cleandoc(examples)) if examples else " ".join(kept.split())


def _option(option: click.Option, context: click.Context) -> tuple[str, str]:
    record = option.get_help_record(context)
    assert record is not None
    names, meaning = record
    return f"`{names}`", meaning


def exit_codes_page() -> str:
    """What each exit code means."""
    rows = ((str(number), meaning) for number, meaning in CODES)
    return fill("exit-codes.md", codes=table(("code", "meaning"), rows))
