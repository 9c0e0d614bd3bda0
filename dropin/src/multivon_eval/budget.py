"""`Budget`: what a run may take."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from multivon_eval.case_result import CaseResult
from multivon_eval.gate import EvalGateFailure
from ringtrue.evaluators.check import is_number

if TYPE_CHECKING:
    from multivon_eval.costs import Costs


class Budget:
    """Adds to a report what its run may take."""

    case_results: Sequence[CaseResult]
    costs: Costs | None

    def assert_budget(
        self,
        *,
        max_total_cost_usd: float | None = None,
        max_avg_cost_per_case_usd: float | None = None,
        max_total_tokens: int | None = None,
        max_p95_latency_ms: float | None = None,
        max_avg_latency_ms: float | None = None,
    ) -> None:
        """Raise where a limit is passed, or where nobody counted what it limits."""
        latencies = sorted(case.latency_ms for case in self.case_results)
        whole = self.costs if self.costs is not None and self.costs.complete else None
        cost, tokens = (getattr(whole, name, None) for name in ("total_cost_usd", "total_tokens"))
        each = None if cost is None or not latencies else cost / len(latencies)
        mean = sum(latencies) / len(latencies) if latencies else None
        slow = latencies[ceil(0.95 * len(latencies)) - 1] if latencies else None
        uncounted = "is indeterminate: nobody says that all calls were counted"
        unpriced = f"{uncounted}, or a model has no pricing"
        shared = unpriced if latencies else "is indeterminate: without cases there is no denominator"
        problems = []
        for words, unknown, limit, used in (
            ("Total cost in USD", unpriced, max_total_cost_usd, cost),
            ("Cost per case in USD", shared, max_avg_cost_per_case_usd, each),
            ("Total tokens", uncounted, max_total_tokens, tokens),
            ("p95 latency in ms", "is not known", max_p95_latency_ms, slow),
            ("Avg latency in ms", "is not known", max_avg_latency_ms, mean),
        ):
            if limit is None:
                continue
            if not is_number(limit) or limit < 0:
                raise ValueError(f"a limit is a number of 0 or more; {words} got {limit!r}")
            if used is None or used > limit:
                problems.append(f"{words} {unknown}" if used is None else f"{words} {used:g} exceeds budget {limit:g}")
        if problems:
            raise EvalGateFailure("Budget gate FAILED: " + "; ".join(problems))
