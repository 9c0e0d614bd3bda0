"""The generated pages by file name; `tests/test_generated_docs.py` compares each with the code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from generate.agreement import agreement_page
from generate.command_line import command_line_page, exit_codes_page
from generate.data import datasets_page, environment_page, file_formats_page, row_fields_page
from generate.evaluators import evaluators_page
from generate.python_names import python_page
from ringtrue.suites.schema import suite_schema

REFERENCE = Path(__file__).parent.parent / "reference"


def _suite_schema() -> str:
    return json.dumps(suite_schema(), indent=2, ensure_ascii=False) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    "agreement.md": agreement_page,
    "command-line.md": command_line_page,
    "datasets.md": datasets_page,
    "environment.md": environment_page,
    "evaluators.md": evaluators_page,
    "exit-codes.md": exit_codes_page,
    "file-formats.md": file_formats_page,
    "python.md": python_page,
    "row-fields.md": row_fields_page,
    "suite.schema.json": _suite_schema,
}
