"""The drop-in stands on documented modules of ringtrue; the few helpers it borrows beside them are named here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "dropin" / "src"
FILES = sorted(SOURCE.rglob("*.py"))
DOCUMENTED = set(re.findall(r"^## `(ringtrue[\w.]*)`$", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE))
HELPERS = {
    "ringtrue.reports.report_text",
    "ringtrue.suites.options",
    "ringtrue.datasets.files.whole_file",
    "ringtrue.sync",
    "ringtrue.jsontext",
    "ringtrue.reports.rows",
    "ringtrue.atomic_file",
}
"""What a terminal, options, files, rows and a synchronous caller take; all else that `multivon_eval` uses is public."""


def imports(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "ringtrue":
            yield from ((node.module or "", name.name) for name in node.names)
        elif isinstance(node, ast.Import):
            yield from ((name.name, "") for name in node.names if name.name.partition(".")[0] == "ringtrue")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_private_name_of_ringtrue_is_imported(path: Path) -> None:
    private = [f"{module}.{name}" for module, name in imports(path) if re.search(r"(^|\.)_[a-z]", f"{module}.{name}")]
    assert private == []


def test_multivon_eval_stands_on_documented_modules() -> None:
    used = {module for path in (SOURCE / "multivon_eval").rglob("*.py") for module, _ in imports(path)}
    assert used - DOCUMENTED == HELPERS
