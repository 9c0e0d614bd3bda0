"""Which cases of two reports are the same case, and why that may not be known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from multivon_eval.case_result import CaseResult
from multivon_eval.trials import trial_integrity_issues
from ringtrue.reports.compare import pair_issues
from ringtrue.stats.pairs import numbered, paired

Pair = tuple[CaseResult, CaseResult]


class Pairs(NamedTuple):
    """The cases of both reports, those of the later one alone, those of the earlier one alone, and what is wrong."""

    paired: list[Pair]
    added: list[CaseResult]
    removed: list[CaseResult]
    issues: list[str]


def pair_cases(baseline: Sequence[CaseResult], proposal: Sequence[CaseResult]) -> Pairs:
    """The cases with the same id and the same content, each of them once in either report, and with its trials.

    Where no case has an identity, those with the same input stand side by side.
    """
    issues = list(dict.fromkeys(_doubts([*baseline, *proposal])))
    if not any(case.case_id or case.case_digest for case in (*baseline, *proposal)):
        return Pairs(*pair_by_input(baseline, proposal), issues)
    names = (list(map(_name, baseline)), list(map(_name, proposal)))
    found = paired(baseline, proposal, names, lambda case: case.case_digest)
    return Pairs(found.both, found.added, found.removed, [*issues, *pair_issues(found)])


def pair_by_input(
    baseline: Sequence[CaseResult], proposal: Sequence[CaseResult]
) -> tuple[list[Pair], list[CaseResult], list[CaseResult]]:
    """The cases with the same input, those that repeat it in the order in which they do; added; removed."""
    inputs = [numbered(str(case.case_input) for case in side) for side in (baseline, proposal)]
    found = paired(baseline, proposal, (inputs[0], inputs[1]))
    return found.both, found.added, found.removed


def _doubts(cases: Sequence[CaseResult]) -> Iterable[str]:
    for case in cases:
        yield from trial_integrity_issues(case)
    if unnamed := sum(not case.case_id or not case.case_digest or bool(case.evidence_error) for case in cases):
        yield f"{unnamed:,} cases have no identity, or what was seen of them is not complete"
    if lost := sum(bool(case.case_id or case.case_digest) and not case.trials for case in cases):
        yield f"{lost:,} cases have no trials"


def _name(case: CaseResult) -> str | None:
    """The id of a case that can be told from others."""
    return case.case_id if case.case_digest is not None and not case.evidence_error else None
