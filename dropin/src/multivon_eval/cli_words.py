"""The words of the command line: commands and options as multivon-eval documents them."""

from __future__ import annotations

from argparse import REMAINDER, ArgumentParser
from collections.abc import Mapping
from typing import Any

from multivon_eval import __version__
from multivon_eval.drift_words import add_attribution, add_staleness
from multivon_eval.generated import add_options
from multivon_eval.start_words import add_bootstrap, add_simulate
from multivon_eval.templates import list_templates

ABSENT = ("install-skills",)
"""Commands of multivon-eval that are not here."""


def command_parser(helps: Mapping[str, str]) -> ArgumentParser:
    """The parser of all commands; `helps` are the sentences of their functions, by their names."""
    parser = ArgumentParser(prog="multivon-eval", description="Checks of what LLM systems say, measured by ringtrue.")
    parser.add_argument("--version", action="version", version=f"multivon-eval {__version__} (ringtrue-dropin)")
    commands = parser.add_subparsers(dest="command")

    def command(name: str, **options: dict[str, Any]) -> ArgumentParser:
        added: ArgumentParser = commands.add_parser(name, help=helps[f"cmd_{name.replace('-', '_')}"].split(";")[0])
        for option, settings in options.items():
            word = option if settings.pop("given", False) else f"--{option.replace('_', '-')}"
            added.add_argument(*settings.pop("short", ()), word, **settings)
        return added

    given: dict[str, Any] = {"given": True}
    flag: dict[str, Any] = {"action": "store_true"}
    path: dict[str, Any] = {"metavar": "PATH"}
    command(
        "init",
        template={"short": ("-t",), "default": "rag", "choices": list_templates()},
        dir={"short": ("-d",), "default": "."},
        ci={"choices": ["github"]},
        force={**flag},
    )
    command("run", file={**given}, html={**path}, json={**path})
    command("validate", file={**given}, judges={**flag}, no_contrast={**flag}, json={**path})
    command("report", file={**given}, html={**path}, junit={**path})
    command(
        "view",
        file={**given, "nargs": "?"},
        dir={"metavar": "DIR"},
        recursive={**flag},
        port={"type": int, "default": 0},
        no_browser={**flag},
    )
    kinds = command("experiments").add_subparsers(dest="exp_cmd")
    kinds.add_parser("list")
    history = kinds.add_parser("history")
    history.add_argument("name")
    history.add_argument("--n", type=int, default=10)
    compared = kinds.add_parser("compare")
    for word in ("name", "run_a", "run_b"):
        compared.add_argument(word)
    flags = ("regressions_only", "markdown", "json", "fail_on_regression", "allow_legacy_identity")
    command("compare", baseline={**given}, proposal={**given}, **{name: {**flag} for name in flags})
    command("gate", report={**given}, policy={"required": True, **path}, output={**path})
    command("discover", compact={**flag})
    command("doctor", no_ping={**flag}, json={**flag})
    add_options(command("generate"))
    needed: dict[str, Any] = {"required": True}
    command("audit-package", logs={**needed}, suite={**needed}, framework={**needed}, out={**needed, **path}, period={})
    kinds_of_input: dict[str, Any] = {"choices": ["bootstrap", "generate", "cases"], "default": "bootstrap"}
    command("assess", path={**given}).add_argument("--for", dest="for_kind", **kinds_of_input)
    add_attribution(command("attribution"))
    add_staleness(command("staleness"))
    add_bootstrap(command("bootstrap"))
    add_simulate(command("simulate"))
    for name in ABSENT:
        missing = commands.add_parser(name, add_help=False)
        missing.add_argument("words", nargs=REMAINDER)
        missing.set_defaults(command="absent", absent=name)
    return parser
