"""No wrong program passes, whatever it does to its process, its output or the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ringtrue.evaluators.code_execution import CodeExecution
from ringtrue.sandbox import Exam, Sandbox
from support.cheats import CHEATS, TEST
from support.code_scores import RIGHT, SOLVE, measured
from support.machine import unchanged


@pytest.fixture(scope="module")
def code() -> Iterator[CodeExecution]:
    with unchanged(), Sandbox(workers=2) as sandbox:
        yield CodeExecution(timeout=2.0, sandbox=sandbox)


@pytest.mark.parametrize("name", CHEATS)
def test_no_cheat_passes(code: CodeExecution, name: str) -> None:
    source, _ = CHEATS[name]
    score = measured(code, SOLVE, source)
    assert (score.status, score.value) == ("scored", 0.0), score
    assert measured(code, SOLVE, RIGHT).value == 1.0


@pytest.mark.parametrize("name", [name for name, (_, separate) in CHEATS.items() if not separate])
def test_crude_cheats_fail_even_in_one_process(name: str, code: CodeExecution) -> None:
    assert isinstance(code.sandbox, Sandbox)
    exam = Exam(TEST, "solve", defines=("check",), across=False)
    assert code.sandbox.run(CHEATS[name][0], exam=exam).status != "ok"
    assert code.sandbox.run(RIGHT, exam=exam).status == "ok"


MORE_TESTS = {
    "list_of_asserts": {"test_list": ["assert solve(1, 2) == 3", "assert solve(-1, 1) == 0"]},
    "tolerance": {"test": "assert abs(solve(1, 2) - 3) < 1e-6"},
    "order": {"test": "assert 2.9 < solve(1, 2) < 3.1"},
    "truth_of_map": {"test": "assert all(map(lambda pair: solve(*pair) == sum(pair), [(1, 2), (3, 4)]))"},
    "generator_of_results": {"test": "assert all(solve(a, 1) == a + 1 for a in range(5))"},
    "catching_everything": {"test": "try:\n    ok = solve(1, 2) == 3\nexcept:\n    ok = True\nassert ok"},
    "standard_module": {"test": "import math, random\nassert math.isclose(solve(1, 2), 3)"},
    "test_case": {
        "test": "import unittest\nclass T(unittest.TestCase):\n"
        "    def test(self):\n        self.assertEqual(solve(1, 2), 3)"
    },
    "plain_functions": {"test": "def test_it():\n    assert solve(1, 2) == 3"},
}


LEAVES = {
    "exit_0",
    "hard_exit_0",
    "exit_in_call",
    "close_everything",
    "write_verdict_everywhere",
    "write_framed_verdict",
}
"""They end before the tests do; tests that catch every exception do not notice, and still must not pass."""


def crossed() -> Iterator[Any]:
    for tests in MORE_TESTS:
        for name in CHEATS:
            if name in ("only_the_first", "exit_from_thread") or (
                tests == "catching_everything" and name not in LEAVES
            ):
                continue
            heavy = tests not in ("list_of_asserts", "tolerance") and name not in LEAVES
            yield pytest.param(name, tests, id=f"{name}-{tests}", marks=[pytest.mark.heavy] if heavy else [])


@pytest.mark.parametrize(("name", "tests"), list(crossed()))
def test_no_cheat_passes_other_tests(code: CodeExecution, name: str, tests: str) -> None:
    assert measured(code, MORE_TESTS[tests], CHEATS[name][0]).value == 0.0


@pytest.mark.parametrize("tests", MORE_TESTS)
def test_the_right_answer_passes_other_tests(code: CodeExecution, tests: str) -> None:
    score = measured(code, MORE_TESTS[tests], RIGHT)
    assert score.value == 1.0, score.reason
    assert score.metadata["verdict"] == "separate"
