"""`compare_reports`: two reports of a suite, held against each other case by case."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, TypeAlias

from ringtrue.api.case_result import CaseResult
from ringtrue.api.report import EvalReport
from ringtrue.metrics.differences import paired_interval
from ringtrue.metrics.pairs import Pairs, names_of, paired
from ringtrue.metrics.stats import clustered_interval
from ringtrue.records import Summary
from ringtrue.reports.comparison import NEWCOMBE, NUMBERS, CaseDiff, ReportDiff, mcnemar_of

Verdicts: TypeAlias = tuple[bool, bool]
"""Whether a case passed before, and after."""

_POINT = 1e-9
"""A shorter interval is one of sources that cancel out to the last digit, and shows nothing."""


def compare_reports(baseline: EvalReport, proposal: EvalReport) -> ReportDiff:
    """What changed; McNemar's test is made where both reports have the same cases and checks, asked as often.

    Cases are paired by their id and content; those that were given no id, by their content.
    """
    pairs = _pairs(baseline.case_results, proposal.case_results)
    issues = [*pair_issues(pairs), *_issues(baseline, proposal)]
    cases = [diff_of(old, new) for old, new in pairs.both]
    change = _rise(pairs.both)
    alone = change is None or change.method == NEWCOMBE
    return ReportDiff(
        **sides(baseline, proposal),
        paired=cases,
        added=pairs.added,
        removed=pairs.removed,
        mcnemar_p=mcnemar_of(cases) if alone and not issues else None,
        identity_issues=issues,
        change=change,
    )


def sides(baseline: Any, proposal: Any) -> dict[str, Any]:
    """The numbers of two reports, as a comparison names them."""
    reports = (("baseline", baseline), ("proposal", proposal))
    return {f"{side}_{name}": getattr(report, kind) for side, report in reports for name, kind in NUMBERS.items()}


def diff_of(old: Any, new: Any) -> CaseDiff:
    """One case of two reports."""
    return CaseDiff(str(old.case_input), old.status, new.status, old.score, new.score, new.case_id)


def pair_issues(pairs: Pairs[Any]) -> Iterator[str]:
    """Why some cases are in no pair although they might be."""
    for side, repeated in zip(("baseline", "proposal"), pairs.repeated, strict=True):
        if repeated:
            yield f"Duplicate: {repeated:,} cases of the {side} cannot be told apart"
    if pairs.changed:
        yield f"{pairs.changed:,} cases of the same id have another content"


def _pairs(before: Sequence[CaseResult], after: Sequence[CaseResult]) -> Pairs[CaseResult]:
    def content(case: CaseResult) -> Hashable:
        return case.case_input, case.expected

    first, second = (names_of([case.case_id for case in side], map(content, side)) for side in (before, after))
    return paired(before, after, (first, second), content)


def _issues(baseline: EvalReport, proposal: EvalReport) -> Iterator[str]:
    runs = baseline.runs_per_case, proposal.runs_per_case
    if runs[0] != runs[1]:
        yield f"cases were asked {runs[0]} times, and then {runs[1]} times"
    checks = [_checks(report) for report in (baseline, proposal)]
    if checks[0] != checks[1]:
        odd = sorted(checks[0] ^ checks[1])
        yield f"the checks are not the same: {', '.join(odd[:4])}{' …' if len(odd) > 4 else ''}"


def _checks(report: EvalReport) -> set[str]:
    """The signatures of the checks, or their names where a report tells no more."""
    signatures = report.execution.get("signatures")
    told = signatures.get("evaluators") if isinstance(signatures, dict) else None
    return set(map(str, told if isinstance(told, list) and told else report.evaluators))


def _source(case: CaseResult, place: int) -> object:
    return place if case.source_id is None else ("source", case.source_id)


def _rise(pairs: Sequence[tuple[CaseResult, CaseResult]]) -> Summary | None:
    told = [(old, new) for old, new in pairs if old.evaluated and new.evaluated]
    if not told:
        return None
    clusters: dict[object, list[Verdicts]] = {}
    for place, (old, new) in enumerate(told):
        clusters.setdefault(_source(old, place), []).append((old.passed, new.passed))
    value = sum(new.passed - old.passed for old, new in told) / len(told)
    if len(clusters) < len(told):
        return Summary(value, len(told), 0, 0, _over_sources(list(clusters.values())), "student")
    interval = paired_interval([old.passed for old, _ in told], [new.passed for _, new in told])
    return Summary(value, len(told), 0, 0, interval, NEWCOMBE)


def _over_sources(clusters: Sequence[Sequence[Verdicts]]) -> tuple[float, float] | None:
    """Student's interval over sources; where all cases change alike, that of one case each: no spread is no proof."""
    rises = [[float(after) - float(before) for before, after in cluster] for cluster in clusters]
    if len({rise for cluster in rises for rise in cluster}) == 1:
        return paired_interval([cluster[0][0] for cluster in clusters], [cluster[0][1] for cluster in clusters])
    found = clustered_interval(rises)
    if found is None or found[1] - found[0] < _POINT:
        return None
    return max(-1.0, found[0]), min(1.0, found[1])
