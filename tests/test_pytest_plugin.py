"""The pytest plugin: costs nothing unused; suite files, the fixture and `assert_evaluators` say what they found."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ringtrue import EvalCase
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import Contains, ExactMatch, Latency, NotEmpty
from ringtrue.pytest_plugin import assert_evaluators
from ringtrue.suites.assertions import EvaluatorFailure

pytest_plugins = ["pytester"]

INSTALLED = any(point.value == "ringtrue.pytest_plugin" for point in entry_points(group="pytest11"))
APP = """
from pathlib import Path

def answer(question):
    with Path("asked.txt").open("a") as log:
        log.write(question + "\\n")
    if question == "broken":
        raise ValueError("no [/INST] today")
    return f"answer to {question}"
"""


def pytest_run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    plugin = () if INSTALLED else ("-p", "ringtrue.pytest_plugin")
    slow = ("-p", "no:hypothesispytest", "-p", "no:cacheprovider")  # each run in a test would load them again
    here = ("-c", os.devnull, "--rootdir", str(pytester.path))  # a configuration above is another project's
    return pytester.runpytest_inprocess(*plugin, *slow, *here, *arguments)


def suite_file(pytester: pytest.Pytester, *cases: Any, name: str = "a.suite.json", **rest: Any) -> None:
    pytester.makepyfile(ringtrue_plugin_app=APP)
    content = {
        "system": "ringtrue_plugin_app:answer",
        "evaluators": ["not_empty", {"contains": ["answer"]}],
        "cases": list(cases),
        **rest,
    }
    pytester.path.joinpath(name).write_text(json.dumps(content))


def asked(pytester: pytest.Pytester) -> list[str]:
    log = pytester.path / "asked.txt"
    return log.read_text().splitlines() if log.exists() else []


def test_unused_it_loads_nothing() -> None:
    code = "import sys, pytest, ringtrue.pytest_plugin; print(*sorted(n for n in sys.modules if 'ringtrue' in n))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "ringtrue ringtrue._lazy ringtrue._version ringtrue.pytest_plugin"


def test_a_suite_file_is_one_test_per_case_and_check(pytester: pytest.Pytester) -> None:
    suite_file(pytester, {"id": "fr", "input": "a"}, {"input": "b ::\n\x00", "evaluators": [{"starts_with": "no"}]})
    result = pytest_run(pytester, "-v")
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(
        [
            "a.suite.json::fr::not_empty PASSED*",
            "a.suite.json::fr::contains PASSED*",
            "a.suite.json::#2: b : \\x00::starts_with FAILED*",
            "*starts_with: *",
            "input: b ::*",
            "output: answer to b*",
        ]
    )
    assert len(asked(pytester)) == 3  # a case is asked once, whatever the number of its checks; "b" has two lines


def test_verdicts_are_faithful_in_junit(pytester: pytest.Pytester) -> None:
    suite_file(
        pytester, {"id": "ok", "input": "a"}, {"id": "err", "input": "broken"}, evaluators=["not_empty", "exact_match"]
    )
    pytest_run(pytester, "--junitxml=j.xml").assert_outcomes(passed=1, skipped=1, errors=2)
    found = {
        (case.attrib["classname"], case.attrib["name"]): [child.tag for child in case]
        for case in ElementTree.parse(pytester.path / "j.xml").iter("testcase")
    }
    assert found == {
        ("a.suite.json.ok", "not_empty"): ["properties"],
        ("a.suite.json.ok", "exact_match"): ["skipped"],
        ("a.suite.json.err", "not_empty"): ["error"],
        ("a.suite.json.err", "exact_match"): ["error"],
    }


def test_what_broke_is_said_with_the_traceback_of_the_users_code_alone(pytester: pytest.Pytester) -> None:
    suite_file(pytester, {"id": "err", "input": "broken"})
    result = pytest_run(pytester)
    result.stdout.fnmatch_lines(["there is no output: ValueError: no [[]/INST] today"])
    result.stdout.fnmatch_lines(["Traceback (most recent call last):", "*raise ValueError*"])
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")
    result.stdout.no_fnmatch_line("*ringtrue/*")


@pytest.mark.parametrize(
    ("arguments", "questions"),
    [
        ((), ["a", "b", "c"]),
        (("-k", "blue"), ["b"]),
        (("a.suite.json::third",), ["c"]),
        (("a.suite.json::third::contains",), ["c"]),
        (("--ringtrue-runs", "2", "-k", "blue"), ["b", "b"]),
        (("--ringtrue-workers", "3", "-k", "blue or third"), ["b", "c"]),
        (("--collect-only",), []),
    ],
    ids=" ".join,
)
def test_only_what_is_selected_is_asked(
    arguments: tuple[str, ...], questions: list[str], pytester: pytest.Pytester
) -> None:
    suite_file(pytester, {"input": "a"}, {"input": "b", "tags": ["blue"]}, {"id": "third", "input": "c"})
    assert pytest_run(pytester, *arguments).ret == 0
    assert sorted(asked(pytester)) == questions


def test_the_store_is_used_when_it_is_named(pytester: pytest.Pytester) -> None:
    suite_file(pytester, {"input": "a"}, {"input": "b"})
    pytest_run(pytester).assert_outcomes(passed=4)
    assert not list(pytester.path.glob("**/*.db"))
    pytest_run(pytester, "--ringtrue-store", "sqlite:///kept.db").assert_outcomes(passed=4)
    from ringtrue.store.runs import RunStore

    with RunStore.existing(f"sqlite:///{pytester.path / 'kept.db'}") as store:
        assert [(run.made.job, len(run.rows)) for run in store.runs()] == [("suite", 2)]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.suite.json", "{", "*a.suite.json is not valid JSON*"),
        ("a.suite.toml", "evaluator = []", "*a.suite.toml: no key 'evaluator' here; did you mean 'evaluators'*"),
        ("a.suite.yaml", "cases: [{input: q}]\nevaluators: [nope]", "*evaluators[[]1]: no evaluator named 'nope'*"),
    ],
)
def test_a_wrong_file_is_a_collection_error(name: str, content: str, message: str, pytester: pytest.Pytester) -> None:
    pytester.path.joinpath(name).write_text(content)
    result = pytest_run(pytester)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([message])


def test_a_wrong_system_is_an_error_of_every_check(pytester: pytest.Pytester) -> None:
    suite_file(pytester, {"input": "a"}, system="no_such_module_at_all:f")
    result = pytest_run(pytester)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*a.suite.json: system: cannot import 'no_such_module_at_all'*"])


@pytest.mark.parametrize("option", ["--ringtrue-runs=0", "--ringtrue-workers=x"])
def test_wrong_options_are_refused(option: str, pytester: pytest.Pytester) -> None:
    assert pytest_run(pytester, option).ret == pytest.ExitCode.USAGE_ERROR


def test_the_fixture(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from ringtrue import EvalCase
        from ringtrue.suites.suite import EvalSuite
        from ringtrue.evaluators import Contains, Latency

        def test_output(ringtrue):
            results = ringtrue.assert_evaluators(EvalCase("q"), "Paris", [Contains(["Paris"])])
            assert results[0].score == 1.0

        def test_function(ringtrue):
            asked = []
            ringtrue.check(lambda q: asked.append(q) or "Paris", EvalCase("q"), ["not_empty", Latency(1000)])
            assert len(asked) == ringtrue.runs == 2

        def test_suite(ringtrue):
            suite = EvalSuite("s").add_case(EvalCase("q")).add_evaluators("not_empty")
            assert ringtrue.report(suite, lambda q: "").pass_rate == 0.0

        def test_passing_suite(ringtrue):
            suite = EvalSuite("s").add_case(EvalCase("q")).add_evaluators("not_empty")
            assert ringtrue.run(suite, lambda q: "x").pass_rate == 1.0

        def test_failing_suite(ringtrue):
            suite = EvalSuite("s").add_cases([EvalCase("q", "Rome"), EvalCase("r", "x")]).add_evaluators("exact_match")
            ringtrue.run(suite, lambda q: "x")

        def test_failing(ringtrue):
            ringtrue.check(lambda q: "Kyoto", EvalCase("q", "Paris"), [Contains(["Paris"])])
        """
    )
    result = pytest_run(pytester, "--ringtrue-runs", "2")
    result.assert_outcomes(passed=4, failed=2)
    result.stdout.fnmatch_lines(["*1 of 2 cases did not pass*", "*expected: Rome"])
    result.stdout.fnmatch_lines(["*passed 0 of 2 runs; missing: 'Paris'*", "*expected: Paris", "*output: Kyoto"])
    result.stdout.no_fnmatch_line("*assertions.py*")


def test_passing_checks_are_handed_back() -> None:
    results = assert_evaluators(EvalCase("q", "Paris"), "Paris", [NotEmpty(), "exact_match", Latency(10)], latency_ms=5)
    assert [(result.evaluator, result.score) for result in results] == [
        ("not_empty", 1.0),
        ("exact_match", 1.0),
        ("latency", 1.0),
    ]


def test_a_skipped_check_beside_others_does_not_fail() -> None:
    results = assert_evaluators(EvalCase("q"), "x", [NotEmpty(), ExactMatch()])
    assert [result.status for result in results] == ["scored", "skipped"]


def breaks(output: str) -> float:
    raise ZeroDivisionError("mine")


@pytest.mark.parametrize(
    ("output", "evaluators", "latency_ms", "message"),
    [
        (
            "Kyoto",
            [NotEmpty(), Contains(["Paris"])],
            None,
            "1 of 2 checks did not pass\n  contains: missing: 'P",
        ),
        (None, [NotEmpty()], None, "not_empty: the output is None"),
        ("x", [Latency(1)], None, "no check measured anything\n  latency: [skipped] no latency is known"),
        ("x", [Latency(1)], 5, "latency: took 5 ms; at most 1 ms are allowed"),
        ("x", [breaks], None, "breaks: [error] ZeroDivisionError: mine"),
    ],
    ids=["fails", "no-output", "measures-nothing", "slow", "breaks"],
)
def test_what_does_not_pass_is_an_assertion_error(output: Any, evaluators: Any, latency_ms: Any, message: str) -> None:
    with pytest.raises(AssertionError) as caught:
        assert_evaluators(EvalCase("q"), output, evaluators, latency_ms)
    assert message in str(caught.value)
    assert isinstance(caught.value, EvaluatorFailure)
    assert len(caught.value.results) == len(evaluators)


def test_no_evaluators_is_a_mistake() -> None:
    with pytest.raises(ConfigurationError, match="nothing measures the case"):
        assert_evaluators(EvalCase("q"), "x", [])


def test_the_example_is_a_test(pytester: pytest.Pytester) -> None:
    folder = Path(__file__).parent.parent / "src" / "ringtrue" / "cli" / "templates"
    for name in ("capital.suite.toml", "capital.py"):
        pytester.path.joinpath(name).write_text((folder / name).read_text())
    pytest_run(pytester).assert_outcomes(passed=12)
