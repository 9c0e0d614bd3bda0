"""`Accounts`: what is kept of a run beside its results: how the suite was locked, and what its judges cost."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from types import TracebackType
from typing import TYPE_CHECKING, Any

from multivon_eval.case_result import CaseResult
from multivon_eval.costs import CostTracker, reset_token, set_active_tracker
from multivon_eval.dependencies import finished
from multivon_eval.lockfile import SuiteLock, build_suite_lock
from multivon_eval.provider_evidence import capture_provider_events
from multivon_eval.reliability import judge_reliability
from multivon_eval.report import EvalReport

if TYPE_CHECKING:
    from multivon_eval.suite import EvalSuite


class Accounts:
    """While a suite runs, its judges' replies are counted; before and after, it is locked."""

    def __init__(self, suite: EvalSuite, *, prepare: bool = True) -> None:
        self._suite, self._prepare, self._tracker = suite, prepare, CostTracker()
        self._open = ExitStack()

    def __enter__(self) -> Accounts:
        with ExitStack() as opening:
            opening.callback(reset_token, set_active_tracker(self._tracker))
            self._capture = opening.enter_context(capture_provider_events(kind="run"))
            for evaluator in self._suite.evaluators if self._prepare else ():
                prepare = getattr(evaluator, "prepare", None)
                if callable(prepare):
                    prepare()
            self._before = _locked(self._suite)
            self._open = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)

    def report(self, results: list[CaseResult], execution: dict[str, Any] | None) -> EvalReport:
        """The results with the suite's lock and the judges' costs."""
        suite = self._suite
        steady = judge_reliability(suite.evaluators, suite.cases, results) if self._prepare else None
        return EvalReport(
            suite.name,
            results,
            suite.model_id,
            judge_reliability=steady,
            costs=self._tracker.snapshot(),
            suite_lock=finished(self._before, _locked(suite)),
            purpose=suite.purpose,
            provider_evidence=self._capture.snapshot(),
            execution=execution,
        )


def policy_of(retry: Any, tracer: Any, **options: Any) -> dict[str, Any]:
    """How a run was set."""
    kind = type(tracer)
    return {
        **options,
        "judge_retry": None if retry is None else asdict(retry),
        "tracer": None if tracer is None else f"{kind.__module__}.{kind.__qualname__}",
    }


def _locked(suite: EvalSuite) -> SuiteLock | None:
    try:
        return build_suite_lock(suite)
    except FileNotFoundError:  # a calibration is asked for by name that is not there
        raise
    except Exception:  # a check that cannot be told is run all the same, and its report has no lock
        return None
