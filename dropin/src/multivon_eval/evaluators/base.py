"""`Evaluator`: what a check of one's own is made from, and what makes ringtrue's checks answer in the same shape."""

from __future__ import annotations

import asyncio
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from ringtrue import CheckResult


class Speaking:
    """The methods that every evaluator of multivon-eval has."""

    name: str = ""
    threshold: float = 0.5
    uses_llm_judge = False

    async def aevaluate(self, case: EvalCase, output: str, latency_ms: float | None = None) -> EvalResult:
        """`evaluate`, in a thread; it gets the latency if it has a parameter for it."""
        evaluate: Callable[..., EvalResult] = self.evaluate  # type: ignore[attr-defined]
        timed = latency_ms is not None and "latency_ms" in inspect.signature(evaluate).parameters
        return await asyncio.to_thread(evaluate, case, output, **({"latency_ms": latency_ms} if timed else {}))

    def _result(self, score: float, reason: str = "", **metadata: Any) -> EvalResult:
        return EvalResult(self.name, score, score >= self.threshold, reason, metadata)

    def _skipped(self, reason: str) -> EvalResult:
        return EvalResult(self.name, 0.0, False, f"[skipped] {reason}", {"skipped": True})


class Evaluator(Speaking, ABC):
    """A check: a name, a threshold, and `evaluate`, which returns `self._result(...)` or `self._skipped(...)`."""

    def __init__(self, threshold: float = 0.5) -> None:
        self.threshold = threshold

    @abstractmethod
    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """Check one output of one case."""


class Check(Speaking):
    """Put before a check of ringtrue, makes it answer with an `EvalResult`."""

    def evaluate(self, case: Any, output: Any, latency_ms: float | None = None) -> Any:
        """An `EvalResult`: the check of one output of one case."""
        found: CheckResult = super().evaluate(case, output, latency_ms)  # type: ignore[misc]
        return EvalResult.of(found)


Evaluator.register(Check)
