"""`EvalSuite`: cases and checks, run like unit tests."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from ringtrue.api.evaluate import Evaluation, Options
from ringtrue.api.given import Given
from ringtrue.api.planning import with_judge
from ringtrue.dialects.suite import EvalCase
from ringtrue.errors import ConfigurationError, InputError
from ringtrue.records import Case, Json, Row
from ringtrue.reports.case_result import CaseResult
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.report_text import print_report
from ringtrue.runner.loop import Loop, Task
from ringtrue.runner.plan import Plan
from ringtrue.suites.cases import AnyCase, Entries, latencies_of, output_of, records, selected, several
from ringtrue.suites.options import ReportOptions, RunOptions
from ringtrue.suites.plan import SuitePlan, Weighted, weighted
from ringtrue.suites.regrade import regraded
from ringtrue.suites.validate import Known, SuiteValidation, known_outputs, validated
from ringtrue.sync import run_sync
from ringtrue.systems.function import as_system

_Judge: TypeAlias = tuple[Any, str | Sequence[str]]
"""Whom judged checks ask, and as which model."""

PURPOSES = ("", "capability", "regression")
ASYNC_IN_FLIGHT = 8
"""An asynchronous function is asked so many cases at once; a plain one is asked one, so that its latency is its own."""


class EvalSuite:
    """Cases and checks under a name; adding returns the suite itself, so that calls can be chained."""

    def __init__(self, name: str, model_id: str = "", purpose: str = "") -> None:
        if purpose not in PURPOSES:
            words = ", ".join(map(repr, PURPOSES))
            raise ConfigurationError(
                f"purpose must be one of {words}; got {purpose!r}", parameter="purpose", value=purpose
            )
        self.name, self.model_id, self.purpose = name, model_id, purpose
        self._cases: list[tuple[AnyCase, tuple[Weighted, ...]]] = []
        self._checks: list[Weighted] = []

    def __repr__(self) -> str:
        return f"EvalSuite({self.name!r}, {len(self._cases)} cases, {len(self._checks)} evaluators)"

    @property
    def cases(self) -> list[AnyCase]:
        """The cases, in a new list."""
        return [case for case, _ in self._cases]

    @property
    def evaluators(self) -> list[Any]:
        """The checks of every case, in a new list."""
        return [check.given for check in self._checks]

    def add_case(self, case: AnyCase, evaluators: Iterable[Any] | None = None) -> EvalSuite:
        """Add a case, and checks that measure it alone."""
        if not isinstance(case, (EvalCase, Case, Mapping)):
            raise ConfigurationError(f"a case is an EvalCase or a dict; got {type(case).__name__}", value=case)
        self._cases.append((case, tuple(weighted(item) for item in several(evaluators or (), "evaluators"))))
        return self

    def add_cases(self, cases: Iterable[AnyCase]) -> EvalSuite:
        """Add cases."""
        for case in several(cases, "cases"):
            self.add_case(case)
        return self

    def add_evaluator(self, evaluator: Any, weight: float = 1.0) -> EvalSuite:
        """Add a check of every case: an evaluator, a function, or a spec such as `word_count(max_words=50)`."""
        self._checks.append(weighted(evaluator, weight))
        return self

    def add_evaluators(self, *evaluators: Any) -> EvalSuite:
        """Add checks of every case; a pair `(evaluator, weight)` has a weight."""
        given = evaluators[0] if len(evaluators) == 1 and isinstance(evaluators[0], list) else evaluators
        self._checks += [weighted(item) for item in given]
        return self

    def run(
        self,
        fn: Any,
        verbose: bool = True,
        fail_threshold: float | None = None,
        max_error_rate: float | None = None,
        workers: int | None = None,
        runs: int = 1,
        *,
        judge: Any = None,
        judge_model: str | Sequence[str] = "",
        **options: Any,
    ) -> EvalReport:
        """Ask `fn` every case, check every answer, keep everything, write the artifacts, print, and keep the gate.

        `fn` is a function of the input (of the case, if its parameter is named `case`) or any system. `judge` and
        `judge_model` are those of `evaluate`: an LLMJudge that nobody named checks every case. Further options are the
        fields of `ringtrue.suites.options.RunOptions`. A shut gate raises GateFailure when all else is done.
        """
        chosen = RunOptions(
            verbose=verbose,
            fail_threshold=fail_threshold,
            max_error_rate=max_error_rate,
            workers=workers,
            runs=runs,
            **options,
        )
        return _told(run_sync(self._report(fn, chosen, (judge, judge_model))), chosen)

    async def run_async(
        self, fn: Any, *, judge: Any = None, judge_model: str | Sequence[str] = "", **options: Any
    ) -> EvalReport:
        """`run` for a caller that awaits, with the same options."""
        chosen = RunOptions(**options)
        return _told(await self._report(fn, chosen, (judge, judge_model)), chosen)

    def run_on_cases(
        self,
        outputs: Iterable[tuple[AnyCase, Any]],
        latencies_ms: Sequence[float | None] | None = None,
        *,
        judge: Any = None,
        judge_model: str | Sequence[str] = "",
        **options: Any,
    ) -> EvalReport:
        """Check outputs that exist already; no system is asked, and Latency is skipped where no latency is given.

        One case may come with several outputs. `judge` and `judge_model` are those of `run`; further options are the
        fields of `ringtrue.suites.options.ReportOptions`.
        """
        chosen = ReportOptions(**options)
        pairs = list(outputs)
        own = {id(case): checks for case, checks in self._cases}
        entries = records([(case, own.get(id(case), ())) for case, _ in pairs], repeated=True)
        latencies = latencies_of(latencies_ms, len(pairs))
        given = Given([output_of(output, latency) for (_, output), latency in zip(pairs, latencies, strict=True)])
        return _told(run_sync(self._checked(entries, given, (judge, judge_model))), chosen)

    def regrade(
        self, report: EvalReport, *, judge: Any = None, judge_model: str | Sequence[str] = "", **options: Any
    ) -> EvalReport:
        """Check the outputs of a report again, every run of every case; no system is asked.

        The report's cases are found by their id, or by their input where none was given. Options are those of
        `run_on_cases`. `ringtrue rescore` does the same with runs in the store.
        """
        chosen, cases = ReportOptions(**options), self.cases

        def check(outputs: Sequence[tuple[int, str]], latencies: Sequence[float | None]) -> Sequence[CaseResult]:
            pairs = [(cases[place], text) for place, text in outputs]
            done = self.run_on_cases(pairs, latencies, judge=judge, judge_model=judge_model, verbose=False)
            made["signatures"] = done.execution.get("signatures")
            return done.case_results

        made: dict[str, Json] = {"systems": report.execution.get("systems"), "status": "finished"}
        made["regraded_from"] = report.execution.get("run")
        results = regraded(records(self._cases), report, check)
        return _told(EvalReport(self.name, tuple(results), report.model_id, self.purpose, made), chosen)

    def validate(
        self,
        known: Sequence[Known] | None = None,
        *,
        judges: bool = False,
        judge: Any = None,
        judge_model: str | Sequence[str] = "",
    ) -> SuiteValidation:
        """Hold the checks against outputs that are known to be right, and some known to be wrong; no system is asked.

        Those of a case are its `reference_output`, else its expected outputs, and `wrong_outputs` in its metadata;
        `known` says others, one for each case. Checks that ask a judge are left out unless `judges` are wanted, or a
        `judge` is given.
        """
        entries = records(self._cases)
        pairs = zip(self.cases, entries, strict=True)
        told = [known_outputs(given, case) for given, (case, _) in pairs] if known is None else known
        if len(told) != len(entries):
            raise ConfigurationError(f"known: {len(told)} for {len(entries)} cases", parameter="known", value=known)
        asked = {"judges": judges or bool(judge), "judge": judge, "judge_model": judge_model}
        return validated(self.name, self._checks, entries, told, **asked)

    def planned(self) -> list[tuple[Case, list[str]]]:
        """Each case as a record with the names of its checks; a plan that could not run is refused."""
        entries = records(self._cases)
        SuitePlan(self._checks, {case.id: checks for case, checks in entries}).plan([case for case, _ in entries])
        shared = [check.evaluator.name for check in self._checks]
        return [(case, [*shared, *(check.evaluator.name for check in checks)]) for case, checks in entries]

    async def _report(self, fn: Any, options: RunOptions, judge: _Judge) -> EvalReport:
        entries = selected(records(self._cases), options.tags, options.case_ids)
        if not entries:
            raise ConfigurationError(f"the suite {self.name!r} has no cases; add_cases([...])", parameter="cases")
        system, cases = as_system(fn), [case for case, _ in entries]
        suite, plan = self._planned(entries, judge)
        chosen = Options(
            options.runs,
            options.workers or (ASYNC_IN_FLIGHT if _is_async(fn) else None),
            options.store,
            options.timeout,
            options.max_cost,
            options.max_tokens,
            options.max_errors,
            progress=options.verbose,
            fresh=options.fresh,
            config={"suite": self.name, "model_id": self.model_id, "purpose": self.purpose},
            evaluator_workers=options.evaluator_workers,
        )
        rows, timing, config = await Evaluation([system], cases, plan, (), chosen).rows()
        return self._of(suite, cases, rows, options.runs, {**config, "seconds": sum(timing.values())})

    async def _checked(self, entries: Entries, given: Given, judge: _Judge) -> EvalReport:
        cases = [case for case, _ in entries]
        suite, plan = self._planned(entries, judge) if cases else (SuitePlan(self._checks, {}), None)
        tasks = [Task(given, case, 0, position, str(position)) for position, case in enumerate(cases)]
        rows = [row async for row in Loop(plan, given).rows(tasks)] if plan else []
        signatures = {"evaluators": [signature for _, signature in plan.signed] if plan else []}
        made = {"systems": [given.name], "status": "finished", "signatures": signatures}
        return self._of(suite, cases, rows, 1, made)

    def _planned(self, entries: Entries, judge: _Judge) -> tuple[SuitePlan, Plan]:
        """Who checks what; a judge that no check would ask is a check of every case."""
        suite = SuitePlan(self._checks, {case.id: checks for case, checks in entries})
        checks = suite.plan([case for case, _ in entries])
        plan = with_judge(checks, *judge)
        added = map(Weighted, plan.evaluators[len(checks.evaluators) :])
        return replace(suite, everywhere=[*suite.everywhere, *added]), plan

    def _of(
        self, suite: SuitePlan, cases: Sequence[Case], rows: Sequence[Row], runs: int, execution: Mapping[str, Json]
    ) -> EvalReport:
        by_case: dict[int, list[Row]] = {}
        for row in rows:
            by_case.setdefault(row.position, []).append(row)
        results = [suite.result(case, by_case.get(position, ()), runs) for position, case in enumerate(cases)]
        return EvalReport(self.name, tuple(results), self.model_id, self.purpose, execution)


def _told(report: EvalReport, options: ReportOptions) -> EvalReport:
    """Artifacts first, then the terminal, then the gate: nothing that fails later loses what is measured."""
    unwritten: InputError | None = None
    for save, path in (
        (report.save_json, options.save_json),
        (report.save_junit_xml, options.save_junit_xml),
        (report.save_csv, options.save_csv),
        (report.save_html, options.save_html),
    ):
        try:
            if path is not None:
                save(path)
        except InputError as error:
            unwritten = unwritten or error
    if options.verbose:
        print_report(report)
    if unwritten is not None:
        raise unwritten
    failure = report.gate(options.fail_threshold, options.max_error_rate)
    if failure is not None:
        sys.stderr.write(f"ringtrue: {failure}\n")  # an exit code alone would end the process without a word
        raise failure
    return report


def _is_async(fn: Any) -> bool:
    return inspect.iscoroutinefunction(fn) or inspect.iscoroutinefunction(getattr(fn, "__call__", None))  # noqa: B004
