"""`generate_contrast_pairs`: to a case with a true answer, its twin with a false one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from multivon_eval import discover
from multivon_eval.case import EvalCase
from multivon_eval.case_gates import GenerationReport, gate_duplicate
from multivon_eval.evaluators import llm_judge
from multivon_eval.exceptions import MultivonError
from multivon_eval.judge import JudgeConfig, resolve_judge
from multivon_eval.provenance import read_provenance, stamp_metadata_inplace
from multivon_eval.spending import Spending
from multivon_eval.spoken import warn
from ringtrue.authoring.twins import can_have_twin
from ringtrue.authoring.twins import twins as ringtrue_twins


def generate_contrast_pairs(
    cases: Sequence[EvalCase], judge: JudgeConfig | None = None, verify: bool = True, budget_usd: float = 1.0
) -> tuple[list[EvalCase], GenerationReport]:
    """The twins of the cases that have a context and an expected output, and what became of all that were made.

    With `verify`, a twin counts only where Faithfulness says that it is false. Both cases of a pair get one `pair_id`.
    No twin is begun once the judge has cost more than the budget; what an unpriced judge costs, nobody knows.
    """
    able = [case for case in cases if can_have_twin(case)]
    report = GenerationReport(len(able), kind="contrast")
    twins: list[EvalCase] = []
    spending = Spending(budget_usd, discover._call_judge, discover._estimate_cost)
    with spending.watched():
        for place, case in enumerate(able):
            if spending.total > budget_usd:
                warn(f"the budget is spent; {len(able) - place} cases have no twin")
                break
            _pair(case, judge, verify, twins, report, spending)
    report.accepted = len(twins)
    return twins, report


def _pair(
    case: EvalCase,
    judge: JudgeConfig | None,
    verify: bool,
    twins: list[EvalCase],
    report: GenerationReport,
    spending: Spending,
) -> None:
    (wanted,) = ringtrue_twins([case])
    try:
        said = spending.asked(resolve_judge(judge), *wanted.spelled())
    except Exception as error:  # whatever the judge does, one case costs no other its twin
        warn(f"no twin of {case.input[:60]!r}: {error}")
        return
    made = next((twin for twin in map(wanted.make, wanted.read(said)) if twin.input), None)
    if made is None:
        return
    report.generated += 1
    score = _score(case, made.metadata["unfaithful_answer"], judge) if verify else None
    if verify and score is None:
        report.dropped_unverified += 1
        return
    twin = EvalCase(case.input, context=case.context, metadata=_about(case, made.metadata, verify, score))
    if not gate_duplicate(twin, twins).passed:
        report.dropped_duplicate += 1
        return
    case.metadata["pair_id"] = twin.metadata["pair_id"]
    twins.append(twin)


def _score(case: EvalCase, answer: str, judge: JudgeConfig | None) -> float | None:
    """How faithful a twin is, where that is too little; None where it is not, or where nobody can tell."""
    check = llm_judge.Faithfulness(judge=judge)
    try:
        found = check.evaluate(EvalCase(case.input, context=case.context), answer)
    except (MultivonError, ValueError):
        return None
    return None if found.metadata.get("skipped") or found.passed else float(found.score)


def _about(case: EvalCase, made: dict[str, Any], verified: bool, score: float | None) -> dict[str, Any]:
    status, stamp = read_provenance(case.metadata)
    about: dict[str, Any] = {
        **{name: made[name] for name in ("pair_id", "unfaithful_answer", "changed_fact", "expected_behavior")},
        "generation": {
            "kind": "contrast",
            "expectation": "fail",
            "verified": verified,
            "judge_score": score,
            "source_case_uid": stamp.get("case_uid") if status == "ok" and stamp else None,
        },
    }
    stamp_metadata_inplace(about, authored_by="generator:contrast", git={})
    return about
