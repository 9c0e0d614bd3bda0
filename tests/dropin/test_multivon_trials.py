"""What is kept of every answer: trials under a digest, declared targets, and other checks of the same answers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from multivon_eval import (
    AgentStep,
    EvalCase,
    EvalReport,
    EvalResult,
    EvalSuite,
    ExactMatch,
    JudgeRetry,
    JudgeUnavailable,
    MaxLatency,
    ToolCall,
    TrialRecord,
    compare_reports,
    declare_target,
    regrade,
)
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.execution_evidence import target_snapshot
from multivon_eval.provider_evidence import provider_operation
from ringtrue.reports.canonical import sealed


class Moody(Evaluator):
    """A judge that cannot be reached at first."""

    name = "moody"

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        if output == "answer 1":
            raise JudgeUnavailable("busy")
        return self._result(1.0, f"saw {output}")


class Counting:
    """A model that counts its answers."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, question: str) -> str:
        self.calls += 1
        return f"answer {self.calls}"


def suite(*evaluators: Any, case: EvalCase | None = None) -> EvalSuite:
    return EvalSuite("s").add_case(case or EvalCase("q", "a")).add_evaluators(*evaluators or [ExactMatch()])


@pytest.mark.parametrize("how", ["run", "run-at-once", "run-async"])
def test_every_attempt_is_kept_and_can_be_graded_again(how: str) -> None:
    model = Counting()
    case = EvalCase("q", agent_trace=[AgentStep(tool_calls=[ToolCall("read", {}, "safe")])])
    asked = suite(Moody(), case=case)
    options: dict[str, Any] = {"runs": 2, "verbose": False, "judge_retry": JudgeRetry(2, base_backoff=0)}
    if how == "run-async":

        async def later(question: str) -> str:
            return model(question)

        report = asyncio.run(asked.run_async(later, **options))
    else:
        report = asked.run(model, workers=2 if how == "run-at-once" else 1, **options)
    (found,) = report.case_results
    assert (model.calls, found.retry_attempts, found.retry_errors, found.passed) == (4, 1, ["busy"], True)
    places = [(trial.data["attempt"], trial.data["run_index"]) for trial in found.trials]
    assert places == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert "judge_error" in [trial.data["status"] for trial in found.trials]
    again = EvalReport.from_dict(json.loads(report.to_json()))
    assert again.case_results[0].trials == found.trials
    assert again.case_results[0].agent_trace == case.agent_trace
    graded = regrade(again, suite(case=case))
    assert (model.calls, graded.total, graded.failed) == (4, 4, 0)  # without an expected output nothing is measured
    parents = [result.trials[0].data["parent_trial"] for result in graded.case_results]
    assert parents == [trial.digest for trial in found.trials]


def test_a_judge_that_stays_away_is_asked_as_often_as_wanted() -> None:
    class Away(Evaluator):
        name = "away"

        def evaluate(self, case: EvalCase, output: str) -> EvalResult:
            raise JudgeUnavailable("gone")

    model = Counting()
    report = suite(Away()).run(model, verbose=False, judge_retry=JudgeRetry(3, base_backoff=0))
    (found,) = report.case_results
    assert (model.calls, found.retry_attempts, found.status.value) == (3, 2, "judge_error")


def test_a_trial_is_what_was_and_a_changed_one_is_refused() -> None:
    class Model:
        def _call_with_case(self, case: EvalCase) -> str:
            case.metadata["state"] = "after"
            return "a"

    case = EvalCase("q", "a", metadata={"state": "before"})
    known = case.identity()
    (found,) = suite(case=case).run(Model(), verbose=False).case_results  # type: ignore[arg-type]
    (trial,) = found.trials
    assert (found.case_id, found.case_digest) == known
    assert [trial.data[name]["metadata"]["state"] for name in ("case", "evaluation_case")] == ["before", "after"]
    with pytest.raises(ValueError, match="digest"):
        TrialRecord.from_dict({**trial.data, "output": "forged"})
    forged = {name: value for name, value in trial.data.items() if name != "digest"} | {"attempt": 0}
    with pytest.raises(ValueError, match="attempt"):
        TrialRecord.from_dict(sealed(forged))


def test_what_json_cannot_hold_is_measured_and_has_no_trial() -> None:
    report = suite(case=EvalCase("q", "a", metadata={"x": object()})).run(lambda question: "a", verbose=False)
    (found,) = report.case_results
    assert found.passed
    assert (found.trials, bool(found.evidence_error)) == ((), True)
    with pytest.raises(ValueError, match="complete saved trials"):
        regrade(report, suite())
    assert compare_reports(report, report).mcnemar_p is None


@pytest.mark.parametrize("text", ["\ud800", "\0\u202e", "x" * 100_000], ids=["surrogate", "control", "long"])
def test_any_output_is_kept_or_said_not_to_be(text: str) -> None:
    report = suite().run(lambda question: text, verbose=False)
    (found,) = report.case_results
    assert bool(found.trials) is not bool(found.evidence_error)
    assert EvalReport.from_dict(json.loads(report.to_json())).failed == 1


def test_an_error_stays_an_error_and_an_unknown_latency_unknown() -> None:
    def down(question: str) -> str:
        raise RuntimeError("down")

    graded = regrade(suite().run(down, verbose=False), suite())
    assert (graded.errors, graded.case_results[0].model_error) == (1, "down")
    timed = suite(MaxLatency(10))
    for latency, status in ((None, "skipped"), (100, "failed_quality")):
        given = timed.run_on_cases([(EvalCase("q"), "a")], verbose=False, latencies_ms=[latency])
        assert [report.case_results[0].status.value for report in (given, regrade(given, timed))] == [status, status]


def test_stored_outputs_and_their_checks_are_not_prepared() -> None:
    class Prepared(Evaluator):
        name = "prepared"
        times = 0

        def prepare(self) -> None:
            self.times += 1

        def evaluate(self, case: EvalCase, output: str) -> EvalResult:
            return self._result(1.0)

    check = Prepared()
    suite(check).run_on_cases([(EvalCase("q"), "a")], verbose=False)
    assert check.times == 0
    suite(check).run(lambda question: "a", verbose=False)
    assert check.times == 1


def test_a_declared_target_is_called_as_it_is_and_told() -> None:
    target = declare_target(
        lambda question: "a", version="1", configuration={"prompt": "p1"}, dependencies={"model": "m/1"}
    )
    report = suite().run(target, verbose=False)
    assert report.passed
    assert report.execution is not None
    declared = report.execution["target_before"]["declaration"]
    assert (declared["version"], declared["configuration"]["value"]) == ("1", {"prompt": "p1"})
    assert report.case_results[0].trials[0].data["execution"]["target_before"]["declaration"] == declared
    other = suite().run(declare_target(lambda question: "a", version="2", dependencies={}), verbose=False)
    diff = compare_reports(report, other)
    assert not diff.identity_issues
    assert "declaration.version" in diff.execution_changes["target_paths"]
    assert "Execution changes" in diff.to_text()
    assert "Execution changes" in diff.to_markdown()


def test_a_target_that_changes_while_it_runs_is_not_compared(tmp_path: Path) -> None:
    path = tmp_path / "prompt.txt"
    path.write_text("old")

    def changing(question: str) -> str:
        path.write_text("new")
        return "a"

    report = suite().run(declare_target(changing, version="1", dependencies={}, files={"prompt": path}), verbose=False)
    assert report.execution is not None
    assert report.execution["changed_during_execution"]
    assert report.case_results[0].trials[0].data["execution"]["changed_during_execution"]
    assert any("target configuration" in issue for issue in compare_reports(report, report).identity_issues)


def test_an_undeclared_target_is_noted_and_compared() -> None:
    report = suite().run(lambda question: "a", verbose=False)
    diff = compare_reports(report, report)
    assert (diff.identity_issues, diff.mcnemar_p, len(diff.execution_notes)) == ([], 1.0, 2)


def test_a_target_that_cannot_be_told_is_run() -> None:
    target = declare_target(lambda question: "a", version="1", dependencies={})
    target.configuration["x"] = object()
    assert target_snapshot(target)["issues"] == ["Target snapshot unavailable (TypeError)"]
    assert suite().run(target, verbose=False).passed == 1


def test_a_record_of_an_execution_that_contradicts_itself_is_refused() -> None:
    data = json.loads(suite().run(lambda question: "a", verbose=False).to_json())
    data["execution"]["changed_during_execution"] = True
    with pytest.raises(ValueError, match="digest"):
        EvalReport.from_dict(data)
    record = {name: value for name, value in data["execution"].items() if name != "digest"}
    with pytest.raises(ValueError, match="drift flag"):
        EvalReport.from_dict({**data, "execution": sealed(record)})


def test_what_is_asked_of_providers_is_kept_with_the_trial_it_belongs_to() -> None:
    class Asking(Evaluator):
        name = "asking"

        def evaluate(self, case: EvalCase, output: str) -> EvalResult:
            with provider_operation("openai", "judge", "m"):
                return self._result(1.0)

    def answer(question: str) -> str:
        with provider_operation("openai", "target", "m"):
            return "a"

    cases = [EvalCase(f"q{number}", case_id=f"c{number}") for number in range(3)]
    report = EvalSuite("s").add_cases(cases).add_evaluator(Asking()).run(answer, runs=2, verbose=False)
    for found in report.case_results:
        for run, trial in enumerate(found.trials, 1):
            seen = trial.data["provider_evidence"]
            kinds = [(event["kind"], event.get("role")) for event in seen["events"]]
            assert kinds == [
                ("capture_started", None), ("operation_started", "target"), ("operation_finished", "target"),
                ("operation_started", "judge"), ("operation_finished", "judge"), ("capture_finished", None),
            ]  # fmt: skip
            labels = {"case_id": found.case_id, "case_digest": found.case_digest, "attempt": 1, "run_index": run}
            assert all(event["labels"] == labels for event in seen["events"])
    assert report.provider_evidence is not None
    assert report.provider_evidence["kind"] == "run"
    graded = regrade(report, EvalSuite("again").add_evaluator(ExactMatch()))
    inherited = graded.case_results[0].trials[0].data["inherited_provider_evidence"]
    assert [part["trial_digest"] for part in inherited] == [report.case_results[0].trials[0].digest]
