"""The options of the commands `attribution` and `staleness`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

_REPORT = "report"
_KINDS = (_REPORT, "baseline", "stamp", "-h", "--help")

_FLAG: dict[str, Any] = {"action": "store_true"}
_OFTEN: dict[str, Any] = {"action": "append"}
_FILE: dict[str, Any] = {"metavar": "F.jsonl"}
_FILE_OR_DEFAULT: dict[str, Any] = {"nargs": "?", "const": "", "metavar": "F.jsonl"}


def with_kind(argv: Sequence[str] | None) -> list[str]:
    """The words of a command line; `staleness PATH` means `staleness report PATH`."""
    words = list(sys.argv[1:] if argv is None else argv)
    kindless = words[:1] == ["staleness"] and (len(words) == 1 or words[1] not in _KINDS)
    return ["staleness", _REPORT, *words[1:]] if kindless else words


def add_attribution(parser: ArgumentParser) -> None:
    """`attribution scan` and `attribution diff`."""
    kinds = parser.add_subparsers(dest="attribution_cmd")
    scan = kinds.add_parser("scan", help="The prompts in a folder's Python files.")
    scan.add_argument("path")
    scan.add_argument("--format", choices=["text", "json"], default="text")
    diff = kinds.add_parser("diff", help="The prompts that differ between two folders.")
    diff.add_argument("base")
    diff.add_argument("head")
    diff.add_argument("--format", choices=["text", "markdown", "json"], default="markdown")


def add_staleness(parser: ArgumentParser) -> None:
    """`staleness report`, `staleness baseline` and `staleness stamp`."""
    kinds = parser.add_subparsers(dest="staleness_cmd")
    report = kinds.add_parser(_REPORT, help="Which prompts changed since the baseline; meant where nothing is said.")
    report.add_argument("path", nargs="?", default=".")
    report.add_argument("--format", choices=["text", "json", "markdown"], default="text")
    _options(
        report,
        baseline={},
        cases={**_OFTEN, **_FILE},
        suite={"metavar": "module:name"},
        fail_on={"metavar": "changed,removed,added"},
        include_tests=_FLAG,
        ignore={**_OFTEN, "metavar": "DIR"},
        recordings=_FILE,
    )
    baseline = kinds.add_parser("baseline", help="Keep the prompts of now as the baseline.")
    baseline.add_argument("path", nargs="?", default=".")
    _options(baseline, out={"metavar": "PATH"}, dry_run=_FLAG, merge_recordings=_FILE_OR_DEFAULT)
    stamp = kinds.add_parser("stamp", help="Say in a file of cases which prompt they are for.")
    _options(
        stamp,
        cases=_FILE,
        site={"metavar": "FILE[::QUALNAME][.ROLE[#POS]]"},
        from_recordings=_FILE_OR_DEFAULT,
        apply=_FLAG,
        index={**_OFTEN, "type": int, "metavar": "N"},
        tag={},
        all=_FLAG,
        evidence={"metavar": "REPORT.json"},
        repo={"default": "."},
        dry_run=_FLAG,
        force=_FLAG,
    )


def _options(parser: ArgumentParser, **options: dict[str, Any]) -> None:
    for name, settings in options.items():
        parser.add_argument(f"--{name.replace('_', '-')}", **settings)
