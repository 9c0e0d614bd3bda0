"""`EvalSuite`: cases and checks, run by ringtrue's suite."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Self

from ringtrue.reports.report_text import print_report
from ringtrue.suites.options import RunOptions

from multivon_eval.asked import NOTHING, Cases, checks, model_function
from multivon_eval.case import EvalCase
from multivon_eval.case_result import CaseResult, EvalResult, aggregated
from multivon_eval.outputs import native_report
from multivon_eval.report import EvalReport
from ringtrue import CaseResult as NativeCaseResult
from ringtrue import EvalSuite as NativeSuite
from ringtrue.atomic_file import Where
from ringtrue.errors import ConfigurationError
from ringtrue.sync import run as run_blocking

WORKERS = 8
_MODEL_ERROR_SKIP = {"skipped": True, "error_kind": "model_error_skip"}


class EvalSuite:
    """Cases and checks under a name; adding returns the suite itself, so that calls can be chained."""

    def __init__(self, name: str, model_id: str = "", purpose: str = "") -> None:
        NativeSuite(name, model_id, purpose)  # a wrong purpose raises here
        self.name, self.model_id, self.purpose = name, model_id, purpose
        self._cases: list[EvalCase] = []
        self._evaluators: list[Any] = []

    @property
    def cases(self) -> list[EvalCase]:
        """The cases, in a new list."""
        return list(self._cases)

    @property
    def evaluators(self) -> list[Any]:
        """The checks, in a new list."""
        return list(self._evaluators)

    def add_case(self, case: EvalCase) -> Self:
        """Add a case."""
        self._cases.append(case)
        return self

    def add_cases(self, cases: Iterable[EvalCase]) -> Self:
        """Add cases."""
        self._cases.extend(cases)
        return self

    def add_evaluator(self, evaluator: Any) -> Self:
        """Add a check of every case."""
        self._evaluators.append(evaluator)
        return self

    def add_evaluators(self, *evaluators: Any) -> Self:
        """Add checks of every case."""
        self._evaluators.extend(evaluators)
        return self

    def run(
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
        options = RunOptions(
            verbose=verbose,
            fail_threshold=fail_threshold,
            max_error_rate=max_error_rate,
            workers=workers,
            runs=runs,
            save_json=save_json or os.environ.get("MULTIVON_JSON_OUTPUT") or None,
            save_junit_xml=save_junit_xml,
            save_html=save_html or os.environ.get("MULTIVON_HTML_OUTPUT") or None,
        )
        at_once = workers or max(1, min(WORKERS, len(self._cases)))
        if early_stop and at_once > 1:
            _warn("early_stop requires workers=1; ignoring it")
        running = _Running(self, self._cases)
        ask = model_function(model_fn, running.cases, hook="_call_with_case")
        results = run_blocking(running.rounds(ask, runs, at_once, early_stop=early_stop and at_once == 1))
        return self._finished(results, options)

    async def run_async(
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
        """`run` for a function that is awaited; checks with an `aevaluate` are awaited, too, so many at once."""
        _refuse(judge_retry=judge_retry)
        options = RunOptions(verbose=verbose, fail_threshold=fail_threshold, max_error_rate=max_error_rate, runs=runs)
        most = {"concurrency": concurrency, "evaluator_concurrency": evaluator_concurrency}
        for name, value in most.items():
            if name == "evaluator_concurrency" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ConfigurationError(f"{name} must be a whole number of at least 1; got {value!r}", parameter=name)
        limit = asyncio.Semaphore(evaluator_concurrency or concurrency * max(1, len(self._evaluators)))
        running = _Running(self, self._cases, limit)
        ask = model_function(model_fn, running.cases, hook="_acall_with_case")
        return self._finished(await running.rounds(ask, runs, concurrency), options)

    def run_on_cases(
        self,
        traced_outputs: Iterable[tuple[EvalCase, str]],
        verbose: bool = True,
        fail_threshold: float | None = None,
        max_error_rate: float | None = None,
        *,
        latencies_ms: Sequence[float | None] | None = None,
    ) -> EvalReport:
        """Check outputs that exist already; a latency check is skipped where no latency is given."""
        options = RunOptions(verbose=verbose, fail_threshold=fail_threshold, max_error_rate=max_error_rate)
        pairs = list(traced_outputs)
        running = _Running(self, [case for case, _ in pairs])
        outputs = zip(running.native.cases, (output for _, output in pairs), strict=True)
        done = running.native.run_on_cases(outputs, latencies_ms, verbose=False)
        return self._finished([running.result(found) for found in done.case_results], options)

    def _finished(self, results: Sequence[CaseResult], options: RunOptions) -> EvalReport:
        """The report: files first, then the terminal, then the gate, so that nothing that fails later loses it."""
        report = EvalReport(self.name, list(results), self.model_id, purpose=self.purpose)
        for name in ("save_json", "save_junit_xml", "save_html"):
            if (path := getattr(options, name)) is not None:
                getattr(report, name)(path)
        if options.verbose:
            print_report(native_report(report))
        failure = report.gate(options.fail_threshold, options.max_error_rate)
        if failure is not None:
            if isinstance(failure.code, int):  # a number alone would end the process without a word
                _warn(str(failure))
            raise failure
        return report


class _Running:
    """A suite's cases and checks in ringtrue's shape, each case named by its place."""

    def __init__(self, suite: EvalSuite, cases: Sequence[EvalCase], limit: asyncio.Semaphore | None = None) -> None:
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


def _warn(words: str) -> None:
    sys.stderr.write(f"multivon_eval: {words}\n")
