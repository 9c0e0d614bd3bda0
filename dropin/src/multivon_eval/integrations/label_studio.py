"""Label Studio: saved trials as tasks for reviewers, and what they said of exactly those trials.

A task is held by the digest of all it shows, so that no verdict can pass from one text to another. Who a reviewer is,
and whether it is a person, is taken from the export and from the caller.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Literal, get_args

import jsonschema_rs
from ringtrue.reports.canonical import canonical_json, digest

from multivon_eval.report import EvalReport
from multivon_eval.trials import TrialRecord, trial_integrity_issues
from ringtrue.evaluators.judged.config import require_count, require_text

__all__ = ["LABEL_CONFIG", "ReviewAnnotation", "export_review_tasks", "import_review_annotations", "reconcile_reviews"]

ReviewerKind = Literal["human", "model", "synthetic"]
Task = dict[str, Any]

LABEL_CONFIG = files("multivon_eval").joinpath("integrations", "label_studio.xml").read_text("utf-8")
"""The labelling interface of a project that takes these tasks."""
BINDING = "multivon.review-binding/v1"
_VERDICTS = {"Accept": True, "Reject": False, "Unknown": None}
_BOUND = ("trial_digest", "case_id", "source_id", "evaluator")


def _region(name: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    """Exactly one region of this name is there, and it says this of the output."""
    named = {"properties": {"from_name": {"const": name}}, "required": ["from_name"]}
    right = {
        "properties": {"type": {"const": kind}, "to_name": {"const": "output"}, "value": value},
        "required": ["type", "to_name", "value"],
    }
    alone = {"contains": named, "minContains": 1, "maxContains": 1}
    return {**alone, "items": {"type": "object", "if": named, "then": right}}


def _lists(name: str, items: dict[str, Any], **bounds: int) -> dict[str, Any]:
    lists = {"type": "array", "items": items, "minItems": 1, **bounds}
    return {"type": "object", "properties": {name: lists}, "required": [name]}


_ID = {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": r"\S"}]}
_WHO = {"anyOf": [_ID, {"type": "object", "properties": {"id": _ID}, "required": ["id"]}]}
_REGIONS = {
    "type": "array",
    "allOf": [
        _region("verdict", "choices", _lists("choices", {"enum": list(_VERDICTS)}, maxItems=1)),
        _region("review_reason", "textarea", _lists("text", {"type": "string"})),
    ],
}
_ANNOTATION = jsonschema_rs.Draft202012Validator(
    {
        "type": "object",
        "properties": {
            "id": _ID,
            "completed_by": _WHO,
            "was_cancelled": {"type": "boolean"},
            "created_at": {"type": ["string", "null"]},
        },
        "required": ["id", "completed_by"],
        "if": {"properties": {"was_cancelled": {"const": True}}, "required": ["was_cancelled"]},
        "else": {"properties": {"result": _REGIONS}, "required": ["result"]},
    }
)


@dataclass(frozen=True)
class ReviewAnnotation:
    """What one reviewer said of one trial; `label` is None where it was left open or the review was cancelled."""

    review_key: str
    trial_digest: str
    case_id: str
    source_id: str | None
    evaluator: str
    label: bool | None
    reviewer: str
    reviewer_kind: ReviewerKind
    annotation_id: str
    reason: str
    created_at: str | None
    cancelled: bool = False

    def __post_init__(self) -> None:
        named = ("review_key", "trial_digest", "case_id", "evaluator", "reviewer", "annotation_id", "reason")
        require_text(**{name: getattr(self, name) for name in named})
        for name in ("source_id", "created_at"):
            if not isinstance(getattr(self, name), str | None):
                raise ValueError(f"{name} of a review is text or None; got {getattr(self, name)!r}")
        if not isinstance(self.label, bool | None) or not isinstance(self.cancelled, bool):
            raise ValueError(f"the label of a review is boolean or None, and cancelled is boolean; got {self.label!r}")
        if self.cancelled and self.label is not None:
            raise ValueError("a cancelled review has no label")
        _require_kind(self.reviewer_kind)

    def to_dict(self) -> dict[str, Any]:
        """The review as plain values."""
        return asdict(self)


def export_review_tasks(report: EvalReport, evaluator: str, *, rubric: str) -> list[Task]:
    """One task per saved trial that this check has seen, without its verdict; keep them, reviews are held against them.

    Texts and traces are shown; pictures and sounds are not.
    """
    require_text(evaluator=evaluator, rubric=rubric)
    tasks = []
    for result in report.case_results:
        if not result.trials or result.evidence_error or trial_integrity_issues(result):
            raise ValueError(f"a review needs intact saved trials; those of {result.case_input!r} are not")
        tasks += [{"data": _shown(trial, evaluator, rubric)} for trial in result.trials]
    if len(bound_tasks(tasks)) < len(tasks):
        raise ValueError("a trial is there twice")
    return tasks


def import_review_annotations(
    exported: Sequence[Task], original_tasks: Sequence[Task], *, reviewer_kind: ReviewerKind
) -> list[ReviewAnnotation]:
    """The finished and the cancelled reviews in an export (JSON) of tasks that are still what they were.

    Drafts and predictions are no reviews. `reviewer_kind` is for the caller to say: an export cannot show it.
    """
    _require_kind(reviewer_kind)
    known, seen, reviews = bound_tasks(original_tasks), set[str](), list[ReviewAnnotation]()
    for task, data in _data(exported):
        key = data.get("review_key")
        if not isinstance(key, str) or key not in known or canonical_json(data) != canonical_json(known[key]):
            raise ValueError("an exported task differs from what was given to review")
        if key in seen:
            raise ValueError(f"the task {key} is exported twice")
        seen.add(key)
        annotations = task.get("annotations", [])
        if not isinstance(annotations, list):
            raise ValueError(f"annotations of the task {key} are no list")
        reviews += [_review(annotation, data, reviewer_kind) for annotation in annotations]
    ids = [review.annotation_id for review in reviews]
    if len(set(ids)) < len(ids):
        raise ValueError("two annotations have the same id")
    return reviews


def reconcile_reviews(
    original_tasks: Sequence[Task],
    reviews: Sequence[ReviewAnnotation],
    *,
    min_reviewers: int = 2,
    reviewer_kind: ReviewerKind = "human",
) -> dict[str, Any]:
    """Which tasks enough reviewers of this kind agree on; nobody is outvoted, who leaves one open agrees to nothing."""
    _require_kind(reviewer_kind)
    require_count("min_reviewers", min_reviewers)
    known = bound_tasks(original_tasks)
    by_task: dict[str, list[ReviewAnnotation]] = {key: [] for key in known}
    for review in reviews:
        binding = known.get(review.review_key, {}).get("binding", {})
        if any(binding.get(name) != getattr(review, name) for name in _BOUND):
            raise ValueError(f"the binding of review {review.annotation_id} is not that of a task given to review")
        if review.reviewer_kind == reviewer_kind:
            by_task[review.review_key].append(review)
    decisions = [_decision(key, found, min_reviewers) for key, found in by_task.items()]
    return {
        "reviewer_kind": reviewer_kind,
        "min_reviewers": min_reviewers,
        "tasks": len(known),
        "consensus_tasks": sum(decision["status"] == "consensus" for decision in decisions),
        "decisions": decisions,
        "identity_limit": "who the reviewers are is taken from the export, at its word",
    }


def bound_tasks(tasks: Sequence[Task]) -> dict[str, dict[str, Any]]:
    """What each task shows, by its key; a task whose key is not the digest of what it shows is refused."""
    found = {}
    for _, data in _data(tasks):
        binding = data.get("binding")
        if not isinstance(binding, dict) or binding.get("schema") != BINDING:
            raise ValueError(f"a task to review has a binding of the schema {BINDING!r}")
        if digest({name: value for name, value in data.items() if name != "review_key"}) != data.get("review_key"):
            raise ValueError("the digest of a task is not that of what it shows: it is none of the original report")
        found[str(data["review_key"])] = data
    if not found:
        raise ValueError("there is nothing to review")
    return found


def bound_tasks_of(
    report: EvalReport, tasks: Sequence[Task], evaluator: str | None = None
) -> dict[str, dict[str, Any]]:
    """What each task shows, by its key, if they are exactly the tasks of this report, one check and one rubric."""
    given = bound_tasks(tasks)
    first = next(iter(given.values()))
    own = export_review_tasks(report, evaluator or first["binding"]["evaluator"], rubric=first["rubric"])
    if bound_tasks(own) != given or len(tasks) > len(given):
        raise ValueError("the tasks are not those of the original report, of one check and one rubric")
    return given


def _data(tasks: Any) -> Iterator[tuple[Task, dict[str, Any]]]:
    if not isinstance(tasks, (list, tuple)):
        raise ValueError(f"tasks are a list, as Label Studio's JSON export is; got {type(tasks).__name__}")
    for task in tasks:
        if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
            raise ValueError("a task is an object with the object data")
        yield task, task["data"]


def _shown(trial: TrialRecord, evaluator: str, rubric: str) -> dict[str, Any]:
    saved = trial.data
    if [check["name"] for check in saved["evaluators"]].count(evaluator) != 1:
        raise ValueError(f"every trial must have one result of {evaluator!r}; that of {saved['case_id']!r} has not")
    case = saved["evaluation_case"]
    binding = {
        "schema": BINDING,
        "trial_digest": trial.digest,
        "case_id": saved["case_id"],
        "case_digest": saved["case_digest"],
        "source_id": saved["case"].get("source_id"),
        "evaluator": evaluator,
    }
    shown = {
        "binding": binding,
        "rubric": rubric,
        "input": case["input"],
        "reference": _text(case.get("expected_output")),
        "context": _text(case.get("context")),
        "trace": _text(saved["agent_trace"]),
        "output": saved["output"],
        "execution_error": saved["model_error"] or "",
    }
    return {**shown, "review_key": digest(shown)}


def _review(annotation: Any, data: Mapping[str, Any], kind: ReviewerKind) -> ReviewAnnotation:
    wrong = next(_ANNOTATION.iter_errors(annotation), None)
    if wrong is not None:
        place = "/".join(map(str, wrong.instance_path)) or "it"
        raise ValueError(f"this is no annotation of {data['review_key']}: {place}: {wrong.message[:200]}")
    cancelled = annotation.get("was_cancelled", False)
    label, reason = (None, "cancelled") if cancelled else _verdict(annotation["result"])
    if label and data["execution_error"]:
        raise ValueError(f"{data['review_key']}: an execution error is no output that could be accepted")
    who = annotation["completed_by"]
    return ReviewAnnotation(
        **{name: data["binding"][name] for name in _BOUND},
        review_key=data["review_key"],
        label=label,
        reviewer=str(who["id"] if isinstance(who, dict) else who),
        reviewer_kind=kind,
        annotation_id=str(annotation["id"]),
        reason=reason,
        created_at=annotation.get("created_at"),
        cancelled=cancelled,
    )


def _verdict(regions: Sequence[Mapping[str, Any]]) -> tuple[bool | None, str]:
    said = {region["from_name"]: region["value"] for region in regions if "from_name" in region}
    return _VERDICTS[said["verdict"]["choices"][0]], "\n".join(said["review_reason"]["text"]).strip()


def _decision(key: str, reviews: Sequence[ReviewAnnotation], least: int) -> dict[str, Any]:
    if len({review.reviewer for review in reviews}) < len(reviews):
        raise ValueError(f"{key}: a reviewer reviewed it twice; an adjudication must say what holds")
    labels = [review.label for review in reviews if review.label is not None]
    status = "consensus" if len(labels) == len(reviews) >= least else "incomplete"
    if len(set(labels)) > 1:
        status = "disagreement"
    agreed = labels[0] if status == "consensus" else None
    counts = {"reviewers": len(reviews), "measured_reviewers": len(labels)}
    return {"review_key": key, "status": status, "label": agreed, **counts}


def _require_kind(kind: Any) -> None:
    if kind not in get_args(ReviewerKind):
        raise ValueError(f"reviewer_kind is one of {', '.join(get_args(ReviewerKind))}; got {kind!r}")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)
