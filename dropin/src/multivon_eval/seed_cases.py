"""`generate_seed_cases`: cases for a product's most likely weakness, in batches, gated, and within a budget."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from multivon_eval import auto
from multivon_eval.case import EvalCase
from multivon_eval.case_gates import GenerationReport, Sieve, gate_hardness
from multivon_eval.exceptions import MultivonError
from multivon_eval.judge import JudgeConfig, resolve_judge
from multivon_eval.spending import cost_of_tokens
from multivon_eval.spoken import say
from multivon_eval.trace_summary import ProductShape
from ringtrue.authoring.weaknesses import unlike
from ringtrue.evaluators.judged.config import require_count

__all__ = ["BATCH", "BUDGET_USD", "MOST", "generate_seed_cases", "require_budget"]

BATCH, MOST, BUDGET_USD = 30, 500, 2.0
_SENT, _RECEIVED_PER_CASE = 2_000, 150
_WEAKNESSES: dict[ProductShape, str] = {
    "agent": "tool_misuse",
    "trajectory": "tool_misuse",
    "conversation": "off_topic",
    "structured_output": "format_violation",
    "bare": "off_topic",
}


def generate_seed_cases(
    description: str,
    shape: ProductShape,
    *,
    n: int = 30,
    judge: JudgeConfig | None = None,
    batch_size: int = BATCH,
    budget_usd: float = BUDGET_USD,
    validate_cases: bool = False,
    baseline_model_fn: Callable[[str], str] | None = None,
    n_shots: int = 3,
    hardness_band: tuple[float, float] = (0.5, 1.0),
) -> tuple[list[EvalCase], float, GenerationReport]:
    """Up to n cases about a product, about what they cost, and what became of all that were made.

    Later batches are told what is taken. A batch that the judge does not write ends the making; what is there is kept.
    With `validate_cases` and a baseline model, cases stay that this model fails about as often as the band says.
    """
    resolved = resolve_judge(judge)
    require_budget(resolved, n, batch_size, budget_usd)
    report = GenerationReport(n, hardness_band=(hardness_band[0], hardness_band[1]))
    sieve: Sieve[EvalCase] = Sieve(report)
    accepted, cost = sieve.cases, 0.0
    batches = -(-n // batch_size)
    for batch in range(1, batches + 1):
        told = unlike(description, (case.input for case in accepted))
        wanted = min(batch_size, n - (batch - 1) * batch_size)
        try:
            made = auto.generate_adversarial_cases(
                told, _WEAKNESSES.get(shape, "ungrounded_claim"), wanted, judge=judge
            )
        except MultivonError as error:
            _say(f"seed-case batch {batch}/{batches} was not written, and no other is asked for: {error}")
            break
        report.n_batches = batch
        report.generated += len(made)
        cost += cost_of_tokens(resolved, _SENT, _RECEIVED_PER_CASE * len(made))
        before = len(accepted)
        for case in made:
            if sieve.admit(case):
                passed = ["well_formed", "duplicate"]
                case.metadata["generation"] = {"batch": batch, "gates_passed": passed, "hardness": None}
        kept = len(accepted) - before
        _say(f"seed-case batch {batch}/{batches}: {len(made)} generated, {kept} accepted ({len(accepted)} in all)")
    if validate_cases and baseline_model_fn is not None:
        accepted = _hard(accepted, baseline_model_fn, n_shots, judge, report)
    elif validate_cases:
        report.hardness_skip_reason = "no baseline model: give baseline_model_fn, or --baseline-model-file"
    report.accepted = len(accepted)
    return accepted, round(cost, 4), report


def require_budget(judge: JudgeConfig, n: int, batch_size: int, budget_usd: float) -> None:
    """Raise ValueError before anything is spent if so many cases cannot be made, or would cost too much."""
    require_count("n_seed_cases", n)
    require_count("batch_size", batch_size)
    if n > MOST:
        raise ValueError(f"{n} seed cases are above the hard cap of {MOST}: make them in several runs")
    batches = -(-n // batch_size)
    cost = batches * cost_of_tokens(judge, _SENT, _RECEIVED_PER_CASE * batch_size)
    if cost > budget_usd:
        raise ValueError(
            f"{n} seed cases in {batches} batches would cost about ${cost:.2f}, above the budget of ${budget_usd:.2f}; "
            f"nothing was spent: ask for fewer, or raise it by --budget-usd {cost:.2f} (budget_usd={cost:.2f})"
        )


def _hard(
    cases: Sequence[EvalCase],
    baseline: Callable[[str], str],
    shots: int,
    judge: JudgeConfig | None,
    report: GenerationReport,
) -> list[EvalCase]:
    """The cases that a model fails often enough, and how often it did in their metadata."""
    report.hardness_skipped, report.hardness_skip_reason = False, ""
    kept, rates = gate_hardness(cases, baseline, n_shots=shots, hardness_band=report.hardness_band, judge=judge)
    failed: dict[int, Any] = {id(one.case): one.failure_rate for one in rates}
    for case in kept:
        made = case.metadata["generation"]
        made["hardness"] = failed[id(case)]
        made["gates_passed"].append("hardness")
    report.dropped_hardness = len(cases) - len(kept)
    return kept


def _say(text: str) -> None:
    say(f"[bootstrap] {text}", sys.stderr)
