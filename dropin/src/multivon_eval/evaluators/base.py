"""`Evaluator`: what a check of one's own is made from, and what makes ringtrue's checks speak the same way."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Any, TypeVar

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from ringtrue.dialects.suite import SuiteTongue


class Speaking:
    """What every evaluator of multivon-eval has."""

    name: str = ""
    threshold: float = 0.5
    uses_llm_judge = False

    async def aevaluate(self, case: EvalCase, output: str, **kwargs: Any) -> EvalResult:
        """`evaluate`, in a thread."""
        result: EvalResult = await asyncio.to_thread(self.evaluate, case, output, **kwargs)  # type: ignore[attr-defined]
        return result

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
    """Put before a check of ringtrue, makes it answer with an `EvalResult`; its settings can be changed."""

    def __setattr__(self, name: str, value: Any) -> None:
        settings = self.settings()  # type: ignore[attr-defined]
        if name not in settings:
            object.__setattr__(self, name, value)
            return
        # As another check of the same kind would be made: what is wrong is refused, what follows from it is made anew.
        made = type(self)(**{**settings, name: value})
        kept = {key: given for key, given in vars(self).items() if not hasattr(type(self), key)}
        vars(self).clear()
        vars(self).update({**kept, **vars(made)})

    def evaluate(self, case: Any, output: Any, latency_ms: float | None = None) -> Any:
        """An `EvalResult`: the check of one output of one case."""
        return EvalResult.of(SuiteTongue.evaluate(self, case, output, latency_ms))  # type: ignore[arg-type]


Evaluator.register(Check)

Kind = TypeVar("Kind", bound=type)


def settable(kind: Kind) -> Kind:
    """A frozen check whose settings can be changed all the same, as those of any other check here."""
    kind.__setattr__ = Check.__setattr__  # type: ignore[assignment]
    return kind
