"""`Running`: the cases of a suite, asked by ringtrue as often as they should be, and each answer as a result."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ringtrue.metrics.sequential import decided

from multivon_eval.asked import Limit, Nothing, checks, numbered, system
from multivon_eval.calls import Call, Calls, Place, ended_together
from multivon_eval.case import EvalCase
from multivon_eval.case_result import CaseResult, EvalResult, aggregated
from multivon_eval.execution_evidence import observed, target_snapshot
from multivon_eval.retry import JudgeRetry, async_sleep_for_attempt, should_retry, sleep_for_attempt
from multivon_eval.trials import CaseSnapshot, attach_trial, capture_case
from ringtrue.reports import case_result
from ringtrue.suites.suite import EvalSuite
from ringtrue.sync import run as run_blocking
from ringtrue.systems.function import FunctionSystem

_MODEL_ERROR_SKIP = {"skipped": True, "error_kind": "model_error_skip"}


class _Way(NamedTuple):
    """How cases are asked."""

    asked: Called
    calls: Calls
    workers: int
    runs: int
    early: bool


class _Attempts(NamedTuple):
    """What came of each case so far, by attempts."""

    way: _Way
    retry: JudgeRetry | None
    found: list[list[CaseResult]]

    @property
    def open(self) -> list[int]:
        """The cases to ask next: all at first, then those to be asked again."""
        most = 1 if self.retry is None else self.retry.max_attempts
        return [at for at, found in enumerate(self.found) if not found or (len(found) < most and self._again(found))]

    def _again(self, found: Sequence[CaseResult]) -> bool:
        return self.retry is not None and should_retry(found[-1].status, self.retry)


@dataclass
class Running:
    """Cases and checks in ringtrue's words, with the cases as they were before anything was asked."""

    name: str
    cases: Sequence[EvalCase]
    evaluators: Sequence[Any]
    limit: Limit | None = None
    native: EvalSuite = field(init=False)

    def __post_init__(self) -> None:
        self._attempt = self._round = 0
        records, self._originals = numbered(self.cases)
        self._snapshots = [capture_case(case) for case in self.cases]
        measured = checks(self.evaluators, self._originals, self.limit) or [Nothing()]
        self.native = EvalSuite(self.name).add_cases(records).add_evaluators(*measured)

    def asked(self, function: Any, calls: Calls, retry: JudgeRetry | None, **way: Any) -> list[CaseResult]:
        """Every case, asked so often; again, where its judge could not be reached, as often as that is wanted."""
        attempts = _Attempts(self._way(function, calls, **way), retry, [[] for _ in self.cases])
        while attempts.open:
            if retry is not None:
                sleep_for_attempt(retry, self._attempt + 1)
            run_blocking(self._attempted(attempts))
        return [_last(results) for results in attempts.found]

    async def asked_async(self, function: Any, calls: Calls, retry: JudgeRetry | None, **way: Any) -> list[CaseResult]:
        """`asked`, awaited; a function or a check that is cancelled, if only by itself, ends the run."""
        attempts = _Attempts(self._way(function, calls, **way), retry, [[] for _ in self.cases])
        while attempts.open:
            if retry is not None:
                await async_sleep_for_attempt(retry, self._attempt + 1)
            await asyncio.create_task(ended_together(self._attempted(attempts)))
        return [_last(results) for results in attempts.found]

    def _way(self, function: Any, calls: Calls, *, hook: str, workers: int, runs: int, early: bool) -> _Way:
        calls.labels = self._labels
        return _Way(system(function, self._originals, calls, hook=hook), calls, workers, runs, early)

    async def _attempted(self, attempts: _Attempts) -> None:
        self._attempt += 1
        for place, found in (await self._tried(attempts.way, attempts.open)).items():
            attempts.found[place].append(found[0] if len(found) == 1 else aggregated(found))

    def given(self, outputs: Iterable[Any], latencies_ms: Sequence[float | None] | None) -> list[CaseResult]:
        """The outputs that were there before, checked."""
        pairs = list(zip(self.native.cases, outputs, strict=True))
        done = self.native.run_on_cases(pairs, latencies_ms, verbose=False)
        nobody = target_snapshot(None)
        about: dict[str, Any] = {"origin": "import", "execution": observed(nobody, nobody)}
        known = [late is not None for late in latencies_ms] if latencies_ms is not None else [False] * len(pairs)
        return [
            attach_trial(_result(found, case), snapshot, latency_known=late, **about)
            for found, case, snapshot, late in zip(done.case_results, self.cases, self._snapshots, known, strict=True)
        ]

    async def _tried(self, way: _Way, places: Sequence[int]) -> dict[int, list[CaseResult]]:
        """The runs of some cases; if they may end early, a case is not asked again once its runs have decided.

        Threads keep no order, so where they ask, the runs of a case take turns: a function may count on that.
        """
        found: dict[int, list[CaseResult]] = {place: [] for place in places}
        runs = 1 if self.limit is None else way.runs
        for self._round in range(way.runs // runs):
            still = [at for at in places if not (way.early and _decided(found[at]))]
            if not still:
                break
            ids = [f"#{place + 1}" for place in still]
            options: dict[str, Any] = {"workers": way.workers, "runs": runs, "store": None, "case_ids": ids}
            # One check after the other, as `run` promises; all that are awaited at once, as many as the limit lets.
            options["evaluator_workers"] = 1 if self.limit is None else None
            done = await self.native.run_async(way.asked, verbose=False, **options)
            for place, case in zip(still, done.case_results, strict=True):
                for repeat, trial in enumerate(case.trials or (case,)):
                    call = way.calls.taken((f"#{place + 1}", repeat))
                    found[place].append(self._single(trial, place, call, len(found[place]) + 1))
        return found

    def _single(self, found: case_result.CaseResult, place: int, call: Call | None, run: int) -> CaseResult:
        case, snapshot = self.cases[place], self._snapshots[place]
        seen: CaseSnapshot | None = None
        about: dict[str, Any] = {"attempt": self._attempt, "run_index": run}
        if call is not None:
            case, seen = call.case, call.snapshot
            call.capture.finish()
            about |= {"execution": call.execution, "provider_evidence": call.capture.snapshot()}
        return attach_trial(_result(found, case), snapshot, evaluation_snapshot=seen, **about)

    def _labels(self, place: Place) -> dict[str, Any]:
        """Which trial a call at a place belongs to."""
        case, repeat = place
        snapshot = self._snapshots[int(str(case).removeprefix("#")) - 1]
        named = {"case_id": snapshot.case_id, "case_digest": snapshot.case_digest}
        return {**named, "attempt": self._attempt, "run_index": repeat + self._round + 1}


def _decided(runs: Sequence[CaseResult]) -> bool:
    return decided(one.passed for one in runs if one.evaluated)


def _last(attempts: Sequence[CaseResult]) -> CaseResult:
    """The last attempt at a case, with the trials of all, and why there was more than one."""
    if len(attempts) == 1:
        return attempts[0]
    problems = [result.evidence_error for result in attempts if result.evidence_error]
    return replace(
        attempts[-1],
        retry_attempts=len(attempts) - 1,
        retry_errors=[result.error or f"<{result.status.value}>" for result in attempts[:-1]],
        trials=tuple(trial for result in attempts for trial in result.trials),
        evidence_error="; ".join(problems) or None,
    )


def _result(found: case_result.CaseResult, case: EvalCase) -> CaseResult:
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
    )


def _error(results: Sequence[EvalResult], kind: str) -> str | None:
    found = [result for result in results if result.metadata.get("error_kind") == kind]
    return str(found[0].metadata.get("error_detail") or found[0].reason) if found else None
