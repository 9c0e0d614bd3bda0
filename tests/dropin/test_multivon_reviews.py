"""Trials that people review: what they are shown, what they may say, and what is made of it."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any
from xml.etree import ElementTree

import pytest
from multivon_eval import CaseManifest, EvalCase, EvalReport, EvalSuite, ExactMatch
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.integrations.label_studio import (
    LABEL_CONFIG,
    ReviewAnnotation,
    export_review_tasks,
    import_review_annotations,
    reconcile_reviews,
)
from multivon_eval.regressions import promote_reviewed_trial, regression_candidate
from multivon_eval.review_calibration import (
    ReviewedScores,
    ThresholdFit,
    collect_reviewed_scores,
    evaluate_review_threshold,
    fit_review_threshold,
)
from ringtrue.reports.canonical import digest

from support.reviews import annotation, exported

Tasks = list[dict[str, Any]]


def report(runs: int = 1, answer: Any = "Lima") -> EvalReport:
    case = EvalCase("Capital of Peru?", "Lima", context=["a", "b"], case_id="pe", source_id="atlas")
    said = answer if callable(answer) else lambda question: answer
    return EvalSuite("capitals").add_case(case).add_evaluator(ExactMatch()).run(said, runs=runs, verbose=False)


def tasks_of(found: EvalReport) -> Tasks:
    return export_review_tasks(found, "exact_match", rubric="Only the name counts.")


def reviews_of(tasks: Tasks, *choices: str) -> list[ReviewAnnotation]:
    return import_review_annotations(exported(tasks, [choices] * len(tasks)), tasks, reviewer_kind="human")


def test_a_task_shows_the_trial_and_hides_the_verdict() -> None:
    found = report(runs=2, answer="Quito")
    tasks = tasks_of(found)
    assert [task["data"]["binding"]["trial_digest"] for task in tasks] == [
        t.digest for t in found.case_results[0].trials
    ]
    shown = tasks[0]["data"]
    assert (shown["output"], shown["reference"], shown["context"], shown["trace"]) == (
        "Quito",
        "Lima",
        '["a","b"]',
        "null",
    )
    assert not {"score", "passed"} & shown.keys()
    fields = {text.attrib["value"] for text in ElementTree.fromstring(LABEL_CONFIG).iter("Text")}
    assert fields == {f"${name}" for name in shown if name not in ("binding", "review_key")}


def test_reviewers_who_agree_decide() -> None:
    tasks = tasks_of(report())
    found = reconcile_reviews(tasks, reviews_of(tasks, "Accept", "Accept"))
    assert (found["tasks"], found["consensus_tasks"], found["decisions"][0]["label"]) == (1, 1, True)
    assert (
        reconcile_reviews(tasks, reviews_of(tasks, "Accept", "Accept"), reviewer_kind="model")["consensus_tasks"] == 0
    )


@pytest.mark.parametrize(
    ("choices", "status"),
    [
        (["Accept"], "incomplete"),
        (["Accept", "Reject"], "disagreement"),
        (["Accept", "Accept", "Reject"], "disagreement"),
        (["Reject", "Unknown"], "incomplete"),
        (["Reject", "Reject", "Unknown"], "incomplete"),
        ([], "incomplete"),
    ],
    ids="-".join,
)
def test_nobody_is_outvoted(choices: list[str], status: str) -> None:
    tasks = tasks_of(report())
    (decision,) = reconcile_reviews(tasks, reviews_of(tasks, *choices))["decisions"]
    assert (decision["status"], decision["label"]) == (status, None)


def _without(name: str) -> dict[str, Any]:
    return {key: value for key, value in annotation(1, 1, "Accept").items() if key != name}


def _region(place: int, **changes: Any) -> dict[str, Any]:
    found = annotation(1, 1, "Accept")
    found["result"][place] |= changes
    return found


@pytest.mark.parametrize(
    "wrong",
    [
        _without("id"),
        _without("completed_by"),
        _without("result"),
        annotation(1, True, "Accept"),
        annotation(1, " ", "Accept"),
        annotation(1, 1, "Maybe"),
        annotation(1, 1, "Accept", result=[]),
        annotation(1, 1, "Accept", was_cancelled="yes"),
        annotation(1, 1, "Accept", created_at=7),
        _region(0, to_name="input"),
        _region(0, type="rating"),
        _region(0, value={"choices": ["Accept", "Reject"]}),
        _region(0, value=None),
        _region(1, value={"text": []}),
        _region(1, value={"text": ["  "]}),
        _region(1, from_name="verdict"),
        None,
        7,
    ],
    ids=lambda wrong: None,
)
def test_an_annotation_that_is_none_is_refused(wrong: Any) -> None:
    tasks = tasks_of(report())
    with pytest.raises(ValueError, match=r"annotation|reason"):
        import_review_annotations([{**tasks[0], "annotations": [wrong]}], tasks, reviewer_kind="human")


def test_a_cancelled_review_says_nothing_and_drafts_are_no_reviews() -> None:
    tasks = tasks_of(report())
    gone = annotation(1, 1, "Accept", was_cancelled=True, result=None)
    task = {
        **tasks[0],
        "annotations": [gone],
        "drafts": [annotation(2, 2, "Accept")],
        "predictions": [annotation(3, 3, "Accept")],
    }
    (review,) = import_review_annotations([task], tasks, reviewer_kind="human")
    assert (review.cancelled, review.label, review.reviewer) == (True, None, "1")
    assert reconcile_reviews(tasks, [review], min_reviewers=1)["consensus_tasks"] == 0


def test_a_verdict_stays_with_what_was_seen() -> None:
    tasks = tasks_of(report())
    changed = exported(tasks, [["Accept"]])
    changed[0]["data"]["output"] = "Quito"
    with pytest.raises(ValueError, match="differs"):
        import_review_annotations(changed, tasks, reviewer_kind="human")
    with pytest.raises(ValueError, match="digest"):
        import_review_annotations(tasks, changed, reviewer_kind="human")
    (review,) = reviews_of(tasks, "Accept")
    for change in ({"source_id": "other"}, {"trial_digest": "0" * 64}, {"review_key": "1" * 64}):
        with pytest.raises(ValueError, match="binding"):
            reconcile_reviews(tasks, [dataclasses.replace(review, **change)])
    with pytest.raises(ValueError, match="adjudication"):
        reconcile_reviews(tasks, [review, dataclasses.replace(review, annotation_id="9")])
    for wrong in ({"label": 1}, {"cancelled": True}, {"reason": ""}, {"reviewer_kind": "cat"}, {"source_id": 3}):
        with pytest.raises(ValueError, match=r"review|label|reason"):
            dataclasses.replace(review, **wrong)  # type: ignore[arg-type]


def test_what_broke_cannot_be_accepted() -> None:
    def broken(question: str) -> str:
        raise RuntimeError("no line")

    tasks = tasks_of(report(answer=broken))
    assert tasks[0]["data"]["execution_error"]
    with pytest.raises(ValueError, match="execution error"):
        reviews_of(tasks, "Accept")
    assert reviews_of(tasks, "Reject")[0].label is False


def test_only_whole_reports_are_given_to_review() -> None:
    found = report()
    with pytest.raises(ValueError, match="one result of 'not_empty'"):
        export_review_tasks(found, "not_empty", rubric="r")
    with pytest.raises(ValueError, match="rubric"):
        export_review_tasks(found, "exact_match", rubric=" ")
    found.case_results[0].actual_output = "Quito"
    with pytest.raises(ValueError, match="intact saved trials"):
        tasks_of(found)


def test_a_reviewed_trial_becomes_a_case_of_the_same_source() -> None:
    found = report(answer="Quito")
    tasks = tasks_of(found)
    (trial,) = found.case_results[0].trials
    assert regression_candidate(trial)["source_case"]["expected_output"] == "Lima"
    about: dict[str, Any] = {
        "evaluator": "exact_match",
        "case_id": "pe-2",
        "expected_output": "Lima",
        "reviewer_kind": "human",
    }
    reviews = reviews_of(tasks, "Reject", "Reject")
    made = promote_reviewed_trial(found, trial.digest, tasks, reviews, rationale="an atlas", **about)
    (case,) = made.split("development")
    assert (case.case_id, case.source_id, case.expected_output, case.agent_trace) == ("pe-2", "atlas", "Lima", None)
    assert made.manifest["provenance"]["source_trial_digest"] == trial.digest
    for wrong, words in (
        ({"source_id": "elsewhere"}, "source group"),
        ({"rationale": ""}, "rationale"),
        ({"min_reviewers": 3}, "Resolve"),
    ):
        with pytest.raises(ValueError, match=words):
            promote_reviewed_trial(found, trial.digest, tasks, reviews, **{"rationale": "an atlas", **about, **wrong})
    other = tasks_of(report(answer="Bogota"))
    with pytest.raises(ValueError, match="original report"):
        promote_reviewed_trial(
            found, trial.digest, other, reviews_of(other, "Reject", "Reject"), rationale="x", **about
        )


class Told(Evaluator):
    """The score that a case names."""

    name = "told"

    def evaluate(self, case: EvalCase, output: str) -> Any:
        score = case.metadata["score"]
        return self._skipped("nothing to see") if score is None else self._result(score, "told")


def reviewed(split: str, scores: dict[str, tuple[float | None, str]], *, runs: int = 1) -> ReviewedScores:
    """Scores of cases and what two reviewers say of them, in both splits of one manifest."""
    cases = [
        EvalCase(
            name, case_id=f"{part}-{name}", source_id=f"{part}-{name[0]}", tags=[choice], metadata={"score": score}
        )
        for part in ("development", "held_out")
        for name, (score, choice) in scores.items()
    ]
    splits = {
        part: [str(c.case_id) for c in cases if str(c.case_id).startswith(part)] for part in ("development", "held_out")
    }
    manifest = CaseManifest("labels", cases, splits=splits)
    suite = EvalSuite("labels").add_cases(manifest.split(split)).add_evaluator(Told())
    found = suite.run(lambda question: "x", runs=runs, verbose=False)
    tasks = export_review_tasks(found, "told", rubric="r")
    chosen = [scores[task["data"]["binding"]["case_id"].partition("-")[2]][1] for task in tasks]
    pairs = exported(tasks, [[choice, choice] for choice in chosen])
    reviews = import_review_annotations(pairs, tasks, reviewer_kind="human")
    return collect_reviewed_scores(found, tasks, reviews, manifest, split=split)


SCORES: dict[str, tuple[float | None, str]] = {
    "a1": (0.9, "Accept"), "a2": (0.2, "Reject"), "b1": (0.7, "Accept"), "b2": (0.8, "Reject"),
}  # fmt: skip


def fitted(scores: dict[str, tuple[float | None, str]], accept: float = 5, reject: float = 1) -> ThresholdFit:
    return fit_review_threshold(reviewed("development", scores), false_accept_cost=accept, false_reject_cost=reject)


def test_a_threshold_is_where_errors_cost_least() -> None:
    dear, cheap = fitted(SCORES).to_dict(), fitted(SCORES, accept=1, reject=5).to_dict()
    assert (dear["threshold"], dear["development_risk"]) == (0.9, 0.25)
    assert (cheap["threshold"], cheap["development_risk"]) == (0.7, 0.25)
    same = {name: (1.0, choice) for name, (_, choice) in SCORES.items()}
    assert (fitted(same).to_dict()["rule"], fitted(same).to_dict()["threshold"]) == ("reject_all", None)
    with pytest.raises(ValueError, match="digest"):
        ThresholdFit.from_dict({**dear, "threshold": 0.1})


def test_a_threshold_is_tried_on_what_it_has_not_seen() -> None:
    fit = fitted(SCORES, accept=1, reject=5)
    found = evaluate_review_threshold(fit, reviewed("held_out", SCORES))
    assert (found["status"], found["metrics"]["false_accepts"], found["metrics"]["true_accepts"]) == ("complete", 1, 2)
    assert found["metrics"]["source_any_false_accept"]["events"] == 1
    assert found["slices"]["Accept"]["source_any_false_accept"]["interval"] is None
    often = evaluate_review_threshold(fit, reviewed("held_out", SCORES, runs=3))["metrics"]
    assert often["false_accepts"] == 3
    assert often["source_any_false_accept"] == found["metrics"]["source_any_false_accept"]


def test_nothing_is_fitted_to_what_is_missing_or_held_back() -> None:
    for change, words in (({"a1": (0.9, "Unknown")}, "coverage"), ({"a2": (None, "Reject")}, "missing measurements")):
        with pytest.raises(ValueError, match=words):
            fitted({**SCORES, **change})
    with pytest.raises(ValueError, match="some that were rejected"):
        fitted({name: (score, "Accept") for name, (score, _) in SCORES.items()})
    with pytest.raises(ValueError, match="development split"):
        fit_review_threshold(reviewed("held_out", SCORES), false_accept_cost=1, false_reject_cost=1)
    with pytest.raises(ValueError, match="held_out split"):
        evaluate_review_threshold(fitted(SCORES), reviewed("development", SCORES))
    for cost in (0, -1, True, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="false_accept_cost"):
            fitted(SCORES, accept=cost)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data["contract"].update(rubric="other"), "contract changed"),
        (lambda data: data["rows"][0].update(source_id="development-a"), "leakage"),
        (lambda data: data.update(reviewer_kind="model"), "reviewer_kind"),
    ],
    ids=["rubric", "source", "kind"],
)
def test_another_contract_or_a_shared_source_is_refused(change: Any, words: str) -> None:
    data = copy.deepcopy(reviewed("held_out", SCORES).to_dict())
    del data["digest"]
    change(data)
    with pytest.raises(ValueError, match=words):
        evaluate_review_threshold(fitted(SCORES), ReviewedScores.from_dict({**data, "digest": digest(data)}))
