"""`EvaluationOutput`: a score as the transcript dialect says it, on 0 to 100 (seed 003)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ringtrue.records import Score, Status


@dataclass
class EvaluationOutput:
    """The result of one evaluation of a transcript: `score` is 0 to 100, or 0 if not applicable, and `metadata` says
    why.

    `status` is `scored`, `skipped` (there was nothing to measure) or `error` (it could not be measured); only the
    first is applicable.
    """

    eval_name: str
    applicable: bool
    score: float
    feedback: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    status: Status = "scored"


def percent(score: Score) -> float:
    """The value on 0 to 100; 0 where there is none."""
    return 0.0 if score.value is None else 100.0 * score.value


def evaluation_output(name: str, score: Score) -> EvaluationOutput:
    """A score in the transcript dialect; its parts join the metadata."""
    metadata = dict(score.metadata)
    feedback = metadata.pop("feedback", None)
    if score.value is not None:
        parts = {part: number for part, number in score.parts.items() if part != name}
        return EvaluationOutput(name, True, percent(score), feedback, {**metadata, **parts})
    metadata["error" if score.status == "error" else "reason"] = score.reason
    return EvaluationOutput(name, False, percent(score), feedback, metadata, score.status)


def score_of_output(output: Any) -> Score:
    """The score in a transcript evaluation's result, which may be another library's record of the same shape."""
    metadata = dict(getattr(output, "metadata", None) or {})
    feedback = getattr(output, "feedback", None)
    if feedback:
        metadata["feedback"] = feedback
    status = getattr(output, "status", "scored" if output.applicable else "skipped")
    if status == "error":
        return Score.error(str(metadata.get("error") or "the evaluation failed"), **metadata)
    if not output.applicable:
        return Score.skipped(str(metadata.get("reason") or "not applicable"), **metadata)
    return Score(min(1.0, max(0.0, float(output.score) / 100)), reason=feedback or "", metadata=metadata)
