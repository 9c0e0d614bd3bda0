"""`EvalRow` and `EvalResult` with their documented defaults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ringtrue import EvalResult as NativeResult
from ringtrue import EvalRow as NativeRow


@dataclass(slots=True)
class EvalRow(NativeRow):
    """One example of one system; a row that was never timed has the latency 0."""

    latency: float | None = 0.0


@dataclass
class EvalResult(NativeResult):
    """Rows, a summary per system, seconds per system, and how it was made."""

    def filter(self, **attributes: Any) -> EvalResult:
        """The rows whose attributes equal these values, summed up anew where the metrics are known."""
        found = super().filter(**attributes)
        summary = found.summary if self.metrics else {system: self.summary[system] for system in found.summary}
        return EvalResult(found.rows, summary, found.timing, found.config, found.details, found.metrics)
