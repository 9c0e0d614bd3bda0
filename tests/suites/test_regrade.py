"""Other checks of the outputs that a report holds; no system is asked again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ringtrue import EvalCase, EvalSuite
from ringtrue.api.runs import open_run
from ringtrue.cli import invoke
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import Contains, ExactMatch, Latency
from ringtrue.reports.case_result import EvalStatus
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.gating.suite_gate import GateFailure
from ringtrue.reports.row_file import write_rows
from ringtrue.stats.row_pages import ListRows

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
    assert found.passed == 2
    assert [one.name for one in found.run.made.evaluators] == ["contains", "latency"]


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
    assert not old.compare(again).pairs[0].refused


def test_what_is_expected_may_have_changed() -> None:
    for identity in ("one", None):
        old = report(cases=[EvalCase("q1", "x", case_id=identity)])
        corrected = suite(cases=[EvalCase("q0"), EvalCase("q1", "a and b", case_id=identity)])
        found = corrected.regrade(old, verbose=False)
        assert (found.total, found.passed) == (1, 1)


def test_cases_without_an_id_are_told_apart_by_their_input_and_its_order() -> None:
    cases = [EvalCase("q", "x"), EvalCase("q2", "b", case_id="two"), EvalCase("q", "a and b")]
    found = suite(cases=[EvalCase("q0"), *cases]).regrade(report(cases=cases), verbose=False)
    assert [case.case_id for case in found.case_results] == ["#2", "two", "#4"]
    assert [case.passed for case in found.case_results] == [False, False, True]


def test_cases_that_cannot_be_told_apart_are_refused() -> None:
    run = report(cases=NAMED[:2]).run
    alike = [replace(row, trial=replace(row.trial, case=replace(row.trial.case, id="one"))) for row in run.rows]
    with pytest.raises(ConfigurationError, match="2 cases of the run cannot be told apart"):
        suite().regrade(replace(run, rows=ListRows(alike, run.made)), verbose=False)


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


@pytest.mark.parametrize("kept", ["store", "rows.jsonl", "rows.parquet"])
def test_a_run_that_was_kept_is_checked_as_the_one_in_memory(kept: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    old = suite().run(answered, verbose=False, store=url, runs=2)
    write_rows(tmp_path / "rows.jsonl", old.run.rows, old.run.made)
    write_rows(tmp_path / "rows.parquet", old.run.rows, old.run.made)
    earlier = open_run("last", url) if kept == "store" else open_run(tmp_path / kept)
    checks = suite(Contains(["b"]), Latency(60_000))
    found, wanted = (checks.regrade(run, verbose=False) for run in (earlier, old))
    assert found.case_results == wanted.case_results
    assert found.run.made.options["regraded_from"] == ("" if "rows" in kept else old.run.id)
    assert EvalReport(earlier).case_results == old.case_results


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    written = {"system": {"command": "cat"}, "evaluators": ["not_empty"], "cases": [{"id": "x", "input": "q"}]}
    Path("x.suite.json").write_text(json.dumps(written))
    assert invoke(["suite", "x.suite.json", "-q", "-o", "old.jsonl", "--store", "sqlite:///x.db"]) == 0
    strict = written | {"evaluators": ["contains(['z'])"], "system": {"command": "false"}, "fail_threshold": 1.0}
    Path("x.suite.json").write_text(json.dumps(strict))
    for run in ("old.jsonl", "last"):
        options = ["--regrade", run, "-o", "new.jsonl", "--store", "sqlite:///x.db"]
        assert invoke(["suite", "x.suite.json", "-q", *options]) == 1
        row = next(iter(open_run("new.jsonl").rows))
        assert (row.trial.output.text.strip(), row.scores["contains"].passed) == ("q", False)
    capsys.readouterr()
