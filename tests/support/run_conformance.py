"""Judge programs whose verdict is known, as this user, on this kernel, with this interpreter; print what was wrong.

    python run_conformance.py GOLDEN_FILE [FOLDER]

The golden file has canonical solutions and verified mutants. FOLDER holds `humaneval/` and `mbpp/` as published: every
solution must pass, and neither an object that agrees with everything nor an empty program may.
"""

from __future__ import annotations

import ast
import gzip
import json
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ringtrue.dialects.dicts import trial_of
from ringtrue.evaluators.code_execution import CodeExecution
from support.agreeable import agreeing
from support.values import HELPER, OWN, SHARED, VALUES

Judged = tuple[str, dict[str, Any], str, float]
"""An id, a row, a response and its true value."""


def golden_programs(path: Path) -> Iterator[Judged]:
    """Canonical solutions and mutants of the golden file."""
    for row in map(json.loads, path.read_text().splitlines()):
        if "golden" not in row and row["oracle_seconds"] < 1 and row["expected"]["outcome"] != "timeout":
            given = row["input"]
            fields = {"test": given["test"], "entry_point": given["entry_point"]}
            yield row["id"], fields, given["solution"], float(row["expected"]["passed"])


def values() -> Iterator[Judged]:
    """Right programs whose values are not quite plain."""
    for expression, test in VALUES:
        program = f"{SHARED}{OWN}\ndef f():\n    return {expression}\n"
        yield test, {"test": f"{SHARED}{HELPER}\nassert {test}"}, program, 1.0


def published_programs(folder: Path) -> Iterator[Judged]:
    """Every row of MBPP, both editions, and of HumanEval: its own solution, a cheat, and nothing."""
    for name, row, solution in _published(folder):
        yield name, row, solution, 1.0
        yield f"{name} agrees", row, agreeing(_defined(solution)), 0.0
        yield f"{name} empty", row, "x = 1\n", 0.0


def _published(folder: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    with gzip.open(folder / "mbpp" / "mbpp.jsonl.gz", "rt") as lines:
        mbpp = [*map(json.loads, lines), *json.loads((folder / "mbpp" / "sanitized-mbpp.json").read_text())]
    for row in mbpp:
        kept = {name: row[name] for name in ("test_list", "test_setup_code", "test_imports") if name in row}
        yield f"MBPP/{row['task_id']}", kept, row["code"]
    with gzip.open(folder / "humaneval" / "HumanEval.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            kept = {"test": row["test"], "entry_point": row["entry_point"]}
            yield row["task_id"], kept, row["prompt"] + row["canonical_solution"]


def _defined(program: str) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # solutions have escapes Python does not know
        tree = ast.parse(program)
    return [item.name for item in tree.body if isinstance(item, (ast.FunctionDef, ast.ClassDef))]


def main(golden: str, folder: str = "") -> int:
    """Judge all of them and print one line of JSON."""
    judged = [*golden_programs(Path(golden)), *values(), *(published_programs(Path(folder)) if folder else ())]
    trials = [trial_of(row, {"response": response}) for _, row, response, _ in judged]
    scores = CodeExecution(timeout=10.0).measure_many(trials)
    wrong = [
        [name, score.value, score.reason[:300]]
        for (name, _, _, value), score in zip(judged, scores, strict=True)
        if score.value != value
    ]
    apart = sum(score.metadata.get("verdict") == "separate" for score in scores)
    isolation = str(scores[0].metadata.get("isolation"))
    print(json.dumps({"judged": len(judged), "apart": apart, "isolation": isolation, "wrong": wrong}))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
