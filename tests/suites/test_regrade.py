"""Other checks of the outputs that a report holds; no system is asked again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ringtrue import EvalCase, EvalSuite
from ringtrue.cli import invoke, main
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import Contains, ExactMatch, Latency
from ringtrue.reports.case_result import EvalStatus
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.gate import GateFailure

NAMED = [EvalCase("q1", "a", case_id="one"), EvalCase("q2", "b", case_id="two"), EvalCase("q3", "c", case_id="three")]


def suite(*checks: object, cases: list[EvalCase] | None = None) -> EvalSuite:
    return EvalSuite("s", model_id="m").add_cases(cases or NAMED).add_evaluators(*checks or (ExactMatch(),))


def answered(question: str) -> str:
    if question == "q3":
        raise ValueError("down")
    return "a and b"


def report(runs: int = 1, cases: list[EvalCase] | None = None) -> EvalReport:
    return suite(cases=cases).run(answered, verbose=False, store=None, runs=runs)


def test_other_checks_of_the_same_outputs() -> None:
    old = report()
    found = suite(Contains(["b"]), Latency(60_000)).regrade(old, verbose=False)
    assert [str(case.status) for case in found.case_results] == ["passed", "passed", "model_error"]
    assert [case.case_id for case in found.case_results] == ["one", "two", "three"]
    assert [case.latency_ms for case in found.case_results] == [case.latency_ms for case in old.case_results]
    assert found.case_results[0].results[1].evaluator == "latency"
    assert found.case_results[2].error == old.case_results[2].error
    assert found.execution["systems"] == old.execution["systems"]
    assert EvalReport.from_dict(json.loads(found.to_json())).passed == 2


def test_every_run_is_checked() -> None:
    turns = iter(["a", "b", "a"])
    old = suite(cases=NAMED[:1]).run(lambda question: next(turns), verbose=False, store=None, runs=3)
    found = suite(Contains(["b"]), cases=NAMED[:1]).regrade(old, verbose=False).case_results[0]
    assert (found.runs, [trial.passed for trial in found.trials]) == (3, [False, True, False])
    assert found.status is EvalStatus.FAILED_QUALITY


def test_the_same_checks_find_the_same() -> None:
    old = report(runs=2)
    again = suite().regrade(old, verbose=False)
    assert [(case.status, case.score) for case in again.case_results] == [
        (case.status, case.score) for case in old.case_results
    ]
    assert not old.compare(again).identity_issues


def test_what_is_expected_may_have_changed() -> None:
    for identity in ("one", None):
        old = report(cases=[EvalCase("q1", "x", case_id=identity)])
        corrected = suite(cases=[EvalCase("q0"), EvalCase("q1", "a and b", case_id=identity)])
        found = corrected.regrade(old, verbose=False)
        assert (found.total, found.passed) == (1, 1)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        pytest.param([EvalCase("q1", "a", case_id="another")], "has no case 'one'", id="missing"),
        pytest.param([EvalCase("q9", "a", case_id="one")], "'one' asks something else now", id="another-input"),
        pytest.param([EvalCase("q1", "a")], "has no case 'one'", id="no-id-any-more"),
    ],
)
def test_outputs_of_other_cases_are_refused(other: list[EvalCase], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        suite(cases=other).regrade(report(cases=NAMED[:1]), verbose=False)


def test_the_gate_is_kept() -> None:
    with pytest.raises(GateFailure):
        suite().regrade(report(cases=NAMED[:2]), verbose=False, fail_threshold=0.9)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    written = {"system": {"command": "cat"}, "evaluators": ["not_empty"], "cases": [{"id": "x", "input": "q"}]}
    Path("x.suite.json").write_text(json.dumps(written))
    assert invoke(["suite", "x.suite.json", "-q", "--json", "old.json", "--store", "x.db"]) == 0
    strict = written | {"evaluators": ["contains(['z'])"], "system": {"command": "false"}, "fail_threshold": 1.0}
    Path("x.suite.json").write_text(json.dumps(strict))
    assert invoke(["suite", "x.suite.json", "-q", "--regrade", "old.json", "--json", "new.json"]) == 1
    assert json.loads(Path("new.json").read_text())["cases"][0]["output"].strip() == "q"
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["suite", "x.suite.json", "--regrade", "old.json", "--runs", "2"])
    assert ended.value.code == 64
    assert "leave out --runs" in capsys.readouterr().err
