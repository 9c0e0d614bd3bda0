"""A threshold that reviewers' labels speak for: found on one split of saved scores, and tried once on another.

Trials of one source are no independent evidence: costs are means over sources, and intervals count sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Any

from multivon_eval.canonical import digest
from multivon_eval.case_manifest import CaseManifest
from multivon_eval.integrations.label_studio import (
    ReviewAnnotation,
    ReviewerKind,
    Task,
    bound_tasks_of,
    reconcile_reviews,
)
from multivon_eval.report import EvalReport
from multivon_eval.sealed_record import SealedRecord
from ringtrue.evaluators.check import is_number
from ringtrue.metrics.confusion import Confusion
from ringtrue.metrics.stats import clopper_pearson

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
    if len({row["label"] for row in rows}) < 2:
        raise ValueError("a threshold needs outputs that were accepted, and some that were rejected")

    def risk(threshold: float | None) -> float:
        return _mean_by_source(rows, lambda row: _cost(row, threshold, false_accept_cost, false_reject_cost))

    candidates = [None, *sorted({row["score"] for row in rows}, reverse=True)]
    best = min(candidates, key=risk)
    return ThresholdFit.of(
        {
            "rule": "reject_all" if best is None else "score_gte",
            "threshold": best,
            **costs,
            "development_risk": risk(best),
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
    for name, key in (("sources", "source_id"), ("cases", "case_id"), ("trials", "trial_digest")):
        if shared := {row[key] for row in rows} & set(found[f"development_{name}"]):
            raise ValueError(f"leakage: {name} are in both splits: {', '.join(sorted(shared)[:3])}")
    judged = [{**row, "predicted_accept": _accepts(row["score"], found)} for row in rows]
    whole = _metrics(judged, confidence)
    tags = sorted({tag for row in judged for tag in row["tags"]})
    return {
        "schema": EVALUATION,
        "status": "complete" if whole["measured_trials"] == whole["trials"] else "incomplete",
        "fit_digest": found["digest"],
        "held_out_digest": data["digest"],
        "confidence": confidence,
        "metrics": whole,
        "slices": {tag: _metrics([row for row in judged if tag in row["tags"]], confidence) for tag in tags},
        "review_status_counts": dict(Counter(row["review_status"] for row in rows)),
        "trial_decisions": [{key: row[key] for key in ("trial_digest", "predicted_accept", "label")} for row in judged],
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


def _cost(row: Row, threshold: float | None, false_accept: float, false_reject: float) -> float:
    accepted = threshold is not None and row["score"] >= threshold
    return 0.0 if accepted == row["label"] else false_accept if accepted else false_reject


def _mean_by_source(rows: Iterable[Row], value: Callable[[Row], float]) -> float:
    by_source: dict[str, list[float]] = {}
    for row in rows:
        by_source.setdefault(row["source_id"], []).append(value(row))
    return fmean(fmean(values) for values in by_source.values())


def _accepts(score: float | None, fit: Mapping[str, Any]) -> bool | None:
    if score is None:
        return None
    return bool(fit["rule"] == "score_gte" and score >= fit["threshold"])


def _metrics(rows: Sequence[Row], confidence: float) -> dict[str, Any]:
    known = [row for row in rows if row["label"] is not None and row["predicted_accept"] is not None]
    counts = Confusion.of([row["predicted_accept"] for row in known], [row["label"] for row in known])
    measured = {row["trial_digest"] for row in known}
    open_sources = {row["source_id"] for row in rows if row["trial_digest"] not in measured}
    complete = [row for row in known if row["source_id"] not in open_sources]
    good, bad = counts.true_positives + counts.false_negatives, counts.false_positives + counts.true_negatives
    return {
        "trials": len(rows),
        "measured_trials": len(known),
        "sources": len({row["source_id"] for row in rows}),
        "complete_sources": len({row["source_id"] for row in complete}),
        "true_accepts": counts.true_positives,
        "true_rejects": counts.true_negatives,
        "false_accepts": counts.false_positives,
        "false_rejects": counts.false_negatives,
        "agreement": (counts.true_positives + counts.true_negatives) / len(known) if known else None,
        "false_accept_rate": counts.false_positives / bad if bad else None,
        "false_reject_rate": counts.false_negatives / good if good else None,
        "source_any_false_accept": _by_source(complete, False, confidence),
        "source_any_false_reject": _by_source(complete, True, confidence),
    }


def _by_source(rows: Sequence[Row], label: bool, confidence: float) -> dict[str, Any]:
    """In how many sources that have such outputs at least one of them was taken for the other kind."""
    sources = {row["source_id"] for row in rows if row["label"] is label}
    hit = {row["source_id"] for row in rows if row["label"] is label and row["predicted_accept"] is not label}
    n = len(sources)
    interval = list(clopper_pearson(len(hit), n, confidence)) if n else None
    return {"events": len(hit), "sources": n, "rate": len(hit) / n if n else None, "interval": interval}
