"""Which cases of two reports are the same case, and why that may not be known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from multivon_eval.case_result import CaseResult
from multivon_eval.trials import trial_integrity_issues

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
    sides = (("baseline", baseline), ("proposal", proposal))
    counts = [Counter(case.case_id for case in cases if case.case_id) for _, cases in sides]
    for (side, _), count in zip(sides, counts, strict=True):
        if repeated := sum(number for number in count.values() if number > 1):
            issues.append(f"Duplicate: {repeated:,} cases of the {side} cannot be told apart")
    known = {case.case_id: case for case in baseline if case.case_id and _is_one(case, counts)}
    paired, changed = [], 0
    for new in proposal:
        old = known.get(new.case_id or "") if _is_one(new, counts) else None
        if old is not None and old.case_digest == new.case_digest:
            paired.append((old, new))
        changed += old is not None and old.case_digest != new.case_digest
    if changed:
        issues.append(f"{changed:,} cases of the same id have another content")
    before, after = ({id(pair[side]) for pair in paired} for side in (0, 1))
    added = [case for case in proposal if id(case) not in after]
    return Pairs(paired, added, [case for case in baseline if id(case) not in before], issues)


def pair_by_input(
    baseline: Sequence[CaseResult], proposal: Sequence[CaseResult]
) -> tuple[list[Pair], list[CaseResult], list[CaseResult]]:
    """The cases with the same input, those that repeat it in the order in which they do; added; removed."""
    left: dict[str, list[CaseResult]] = {}
    for case in baseline:
        left.setdefault(str(case.case_input), []).append(case)
    paired, added = [], []
    for new in proposal:
        same = left.get(str(new.case_input))
        if same:
            paired.append((same.pop(0), new))
        else:
            added.append(new)
    return paired, added, [case for same in left.values() for case in same]


def _doubts(cases: Sequence[CaseResult]) -> Iterable[str]:
    for case in cases:
        yield from trial_integrity_issues(case)
    if unnamed := sum(not case.case_id or not case.case_digest or bool(case.evidence_error) for case in cases):
        yield f"{unnamed:,} cases have no identity, or what was seen of them is not complete"
    if lost := sum(bool(case.case_id or case.case_digest) and not case.trials for case in cases):
        yield f"{lost:,} cases have no trials"


def _is_one(case: CaseResult, counts: Sequence[Counter[str]]) -> bool:
    alone = all(count[case.case_id or ""] <= 1 for count in counts)
    return alone and case.case_digest is not None and not case.evidence_error
