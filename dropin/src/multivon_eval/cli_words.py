"""The words of the command line: commands and options as multivon-eval documents them."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from typing import Any

from multivon_eval import __version__
from multivon_eval.drift_words import add_attribution, add_staleness
from multivon_eval.generated import add_options
from multivon_eval.start_words import Options, add_bootstrap, add_simulate, add_words
from multivon_eval.templates import list_templates

_FLAG: dict[str, Any] = {"action": "store_true"}
_PATH: dict[str, Any] = {"metavar": "PATH"}
_NEEDED: dict[str, Any] = {"required": True}
_GIVEN: dict[str, Any] = {}
_COMPARE = ("--regressions-only", "--markdown", "--json", "--fail-on-regression", "--allow-legacy-identity")


def command_parser(helps: Mapping[str, str]) -> ArgumentParser:
    """The parser of all commands; `helps` are the sentences of their functions, by their names."""
    parser = ArgumentParser(prog="multivon-eval", description="Checks of what LLM systems say, measured by ringtrue.")
    parser.add_argument("--version", action="version", version=f"multivon-eval {__version__} (ringtrue-dropin)")
    commands = parser.add_subparsers(dest="command")
    for name, words in _COMMANDS.items():
        added = commands.add_parser(name, help=helps[f"cmd_{name.replace('-', '_')}"].split(";")[0])
        if callable(words):
            words(added)
        else:
            add_words(added, words)
    return parser


def _add_experiments(parser: ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="exp_cmd")
    kinds.add_parser("list")
    add_words(kinds.add_parser("history"), {"name": _GIVEN, "--n": {"type": int, "default": 10}})
    add_words(kinds.add_parser("compare"), dict.fromkeys(("name", "run_a", "run_b"), _GIVEN))


_COMMANDS: dict[str, Options | Callable[[ArgumentParser], None]] = {
    "init": {
        "-t --template": {"default": "rag", "choices": list_templates()},
        "-d --dir": {"default": "."},
        "--ci": {"choices": ["github"]},
        "--force": _FLAG,
    },
    "run": {"file": _GIVEN, "--html": _PATH, "--json": _PATH},
    "validate": {"file": _GIVEN, "--judges": _FLAG, "--no-contrast": _FLAG, "--json": _PATH},
    "report": {"file": _GIVEN, "--html": _PATH, "--junit": _PATH},
    "view": {
        "file": {"nargs": "?"},
        "--dir": {"metavar": "DIR"},
        "--recursive": _FLAG,
        "--port": {"type": int, "default": 0},
        "--no-browser": _FLAG,
    },
    "experiments": _add_experiments,
    "compare": {"baseline": _GIVEN, "proposal": _GIVEN, **dict.fromkeys(_COMPARE, _FLAG)},
    "gate": {"report": _GIVEN, "--policy": {**_NEEDED, **_PATH}, "--output": _PATH},
    "discover": {"--compact": _FLAG},
    "doctor": {"--no-ping": _FLAG, "--json": _FLAG},
    "generate": add_options,
    "audit-package": {
        **dict.fromkeys(("--logs", "--suite", "--framework"), _NEEDED),
        "--out": {**_NEEDED, **_PATH},
        "--period": _GIVEN,
    },
    "assess": {
        "path": _GIVEN,
        "--for": {"dest": "for_kind", "choices": ["bootstrap", "generate", "cases"], "default": "bootstrap"},
    },
    "attribution": add_attribution,
    "staleness": add_staleness,
    "bootstrap": add_bootstrap,
    "simulate": add_simulate,
    "install-skills": {"--dry-run": _FLAG, "--force": _FLAG},
}
