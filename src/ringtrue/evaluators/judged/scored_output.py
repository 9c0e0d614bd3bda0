"""`ScoredOutput`: the fields that the results of transcript evaluations share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from ringtrue.dialects.evaluation_output import percent
from ringtrue.records import Json, Score, Status


@dataclass(frozen=True, kw_only=True)
class ScoredOutput:
    """A score from 0 to 100; if `status` is not "scored", it is 0, and `error` says why."""

    score: float
    status: Status = "scored"
    error: str = ""
    metadata: Mapping[str, Json] = field(default_factory=dict)

    @classmethod
    def of(cls, score: Score, **own: Any) -> Self:
        """Build a result from a score and its own further fields; the parts of the score join the metadata."""
        error = score.reason if score.value is None else ""
        metadata = {**score.metadata, **score.parts}
        return cls(score=percent(score), status=score.status, error=error, metadata=metadata, **own)
