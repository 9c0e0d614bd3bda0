"""`EvalSuite`: ringtrue's suite, asked and answering as multivon-eval documents it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from multivon_eval.asked import NOTHING, Cases, checks, model_function
from multivon_eval.case import EvalCase
from multivon_eval.case_result import CaseResult, EvalResult, aggregated
from multivon_eval.report import EvalReport
from ringtrue import CaseResult as NativeCaseResult
from ringtrue import EvalSuite as NativeSuite
from ringtrue.errors import ConfigurationError
from ringtrue.suites.publish import Publishing
from ringtrue.sync import run_sync

WORKERS = 8
_MODEL_ERROR_SKIP = {"skipped": True, "error_kind": "model_error_skip"}

Where = str | os.PathLike[str]


class EvalSuite(NativeSuite):
    """Cases and checks under a name; adding returns the suite itself, so that calls can be chained."""

    def run(  # type: ignore[override]  # as documented
        self,
        model_fn: Callable[[str], str],
        verbose: bool = True,
        fail_threshold: float | None = None,
        max_error_rate: float | None = None,
        workers: int | None = None,
        runs: int = 1,
        tracer: None = None,
        early_stop: bool = False,
        judge_retry: None = None,
        save_json: Where | None = None,
        save_junit_xml: Where | None = None,
        save_html: Where | None = None,
    ) -> EvalReport:
        """Ask the function every case, `runs` times one after the other, and check every answer.

        `early_stop` asks a case no longer once its runs agree, where one case is asked at a time. Files are written
        before the gate may raise.
        """
        _refuse(tracer=tracer, judge_retry=judge_retry)
        publishing = Publishing(
            verbose=verbose,
            fail_threshold=fail_threshold,
            max_error_rate=max_error_rate,
            save_json=save_json or os.environ.get("MULTIVON_JSON_OUTPUT") or None,
            save_junit_xml=save_junit_xml,
            save_html=save_html or os.environ.get("MULTIVON_HTML_OUTPUT") or None,
        )
        _require_counts(runs=runs, workers=workers)
        at_once = workers or max(1, min(WORKERS, len(self.cases)))
        if early_stop and at_once > 1:
            sys.stderr.write("multivon_eval: early_stop requires workers=1; ignoring it\n")
        running = _Running(self, self.cases)
        ask = model_function(model_fn, running.cases, hook="_call_with_case")
        results = run_sync(running.rounds(ask, runs, at_once, early_stop=early_stop and at_once == 1))
        return self._published(results, publishing)

    async def run_async(  # type: ignore[override]  # as documented
        self,
        model_fn: Callable[[str], Awaitable[str]],
        verbose: bool = True,
        fail_threshold: float | None = None,
        max_error_rate: float | None = None,
        concurrency: int = 5,
        runs: int = 1,
        evaluator_concurrency: int | None = None,
        judge_retry: None = None,
    ) -> EvalReport:
        """`run` for a function that is awaited; checks with an `aevaluate` are awaited, several at once."""
        _refuse(judge_retry=judge_retry)
        publishing = Publishing(verbose=verbose, fail_threshold=fail_threshold, max_error_rate=max_error_rate)
        _require_counts(runs=runs, concurrency=concurrency, evaluator_concurrency=evaluator_concurrency)
        limit = asyncio.Semaphore(evaluator_concurrency or concurrency * max(1, len(self.evaluators)))
        running = _Running(self, self.cases, limit)
        ask = model_function(model_fn, running.cases, hook="_acall_with_case")
        return self._published(await running.rounds(ask, runs, concurrency), publishing)

    def run_on_cases(  # type: ignore[override]  # as documented
        self,
        traced_outputs: Iterable[tuple[EvalCase, str]],
        verbose: bool = True,
        fail_threshold: float | None = None,
        max_error_rate: float | None = None,
        *,
        latencies_ms: Sequence[float | None] | None = None,
    ) -> EvalReport:
        """Check outputs that exist already; a latency check is skipped where no latency is given."""
        publishing = Publishing(verbose=verbose, fail_threshold=fail_threshold, max_error_rate=max_error_rate)
        pairs = list(traced_outputs)
        running = _Running(self, [case for case, _ in pairs])
        outputs = zip(running.native.cases, (output for _, output in pairs), strict=True)
        done = running.native.run_on_cases(outputs, latencies_ms, verbose=False)
        return self._published([running.result(found) for found in done.case_results], publishing)

    def _published(self, results: Sequence[CaseResult], publishing: Publishing) -> EvalReport:
        report = EvalReport(self.name, list(results), self.model_id, purpose=self.purpose)
        publishing.publish(report)
        return report


class _Running:
    """A suite's cases and checks in ringtrue's shape, each case named by its place."""

    def __init__(self, suite: EvalSuite, cases: Sequence[Any], limit: asyncio.Semaphore | None = None) -> None:
        self.cases: Cases = {f"#{number}": case for number, case in enumerate(cases, 1)}
        self.known = {place: _identity(case) for place, case in self.cases.items()}
        self.limit = limit
        self.native = NativeSuite(suite.name)
        self.native.add_cases([replace(case, case_id=place) for place, case in self.cases.items()])
        self.native.add_evaluators(*checks(suite.evaluators, self.cases, limit))

    async def rounds(
        self, ask: Callable[..., Any], runs: int, workers: int, *, early_stop: bool = False
    ) -> list[CaseResult]:
        """Every case asked `runs` times: a case's next run begins when all cases had this one."""
        found: dict[str, list[CaseResult]] = {place: [] for place in self.cases}
        for _ in range(runs):
            places = [place for place, results in found.items() if not (early_stop and _decided(results))]
            if not places:
                break
            # One check after the other, as `run` promises; those that are awaited at once, as many as the limit lets.
            at_once = 1 if self.limit is None else None
            done = await self.native.run_async(
                ask, verbose=False, workers=workers, store=None, case_ids=places, evaluator_workers=at_once
            )
            for place, result in zip(places, done.case_results, strict=True):
                found[place].append(self.result(result))
        return [aggregated(results) for results in found.values()]

    def result(self, found: NativeCaseResult) -> CaseResult:
        """ringtrue's result of a case in multivon-eval's shape."""
        place = str(found.case_id)
        case, error = self.cases[place], found.model_error
        results = [EvalResult.of(check) for check in found.results if check.evaluator != NOTHING]
        if error is not None:
            reason = f"[skipped — model error: {error}]"
            results = [EvalResult(one.evaluator, 0.0, False, reason, dict(_MODEL_ERROR_SKIP)) for one in results]
        return CaseResult(
            case_input=case.input,
            actual_output=found.actual_output if error is None else f"[MODEL ERROR: {error}]",
            results=results,
            latency_ms=found.latency_ms or 0.0,
            tags=list(case.tags),
            model_error=error,
            judge_error=_error(results, "judge_error"),
            evaluator_error=_error(results, "evaluator_error"),
            skipped=found.skipped,
            agent_trace=case.agent_trace,
            **self.known[place],
        )


def _identity(case: EvalCase) -> dict[str, Any]:
    try:
        case_id, digest = case.identity()
    except (TypeError, ValueError, RecursionError) as error:
        return {"case_id": case.case_id, "evidence_error": f"{type(error).__name__}: {error}"}
    return {"case_id": case_id, "case_digest": digest}


def _decided(results: Sequence[CaseResult]) -> bool:
    """Whether the runs of a case agree: one of two sequential tests, of 0.5 against 0.8 and against 0.2, has ended."""
    verdicts = [result.passed for result in results if result.evaluated]
    good = sum(verdicts)
    return any(1.6**most * 0.4 ** (len(verdicts) - most) >= 16 for most in (good, len(verdicts) - good))


def _error(results: Sequence[EvalResult], kind: str) -> str | None:
    return next((r.metadata["error_detail"] for r in results if r.metadata.get("error_kind") == kind), None)


def _aggregate_runs(case: EvalCase, single_runs: list[CaseResult]) -> CaseResult:
    return aggregated(single_runs)


def _refuse(**options: object) -> None:
    for name, value in options.items():
        if value is not None:
            raise ConfigurationError(f"{name} is not part of ringtrue-dropin", parameter=name, value=value)


def _require_counts(**options: int | None) -> None:
    for name, value in options.items():
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise ConfigurationError(f"{name} must be a whole number of at least 1; got {value!r}", parameter=name)
