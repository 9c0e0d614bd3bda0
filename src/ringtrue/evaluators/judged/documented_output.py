"""`DocumentedOutput`: what the results of transcript evaluations have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from ringtrue.dialects.evaluation_output import percent
from ringtrue.records import Json, Score, Status


@dataclass(frozen=True, kw_only=True)
class DocumentedOutput:
    """A score, 0 to 100; where `status` is not "scored" there is none, it is 0, and `error` says why."""

    score: float
    status: Status = "scored"
    error: str = ""
    metadata: Mapping[str, Json] = field(default_factory=dict)

    @classmethod
    def of(cls, score: Score, **own: Any) -> Self:
        """A score as a transcript evaluation returns it, with what else the result has; its parts join the metadata."""
        error = score.reason if score.value is None else ""
        metadata = {**score.metadata, **score.parts}
        return cls(score=percent(score), status=score.status, error=error, metadata=metadata, **own)
