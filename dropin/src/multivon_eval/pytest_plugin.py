"""`assert_evaluators`: checks of one output in a test. It is an import; no plugin has to be loaded for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult, aggregated
from multivon_eval.suite import EvalSuite

__all__ = ["EvaluatorFailure", "assert_evaluators"]

SHOWN_CHARS = 2_000


class EvaluatorFailure(AssertionError):
    """A check did not pass, or none could be made; `results` has them all, the message those that did not pass."""

    def __init__(self, results: Sequence[EvalResult], *, case: EvalCase, output: Any) -> None:
        self.results, self.case, self.output = list(results), case, output
        failed = [result for result in self.results if result.status != "skipped" and not result.passed]
        count = f"{len(failed)} of {len(self.results)} checks did not pass" if failed else "no check measured anything"
        lines = [f"  {r.evaluator}: score={r.score:.3f} {r.reason}" for r in failed or self.results]
        about = [f"  case input: {str(case.input)[:SHOWN_CHARS]}", f"  actual output: {str(output)[:SHOWN_CHARS]}"]
        super().__init__("\n".join([count, *lines, *about]))


def assert_evaluators(case: EvalCase, output: str, evaluators: Iterable[Any], *, runs: int = 1) -> list[EvalResult]:
    """The results of the checks, or an EvaluatorFailure where one fails or breaks, or where none measured anything.

    Each check is asked `runs` times about the same output, and most of its verdicts decide.
    """
    __tracebackhide__ = True
    suite = EvalSuite("assert_evaluators").add_evaluators(*evaluators)
    found = aggregated(suite.run_on_cases([(case, output)] * max(1, runs), verbose=False).case_results)
    measured = found.measured
    if found.error is not None or not measured or not all(result.passed for result in measured):
        raise EvaluatorFailure(found.results, case=case, output=output)
    return found.results
