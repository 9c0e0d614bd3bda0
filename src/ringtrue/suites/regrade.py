"""Other checks of the outputs that a report holds; no system is asked again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ringtrue.errors import ConfigurationError
from ringtrue.reports.case_result import CaseResult, merged
from ringtrue.reports.eval_report import EvalReport
from ringtrue.stats.pairs import names_of, pair_cases
from ringtrue.suites.cases import Entries

Check = Callable[[Sequence[tuple[int, str]], Sequence[float | None]], Sequence[CaseResult]]
"""The results of outputs, each with the place of its case, and of their latencies."""


def regraded(entries: Entries, report: EvalReport, check: Check) -> list[CaseResult]:
    """A result for each case of a report, with every run of it checked anew; a run without an output stays as it was.

    Cases are found by their id, or by their input where none was given. What they expect may have changed since; a
    case that the suite does not have, or that asks something else now, is refused.
    """
    inputs = [[case.input for case, _ in entries], [case.case_input for case in report.case_results]]
    ids = [[case.id for case, _ in entries], [case.case_id for case in report.case_results]]
    here, there = (names_of(*side) for side in zip(ids, inputs, strict=True))
    found = pair_cases(range(len(here)), range(len(there)), (here, there))
    if found.repeated[1]:
        raise ConfigurationError(f"{found.repeated[1]} cases of the report cannot be told apart", parameter="report")
    for place in found.added:
        raise ConfigurationError(f"the suite has no case {ids[1][place]!r} of the report", parameter="report")
    for place, other in found.both:
        if inputs[0][place] != inputs[1][other]:
            raise ConfigurationError(f"the case {ids[0][place]!r} asks something else now", parameter="report")
    runs = [(place, run) for place, other in found.both for run in _runs(report.case_results[other])]
    asked = [(place, run) for place, run in runs if _has_output(run)]
    results = iter(check([(place, run.actual_output) for place, run in asked], [run.latency_ms for _, run in asked]))
    return [
        merged([_again(run, next(results)) if _has_output(run) else replace(run, results=()) for run in _runs(case)])
        for case in (report.case_results[other] for _, other in found.both)
    ]


def _runs(case: CaseResult) -> tuple[CaseResult, ...]:
    return case.trials or (case,)


def _has_output(run: CaseResult) -> bool:
    return run.model_error is None and not run.skipped


def _again(run: CaseResult, result: CaseResult) -> CaseResult:
    known = {name: getattr(run, name) for name in ("case_id", "latency_ms", "input_tokens", "output_tokens", "cost")}
    return replace(result, **known)
