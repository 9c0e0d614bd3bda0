"""How hard cases are: how often a model fails them, by the checks they were made for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.api.hardness import band_of, failure_rate

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EVIDENCE
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.judge import JudgeConfig
from multivon_eval.running import Running
from ringtrue.evaluators.judged.config import require_count

__all__ = ["HardnessReport", "validate_adversarial_cases"]


@dataclass
class HardnessReport:
    """One case, asked several times; a shot without an output or a verdict is None, and then nothing is concluded."""

    case: EvalCase
    evaluator_name: str
    n_shots: int
    scores: list[float | None]
    baseline_outputs: list[str | None]
    failure_rate: float | None
    in_hardness_band: bool
    shots: list[dict[str, Any]] = field(default_factory=list)

    @property
    def measured_shots(self) -> int:
        """How many shots have a verdict."""
        return sum(score is not None for score in self.scores)

    @property
    def baseline_failed(self) -> bool | None:
        """Whether at least half of the shots failed."""
        return None if self.failure_rate is None else self.failure_rate >= 0.5

    @property
    def baseline_score(self) -> float | None:
        """The mean score, where every shot has one."""
        known = [score for score in self.scores if score is not None]
        return sum(known) / len(known) if known and len(known) == self.n_shots else None


def validate_adversarial_cases(
    cases: Sequence[EvalCase],
    baseline_model: Callable[[str], str],
    *,
    n_shots: int = 3,
    hardness_band: tuple[float, float] = (0.5, 1.0),
    judge: JudgeConfig | None = None,
) -> tuple[list[EvalCase], list[HardnessReport]]:
    """The cases whose share of failures lies in the band, all shots measured, and a report of each case.

    A case is checked by the first check that its metadata names under `stress_tests`.
    """
    require_count("n_shots", n_shots)
    low, high = band_of(hardness_band, "hardness_band")
    reports = [_shot(case, baseline_model, n_shots, judge) for case in cases]
    for report in reports:
        report.in_hardness_band = report.failure_rate is not None and low <= report.failure_rate <= high
    return [report.case for report in reports if report.in_hardness_band], reports


def _shot(case: EvalCase, model: Callable[[str], str], shots: int, judge: JudgeConfig | None) -> HardnessReport:
    report = HardnessReport(case, "", shots, [None] * shots, [None] * shots, None, False)
    try:
        report.evaluator_name, evaluator = _evaluator(case, judge)
    except Exception as error:  # a check of the user's own; why it could not be made is in the report
        report.shots = [_broken("not_run", error) for _ in range(shots)]
        return report
    verdicts: list[bool | None] = [None] * shots
    for shot in range(shots):
        try:
            output = model(case.input)
            if not isinstance(output, str):
                raise TypeError(f"a model returns text; got {type(output).__name__}")
        except Exception as error:  # a user's function; the other shots are still worth something
            report.shots.append(_broken("model_error", error))
            continue
        report.baseline_outputs[shot] = output
        (found,) = Running("hardness", [case], [evaluator]).given([output], None)
        (result,) = found.results
        if result.status == "scored" and not found.evidence_error:
            report.scores[shot] = float(result.score)
            verdicts[shot] = result.passed
            status = "passed" if result.passed else "failed_quality"
        else:
            status = "unmeasured" if result.status == "skipped" else "evaluator_error"
        reason = found.evidence_error or result.reason
        known = {name: result.metadata[name] for name in (EVIDENCE,) if name in result.metadata}
        report.shots.append({"status": status, "reason": reason, "result": repr(result.record()), **known})
    report.failure_rate = failure_rate(verdicts)
    return report


def _evaluator(case: EvalCase, judge: JudgeConfig | None) -> tuple[str, Any]:
    import multivon_eval  # where checks are found by name

    names = case.metadata.get("stress_tests", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"stress_tests is a list of names of checks; got {names!r}")
    for name in names:
        kind = getattr(multivon_eval, name, None)
        if isinstance(kind, type) and issubclass(kind, Evaluator):
            known = inspect.signature(kind).parameters.values()
            takes = any(item.name == "judge" or item.kind is item.VAR_KEYWORD for item in known)
            make: Any = kind
            return name, make(**({"judge": judge} if judge is not None and takes else {}))
    raise ValueError(f"none of the stress_tests {names} is a check that can be made")


def _broken(status: str, error: Exception) -> dict[str, Any]:
    return {"status": status, "reason": str(error), "error_type": type(error).__name__}
