"""The command line: one file per command, loaded when it is called."""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module

TYPE_CHECKING = False  # spelled out: `typing` alone would load a dozen modules
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    import click
    from click.shell_completion import CompletionItem

GROUPS = {
    "Every day": {
        "run": "Ask systems every question of a dataset and score every answer.",
        "score": "Score answers stored in files.",
        "suite": "Run a suite of cases and checks that a file describes.",
        "view": "Look at runs in a browser: rows, cases, comparisons, labels.",
    },
    "Look": {
        "show": "Show a run, its failures, or a dataset.",
        "list": "List evaluators, datasets, samples or stored runs.",
        "explain": "Explain what an evaluator measures, needs and returns.",
        "export": "Write a run as JSON, JSONL, CSV, Parquet, JUnit, Markdown, HTML or OpenTelemetry events.",
    },
    "Decide": {
        "compare": "Compare runs or systems: which is better, by how much, and how sure.",
        "gate": "Check a run against a file of rules, as before a merge.",
        "calibrate": "Compare an evaluator with human labels, and find its threshold.",
    },
    "Build": {
        "init": "Write a project to start from: a suite, a system, a CI workflow.",
        "generate": "Generate test cases from documents, or variants of existing cases.",
        "simulate": "Simulate conversations between generated users and a system.",
        "rescore": "Score the answers of a run again.",
        "resume": "Resume an interrupted run.",
    },
    "Machine": {
        "local": "Install, check or serve the embedded model.",
        "store": "Copy a store, or delete old runs from it.",
        "doctor": "Check keys, endpoint, extras, store, hub, local model and sandbox.",
        "certify": "Check agreement with official scorers, or how good a judge is.",
        "skills": "Write skill files for coding agents.",
    },
}
COMMANDS = {name: about for group in GROUPS.values() for name, about in group.items()}

OK, GATE_FAILED, UNDECIDED, NOTHING_MEASURED, USAGE, INTERRUPTED = 0, 1, 2, 3, 64, 130
"""Exit codes: fine; a gate or a suite's case failed; errors leave it open; nothing measured, or too many errors; a
wrong call; interrupted."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    # A caller who closes a stream wants none of it; its replacement is open until the process ends.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    try:
        code = _print_version() if arguments == ["--version"] else _run(arguments)
        sys.stdout.flush()  # a full device shows here, while there is still time for a message
    except BrokenPipeError:
        _discard(sys.stdout)
        code = OK
    except OSError as error:
        if error.filename is not None:
            _say(f"cannot use {str(error.filename)!r}: {error.strerror}")
            code = USAGE
        elif error.errno in _UNWRITABLE:
            _discard(sys.stdout)
            _say(f"cannot write to standard output: {error.strerror}")
            code = NOTHING_MEASURED
        else:
            raise
    sys.exit(code)


def _print_version() -> int:
    from ringtrue._version import __version__

    sys.stdout.write(f"ringtrue {__version__}\n")
    return OK


def _run(arguments: list[str]) -> int:
    """Run a command and return its exit code; an error of the call, the data or a model becomes a message."""
    import warnings

    import click

    from ringtrue.errors import AbsentFile, ConfigurationError, RingtrueError

    try:
        with warnings.catch_warnings():
            warnings.showwarning = _warning_printer()
            return invoke(arguments)
    except click.ClickException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # older versions have none, and show the help themselves
            error.show()
        else:
            _say(_complaint(error))
        return USAGE
    except (ConfigurationError, AbsentFile) as error:
        _say(str(error))
        return USAGE
    except RingtrueError as error:
        _say(str(error))
        return NOTHING_MEASURED
    except (click.Abort, KeyboardInterrupt):
        _say("interrupted; no output file was written")
        return INTERRUPTED


_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


def _discard(stream: TextIO) -> None:
    """Drop what is buffered, so that it does not fail a second time when the process ends."""
    from contextlib import suppress

    with suppress(OSError, ValueError):  # a stream without a file of its own has nothing to drop
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


_JARGON = {
    "a valid integer range": "a whole number",
    "a valid integer": "a whole number",
    "a valid float range": "a number",
    "a valid float": "a number",
    r"not in the range x>=(\S+?)(?=;|$)": r"not \1 or more",
    r"not in the range (\S+)<=x<=(\S+?)(?=;|$)": r"not between \1 and \2",
}


def _complaint(error: click.ClickException) -> str:
    """Return the parser's complaint in one line."""
    import re

    context = getattr(error, "ctx", None)
    words = " ".join(error.format_message().split()).rstrip(".")
    for jargon, plain in _JARGON.items():
        words = re.sub(jargon, plain, words)
    return f"{words}; '{context.command_path} --help' shows how" if context else words


def _warning_printer() -> Callable[..., None]:
    """Shows a warning as the commands speak, and one text once, however many workers say it."""
    said: set[str] = set()

    def show(message: Warning | str, *_: object) -> None:
        if str(message) not in said:
            said.add(str(message))
            _say(str(message))

    return show


def invoke(arguments: list[str]) -> int:
    """The exit code of a command; what goes wrong is raised."""
    # A command that can be gone on with writes down the words that started it.
    return int(_group().main(arguments, prog_name="ringtrue", standalone_mode=False, obj=[*arguments]) or OK)


def _say(message: str) -> None:
    from ringtrue.safetext import printable

    try:
        sys.stderr.write(f"ringtrue: {printable(message)}\n")
        sys.stderr.flush()
    except OSError:  # a full device takes no message; the exit code remains
        _discard(sys.stderr)


def _group() -> click.Group:
    import click

    class CommandGroup(click.Group):
        def list_commands(self, ctx: click.Context) -> list[str]:
            return [*COMMANDS]

        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            if cmd_name not in COMMANDS:
                return None
            command: click.Command = import_module(f"ringtrue.cli.{cmd_name.replace('-', '_')}").command
            return command

        def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
            """The commands that fit, without loading one of them."""
            from click.shell_completion import CompletionItem

            if incomplete.startswith("-"):
                return super().shell_complete(ctx, incomplete)
            fitting = (pair for pair in COMMANDS.items() if pair[0].startswith(incomplete))
            return [CompletionItem(name, help=about) for name, about in fitting]

        def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
            for title, commands in GROUPS.items():
                with formatter.section(title):
                    formatter.write_dl([*commands.items()])

        def resolve_command(
            self, ctx: click.Context, args: list[str]
        ) -> tuple[str | None, click.Command | None, list[str]]:
            if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
                from ringtrue.require import did_you_mean

                hint = did_you_mean(args[0], COMMANDS, "'ringtrue --help' shows all")
                raise click.UsageError(f"no command {args[0]!r}; {hint}")  # without its context: one hint is enough
            return super().resolve_command(ctx, args)

    return CommandGroup(
        "ringtrue",
        help="Measure how often an LLM system is right, what it costs, and how sure you can be of the number.",
        epilog="Start with: ringtrue score nq@sample -e answer_found",
        params=[click.Option(["--version"], is_flag=True, help="Show the version and exit.")],
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    )
