"""Tasks with a published solution: a function, its tests, and the calls that the tests make."""

from __future__ import annotations

import ast
import gzip
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.golden import golden


@dataclass(frozen=True)
class Task:
    """A task as its authors publish it; `row` has its tests, `context` the beginning of the function."""

    name: str
    row: dict[str, Any]
    solution: str
    context: str = ""

    @property
    def function(self) -> str:
        """The function under test: the row's, else the one that the first assertion calls."""
        return str(self.row.get("entry_point") or next((call.func.id for call, _ in self._asserted()), ""))

    def calls(self) -> list[tuple[list[Any], Any]]:
        """Arguments and results of all assertions of the form `assert f(arguments) == result`; none if one is not."""
        found = []
        for call, wanted in self._asserted():
            try:
                found.append(([ast.literal_eval(item) for item in call.args], ast.literal_eval(wanted)))
            except ValueError:
                return []
        return found

    def _asserted(self) -> list[tuple[Any, ast.expr]]:
        text = self.row.get("test") or "\n".join(self.row["test_list"])
        found: list[tuple[Any, ast.expr]] = []
        for node in ast.walk(parsed(text)):
            match node:
                case ast.Assert(
                    test=ast.Compare(left=ast.Call(func=ast.Name()) as call, ops=[ast.Eq()], comparators=[wanted])
                ):
                    found.append((call, wanted))
                case ast.Assert(test=ast.Constant()):
                    pass  # "assert True": HumanEval has a few
                case ast.Assert():
                    return []
        return found


def golden_tasks() -> Iterator[Task]:
    """The tasks whose solutions come with the tests."""
    for row in golden("code_functional"):
        if row["category"] == "canonical" and row["oracle_seconds"] < 1:
            given = row["input"]
            yield Task(row["id"], {"test": given["test"], "entry_point": given["entry_point"]}, given["solution"])


def published_tasks(folder: Path) -> Iterator[Task]:
    """All of HumanEval and of MBPP, both editions, from a folder with `humaneval/` and `mbpp/` as published."""
    with gzip.open(folder / "humaneval" / "HumanEval.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            kept = {"test": row["test"], "entry_point": row["entry_point"]}
            yield Task(row["task_id"], kept, row["prompt"] + row["canonical_solution"], row["prompt"])
    with gzip.open(folder / "mbpp" / "mbpp.jsonl.gz", "rt") as lines:
        full = [*map(json.loads, lines)]
    for edition, rows in (
        ("MBPP", full),
        ("sanitized", json.loads((folder / "mbpp" / "sanitized-mbpp.json").read_text())),
    ):
        for row in rows:
            kept = {name: row[name] for name in ("test_list", "test_setup_code", "test_imports") if name in row}
            yield Task(f"{edition}/{row['task_id']}", kept, row["code"])


def parsed(text: str) -> ast.Module:
    """The tree of a text, without the parser's remarks about escapes that Python does not know."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def defined_names(program: str) -> list[str]:
    """The functions and classes of a program."""
    return [item.name for item in parsed(program).body if isinstance(item, (ast.FunctionDef, ast.ClassDef))]
