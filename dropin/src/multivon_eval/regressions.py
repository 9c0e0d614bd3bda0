"""A trial that went wrong as a case for development, once reviewers agree on it: what was said is never the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from multivon_eval.case_manifest import CaseManifest, case_from_dict
from multivon_eval.integrations.label_studio import (
    ReviewAnnotation,
    ReviewerKind,
    Task,
    bound_tasks_of,
    reconcile_reviews,
)
from multivon_eval.report import EvalReport
from multivon_eval.trials import TrialRecord
from ringtrue.evaluators.judged.config import require_text

__all__ = ["promote_reviewed_trial", "regression_candidate"]

CANDIDATE = "multivon.regression-candidate/v1"
SPLIT = "development"


def regression_candidate(trial: TrialRecord) -> dict[str, Any]:
    """What reviewers need to make a case of a trial; what it said is shown, and is not what is expected."""
    data = trial.data
    return {
        "schema": CANDIDATE,
        "requires_review": True,
        "intended_split": SPLIT,
        "source_trial_digest": trial.digest,
        "source_case_digest": data["case_digest"],
        "source_trial_status": data["status"],
        "source_case": data["case"],
        "instructions": "two reviewers say what was right, and why; promote_reviewed_trial makes the case",
    }


def promote_reviewed_trial(
    report: EvalReport,
    trial_digest: str,
    original_tasks: Sequence[Task],
    reviews: Sequence[ReviewAnnotation],
    *,
    evaluator: str,
    case_id: str,
    expected_output: str,
    rationale: str,
    reviewer_kind: ReviewerKind,
    min_reviewers: int = 2,
    source_id: str | None = None,
) -> CaseManifest:
    """A manifest of one new case for development, made of a trial that reviewers agree on.

    It stays in the source group of the trial's case: what is learned on it is not tested on its like.
    """
    require_text(case_id=case_id, expected_output=expected_output, rationale=rationale)
    task = _task(report, trial_digest, original_tasks, evaluator)
    trial = next(one for case in report.case_results for one in case.trials if one.digest == trial_digest)
    data = trial.data
    group = data["case"].get("source_id")
    if source_id is not None and group is not None and source_id != group:
        raise ValueError(f"the case stays in the source group {group!r} of its trial; got source_id={source_id!r}")
    found = reconcile_reviews(original_tasks, reviews, min_reviewers=min_reviewers, reviewer_kind=reviewer_kind)
    decision = next(one for one in found["decisions"] if one["review_key"] == task["review_key"])
    if decision["status"] != "consensus":
        raise ValueError(f"Resolve the reviews first: {decision['status']}, {decision['reviewers']} reviewers")
    parent = case_from_dict(data["case"])
    made = {"parent_case_id": data["case_id"], "parent_trial_digest": trial.digest}
    case = replace(
        parent,
        case_id=case_id,
        source_id=group or source_id,
        expected_output=expected_output,
        agent_trace=None,
        reference_output=None,
        metadata={**parent.metadata, "multivon_regression": made},
    )
    provenance = {
        "source_trial_digest": trial.digest,
        "source_case_digest": data["case_digest"],
        "source_trial_status": data["status"],
        "source_trial_evidence_gaps": data["evidence_gaps"],
        "source_report_evidence_issues": list(report.evidence_issues),
        "expectation_rationale": rationale,
        "rubric": task["rubric"],
        "review_task": task,
        "review_consensus": {**decision, "reviewer_kind": reviewer_kind, "min_reviewers": min_reviewers},
        "reviews": [one.to_dict() for one in reviews if one.review_key == task["review_key"]],
    }
    return CaseManifest(f"regression {case_id}", [case], splits={SPLIT: [case_id]}, provenance=provenance)


def _task(report: EvalReport, trial_digest: str, tasks: Sequence[Task], evaluator: str) -> dict[str, Any]:
    """The task of a trial, if it is the one that this report gives."""
    given = bound_tasks_of(report, tasks, evaluator)
    found = [data for data in given.values() if data["binding"]["trial_digest"] == trial_digest]
    if not found:
        raise ValueError(f"the report has no trial {trial_digest!r}")
    return found[0]
