"""Tests in one process, the program in another: all that tests do works across, and the verdict says what happened."""

from __future__ import annotations

import json

import pytest

from ringtrue.sandbox import Exam, Limits, Sandbox
from support.exams import PAIRS, Pair

HEAD = "def check(candidate):\n    assert candidate(1, 2) == 3\n    assert candidate(-1, 1) == 0\n"


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_it_works_across(box: Sandbox, pair: Pair) -> None:
    defines = tuple(name for name in ("test_one", "T") if f" {name}(" in pair.test)
    execution = box.run(pair.program, exam=Exam(pair.test, "f", defines=defines, trusting=pair.trusting))
    assert execution.status == "ok", execution.verdict_channel
    assert not pair.trusting or json.loads(execution.verdict_channel)["verdict"] == "in_process"


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_it_fails_where_the_tests_say_so(box: Sandbox, pair: Pair) -> None:
    exam = Exam(f"{pair.test}\nassert False, 'the end'", "f", trusting=pair.trusting)
    execution = box.run(pair.program, exam=exam)
    assert execution.status == "failed"
    assert json.loads(execution.verdict_channel)["error"] == "AssertionError: the end"


@pytest.mark.parametrize("across", [True, False])
@pytest.mark.parametrize("benign", [True, False])
def test_the_verdict_shows_what_failed(box: Sandbox, across: bool, benign: bool) -> None:
    exam = Exam(HEAD, "f", defines=("check",), across=across, benign=benign)
    assert box.run("def f(a, b):\n    return a + b", exam=exam).status == "ok"
    wrong = box.run("def f(a, b):\n    return 3", exam=exam)
    said = json.loads(wrong.verdict_channel)
    assert (wrong.status, said["kind"], said["line"]) == ("failed", "assertion", 3)
    assert said["last_call"] == ("f(-1, 1) returned 3" if across else "")
    broken = json.loads(box.run("def f(a, b):\n    return a / 0", exam=exam).verdict_channel)
    assert (broken["kind"], broken["error"]) == ("error", "ZeroDivisionError: division by zero")
    assert "return a / 0" in broken["trace"]
    assert broken["verdict"] == ("separate" if across else "in_process")


def test_a_test_that_is_not_python_is_not_the_programs_fault(box: Sandbox) -> None:
    said = json.loads(box.run("def f():\n    pass", exam=Exam("assert (", "f")).verdict_channel)
    assert said["kind"] == "broken_test"


def test_one_examiner_serves_many_exams_and_survives_bad_ones() -> None:
    good, bad = "def f(a, b):\n    return a + b", "def f(a, b):\n    while True: pass"
    exam = Exam(HEAD, "f", defines=("check",), benign=True)
    with Sandbox(workers=1) as box:
        for program, status in (
            (good, "ok"),
            (bad, "timeout"),
            (good, "ok"),
            ("import os; os._exit(0)", "failed"),
            (good, "ok"),
        ):
            assert box.run(program, exam=exam, limits=Limits(seconds=1.0)).status == status


COUNTS = "n = 0\ndef f(x):\n    global n\n    n += 1\n    x.append(n)\n    return n"


@pytest.mark.parametrize(
    "test",
    [
        pytest.param("assert f([]) == 1\nassert f([7]) == 2\nassert f([]) == 3", id="calls"),
        pytest.param("x = []\nassert f(x) == 1 and x == [1]\nassert f([]) == 2", id="changes_come_back"),
        pytest.param("try:\n    assert f([]) == 0\nexcept AssertionError:\n    assert f([]) == 2", id="failed"),
    ],
)
def test_a_program_is_called_once_for_each_call_of_the_tests(box: Sandbox, test: str) -> None:
    assert box.run(COUNTS, exam=Exam(test, "f")).status == "ok"


@pytest.mark.parametrize(
    ("program", "test"),
    [
        pytest.param("f = {'a': lambda: 1 / 0}", "assert list(f) == ['a']", id="a_dict_of_functions"),
        pytest.param("f = 3", "assert f == 3", id="a_number"),
        pytest.param(
            "class F(list):\n    def __call__(self, x):\n        self.append(x)\n        return len(self)\n"
            "f = F([lambda: 1 / 0])",
            "assert f(1) == 2\nassert len(f) == 2",
            id="a_list_that_can_be_called",
        ),
    ],
)
def test_what_is_tested_need_not_be_a_function(box: Sandbox, program: str, test: str) -> None:
    assert box.run(program, exam=Exam(test, "f")).status == "ok"


def test_a_program_that_ends_before_it_is_asked_still_says_why(box: Sandbox) -> None:
    exam = Exam("assert f(1) == 2", "f", benign=True)
    for _ in range(20):
        assert "ZeroDivisionError" in box.run("1 / 0", exam=exam).reason


def test_a_program_that_speaks_out_of_turn_is_not_said_to_have_ended(box: Sandbox) -> None:
    execution = box.run("import os\nos.write(4, b'xxxxxxxx')", exam=Exam("assert f(1) == 2", "f"))
    assert "spoke out of turn" in execution.reason


def test_a_later_call_that_hangs_does_not_hide_an_earlier_failure(box: Sandbox) -> None:
    exam = Exam("assert f(1) == 2\nassert f(2) == 3", "f", benign=True)
    execution = box.run("def f(x):\n    while x == 2: pass\n    return 0", exam=exam, limits=Limits(seconds=60.0))
    assert (execution.status, execution.seconds < 50) == ("failed", True)
