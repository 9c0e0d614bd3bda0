"""What checks that ask a judge have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from multivon_eval.calibration import calibrated_threshold
from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.judge import JudgeConfig
from ringtrue.dialects.coercion import plain_text
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.question_judge import put
from ringtrue.models.structured.question import Question


def asked(texts: Mapping[str, str], question: str) -> Question:
    """A question to be answered with one word, as the judges of this library reply."""
    return put(prompt("yes_no", "multivon_eval"), texts, question, None)


class Judging(Evaluator):
    """A check that asks a judge: its own, or the one that `configure` names."""

    uses_llm_judge = True
    default_threshold: ClassVar[float] = 0.7
    calibrated: ClassVar[bool] = False
    """Whether a threshold that was measured for the judge takes the place of the default."""
    needs: ClassVar[tuple[str, ...]] = ()
    """The fields of a case without which there is nothing to judge."""

    def __init__(self, threshold: float | None = None, judge: JudgeConfig | None = None) -> None:
        super().__init__(self.default_threshold if threshold is None else threshold)
        self._explicit_threshold, self._judge_cfg = threshold, judge

    def _resolve_threshold(self, judge: JudgeConfig) -> float:
        measured = self.calibrated and self._explicit_threshold is None
        return calibrated_threshold(self.name, judge) if measured else self.threshold

    def _lacking(self, case: EvalCase) -> EvalResult | None:
        missing = [f"case.{name}" for name in self.needs if not getattr(case, name)]
        return self._skipped(f"{type(self).__name__} needs {' and '.join(missing)}") if missing else None

    def _judged(self, judge: JudgeConfig, score: float, reason: str, **metadata: Any) -> EvalResult:
        threshold = self._resolve_threshold(judge)
        return EvalResult(self.name, score, score >= threshold, reason, {"threshold": threshold, **metadata})


class Material(str):
    """Texts that a judge is asked about: one text to look at, and in a prompt each in a fence of its own."""

    texts: dict[str, str]

    def __new__(cls, **texts: Any) -> Material:
        plain = {name: "" if text is None else plain_text(text) for name, text in texts.items()}
        made = super().__new__(cls, "\n\n".join(f"{name}:\n{text}" for name, text in plain.items()))
        made.texts = plain
        return made
