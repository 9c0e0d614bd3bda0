"""`CalibrationResult`: how far checks agree with people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from multivon_eval.case_result import CaseResult
from multivon_eval.thresholds import (
    _TABLE_CACHE as _TABLE_CACHE,
)
from multivon_eval.thresholds import (
    CalibrationEntry,
    CalibrationTable,
    calibrated_threshold,
    calibration_provenance,
    calibration_versions,
    effective_calibration_version,
    load_calibration,
    set_calibration_fallback_policy,
    threshold_table,
)
from ringtrue.stats.confusion import Confusion

__all__ = [
    "CalibrationEntry", "CalibrationResult", "CalibrationTable", "calibrated_threshold", "calibration_provenance",
    "calibration_versions", "effective_calibration_version", "load_calibration", "set_calibration_fallback_policy",
    "threshold_table",
]  # fmt: skip


@dataclass
class CalibrationResult:
    """Agreement of the checks' verdicts with people's, where a check measured; `n` is the number of outputs."""

    n: int
    agreement: float
    precision: float
    recall: float
    f1: float
    by_evaluator: dict[str, dict[str, float]] = field(default_factory=dict)


def calibration(cases: Sequence[CaseResult], good: Sequence[bool]) -> CalibrationResult:
    """The verdicts of all checks, and of each, against what people said of the same outputs."""
    pairs = [
        (result.evaluator, result.passed, label)
        for case, label in zip(cases, good, strict=True)
        for result in case.measured
    ]
    by_name = {
        name: _numbers([pair[1:] for pair in pairs if pair[0] == name]) for name in dict.fromkeys(p[0] for p in pairs)
    }
    whole = _numbers([pair[1:] for pair in pairs])
    return CalibrationResult(len(cases), **whole, by_evaluator=by_name)


def _numbers(pairs: Sequence[tuple[bool, bool]]) -> dict[str, float]:
    found = Confusion.of([said for said, _ in pairs], [good for _, good in pairs])
    return {name: round(getattr(found, name) or 0.0, 4) for name in ("agreement", "precision", "recall", "f1")}
