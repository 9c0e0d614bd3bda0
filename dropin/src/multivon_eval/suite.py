"""`EvalSuite`: cases and checks, run by ringtrue."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from multivon_eval.accounts import Accounts, policy_of
from multivon_eval.adapter_runs import AdapterRuns
from multivon_eval.calibration import CalibrationResult, calibration
from multivon_eval.calls import Calls
from multivon_eval.case import EvalCase
from multivon_eval.case_result import CaseResult, EvalStatus, aggregated
from multivon_eval.execution_evidence import observed, policy_record, target_snapshot
from multivon_eval.factories import Purposes
from multivon_eval.lockfile import SuiteLock, build_suite_lock, verify_suite_against_lock
from multivon_eval.pairwise import PairwiseRuns
from multivon_eval.report import EvalReport
from multivon_eval.retry import JudgeRetry
from multivon_eval.running import Running
from multivon_eval.spoken import warn
from ringtrue.atomic_file import Where, check_place, write_whole
from ringtrue.evaluators.judged.config import require_count
from ringtrue.suites import suite as ringtrue
from ringtrue.suites.options import RunOptions

if TYPE_CHECKING:
    from multivon_eval.validate import ValidationReport

WORKERS = 8


class EvalSuite(Purposes, AdapterRuns, PairwiseRuns):
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

    def add_check(
        self,
        criterion: str,
        threshold: float = 0.7,
        num_questions: int = 3,
        questions: list[str] | None = None,
        name: str = "",
        judge: Any = None,
    ) -> Self:
        """Add a check in plain words, which a judge turns into questions unless they are given."""
        from multivon_eval.evaluators.llm_judge import CheckEvaluator  # judges are loaded where they are wanted

        settings = {"num_questions": num_questions, "questions": questions, "name": name, "judge": judge}
        return self.add_evaluator(CheckEvaluator(criterion=criterion, threshold=threshold, **settings))

    def lock(self) -> SuiteLock:
        """What the suite is made of now."""
        return build_suite_lock(self)

    def write_lock(self, path: Where) -> Path:
        """Write the lock, and say where; missing folders are made."""
        write_whole(path, self.lock().to_json().encode())
        return Path(path)

    def verify_lock(self, saved: SuiteLock | str | Path) -> None:
        """Raise LockMismatch unless the suite is the one that was locked: a lock, its JSON, or the file of it."""
        if isinstance(saved, SuiteLock):
            return verify_suite_against_lock(self, saved)
        if not isinstance(saved, (str, Path)):
            raise TypeError(f"a lock is a SuiteLock, its JSON or a path; got {type(saved).__name__}")
        text = str(saved)
        raw = text if text.lstrip().startswith("{") else Path(text).read_text("utf-8")
        return verify_suite_against_lock(self, SuiteLock.from_json(raw))

    def validate(self, *, include_judges: bool = False, contrast: bool = True) -> ValidationReport:
        """Whether the checks pass what is known to be right, and tell it from what is known to be wrong."""
        from multivon_eval.validate import validate_suite  # which is made of suites

        return validate_suite(self, include_judges=include_judges, contrast=contrast)

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
        judge_retry: JudgeRetry | None = None,
        save_json: Where | None = None,
        save_junit_xml: Where | None = None,
        save_html: Where | None = None,
    ) -> EvalReport:
        """Ask `model_fn` every input, check every answer, write the files, print, and keep the gate.

        Without `save_json` or `save_html`, MULTIVON_JSON_OUTPUT and MULTIVON_HTML_OUTPUT say where, if they are set.
        """
        files = {
            "save_json": save_json or os.environ.get("MULTIVON_JSON_OUTPUT") or None,
            "save_html": save_html or os.environ.get("MULTIVON_HTML_OUTPUT") or None,
            "save_junit_xml": save_junit_xml,
        }
        gate = {"fail_threshold": fail_threshold, "max_error_rate": max_error_rate}
        RunOptions(workers=workers, runs=runs, **gate)  # type: ignore[arg-type]
        if tracer is not None and workers not in (None, 1):
            raise ValueError(f"a tracer watches one case at a time: workers=1 or none; got workers={workers!r}")
        for name, path in files.items():
            if path is not None:
                check_place(path, name)
        at_once = workers or (min(WORKERS, max(1, len(self._cases))) if tracer is None else 1)
        if early_stop and at_once > 1:
            warn("early_stop requires workers=1; ignoring it")
        early = early_stop and at_once == 1
        policy = policy_of(
            judge_retry, tracer, runs=runs, workers=workers, early_stop=early_stop, effective_workers=at_once,
            effective_early_stop=early, **gate,
        )  # fmt: skip
        function = model_fn if tracer is None else tracer.instrument(model_fn)
        with Accounts(self) as accounts:
            calls, running = Calls(model_fn, tracer), Running(self.name, self._cases, self._evaluators)
            results = running.asked(
                function, calls, judge_retry, hook="_call_with_case", workers=at_once, runs=runs, early=early
            )
            found = accounts.report(results, _execution("run", policy, calls))
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
        judge_retry: JudgeRetry | None = None,
    ) -> EvalReport:
        """`run` for a function that is awaited, so many cases at once, and for checks with an `aevaluate` of their own.

        `evaluator_concurrency` is how many of these are awaited at once.
        """
        gate = {"fail_threshold": fail_threshold, "max_error_rate": max_error_rate}
        RunOptions(runs=runs, **gate)  # type: ignore[arg-type]
        require_count("concurrency", concurrency)
        if evaluator_concurrency is not None:
            require_count("evaluator_concurrency", evaluator_concurrency)
        limit = asyncio.Semaphore(evaluator_concurrency or concurrency * max(1, len(self._evaluators)))
        counts = {"runs": runs, "concurrency": concurrency, "evaluator_concurrency": evaluator_concurrency}
        policy = policy_of(judge_retry, None, **counts, **gate)
        with Accounts(self) as accounts:
            calls, running = Calls(model_fn), Running(self.name, self._cases, self._evaluators, limit)
            results = await running.asked_async(
                model_fn, calls, judge_retry, hook="_acall_with_case", workers=concurrency, runs=runs, early=False
            )
            found = accounts.report(results, _execution("run_async", policy, calls))
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
        gate = {"fail_threshold": fail_threshold, "max_error_rate": max_error_rate}
        with Accounts(self, prepare=False) as accounts:
            running = Running(self.name, [case for case, _ in pairs], self._evaluators)
            results = running.given([output for _, output in pairs], latencies_ms)
            execution = _execution("run_on_cases", policy_of(None, None, **gate), Calls(None))
            found = accounts.report(results, execution)
        return _told(found, verbose, fail_threshold, max_error_rate, {})

    def _run_case_once(self, case: EvalCase, model_fn: Callable[[str], str], tracer: Any = None) -> CaseResult:
        """One case, asked once; code that was written for the original calls it."""
        function = model_fn if tracer is None else tracer.instrument(model_fn)
        running, way = Running(self.name, [case], self._evaluators), {"workers": 1, "runs": 1, "early": False}
        return running.asked(function, Calls(model_fn, tracer), None, hook="_call_with_case", **way)[0]

    def calibrate(self, labeled_pairs: Iterable[tuple[EvalCase, str, bool]]) -> CalibrationResult:
        """How far the checks agree with people who said of each output whether it is good."""
        labeled = list(labeled_pairs)
        found = self.run_on_cases([(case, output) for case, output, _ in labeled], verbose=False)
        return calibration(found.case_results, [bool(good) for _, _, good in labeled])


def _execution(method: str, policy: dict[str, Any], calls: Calls) -> dict[str, Any]:
    """How it was run, and what of: the function under test before and after."""
    more = {"method": method, "policy": policy_record(policy)}
    return observed(calls.before, target_snapshot(calls.target), **more)


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
    unjudged = found.errors_by_kind.get(EvalStatus.JUDGE_ERROR, 0)
    if unjudged >= max(2, found.total / 2):
        first = next(case.judge_error for case in found.case_results if case.judge_error)
        warn(f"{unjudged} of {found.total} cases have no judge; the first error: {first}")
    failure = found.gate(fail_threshold, max_error_rate)
    if failure is not None:
        if isinstance(failure.code, int):  # a number alone would end the process without a word
            warn(str(failure))
        raise failure
    return found


def _aggregate_runs(case: EvalCase, single_runs: list[CaseResult]) -> CaseResult:
    return aggregated(single_runs)
