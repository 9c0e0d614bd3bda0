"""What is tested and which output to believe: rules that no answer can use for itself, on any machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ringtrue.dialects.dicts import trial_of
from ringtrue.evaluators.code_execution import CodeExecution
from ringtrue.records import Trial
from ringtrue.sandbox import Sandbox
from support.agreeable import Counting, agreeing
from support.code_scores import measured
from support.conformance.shapes import published
from support.conformance.tasks import defined_names, published_tasks
from support.golden import golden
from support.machine import unchanged
from support.values import HELPER, OWN, SHARED, VALUES

BENCHMARKS = os.environ.get("RINGTRUE_BENCHMARKS", "")


@pytest.fixture(scope="module")
def code() -> Iterator[CodeExecution]:
    with unchanged(), Sandbox(workers=2, packages=["numpy"]) as sandbox:
        yield CodeExecution(timeout=5.0, sandbox=sandbox)


# Which name is tested.

ADDS = "def sum(a, b):\n    return a + b\n"


@pytest.mark.parametrize(
    "original",
    [
        pytest.param({"test_list": ["assert sum(10, 15) == 25", "assert sum(1, 2) == 3"]}, id="only_name"),
        pytest.param({"test_list": ["assert abs(sum(1, 2) - 3) < 1e-6"]}, id="inside_a_helper"),
        pytest.param({"test": "assert sum(1, 2) == 3", "entry_point": "sum"}, id="entry_point"),
        pytest.param({"test": "def t(sum):\n    assert sum(1, 2) == 3\nt(sum)"}, id="also_a_parameter"),
        pytest.param({"test": "def check(c):\n    assert c(1, 2) == 3\ncheck(sum)"}, id="handed_over"),
        pytest.param({"test": "def check(c):\n    assert c(1, 2) == 3", "entry_point": "sum"}, id="candidate"),
        pytest.param({"test": "import inspect\nassert sum(1, 2) == 3", "entry_point": "sum"}, id="in_process"),
    ],
)
def test_a_tested_function_named_like_a_builtin_is_the_programs(code: CodeExecution, original: dict[str, Any]) -> None:
    right = measured(code, original, ADDS)
    assert right.value == 1.0, right.reason
    for wrong in (ADDS.replace("+", "*"), "x = 1\n", "def total(a, b):\n    return a + b\n", "import math\n"):
        score = measured(code, original, wrong)
        assert (score.status, score.value) == ("scored", 0.0), score


@pytest.mark.parametrize("program", ["def max(xs):\n    return 'wrong'\n", "pass\n", "def other(xs):\n    return 5\n"])
def test_pythons_own_function_is_never_tested_instead(code: CodeExecution, program: str) -> None:
    assert measured(code, {"test_list": ["assert max([1, 5, 3]) == 5"]}, program).value == 0.0


def test_a_program_cannot_replace_what_tests_compare_with(code: CodeExecution) -> None:
    program = "def f(x):\n    return [0]\ndef sorted(x):\n    return [1, 2]\ndef len(x):\n    return 2\n"
    assert measured(code, {"test": "assert sorted(f([2, 1])) == [1, 2]"}, program).value == 0.0
    assert measured(code, {"test": "def check(c):\n    assert len(c([2, 1])) == 2"}, program).value == 0.0


def test_tests_that_name_nothing_of_the_program_are_an_error_of_the_row(code: CodeExecution) -> None:
    score = measured(code, {"test": "assert min([1]) == max([1])"}, ADDS)
    assert score.status == "error"
    assert "entry_point" in score.reason


CASES = "import unittest\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(f(), 2)\n"
AS_A_SCRIPT = {
    "guarded_call": "def main():\n    assert f() == 2\nif __name__ == '__main__':\n    main()",
    "guarded_assert": "if __name__ == '__main__':\n    assert f() == 2",
    "guarded_cases": f"{CASES}if __name__ == '__main__':\n    unittest.main()",
    "cases": f"{CASES}unittest.main()",
    "cases_that_stay": f"{CASES}assert unittest.main(argv=[''], exit=False).result.wasSuccessful()",
    "annotated_class": "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: 'int'\nassert P(f()).x == 2",
    "in_process": "import inspect\nif __name__ == '__main__':\n    assert f() == 2",
}


CASES_IN_PROCESS = f"import inspect\n{CASES}"


@pytest.mark.parametrize("raised", ["unittest.SkipTest('x')", "unittest.case.SkipTest"])
@pytest.mark.parametrize("test", [CASES, CASES_IN_PROCESS, CASES.replace("self.assertEqual(f(), 2)", "self.x = f()")])
def test_a_program_cannot_skip_a_test(code: CodeExecution, raised: str, test: str) -> None:
    assert measured(code, {"test": test}, f"import unittest\ndef f():\n    raise {raised}\n").value == 0.0
    if test == CASES_IN_PROCESS:
        later = "    @unittest.skip('later')\n    def test_b(self):\n        1 / 0\n"
        assert measured(code, {"test": test + later}, "def f(): return 2").value == 1.0


@pytest.mark.parametrize("name", AS_A_SCRIPT)
def test_tests_run_as_a_script_does(code: CodeExecution, name: str) -> None:
    for entry_point in ({}, {"entry_point": "f"}):
        row = {"test": AS_A_SCRIPT[name], **entry_point}
        assert [measured(code, row, f"def f(): return {value}").value for value in (2, 3)] == [1.0, 0.0]


# Which output to believe.


def test_helpers_of_the_tests_that_the_program_defines_are_reported(code: CodeExecution) -> None:
    for helper in ("ok = bool", "def ok(x): return True", "ok = [].append"):
        score = measured(code, {"test": "assert not ok(f()) or True"}, f"def f(): return 3\n{helper}")
        assert score.caveat == "verdict made in process", helper
    unused = measured(code, {"test": "assert f() == 3"}, "def f(): return 3\ndef ok(x): return True")
    assert (unused.value, unused.caveat) == (1.0, "")


def passing(evaluator: CodeExecution, trials: list[Trial]) -> list[str]:
    scores = evaluator.measure_many(trials)
    assert {score.status for score in scores} <= {"scored"}
    return [trial.case.fields["id"] for trial, score in zip(trials, scores, strict=True) if score.value]


def test_an_object_that_agrees_with_everything_passes_nothing(code: CodeExecution) -> None:
    rows = [row for row in golden("code_functional") if row["category"] == "canonical"]
    trials = [
        trial_of(
            {"id": row["id"], "test": row["input"]["test"], "entry_point": row["input"]["entry_point"]},
            {"response": agreeing([row["input"]["entry_point"]])},
        )
        for row in rows
    ]
    assert len(trials) > 50
    assert passing(code, trials) == []


@pytest.mark.skipif(not BENCHMARKS, reason="RINGTRUE_BENCHMARKS names the folder with humaneval/ and mbpp/")
def test_published_benchmarks_in_full(code: CodeExecution) -> None:
    """Every published solution passes; an object that agrees with everything, and an empty program, pass nowhere."""
    tasks = list(published_tasks(Path(BENCHMARKS)))
    assert len(tasks) == 974 + 427 + 164
    answers = [("right", task, task.solution) for task in tasks]
    answers += [("agrees", task, agreeing(defined_names(task.solution))) for task in tasks]
    answers += [("empty", task, "x = 1\n") for task in tasks]
    judged = [(kind, published(task, f"{kind} {task.name}", program)) for kind, task, program in answers]
    trials = [trial_of({"id": item.name, **item.row}, {"response": item.answer}) for _, item in judged]
    expected = [item.name for kind, item in judged if kind == "right"]
    assert passing(replace(code, timeout=10.0), trials) == expected


@pytest.mark.parametrize(
    "test",
    [
        "assert Split(4) == [2, 2]",
        "List\nassert Split(4) == [2, 2]",
        "assert abs(Split(4) - 2) < 1e-6",
        "assert Split(4) > 3",
        "assert Split(4) in [1, 2]",
        "assert [2] in [Split(4)]",
        "import numpy as np\nassert np.allclose(Split(4), [2, 2])",
        "import math\nassert math.isclose(Split(4), 2)",
        "import unittest\nunittest.TestCase().assertAlmostEqual(Split(4), 2)",
    ],
)
def test_a_capital_letter_lends_no_trust(code: CodeExecution, test: str) -> None:
    program = f"from typing import List\n{agreeing(['Split'])}"
    assert measured(code, {"test": test}, program).value == 0.0


STOPS = "class Bad:\n    def __len__(self): raise StopIteration\n    __str__ = __bool__ = __float__ = __len__\n"
STOPS += "    @property\n    def ok(self): raise StopIteration\ndef f(x):\n    return Bad()\n"


@pytest.mark.parametrize(
    "test",
    [
        "assert all(map(lambda x: len(f(x)) == x, [1, 2]))",
        "assert all(map(lambda x: f(x).ok, [1, 2]))",
        "assert all(a == b for a, b in zip(map(str, map(f, [1])), ['1']))",
        "assert all(map(lambda x: bool(f(x)), [1, 2]))",
        "assert all(map(float, map(f, [1, 2])))",
    ],
)
def test_stop_iteration_does_not_end_tests_early(code: CodeExecution, test: str) -> None:
    score = measured(code, {"test": test}, STOPS)
    assert score.value == 0.0
    assert "StopIteration" in score.reason


def test_a_context_manager_suppresses_no_failed_assertion(code: CodeExecution) -> None:
    calm = "class Calm:\n    def __enter__(self): return 7\n    def __exit__(self, *fault): return True\n"
    scores = [measured(code, {"test": f"with Calm() as x:\n    {line}"}, calm) for line in ("assert x == 3", "1 / 0")]
    assert [(score.value, score.caveat) for score in scores] == [(0.0, ""), (1.0, "verdict made in process")]


# Nothing leaves the count.

DEEP_IF = "x = 0\nif x == 1:\n    y = 1\n" + "".join(f"elif x == {n}:\n    y = 1\n" for n in range(2, 1_300))
NESTED = "x = " + "(" * 500 + ")" * 500
IN_PROCESS = {"test": "import inspect\nassert f(1) == 2\nassert inspect.isfunction(f)"}
FORGED = """
import sys, os
def f(x): return 3
frame = sys._getframe()
while frame is not None:
    job = frame.f_locals.get("job")
    if isinstance(job, dict) and "nonce" in job:
        said = SAID.replace("NONCE", job["nonce"])
        for descriptor in range(3, 12):
            try:
                os.write(descriptor, said.encode())
            except OSError:
                pass
        os._exit(0)
    frame = frame.f_back
"""
SAYINGS = {
    "deep": '{"nonce": "NONCE", "passed": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "wrong_types": '{"nonce": "NONCE", "passed": 1, "line": "x", "error": [1], "kind": 3, "ended": 4}',
    "own_broken_test": '{"nonce": "NONCE", "passed": false, "kind": "broken_test", "error": "e"}',
    "list": '["NONCE"]',
    "judged_apart": '{"nonce": "NONCE", "passed": false, "verdict": "separate"}',
}


@pytest.mark.parametrize("program", [DEEP_IF, NESTED, f"{DEEP_IF}\ndef f(x):\n    return 3\n"])
def test_reading_an_answer_never_raises(code: CodeExecution, program: str) -> None:
    for original in ({"test": "assert f(1) == 2"}, {"stdin": "1", "stdout": "2"}, {"test_list": ["assert f(1) == 2"]}):
        score = measured(code, original, program)
        assert (score.status, score.value) == ("scored", 0.0)


@pytest.mark.parametrize("name", SAYINGS)
def test_what_a_program_writes_as_its_verdict_is_at_most_a_failure(code: CodeExecution, name: str) -> None:
    program = (
        f"SAID = {SAYINGS[name]!r}\n{FORGED}"
        if name != "deep"
        else (f'SAID = \'{{"nonce": "NONCE", "passed": \' + "[" * 100_000 + "]" * 100_000 + "}}"\n{FORGED}')
    )
    score = measured(code, IN_PROCESS, program)
    assert (score.status, score.value) == ("scored", 0.0), score
    assert score.metadata["verdict"] == "in_process"


def test_a_batch_is_run_once_and_keeps_its_denominator(code: CodeExecution) -> None:
    assert isinstance(code.sandbox, Sandbox)
    counting = Counting(code.sandbox)
    answers = ["def f(x):\n    return 2\n", DEEP_IF, NESTED, "def f(x):\n    return 3\n"]
    trials = [trial_of({"test": "assert f(1) == 2"}, {"response": answer}) for answer in answers]
    scores = replace(code, sandbox=counting).measure_many(trials)
    assert [score.value for score in scores] == [1.0, 0.0, 0.0, 0.0]
    assert counting.runs == len(trials)


# Values, output, time.


@pytest.mark.parametrize(("expression", "test"), VALUES, ids=[f"{n}_{test}" for n, (_, test) in enumerate(VALUES)])
def test_values_are_judged_as_python_judges_them(code: CodeExecution, expression: str, test: str) -> None:
    program = f"{SHARED}{OWN}\ndef f():\n    return {expression}\n"
    exec(
        compile(f"{program}{SHARED}{HELPER}\nassert {test}", "plain", "exec", dont_inherit=True), {"__name__": "plain"}
    )
    score = measured(code, {"test": f"{SHARED}{HELPER}\nassert {test}"}, program)
    assert score.value == 1.0, score.reason
    assert measured(code, {"test": f"{SHARED}{HELPER}\nassert not ({test})"}, program).value == 0.0


@pytest.mark.parametrize(
    "program",
    [
        "print('seen')\n1 / 0",
        "def f(x):\n    print('seen')\n    return 0",
        "def f(x):\n    print('seen')\n    raise KeyError(x)",
    ],
    ids=["at_import", "in_the_failing_call", "in_the_raising_call"],
)
def test_output_is_never_lost(code: CodeExecution, program: str) -> None:
    trials = [trial_of({"test": "assert f(1) == 2"}, {"response": program}) for _ in range(40)]
    assert {score.metadata["output_tail"].partition("\n")[0] for score in code.measure_many(trials)} == {"seen"}


def test_load_does_not_move_a_verdict() -> None:
    """Four programs that work for 0.8 seconds each get through a limit of 1.2 on any number of cores."""
    works = "import time\ndef f(x):\n    while time.process_time() < 0.8: pass\n    return x"
    cores = len(os.sched_getaffinity(0))
    with Sandbox(workers=4 * cores) as sandbox:
        evaluator = CodeExecution(timeout=1.2, sandbox=sandbox)
        trials = [trial_of({"test": "assert f(1) == 1"}, {"response": works}) for _ in range(4 * cores)]
        assert [score.value for score in evaluator.measure_many(trials)] == [1.0] * len(trials)
        late = evaluator.measure_many([trial_of({"test": "assert f(1) == 1"}, {"response": works.replace("0.8", "9")})])
        assert late[0].metadata["status"] == "timeout"
        assert "processor time" in late[0].reason


def test_the_parsers_own_limit_is_not_called_memory(code: CodeExecution) -> None:
    score = measured(code, {"test": "assert f(1) == 2"}, "def f(x):\n    return " + "(" * 300 + ")" * 300)
    assert score.metadata["status"] == "failed"
    assert "memory" not in score.reason
