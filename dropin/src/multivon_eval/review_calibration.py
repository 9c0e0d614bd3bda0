"""A threshold that reviewers' labels speak for: found on one split of saved scores, and tried once on another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ringtrue.reports.canonical import digest
from ringtrue.reports.sealed_record import SealedRecord

from multivon_eval.case_manifest import CaseManifest
from multivon_eval.integrations.label_studio import (
    ReviewAnnotation,
    ReviewerKind,
    Task,
    bound_tasks_of,
    reconcile_reviews,
)
from multivon_eval.report import EvalReport
from ringtrue.evaluators.check import is_number
from ringtrue.records import Summary
from ringtrue.stats.priced_cutoff import Labelled, PricedCutoff, least_cost

__all__ = [
    "ReviewedScores",
    "ThresholdFit",
    "collect_reviewed_scores",
    "evaluate_review_threshold",
    "fit_review_threshold",
]

EVALUATION = "multivon.threshold-evaluation/v1"
Row = dict[str, Any]


class ReviewedScores(SealedRecord):
    """The saved scores of one split beside what reviewers agree on; None where there is no score, or no agreement."""

    schema = "multivon.reviewed-scores/v1"


class ThresholdFit(SealedRecord):
    """A threshold, what it cost where it was found, and what it was found on."""

    schema = "multivon.threshold-fit/v1"


def collect_reviewed_scores(
    report: EvalReport,
    tasks: Sequence[Task],
    reviews: Sequence[ReviewAnnotation],
    manifest: CaseManifest,
    *,
    split: str,
    reviewer_kind: ReviewerKind = "human",
    min_reviewers: int = 2,
) -> ReviewedScores:
    """The scores of a report of one split, and the reviews of exactly its trials; nobody is asked again."""
    given = bound_tasks_of(report, tasks)
    first = next(iter(given.values()))
    evaluator, rubric = first["binding"]["evaluator"], first["rubric"]
    wanted = {case.identity() for case in manifest.split(split)}
    if {(case.case_id, case.case_digest) for case in report.case_results} != wanted:
        raise ValueError(f"the report does not hold the cases of the split {split!r}")
    found = reconcile_reviews(tasks, reviews, min_reviewers=min_reviewers, reviewer_kind=reviewer_kind)
    decisions = {decision["review_key"]: decision for decision in found["decisions"]}
    by_trial = {data["binding"]["trial_digest"]: key for key, data in given.items()}
    trials = [trial for case in report.case_results for trial in case.trials]
    rows = [_row(trial.data, by_trial[trial.digest], decisions, evaluator) for trial in trials]
    return ReviewedScores.of(
        {
            "split": split,
            "manifest_digest": manifest.digest,
            "reviewer_kind": reviewer_kind,
            "min_reviewers": min_reviewers,
            "contract": _contract(report, evaluator, rubric),
            "report_evidence_issues": list(report.evidence_issues),
            "rows": rows,
            "reviews": [review.to_dict() for review in reviews],
        }
    )


def fit_review_threshold(
    development: ReviewedScores, *, false_accept_cost: float, false_reject_cost: float
) -> ThresholdFit:
    """The threshold with the least mean cost of a source on the split `development`; the highest of several.

    Where none does better, everything is rejected, and there is no threshold.
    """
    costs = {"false_accept_cost": false_accept_cost, "false_reject_cost": false_reject_cost}
    for name, cost in costs.items():
        if not is_number(cost) or cost <= 0:
            raise ValueError(f"{name} is a positive number; got {cost!r}")
    data = development.to_dict()
    rows = data["rows"]
    if data["split"] != "development":
        raise ValueError(f"a threshold is found on the development split; got {data['split']!r}")
    if any(row["label"] is None for row in rows):
        raise ValueError("a threshold needs full coverage by reviews that agree")
    if any(row["score"] is None for row in rows):
        raise ValueError("a threshold cannot be found with missing measurements")
    found = least_cost(_labelled(rows), false_pass=false_accept_cost, false_fail=false_reject_cost)
    if found is None:
        raise ValueError("a threshold needs outputs that were accepted, and some that were rejected")
    return ThresholdFit.of(
        {
            "rule": "reject_all" if found.threshold is None else "score_gte",
            "threshold": found.threshold,
            **costs,
            "development_risk": found.cost,
            "development_n": len(rows),
            "development_digest": data["digest"],
            "development_sources": sorted({row["source_id"] for row in rows}),
            "development_cases": sorted({row["case_id"] for row in rows}),
            "development_trials": sorted(row["trial_digest"] for row in rows),
            **{name: data[name] for name in ("contract", "manifest_digest", "reviewer_kind")},
        }
    )


def evaluate_review_threshold(
    fit: ThresholdFit, held_out: ReviewedScores, *, confidence: float = 0.95
) -> dict[str, Any]:
    """What a threshold does on the split `held_out`, of which it has seen nothing."""
    if not is_number(confidence) or not 0 < confidence < 1:
        raise ValueError(f"confidence lies between 0 and 1; got {confidence!r}")
    found, data = fit.to_dict(), held_out.to_dict()
    rows = data["rows"]
    if data["split"] != "held_out":
        raise ValueError(f"a threshold is tried on the held_out split; got {data['split']!r}")
    for name in ("contract", "manifest_digest", "reviewer_kind"):
        if digest(found[name]) != digest(data[name]):
            raise ValueError(f"the {name} changed between the splits" if name != "contract" else "the contract changed")
    for name, key in (("cases", "case_id"), ("trials", "trial_digest")):
        if shared := {row[key] for row in rows} & set(found[f"development_{name}"]):
            raise ValueError(f"leakage: {name} are in both splits: {', '.join(sorted(shared)[:3])}")
    costs = (found["false_accept_cost"], found["false_reject_cost"])
    risk, n, sources = (found[f"development_{name}"] for name in ("risk", "n", "sources"))
    cutoff = PricedCutoff(found["threshold"], *costs, risk, n, tuple(sources))
    whole = _metrics(cutoff, rows, confidence)
    tags = sorted({tag for row in rows for tag in row["tags"]})
    return {
        "schema": EVALUATION,
        "status": "complete" if whole["measured_trials"] == whole["trials"] else "incomplete",
        "fit_digest": found["digest"],
        "held_out_digest": data["digest"],
        "confidence": confidence,
        "metrics": whole,
        "slices": {tag: _metrics(cutoff, [row for row in rows if tag in row["tags"]], confidence) for tag in tags},
        "review_status_counts": dict(Counter(row["review_status"] for row in rows)),
        "trial_decisions": [
            {**_part(row, "trial_digest", "label"), "predicted_accept": cutoff.passes(row["score"])} for row in rows
        ],
    }


def _row(trial: Mapping[str, Any], key: str, decisions: Mapping[str, Any], evaluator: str) -> Row:
    source = trial["case"].get("source_id")
    if not source:
        raise ValueError(f"the case {trial['case_id']!r} has no source_id: nobody knows what is independent of what")
    check = next(one for one in trial["evaluators"] if one["name"] == evaluator)
    metadata = check.get("metadata") or {}
    missing = trial["model_error"] is not None or metadata.get("skipped") or metadata.get("error_kind")
    return {
        "review_key": key,
        "case_id": trial["case_id"],
        "source_id": source,
        "trial_digest": trial["digest"],
        "tags": trial["case"]["tags"],
        "score": None if missing else check["score"],
        "label": decisions[key]["label"],
        "review_status": decisions[key]["status"],
    }


def _contract(report: EvalReport, evaluator: str, rubric: str) -> dict[str, Any]:
    lock = report.suite_lock
    grader = [asdict(row) for row in lock.evaluators if row.name == evaluator] if lock else []
    versions = {name: getattr(lock, name, None) for name in ("library_version", "calibration_version")}
    return {"evaluator": evaluator, "rubric": rubric, "grader": grader, **versions}


def _labelled(rows: Sequence[Row]) -> list[Labelled]:
    return [Labelled(row["score"], row["label"], row["source_id"]) for row in rows]


def _part(row: Row, *names: str) -> Row:
    return {name: row[name] for name in names}


def _metrics(cutoff: PricedCutoff, rows: Sequence[Row], confidence: float) -> dict[str, Any]:
    found = cutoff.tried(_labelled(rows), confidence)
    hits, wrong, missed, rest = found.counts.cells
    n = found.counts.n
    return {
        "trials": found.rows,
        "measured_trials": n,
        "sources": found.sources,
        "complete_sources": found.complete_sources,
        "true_accepts": hits,
        "true_rejects": rest,
        "false_accepts": wrong,
        "false_rejects": missed,
        "agreement": found.counts.agreement,
        "false_accept_rate": wrong / (wrong + rest) if wrong + rest else None,
        "false_reject_rate": missed / (hits + missed) if hits + missed else None,
        "source_any_false_accept": _by_source(found.false_passes),
        "source_any_false_reject": _by_source(found.false_fails),
    }


def _by_source(found: Summary) -> dict[str, Any]:
    interval = None if found.interval is None else list(found.interval)
    return {"events": found.failed or 0, "sources": found.n, "rate": found.value, "interval": interval}
