"""`EvalSuite`: cases and checks, run by ringtrue."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from multivon_eval.absent import absent_methods
from multivon_eval.asked import Limit, Nothing, Originals, checks, numbered, system
from multivon_eval.calibration import CalibrationResult, calibration
from multivon_eval.case import EvalCase
from multivon_eval.case_result import CaseResult, EvalResult, aggregated
from multivon_eval.early_stop import decided
from multivon_eval.report import EvalReport
from ringtrue.api import case_result, report
from ringtrue.api import suite as ringtrue
from ringtrue.api.suite_options import RunOptions
from ringtrue.reports.whole_file import Where, check_place

WORKERS = 8
_MODEL_ERROR_SKIP = {"skipped": True, "error_kind": "model_error_skip"}


class EvalSuite:
    """Cases and checks under a name; adding returns the suite itself, so that calls can be chained."""

    def __init__(self, name: str, model_id: str = "", purpose: str = "") -> None:
        ringtrue.EvalSuite(name, model_id, purpose)  # a wrong purpose raises here
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

    def add_case(self, case: EvalCase) -> EvalSuite:
        """Add a case."""
        self._cases.append(case)
        return self

    def add_cases(self, cases: Iterable[EvalCase]) -> EvalSuite:
        """Add cases."""
        self._cases.extend(cases)
        return self

    def add_evaluator(self, evaluator: Any) -> EvalSuite:
        """Add a check of every case."""
        self._evaluators.append(evaluator)
        return self

    def add_evaluators(self, *evaluators: Any) -> EvalSuite:
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
        tracer: Any = None,
        early_stop: bool = False,
        judge_retry: Any = None,
        save_json: Where | None = None,
        save_junit_xml: Where | None = None,
        save_html: Where | None = None,
    ) -> EvalReport:
        """Ask `model_fn` every input, check every answer, write the files, print, and keep the gate."""
        _refuse(tracer=tracer, judge_retry=judge_retry)
        files = {"save_json": save_json, "save_junit_xml": save_junit_xml, "save_html": save_html}
        RunOptions(fail_threshold=fail_threshold, max_error_rate=max_error_rate, workers=workers, runs=runs)
        for name, path in files.items():
            if path is not None:
                check_place(path, name)
        native, originals = self._native(self._cases)
        known, found = _identities(self._cases), self._empty()
        if self._cases:
            asked = system(model_fn, originals, hook="_call_with_case")
            at_once = workers or min(WORKERS, len(self._cases))
            if early_stop and at_once > 1:
                sys.stderr.write("multivon_eval: early_stop requires workers=1; ignoring it\n")
            if early_stop and at_once == 1:
                found = self._in_rounds(native, asked, runs, known)
            else:
                done = native.run(asked, verbose=False, workers=at_once, runs=runs, store=None)
                found = self._report(done, self._cases, known)
        return _told(found, verbose, fail_threshold, max_error_rate, files)

    async def run_async(
        self,
        model_fn: Callable[[str], Awaitable[str]],
        verbose: bool = True,
        fail_threshold: float | None = None,
        max_error_rate: float | None = None,
        concurrency: int = 5,
        runs: int = 1,
        evaluator_concurrency: int | None = None,
        judge_retry: Any = None,
    ) -> EvalReport:
        """`run` for a function that is awaited, so many cases at once, and for checks with an `aevaluate` of their own.

        `evaluator_concurrency` is how many of these are awaited at once; a case's checks are asked one after the other.
        """
        _refuse(judge_retry=judge_retry)
        RunOptions(fail_threshold=fail_threshold, max_error_rate=max_error_rate, runs=runs)
        _count("concurrency", concurrency)
        if evaluator_concurrency is not None:
            _count("evaluator_concurrency", evaluator_concurrency)
        limit = asyncio.Semaphore(evaluator_concurrency or concurrency)
        native, originals = self._native(self._cases, limit)
        known, found = _identities(self._cases), self._empty()
        if self._cases:
            asked = system(model_fn, originals, hook="_acall_with_case")
            done = await native.run_async(asked, verbose=False, workers=concurrency, runs=runs, store=None)
            found = self._report(done, self._cases, known)
        return _told(found, verbose, fail_threshold, max_error_rate, {})

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
        RunOptions(fail_threshold=fail_threshold, max_error_rate=max_error_rate)
        pairs = list(traced_outputs)
        cases = [case for case, _ in pairs]
        native, _ = self._native(cases)
        outputs = [(record, output) for record, (_, output) in zip(native.cases, pairs, strict=True)]
        known = _identities(cases)
        found = self._report(native.run_on_cases(outputs, latencies_ms, verbose=False), cases, known)
        return _told(found, verbose, fail_threshold, max_error_rate, {})

    def calibrate(self, labeled_pairs: Iterable[tuple[EvalCase, str, bool]]) -> CalibrationResult:
        """How far the checks agree with people who said of each output whether it is good."""
        labeled = list(labeled_pairs)
        found = self.run_on_cases([(case, output) for case, output, _ in labeled], verbose=False)
        return calibration(found.case_results, [bool(good) for _, _, good in labeled])

    def _native(self, cases: Sequence[EvalCase], limit: Limit | None = None) -> tuple[ringtrue.EvalSuite, Originals]:
        for evaluator in self._evaluators:
            prepare = getattr(evaluator, "prepare", None)
            if callable(prepare):
                prepare()
        records, originals = numbered(cases)
        native = ringtrue.EvalSuite(self.name, self.model_id, self.purpose).add_cases(records)
        return native.add_evaluators(*(checks(self._evaluators, originals, limit) or [Nothing()])), originals

    def _empty(self) -> EvalReport:
        return EvalReport(self.name, [], self.model_id, purpose=self.purpose)

    def _report(self, native: report.EvalReport, cases: Sequence[EvalCase], known: Sequence[_Identity]) -> EvalReport:
        results = [
            _whole([_single(trial, case, identity) for trial in found.trials or (found,)])
            for found, case, identity in zip(native.case_results, cases, known, strict=True)
        ]
        return EvalReport(
            self.name, results, self.model_id, purpose=self.purpose, execution=dict(native.execution) or None
        )

    def _in_rounds(self, native: ringtrue.EvalSuite, asked: Any, runs: int, known: Sequence[_Identity]) -> EvalReport:
        """Every case is asked once in a round, and not again once its runs have decided."""
        found: list[list[CaseResult]] = [[] for _ in self._cases]
        for _ in range(runs):
            places = [at for at, done in enumerate(found) if not decided(one.passed for one in done if one.evaluated)]
            if not places:
                break
            ids = [f"#{at + 1}" for at in places]
            done = native.run(asked, verbose=False, workers=1, store=None, case_ids=ids)
            for at, trial in zip(places, done.case_results, strict=True):
                found[at].append(_single(trial, self._cases[at], known[at]))
        return EvalReport(self.name, [_whole(trials) for trials in found], self.model_id, purpose=self.purpose)


for _name, _absent in absent_methods().items():
    setattr(EvalSuite, _name, _absent)


@dataclass(frozen=True)
class _Identity:
    """Which case a result is of, as it was before anything was asked; what JSON cannot hold has no digest."""

    name: str | None
    digest: str | None = None
    problem: str | None = None


def _identities(cases: Sequence[EvalCase]) -> list[_Identity]:
    found = []
    for case in cases:
        try:
            found.append(_Identity(*case.identity()))
        except (TypeError, ValueError, RecursionError) as error:
            found.append(_Identity(case.case_id, None, f"{type(error).__name__}: {error}"))
    return found


def _whole(runs: list[CaseResult]) -> CaseResult:
    return runs[0] if len(runs) == 1 else aggregated(runs)


def _single(found: case_result.CaseResult, case: EvalCase, identity: _Identity) -> CaseResult:
    error = found.model_error
    results = [check for check in found.results if check.evaluator != Nothing.name]
    told = [EvalResult.of(check) for check in results]
    if error is not None:
        skip = f"[skipped — model error: {error}]"
        told = [EvalResult(check.evaluator, 0.0, False, skip, dict(_MODEL_ERROR_SKIP)) for check in results]
    return CaseResult(
        case.input,
        found.actual_output if error is None else f"[MODEL ERROR: {error}]",
        told,
        found.latency_ms or 0.0,
        list(case.tags),
        error,
        _error(told, "judge_error"),
        _error(told, "evaluator_error"),
        found.skipped,
        case.agent_trace,
        case_id=identity.name,
        case_digest=identity.digest,
        evidence_error=identity.problem,
    )


def _error(results: Sequence[EvalResult], kind: str) -> str | None:
    found = [result.metadata["error_detail"] for result in results if result.metadata.get("error_kind") == kind]
    return found[0] if found else None


def _told(
    found: EvalReport,
    verbose: bool,
    fail_threshold: float | None,
    max_error_rate: float | None,
    files: dict[str, Where | None],
) -> EvalReport:
    """Files first, then the terminal, then the gate: nothing that fails later loses what is measured."""
    for save, path in files.items():
        if path is not None:
            getattr(found, save)(path)
    if verbose:
        from multivon_eval.reporters.terminal import print_report  # what draws on a terminal waits until it is asked to

        print_report(found)
    failure = found.gate(fail_threshold, max_error_rate)
    if failure is not None:
        if isinstance(failure.code, int):  # a number alone would end the process without a word
            sys.stderr.write(f"multivon_eval: {failure}\n")
        raise failure
    return found


def _count(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1; got {value!r}")


def _refuse(**given: Any) -> None:
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} is not part of the drop-in; see docs/migrating-multivon-eval.md of ringtrue")


def _aggregate_runs(case: EvalCase, single_runs: list[CaseResult]) -> CaseResult:
    return aggregated(single_runs)


def _enforce_fail_threshold(
    report: EvalReport, fail_threshold: float | None, max_error_rate: float | None = None
) -> None:
    _told(report, False, fail_threshold, max_error_rate, {})
