"""`compare_reports`: two reports of a suite, held against each other case by case."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from ringtrue.records import Summary
from ringtrue.reports.case_result import CaseResult, source_of
from ringtrue.reports.comparing.report_diff import NUMBERS, CaseDiff, ReportDiff, mcnemar_of
from ringtrue.stats.differences import mcnemar, paired_interval
from ringtrue.stats.intervals import clustered_interval
from ringtrue.stats.pairs import Pairs, names_of, pair_cases


class Report(Protocol):
    """What is compared: the results of cases and how they were made."""

    @property
    def case_results(self) -> Sequence[CaseResult]: ...

    @property
    def runs_per_case(self) -> int: ...

    @property
    def evaluators(self) -> list[str]: ...

    @property
    def execution(self) -> Mapping[str, Any]: ...


Verdicts: TypeAlias = tuple[bool, bool]
"""Whether a case passed before, and after."""

_NEWCOMBE = "newcombe"
"""The method of an interval that takes each case for independent evidence."""
_POINT = 1e-9
"""A shorter interval is one of sources that cancel out to the last digit, and shows nothing."""


def compare_reports(baseline: Report, proposal: Report) -> ReportDiff:
    """What changed; McNemar's test is made where both reports have the same cases and checks, asked as often.

    Cases are paired by their id and content; those that were given no id, by their content.
    """
    pairs = _pairs(baseline.case_results, proposal.case_results)
    issues = [*pair_issues(pairs), *_issues(baseline, proposal)]
    cases = [diff_of(old, new) for old, new in pairs.both]
    clusters = _by_source(pairs.both)
    change = _rise(clusters)
    alone = change is None or change.method == _NEWCOMBE
    return ReportDiff(
        **sides(baseline, proposal),
        paired=cases,
        added=pairs.added,
        removed=pairs.removed,
        mcnemar_p=mcnemar_of(cases) if alone and not issues else None,
        identity_issues=issues,
        change=change,
        sources_p=None if alone or issues else _sign_test(clusters),
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
    return pair_cases(before, after, (first, second), content)


def _issues(baseline: Report, proposal: Report) -> Iterator[str]:
    runs = baseline.runs_per_case, proposal.runs_per_case
    if runs[0] != runs[1]:
        yield f"cases were asked {runs[0]} times, and then {runs[1]} times"
    checks = [_checks(report) for report in (baseline, proposal)]
    if checks[0] != checks[1]:
        odd = sorted(checks[0] ^ checks[1])
        yield f"the checks are not the same: {', '.join(odd[:4])}{' …' if len(odd) > 4 else ''}"


def _checks(report: Report) -> set[str]:
    """The signatures of the checks, or their names where a report tells no more."""
    signatures = report.execution.get("signatures")
    told = signatures.get("evaluators") if isinstance(signatures, dict) else None
    return set(map(str, told if isinstance(told, list) and told else report.evaluators))


def _by_source(pairs: Sequence[tuple[CaseResult, CaseResult]]) -> list[list[Verdicts]]:
    """The verdicts of the cases that have two, those of one source together."""
    clusters: dict[object, list[Verdicts]] = {}
    for place, (old, new) in enumerate(pairs):
        if old.evaluated and new.evaluated:
            clusters.setdefault(source_of(old, place), []).append((old.passed, new.passed))
    return list(clusters.values())


def _rise(clusters: Sequence[Sequence[Verdicts]]) -> Summary | None:
    told = [pair for cluster in clusters for pair in cluster]
    if not told:
        return None
    before, after = [old for old, _ in told], [new for _, new in told]
    value = (sum(after) - sum(before)) / len(told)
    if len(clusters) < len(told):
        return Summary(value, len(told), interval=_over_sources(clusters), method="clustered t", unit="share")
    return Summary(value, len(told), interval=paired_interval(before, after), method=_NEWCOMBE, unit="share")


def _sign_test(clusters: Sequence[Sequence[Verdicts]]) -> float:
    """The exact p-value of how many sources got better and how many worse; it holds however few there are."""
    rises = [sum(after - before for before, after in cluster) for cluster in clusters]
    return mcnemar([rise < 0 for rise in rises], [rise > 0 for rise in rises])


def _over_sources(clusters: Sequence[Sequence[Verdicts]]) -> tuple[float, float] | None:
    """Student's interval over sources; where all cases change alike, that of one case each: no spread is no proof."""
    rises = [[float(after) - float(before) for before, after in cluster] for cluster in clusters]
    if len({rise for cluster in rises for rise in cluster}) == 1:
        return paired_interval([cluster[0][0] for cluster in clusters], [cluster[0][1] for cluster in clusters])
    found = clustered_interval(rises)
    if found is None or found[1] - found[0] < _POINT:
        return None
    return max(-1.0, found[0]), min(1.0, found[1])
