"""Names and sizes stay as the house has them: what is not yet so is on a list that may only grow shorter.

An entry that is no longer needed fails, too: take it off the list.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "ringtrue"
FILES = sorted(PACKAGE.rglob("*.py"))

SAME_CLASS_NAME = {
    "Latency": "pinned by the documents: an evaluator and a metric",
}

SAME_MODULE_NAME = {
    "identity": "the root helper, a family of personal data, and the system",
    "infinitebench": "a benchmark, its evaluator and its rule",
    "locomo": "a benchmark, its evaluator and its rule",
    "longbench": "a benchmark, its evaluator and its rule",
    "outcome": "evaluators/judged/claims/outcome, models/structured/outcome, sandbox/pool/outcome",
    "suite": "a dialect, the suite itself, and its command",
}

CROWDED_FOLDERS = {"datasets/catalogue", "evaluators"}

LONG_FUNCTIONS = {
    "api/calibrate.py:calibrate",
    "api/evaluate.py:aevaluate",
    "api/score_file.py:score_file",
    "cli/__init__.py:_group",
    "cli/generate.py:command",
    "cli/score.py:command",
    "cli/simulate.py:command",
    "cli/suite.py:command",
    "sandbox/pool/sandbox.py:run",
    "stats/calibration.py:calibration",
}

LONG_FILES = {
    "evaluators/judged/claims/verification.py",
    "records.py",
    "reports/eval_report.py",
}

BROAD_HANDLERS = {
    "authoring/author.py": 1,
    "authoring/simulation.py": 1,
    "datasets/catalogue/own_file.py": 1,
    "datasets/hub/hf_library.py": 2,
    "datasets/hub/silence.py": 1,
    "evaluators/code_execution.py": 1,
    "evaluators/judged/judge.py": 1,
    "models/cache.py": 2,
    "models/client/shared_limiter.py": 1,
    "models/local/server.py": 1,
    "runner/loop.py": 2,
    "runner/measure.py": 1,
    "runner/plan.py": 2,
    "runner/process_map.py": 1,
    "sandbox/exam/bridge.py": 1,
    "sandbox/exam/candidate.py": 3,
    "sandbox/exam/examiner.py": 2,
    "sandbox/exam/faults.py": 2,
    "sandbox/pool/child.py": 1,
    "sandbox/pool/shell.py": 2,
    "scoring/tool_calls/bfcl_services.py": 1,
    "store/writer.py": 2,
    "suites/validate.py": 1,
    "sync.py": 2,
    "systems/function.py": 1,
    "systems/system.py": 1,
    "user_code.py": 1,
}

OWN_DIGESTS = {
    "identity.py": "`digest`",
    "models/local/weights.py": "the sha256 of a file",
}

OWN_JSON_WRITERS = {
    "jsontext.py": "the writer",
    "jsontext_reader.py": "reading is writing again and comparing",
    "models/client/response_bodies.py": "repairs half a surrogate pair",
    "models/local/llama.py": "llama.cpp reads no escaped surrogates",
    "models/structured/json_in_text.py": "repairs JSON that a model wrote",
    "sandbox/exam/examiner.py": "the sandbox loads the standard library alone",
    "sandbox/pool/outcome.py": "the sandbox loads the standard library alone",
    "scoring/json_values/json_schema.py": "refuses what is no JSON",
}

DOCUMENTED_PARTICIPLES = {
    "evaluators/wiring.py:judged": "the field of a benchmark's entry, as a protocol",
    "records.py:skipped": "the score of that status",
    "reports/case_result.py:evaluated": "documented by the suite dialect",
    "reports/case_result.py:measured": "documented by the suite dialect",
    "reports/case_result.py:passed": "documented by the suite dialect",
    "reports/eval_report.py:evaluated": "documented by the suite dialect",
    "reports/eval_report.py:failed": "documented by the suite dialect",
    "reports/eval_report.py:passed": "documented by the suite dialect",
    "reports/eval_report.py:saturated": "documented by the suite dialect",
    "reports/eval_report.py:skipped": "documented by the suite dialect",
    "reports/file_rows.py:made": "the field of a run, read from its file",
}

CLASSES_OF_ONE_PARTICIPLE = {
    "Attempted": "a documented metric",
    "Calibrated": "the documented result of `calibrate`",
    "Made": "the record behind the documented `run.made`",
    "Pooled": "a documented metric",
    "Caught": "sandbox/pool",
    "Closed": "sandbox/exam",
    "Linked": "sandbox/exam",
    "Received": "sandbox/pool",
    "Refused": "sandbox/isolation",
    "_Stopped": "sandbox/pool",
}

_IRREGULAR = "told|said|held|shown|found|kept|made|given|written|known|heard|seen|met|built|caught|lost"
_PARTICIPLE = re.compile(rf"_?(?:[a-z]+ed|{_IRREGULAR})")
_NO_PARTICIPLES = {"need", "feed", "seed", "speed", "embed", "exceed", "proceed", "expected"}
"""Verbs and nouns that end like one; `expected` is the usual word for a case's answers."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def place(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


RECORDS = {
    node.name for node in ast.parse((PACKAGE / "records.py").read_text("utf-8")).body if isinstance(node, ast.ClassDef)
}


@pytest.mark.parametrize("path", FILES, ids=place)
def test_records_are_built_by_keyword(path: Path) -> None:
    """Two values may come without their names, as in `Trial(case, output)`."""
    calls = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    unnamed = [
        ast.unparse(call)
        for call in calls
        if isinstance(call.func, ast.Name)
        and call.func.id in RECORDS
        and (len(call.args) > 2 or any(isinstance(given, ast.Starred) for given in call.args))
    ]
    assert not unnamed


def test_no_class_name_is_defined_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in FILES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(place(path))
    twice = {name: found for name, found in places.items() if len(found) > 1}
    assert set(twice) == set(SAME_CLASS_NAME), twice


def test_no_module_name_is_used_three_times() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in FILES:
        if path.stem != "__init__":
            places[path.stem].append(place(path))
    thrice = {name: found for name, found in places.items() if len(found) > 2}
    assert set(thrice) == set(SAME_MODULE_NAME), thrice


def test_no_folder_has_more_than_25_modules() -> None:
    counts = Counter(place(path.parent) for path in FILES)
    assert {folder for folder, count in counts.items() if count > 25} == CROWDED_FOLDERS, counts


def test_no_function_has_more_than_40_lines() -> None:
    long = {
        f"{place(path)}:{node.name}"
        for path in FILES
        for node in functions(path)
        if node.end_lineno is not None and node.end_lineno - node.lineno + 1 > 40
    }
    assert long == LONG_FUNCTIONS


def test_no_file_has_more_than_300_lines() -> None:
    assert {place(path) for path in FILES if len(path.read_text("utf-8").splitlines()) > 300} == LONG_FILES


def broad(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(
        kind is None or (isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException")) for kind in kinds
    )


def test_every_broad_handler_is_known() -> None:
    counts = Counter(
        place(path)
        for path in FILES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ExceptHandler) and broad(node)
    )
    assert dict(counts) == BROAD_HANDLERS


def test_a_broad_handler_says_why() -> None:
    for path in FILES:
        lines = path.read_text("utf-8").splitlines()
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ExceptHandler) and broad(node):
                around = lines[node.lineno - 2 : node.body[0].lineno]
                assert any("#" in line for line in around), f"{place(path)}:{node.lineno}"


def test_digests_are_made_in_one_place() -> None:
    found = {
        place(path)
        for path in FILES
        for node in ast.walk(parsed(path))
        if (isinstance(node, ast.Import) and any(name.name == "hashlib" for name in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "hashlib")
    }
    assert found == set(OWN_DIGESTS)


def test_json_is_written_in_one_place() -> None:
    found = {
        place(path)
        for path in FILES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute)
        and node.attr == "dumps"
        and isinstance(node.value, ast.Name)
        and node.value.id in ("json", "orjson")
    }
    assert found == set(OWN_JSON_WRITERS)


def test_files_take_their_place_in_one_place() -> None:
    found = {
        place(path)
        for path in FILES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.replace", "tempfile.mkstemp")
    }
    assert found == {"atomic_file.py"}


def test_functions_are_verbs_or_say_what_they_return() -> None:
    """`rendered_turns` or `render`, not `rendered`; none but the documented."""
    found = {
        f"{place(path)}:{node.name}"
        for path in FILES
        for node in functions(path)
        if _PARTICIPLE.fullmatch(node.name) and node.name.lstrip("_") not in _NO_PARTICIPLES
    }
    assert found == set(DOCUMENTED_PARTICIPLES)


def test_classes_are_nouns() -> None:
    """`SettledVerdict`, not `Settled`; what the sandbox calls its parts is on the list until it has nouns, too."""
    names = {node.name for path in FILES for node in ast.walk(parsed(path)) if isinstance(node, ast.ClassDef)}
    found = {
        name
        for name in names
        if re.fullmatch("_?[A-Z][a-z]+", name)
        and _PARTICIPLE.fullmatch(name.lower())
        and name.lower().lstrip("_") not in _NO_PARTICIPLES
    }
    assert found == set(CLASSES_OF_ONE_PARTICIPLE)


def lazily_exported() -> list[Path]:
    return [path for path in FILES if path.name == "__init__.py" and "exports(__name__" in path.read_text("utf-8")]


@pytest.mark.parametrize("path", lazily_exported(), ids=place)
def test_what_type_checkers_see_is_what_is_exported(path: Path) -> None:
    import importlib

    block = next(node for node in parsed(path).body if isinstance(node, ast.If))
    seen = {name.asname or name.name for node in block.body if isinstance(node, ast.ImportFrom) for name in node.names}
    renamed = {
        (node.targets[0].id, node.value.id)  # type: ignore[attr-defined]
        for node in block.body
        if isinstance(node, ast.Assign)
    }
    seen = (seen - {old for _, old in renamed}) | {new for new, _ in renamed}
    module = importlib.import_module(".".join(["ringtrue", *path.parent.relative_to(PACKAGE).parts]))
    assert seen == set(module.__all__) - {"__version__"}
