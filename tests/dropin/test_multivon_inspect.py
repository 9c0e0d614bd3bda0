"""Inspect runs cases, checks score its samples, and its logs are reports: with Inspect itself."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from multivon_eval import (
    AcceptancePolicy,
    AgentStep,
    CaseManifest,
    CheckRequirement,
    EvalCase,
    EvalReport,
    EvalSuite,
    ExactMatch,
    MediaArtifact,
    NotEmpty,
    ToolCall,
    declare_dependencies,
    regrade,
    with_media,
)
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.integrations.inspect import (
    CASE_KEY,
    as_inspect_scorer,
    bind_inspect_task,
    from_inspect_log,
    to_inspect_dataset,
)
from multivon_eval.integrations.inspect_contract import GRADING_KEY, SAMPLE_KEY, TASK_KEY
from multivon_eval.integrations.inspect_media import to_inspect_content
from multivon_eval.trials import trial_integrity_issues

from support.media import png, wav

inspect_ai = pytest.importorskip("inspect_ai")
# Inspect warns of itself, and leaves streams and databases of its own for the collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """What Inspect left is collected while its warnings are ignored, not in a later test."""
    yield
    gc.collect()


def solver(*, tool_error: bool = False) -> Any:
    """Looks an order up and tells what it found; asks no model."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ModelOutput
    from inspect_ai.solver import solver as solves
    from inspect_ai.tool import ToolCall as Called
    from inspect_ai.tool import ToolCallError

    @solves(name="clerk")
    def clerk() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            called = Called(id="c1", function="find_order", arguments={"number": "A-17"})
            error = ToolCallError(type="timeout", message="too slow") if tool_error else None
            state.messages.append(ChatMessageAssistant(content="looking", tool_calls=[called]))
            state.messages.append(ChatMessageTool(content="on its way", tool_call_id="c1", error=error))
            state.output = ModelOutput.from_content("none", "on its way")
            return state

        return solve

    return clerk()


def case(name: str = "a17", expected: str | None = "on its way", **more: Any) -> EvalCase:
    return EvalCase(f"Where is {name}?", expected, case_id=name, source_id=name, **more)


def task(*cases: EvalCase, checks: tuple[Any, ...] = (), resolver: Any = None, **settings: Any) -> Any:
    dataset = to_inspect_dataset(CaseManifest("orders", cases or [case()]), media_resolver=resolver)
    scorers = [as_inspect_scorer(check) for check in checks or (ExactMatch(),)]
    return inspect_ai.Task(**{"dataset": dataset, "solver": solver(), "scorer": scorers, **settings})


def bound(*cases: EvalCase, version: str = "orders/v1", previous: Any = None, **settings: Any) -> Any:
    return bind_inspect_task(task(*cases, **settings), version=version, dependencies={}, previous_log=previous)


def run(given: Any, folder: Path, **options: Any) -> Any:
    (log,) = inspect_ai.eval(given, model="mockllm/model", log_dir=str(folder), display="none", **options)
    return log


def decided(report: EvalReport, **policy: Any) -> str:
    return AcceptancePolicy([CheckRequirement("exact_match")], **policy).evaluate(report).decision


def test_a_log_is_a_report(tmp_path: Path) -> None:
    log = run(task(case(), case("b2", "lost"), checks=(ExactMatch(), NotEmpty()), epochs=2), tmp_path)
    report = from_inspect_log(inspect_ai.log.read_eval_log(log.location))
    assert (report.total, report.passed, report.failed, report.evidence_issues) == (2, 1, 1, [])
    (first, _) = report.case_results
    assert [trial.data["run_index"] for trial in first.trials] == [1, 2]
    assert first.agent_trace == [AgentStep("", [ToolCall("find_order", {"number": "A-17"}, "on its way")], "looking")]
    assert trial_integrity_issues(first) == []
    assert EvalReport.from_dict(json.loads(report.to_json())).case_results[0].trials == first.trials
    (metric,) = [s for s in log.results.scores if s.name == "score" and s.scorer == "multivon_exact_match"]
    assert metric.metrics["measured_mean"].value == 0.5


def test_samples_say_all_that_a_case_says(tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello, you."}]
    (sample,) = to_inspect_dataset(CaseManifest("m", [case(context=["a", "b"], conversation=talk)]))
    assert [(message.role, message.text) for message in sample.input] == [
        ("system", "a\n\nb"), ("user", "Hello."), ("assistant", "Hello, you."), ("user", "Where is a17?"),
    ]  # fmt: skip
    assert (sample.id, sample.target) == ("a17", "on its way")
    splits = {"development": ["a17"], "held_out": ["b2"]}
    manifest = CaseManifest("m", [case(), case("b2")], splits=splits)
    assert [sample.id for sample in to_inspect_dataset(manifest, split="held_out")] == ["b2"]


def test_what_is_not_measured_has_no_number(tmp_path: Path) -> None:
    class Broken(Evaluator):
        name = "exact_match"

        def evaluate(self, case: EvalCase, output: str) -> Any:
            raise RuntimeError("no judge")

    skipped = run(task(case(expected=None)), tmp_path)
    (score,) = skipped.samples[0].scores.values()
    assert score.value == {"score": None, "passed": None}
    assert from_inspect_log(skipped).skipped == 1
    report = from_inspect_log(run(task(checks=(Broken(),)), tmp_path))
    assert (report.errors, decided(report)) == (1, "indeterminate")
    assert "RuntimeError" in str(report.case_results[0].evaluator_error)


def test_a_failed_tool_is_no_result(tmp_path: Path) -> None:
    report = from_inspect_log(run(task(solver=solver(tool_error=True)), tmp_path))
    (step,) = report.case_results[0].agent_trace or ()
    assert step.tool_calls[0].result == {"error": {"type": "timeout", "message": "too slow"}, "text": "on its way"}


def test_a_limit_or_an_invalidation_is_no_verdict(tmp_path: Path) -> None:
    from inspect_ai.log import EvalSampleLimit, ProvenanceData

    log = run(bound(), tmp_path)
    log.samples[0].limit = EvalSampleLimit(type="time", limit=3)
    stopped = from_inspect_log(log)
    assert (stopped.errors, decided(stopped, max_error_rate=1.0)) == (1, "indeterminate")
    assert decided(from_inspect_log(log, accepted_limits=("time",))) == "accept"
    log.samples[0].invalidation = ProvenanceData(author="me", reason="wrong file")
    gone = from_inspect_log(log, accepted_limits=("time",))
    for _ in range(2):
        assert "wrong file" in str(gone.case_results[0].evaluator_error)
        assert decided(gone, max_error_rate=1.0) == "indeterminate"
        gone = regrade(gone, EvalSuite("again").add_evaluator(ExactMatch()))
    for wrong in ("time", ("never",), (True,), ["time"]):
        with pytest.raises(ValueError, match="accepted_limits"):
            from_inspect_log(log, accepted_limits=wrong)  # type: ignore[arg-type]


def test_another_task_is_no_retry(tmp_path: Path) -> None:
    log = run(bound(), tmp_path)
    assert bound(previous=log).metadata[TASK_KEY]["digest"] == log.eval.metadata[TASK_KEY]["digest"]
    assert decided(from_inspect_log(log)) == "accept"
    others: list[dict[str, Any]] = [
        {"version": "orders/v2"},
        {"checks": (ExactMatch(), NotEmpty())},
        {"checks": (ExactMatch(threshold=0.9),)},
        {"solver": inspect_ai.solver.generate()},
        {"epochs": 2},
        {"time_limit": 3},
        {"config": inspect_ai.model.GenerateConfig(temperature=0.5)},
    ]
    for other in others:
        with pytest.raises(ValueError, match="incompatible"):
            bound(previous=log, **other)
    with pytest.raises(ValueError, match="incompatible"):
        bound(case(expected="lost"), previous=log)


def test_files_and_secrets_are_bound_and_not_told(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("one")
    about = {
        "version": "v",
        "dependencies": {"model": "m1"},
        "files": {"rules": path},
        "configuration": {"api_key": "s3cret"},
    }
    first = bind_inspect_task(task(), **about)
    told = json.dumps(first.metadata)
    assert "s3cret" not in told
    assert str(tmp_path) not in told
    path.write_text("two")
    assert bind_inspect_task(task(), **about).metadata[TASK_KEY]["digest"] != first.metadata[TASK_KEY]["digest"]


@pytest.mark.parametrize(
    "change",
    [
        lambda log: log.eval.metadata.pop(TASK_KEY),
        lambda log: log.eval.metadata[TASK_KEY].update(digest="0" * 64),
        lambda log: log.eval.metadata.update({TASK_KEY: 7}),
        lambda log: log.samples[0].metadata.update({SAMPLE_KEY: "0" * 64}),
        lambda log: log.samples[0].metadata.update({GRADING_KEY: []}),
        lambda log: setattr(log.samples[0], "input", "other"),
        lambda log: setattr(log.samples[0], "target", "other"),
    ],
    ids=["gone", "digest", "shape", "sample", "grades", "input", "target"],
)
def test_a_log_that_was_changed_is_not_accepted(tmp_path: Path, change: Any) -> None:
    log = run(bound(), tmp_path)
    change(log)
    report = from_inspect_log(log)
    assert report.evidence_issues
    report.evidence_issues.clear()
    assert decided(report, max_error_rate=1.0) == "indeterminate"
    assert decided(regrade(report, EvalSuite("again").add_evaluator(ExactMatch()))) == "indeterminate"


def test_a_check_that_changes_while_it_scores_is_seen(tmp_path: Path) -> None:
    class Restless(ExactMatch):
        def evaluate(self, *args: Any, **kwargs: Any) -> Any:
            found = super().evaluate(*args, **kwargs)
            self.threshold = 0.2
            return found

    check = declare_dependencies(Restless(), version="restless/v1", dependencies={})
    report = from_inspect_log(run(bound(checks=(check,)), tmp_path))
    assert any("changed during scoring" in issue for issue in report.evidence_issues)


def test_attempts_are_counted_once(tmp_path: Path) -> None:
    from inspect_ai.log import EvalError

    log = run(bound(epochs=2), tmp_path)
    before = log.model_copy(deep=True)
    broken = next(sample for sample in before.samples if sample.epoch == 2)
    broken.uuid, broken.scores = "another", None
    broken.error = EvalError(message="cable", traceback="", traceback_ansi="")
    before.status = "error"
    report = from_inspect_log(log, previous_logs=[before])
    (result,) = report.case_results
    assert [(t.data["attempt"], t.data["run_index"]) for t in result.trials] == [(1, 1), (1, 2), (2, 2)]
    assert (result.retry_attempts, len(result.retry_errors), trial_integrity_issues(result)) == (1, 1, [])
    assert (decided(report), decided(report, trial_scope="final_attempt")) == ("indeterminate", "accept")
    log.plan.config.temperature = 0.9
    assert any("execution settings" in issue for issue in from_inspect_log(log, previous_logs=[before]).evidence_issues)
    before.samples[0].output.completion = "other"
    with pytest.raises(ValueError, match="different things of one execution"):
        from_inspect_log(log, previous_logs=[before])
    before.eval.task_id = "other"
    with pytest.raises(ValueError, match="same task ID"):
        from_inspect_log(log, previous_logs=[before])
    log.status = "started"
    with pytest.raises(ValueError, match="Recover started"):
        from_inspect_log(log)


def test_a_sample_of_another_case_is_refused(tmp_path: Path) -> None:
    log = run(task(), tmp_path)
    log.samples[0].metadata[CASE_KEY]["case"]["input"] = "Where is b2?"
    with pytest.raises(ValueError, match="was changed"):
        from_inspect_log(log)
    log.samples[0].metadata = {}
    with pytest.raises(ValueError, match="to_inspect_dataset"):
        from_inspect_log(log)


def test_media_are_shown_byte_for_byte(tmp_path: Path) -> None:
    contents = {"image/png": png(), "audio/wav": wav(seconds=0.1)}
    artifacts = {MediaArtifact.capture(data, kind).id: (kind, data) for kind, data in contents.items()}
    shown = with_media(case(), *(MediaArtifact.capture(data, kind) for kind, data in contents.items()))

    def resolve(artifact: MediaArtifact) -> bytes:
        return artifacts[artifact.id][1]

    log = run(task(shown, resolver=resolve), tmp_path, log_images=True)
    loaded = inspect_ai.log.read_eval_log(log.location, resolve_attachments=True)
    assert from_inspect_log(loaded).passed == 1
    loaded.samples[0].messages[0].content[1].image = MediaArtifact.capture(png(grey=0), "image/png").data_uri(
        png(grey=0)
    )
    with pytest.raises(ValueError, match="bound content"):
        from_inspect_log(loaded)
    with pytest.raises(ValueError, match="explicit bytes resolver"):
        task(shown)
    artifact = MediaArtifact.capture(contents["audio/wav"], "audio/wav")
    assert to_inspect_content(artifact, contents["audio/wav"]).format == "wav"
