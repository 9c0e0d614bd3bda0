"""CodeExecution: the documented example, every shape of answer and test, the golden rows, and no way to cheat."""

from __future__ import annotations

import json
import os
import pickle
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ringtrue import EvalCase
from ringtrue.dialects.dicts import trial_of
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.code_execution import CodeExecution
from ringtrue.sandbox import Sandbox
from ringtrue.sandbox.pool.watch import PATIENCE
from ringtrue.stats.intervals import pass_at_k
from support.canary import canary
from support.cheats import CHEATS, TEST
from support.code_scores import RIGHT, SOLVE, measured
from support.golden import golden
from support.machine import unchanged


@pytest.fixture(scope="module")
def code() -> Iterator[CodeExecution]:
    with unchanged(), Sandbox(workers=2) as sandbox:
        yield CodeExecution(timeout=2.0, sandbox=sandbox)


def test_the_documented_example() -> None:
    original = {
        "context": "def add(a, b):\n",
        "test": "def check(c):\n    assert c(1,2)==3\n",
        "entry_point": "add",
    }
    assert CodeExecution(timeout=10.0).score(original, {"response": "    return a + b\n"}) == {"pass_at_1": 1.0}
    assert CodeExecution().score(original, {"response": "    return a - b\n"}) == {"pass_at_1": 0.0}


FUNCTIONAL = golden("code_functional")
SLOW = [row for row in FUNCTIONAL if row["oracle_seconds"] > 1 or row["expected"]["outcome"] == "timeout"]


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([row for row in FUNCTIONAL if row not in SLOW], id="quick"),
        pytest.param(SLOW, id="slow", marks=pytest.mark.heavy),
    ],
)
def test_golden_functional_rows(code: CodeExecution, rows: list[dict[str, Any]]) -> None:
    """Every canonical solution passes, every mutant fails, and a mutant that hangs costs its time and no more."""
    trials = [
        trial_of(
            {"test": row["input"]["test"], "entry_point": row["input"]["entry_point"]},
            {"response": row["input"]["solution"]},
        )
        for row in rows
    ]
    scores = replace(code, timeout=10.0).measure_many(trials)
    wrong = [
        (row["id"], score.reason)
        for row, score in zip(rows, scores, strict=True)
        if score.value != float(row["expected"]["passed"])
    ]
    assert not wrong


def is_long(row: dict[str, Any]) -> bool:
    waits = any(check.get("after_s") for check in row["expected"]["checks"])
    return row["danger"] in ("high", "extreme") or row["category"] == "timeout" or waits


HOSTILE = golden("code_hostile")


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row["id"], marks=[pytest.mark.heavy] if is_long(row) else []) for row in HOSTILE]
)
def test_golden_hostile_rows(row: dict[str, Any], tmp_path: Path) -> None:
    given, expected = row["input"], row["expected"]
    with Sandbox(workers=1) as sandbox, canary(tmp_path) as bait:
        evaluator = CodeExecution(timeout=given["timeout_s"], sandbox=sandbox)
        started = time.monotonic()
        original = {"test": bait.filled(given["test"]), "entry_point": given["entry_point"]}
        score = measured(evaluator, original, bait.filled(given["solution"]))
        assert time.monotonic() - started < expected["returns_within_s"] * PATIENCE
        assert score.status == "scored"
        assert expected["passed"] in (None, score.value == 1.0), score.reason
        said = json.dumps([score.reason, dict(score.metadata)])
        bait.hold(expected["checks"], said, score.metadata["peak_memory_bytes"])
        assert measured(evaluator, SOLVE, RIGHT).value == 1.0, "the evaluator goes on working"


ANSWERS = {
    "completion": ("def solve(a, b):\n", "    return a + b\n"),
    "body_without_margin": ("def solve(a, b):\n", "return a + b"),
    "whole_program": ("", RIGHT),
    "fenced": ("", f"Sure!\n\n```python\n{RIGHT}```\n\nIt adds."),
    "fenced_body": ('def solve(a, b):\n    """Add."""\n', "```python\n    return a + b\n```"),
    "prose_around": ("", f"Here it is:\n\n{RIGHT}\nThis adds two numbers, doesn't it?"),
    "several_blocks": (
        "",
        f"```bash\npip install x\n```\n```python\n{RIGHT}```\n```python\nprint(solve(1, input()))\n```",
    ),
    "context_with_imports": (
        "from typing import List\n\ndef solve(a: int, b: int) -> int:\n    'doc'\n",
        "```python\ndef solve(a: int, b: int) -> int:\n    x: List[int] = [a, b]\n    return sum(x)\n```",
    ),
    "main_block": ("", f"{RIGHT}\nif __name__ == '__main__':\n    print(solve(*map(int, input().split())))\n"),
    "windows_lines": ("", RIGHT.replace("\n", "\r\n")),
    "long_comment": ("", f"{RIGHT}# {'x' * 200_000}\n"),
    "solution_class": ("", "class Solution:\n    def solve(self, a, b):\n        return a + b"),
}


@pytest.mark.parametrize(("context", "response"), ANSWERS.values(), ids=ANSWERS)
def test_every_shape_of_answer(code: CodeExecution, context: str, response: str) -> None:
    score = measured(code, {**SOLVE, "context": context}, response)
    assert score.value == 1.0, score.reason
    wrong = measured(code, {**SOLVE, "context": context}, response.replace("+", "*").replace("sum(x)", "0"))
    assert wrong.value == 0.0


SHAPES: dict[str, dict[str, Any]] = {
    "imports_for_the_tests": {"test_imports": ["import math"], "test_list": ["assert math.isclose(solve(1, 2), 3)"]},
    "setup_code": {"test_setup_code": "x = 1", "test_list": ["assert solve(x, 2) == 3"]},
    "list_as_json": {"test_list": '["assert solve(1, 2) == 3"]'},
    "check_without_entry_point": {"test": TEST},
    "check_called_by_the_tests": {"test": f"{TEST}\ncheck(solve)"},
    "entry_point_by_name": {"test": "def check(c):\n    assert c(1, 2) == solve(1, 2) == 3", "entry_point": "solve"},
    "context_of_words": {"context": "Write a function that adds.", **SOLVE},
    "prompt_of_words": {"prompt": "Write a function solve(a, b).", **SOLVE},
}


LIVE_CASES = [
    {"input": "1\n2", "output": "3", "testtype": "functional"},
    {"input": "-1\n1", "output": "0", "testtype": "functional"},
]
SHAPES["functions_of_livecodebench"] = {
    "public_test_cases": json.dumps(LIVE_CASES[:1]),
    "private_test_cases": json.dumps(LIVE_CASES[1:]),
    "metadata": json.dumps({"func_name": "solve"}),
}

SHAPES["functions_of_apps"] = {
    "input_output": json.dumps({"fn_name": "solve", "inputs": [[1, 2], [-1, 1]], "outputs": [[3], 0]})
}


METHODS = {
    "what_livecodebench_imports": (
        "def solve(self, a: int, b: int) -> Optional[int]: return reduce(add, [a, b])",
        3,
        1.0,
    ),
    "tuple_for_a_list": ("def solve(self, a, b): return (a, b)", [1, 2], 1.0),
    "tuple_inside_a_list": ("def solve(self, a, b): return [(a, b)]", [[1, 2]], 0.0),
    "named_like_an_imported_function": ("def count(self, a, b): return a + b", 3, 1.0),
    "only_an_imported_function": ("def other(self, a, b): return a + b", 3, 0.0),
    "initialiser_that_leaves": ("def __init__(self): raise SystemExit\n    def solve(self, a, b): return 3", 3, 0.0),
}


@pytest.mark.parametrize("name", METHODS)
def test_methods_are_judged_as_livecodebench_does(code: CodeExecution, name: str) -> None:
    method, result, value = METHODS[name]
    function = "count" if "count" in method else "add" if "other" in method else "solve"
    case = {"input": "1\n2", "output": json.dumps(result), "testtype": "functional"}
    original = {"public_test_cases": [case], "metadata": {"func_name": function}}
    score = measured(code, original, f"class Solution:\n    {method}\n")
    assert (score.value, score.metadata["verdict"]) == (value, "separate"), score.reason


@pytest.mark.parametrize(
    ("result", "wanted", "value"),
    [
        ("(a, b)", [[1, 2]], 1.0),
        ("[a, b]", [1, 2], 1.0),
        ("[(a, b)]", [[[1, 2]]], 1.0),
        ("[]", [], 1.0),
        ("None", [None], 1.0),
        ("[a, b]", [[2, 1]], 0.0),
        ("[[(a, b)]]", [[[[1, 2]]]], 0.0),
    ],
)
def test_results_are_compared_as_apps_does(code: CodeExecution, result: str, wanted: Any, value: float) -> None:
    original = {"input_output": {"fn_name": "solve", "inputs": [[1, 2]], "outputs": [wanted]}}
    for program in ("def solve(a, b):\n    ", "class Solution:\n  def solve(self, a, b):\n    "):
        score = measured(code, original, f"{program}return {result}\n")
        assert (score.value, score.metadata["verdict"]) == (value, "separate"), score.reason


@pytest.mark.parametrize(
    ("program", "value"),
    [
        pytest.param("a, b = map(int, stdin.readline().split())\nprint(a + b)", 1.0, id="livecodebench_imports"),
        pytest.param("from __future__ import annotations\nprint(sum(map(int, input().split())))", 1.0, id="the_future"),
        pytest.param("print('\\n  3.0')", 1.0, id="blanks_before_a_number"),
        pytest.param("print('3\\n5')", 0.0, id="all_answers_at_once"),
        pytest.param("print(3)\nexit()\nprint(4)", 1.0, id="exit"),
        pytest.param("try:\n    print(3)\n    quit(0)\nexcept Exception:\n    print(4)", 1.0, id="quit"),
        pytest.param("print(3)\nexit(1)", 0.0, id="exit_with_a_code"),
    ],
)
def test_programs_are_judged_as_livecodebench_does(code: CodeExecution, program: str, value: float) -> None:
    original = {"public_test_cases": [{"input": "1 2", "output": "3\n", "testtype": "stdin"}]}
    assert measured(code, original, program).value == value


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_tests(code: CodeExecution, shape: str) -> None:
    assert measured(code, SHAPES[shape], RIGHT).value == 1.0
    assert measured(code, SHAPES[shape], RIGHT.replace("+", "*")).value == 0.0


def test_a_prompt_that_is_code_is_continued(code: CodeExecution) -> None:
    """A row as HumanEval publishes it has its code under `prompt`."""
    original = {**SOLVE, "prompt": 'def solve(a, b):\n    """Add."""\n'}
    assert measured(code, original, "    return a + b\n").value == 1.0
    assert measured(code, original, "    return a * b\n").value == 0.0


def test_helpers_of_the_context_belong_to_the_tests(code: CodeExecution) -> None:
    """A program that redefines a helper of the prompt does not change what the tests compute with it."""
    context = "def twice(x):\n    return 2 * x\n\ndef solve(x):\n    'Half of it.'\n"
    original = {"context": context, "test": "def check(c):\n    assert twice(c(6)) == 6", "entry_point": "solve"}
    score = measured(code, original, "    return x / 2\n")
    assert (score.value, score.metadata["verdict"]) == (1.0, "separate")
    assert measured(code, original, "def twice(x):\n    return 6\ndef solve(x):\n    return 0").value == 0.0


ADDS = "a, b = map(int, input().split())\nprint(a + b)"
STREAMS: dict[str, dict[str, Any]] = {
    "one": {"stdin": "1 2\n", "stdout": "3\n"},
    "expected_stdout": {"stdin": "1 2", "expected_stdout": "3"},
    "apps": {"input_output": json.dumps({"inputs": ["1 2\n", "3 4\n"], "outputs": ["3\n", "7\n"]})},
    "contests": {"public_tests": {"input": ["1 2\n"], "output": ["3\n"]}},
    "list": {"tests": [{"input": "1 2", "output": "3"}, {"input": "5 6", "output": "11"}]},
    "pairs": {"test_cases": [["1 2", "3"], ["2 2", "4"]]},
    "live": {"public_test_cases": '[{"input": "1 2", "output": "3", "testtype": "stdin"}]'},
    "lists": {"inputs": ["1 2"], "outputs": ["3"]},
    "lines": {"inputs": [["1 2"]], "outputs": [["3"]]},
}


@pytest.mark.parametrize("shape", STREAMS)
def test_standard_input_and_output(code: CodeExecution, shape: str) -> None:
    prose = f"Here is the program.\n\n{ADDS}\n\nIt adds the two numbers."
    for response in (ADDS, f"```python\n{ADDS}\n```\nExample:\n```\n1 2\n```", prose):
        score = measured(code, STREAMS[shape], response)
        assert (score.value, score.metadata["verdict"]) == (1.0, "separate"), score.reason
    wrong = measured(code, STREAMS[shape], ADDS.replace("+", "-"))
    assert wrong.value == 0.0
    assert "expected" in wrong.metadata["failing"]
    assert measured(code, STREAMS[shape], "import sys\nsys.exit(0)").value == 0.0
    assert measured(code, STREAMS[shape], f"{ADDS}\n1 / 0").value == 0.0


def test_tests_that_need_the_programs_process_say_so(code: CodeExecution) -> None:
    test = (
        "import contextlib, io\ndef check(c):\n    out = io.StringIO()\n"
        "    with contextlib.redirect_stdout(out):\n        c()\n    assert out.getvalue() == 'hi\\n'"
    )
    original = {"test": test, "entry_point": "f"}
    score = measured(code, original, "def f():\n    print('hi')")
    assert (score.value, score.metadata["verdict"]) == (1.0, "in_process")
    assert score.metadata["in_process_because"] == "they use redirect_stdout"
    assert measured(code, original, "def f():\n    print('ho')").value == 0.0


def test_asynchronous_tests(code: CodeExecution) -> None:
    original = {"test": "import asyncio\nassert asyncio.run(f(1)) == 2"}
    score = measured(code, original, "async def f(x):\n    return x + 1")
    assert (score.value, score.metadata["verdict"]) == (1.0, "in_process")


@pytest.mark.parametrize(
    ("original", "response", "status", "words"),
    [
        pytest.param({"answer": "x"}, RIGHT, "skipped", "no tests", id="no_tests"),
        pytest.param({"test": "", "test_list": []}, RIGHT, "skipped", "no tests", id="empty_tests"),
        pytest.param({"test_list": ["", " "]}, RIGHT, "skipped", "no tests", id="blank_tests"),
        pytest.param({"test": "assert ("}, RIGHT, "error", "not Python", id="broken_tests"),
        pytest.param({"test": "def verify(c):\n    assert False"}, RIGHT, "error", "run nothing", id="idle_tests"),
        pytest.param({"test": "def test():\n    yield\n    assert f()"}, RIGHT, "error", "run nothing", id="generator"),
        pytest.param(SOLVE, "", "scored", "empty", id="no_response"),
        pytest.param(SOLVE, " \n", "scored", "empty", id="blank_response"),
    ],
)
def test_what_cannot_be_measured_says_so(
    code: CodeExecution, original: dict[str, Any], response: str, status: str, words: str
) -> None:
    score = measured(code, original, response)
    assert score.status == status
    assert words in score.reason
    assert score.value in (None, 0.0)


def test_a_failure_shows_the_reader_what_happened(code: CodeExecution) -> None:
    score = measured(code, SOLVE, "print('noise')\ndef solve(a, b):\n    return a - b")
    assert score.reason == "AssertionError; at 'assert candidate(1, 2) == 3'; solve(1, 2) returned -1"
    assert score.metadata["failing"] == "assert candidate(1, 2) == 3"
    assert score.metadata["output_tail"] == "noise\n"
    assert score.metadata["sandbox"] == "program"
    broken = measured(code, SOLVE, "def solve(a, b):\n    return a / 0")
    assert broken.metadata["error"] == "ZeroDivisionError: division by zero"
    assert "return a / 0" in broken.metadata["trace"]
    late = measured(replace(code, timeout=0.5), SOLVE, "while True: pass")
    assert late.metadata["status"] == "timeout"
    large = measured(code, SOLVE, "x = bytearray(1 << 33)")
    assert large.metadata["status"] == "memory"


def test_the_suite_dialect(code: CodeExecution) -> None:
    case = EvalCase("add", context="def solve(a, b):\n", metadata=dict(SOLVE))
    result = code.evaluate(case, "    return a + b\n")
    assert (result.score, result.passed) == (1.0, True)


@pytest.mark.parametrize("settings", [{"timeout": 0}, {"timeout": "10"}, {"sandbox": 5}, {"threshold": 2}])
def test_wrong_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        CodeExecution(**settings)


def test_it_travels_to_other_processes() -> None:
    there = pickle.loads(pickle.dumps(CodeExecution(timeout=3.0, sandbox="podman")))
    assert there == CodeExecution(timeout=3.0, sandbox="podman")
    assert "allow_unsafe=true" in CodeExecution(allow_unsafe=True).signature()


def test_a_missing_engine_is_an_error_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    score = measured(CodeExecution(sandbox="podman"), SOLVE, RIGHT)
    assert score.status == "error"
    assert "'podman' is not installed" in score.reason
    assert "install" in score.reason


def test_pass_at_k_over_repeats(code: CodeExecution) -> None:
    trials = [trial_of(SOLVE, {"response": RIGHT if i % 5 == 0 else CHEATS["wrong"][0]}) for i in range(10)]
    passed = sum(score.value == 1.0 for score in code.measure_many(trials))
    assert passed == 2
    assert pass_at_k(10, passed, 1) == pytest.approx(0.2)
    assert pass_at_k(10, passed, 5) == pytest.approx(1 - 56 / 252)
