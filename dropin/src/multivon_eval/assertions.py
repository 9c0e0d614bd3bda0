"""`EvaluatorFailure`: a test's output did not pass its checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult

SHOWN_CHARS = 2_000


class EvaluatorFailure(AssertionError):
    """A check did not pass, or none could be made; `results` has them all, the message those that did not pass."""

    def __init__(self, results: Sequence[EvalResult], *, case: EvalCase, output: Any) -> None:
        self.results, self.case, self.output = list(results), case, output
        failed = [result for result in self.results if result.status != "skipped" and not result.passed]
        words = f"{len(failed)} of {len(self.results)} checks did not pass" if failed else "no check measured anything"
        told = [f"  {r.evaluator}: score={r.score:.3f} {r.reason}" for r in failed or self.results]
        about = [f"  case input: {str(case.input)[:SHOWN_CHARS]}", f"  actual output: {str(output)[:SHOWN_CHARS]}"]
        super().__init__("\n".join([words, *told, *about]))
