"""From what people name or hand over to a plan; judges are loaded only where a plan has some."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import as_evaluator
from ringtrue.evaluators.spec import build
from ringtrue.runner.plan import Plan

if TYPE_CHECKING:
    from ringtrue.models.cache import ResponseCache


def plan_for(
    evaluators: Any,
    judge: Any = None,
    judge_model: str | Sequence[str] = "",
    *,
    judge_timeout: float | None = None,
    criteria: Sequence[str] = (),
) -> Plan:
    """The plan of specs, evaluators of any dialect, and functions; one of them may be passed without a list."""
    several = evaluators if isinstance(evaluators, Iterable) and not isinstance(evaluators, str) else [evaluators]
    built = tuple(build(item) if isinstance(item, str) else as_evaluator(item) for item in several)
    if not built and criteria:
        from ringtrue.runner.judges import judged_by

        return Plan(judged_by((), judge, judge_model, timeout=judge_timeout, criteria=criteria))
    return with_judge(Plan(built), judge, judge_model, judge_timeout=judge_timeout, criteria=criteria)


def with_judge(
    plan: Plan,
    judge: Any,
    judge_model: str | Sequence[str],
    *,
    judge_timeout: float | None = None,
    criteria: Sequence[str] = (),
) -> Plan:
    """A plan whose judged evaluators know which model they ask; a `judge` that is an evaluator joins them.

    `criteria` are judged by one more `check_criteria`.
    """
    if callable(getattr(judge, "measure", None)):
        return replace(plan, evaluators=(*plan.evaluators, judge))
    if not judge and not criteria and not plan.has_awaited:
        if judge_model:
            raise ConfigurationError(
                f"no evaluator asks the judge {_names(judge_model)}; add its address: --judge-url (judge= in Python)",
                parameter="judge_model",
                value=judge_model,
            )
        return plan
    from ringtrue.runner.judges import judged_by

    judged = judged_by(plan.evaluators, judge, judge_model, timeout=judge_timeout, criteria=criteria)
    return replace(plan, evaluators=judged)


def _names(judge_model: str | Sequence[str]) -> str:
    return ", ".join(map(repr, [judge_model] if isinstance(judge_model, str) else judge_model))


def prepare_judges(plan: Plan, max_cost: float | None) -> None:
    """Find out before the first call what a judge would find out at it."""
    if plan.has_awaited:
        from ringtrue.runner.judges import prepare

        prepare(plan, max_cost)


def measured_at_once(plan: Plan, otherwise: int) -> int:
    """Return the number of trials to measure at the same time: as many as judges take, else as the caller says."""
    if not plan.has_awaited:
        return otherwise
    from ringtrue.runner.judges import judged_at_once

    return judged_at_once(plan)


def with_memory(plan: Plan, cache: ResponseCache | None) -> AbstractAsyncContextManager[Plan]:
    """The plan with judges that are asked each question once and for all."""
    if not plan.has_awaited:
        return nullcontext(plan)
    from ringtrue.runner import judges

    return judges.with_memory(plan, cache)
