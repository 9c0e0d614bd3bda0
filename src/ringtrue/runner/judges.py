"""The models that judged evaluators of a run ask, and where the replies are kept."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator
from ringtrue.evaluators.by_case import ByCase
from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.judge_panel import JudgePanel
from ringtrue.evaluators.judged.llm_judge import LLMJudge, LLMJudgeConfig
from ringtrue.models.cache import CachedModel, ResponseCache
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.client.prices import Prices
from ringtrue.models.client.providers import from_env
from ringtrue.models.function_model import ModelFunction
from ringtrue.models.model import LOCAL as LOCAL
from ringtrue.models.model import Model, has_address, innermost
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.runner.plan import Plan

IN_FLIGHT = 16
"""How many trials are judged at once; a model in this process takes one at a time."""

JudgeModel: TypeAlias = Model | StructuredModel | ModelFunction | str
"""A model, or a function of the prompt that returns text; `local`, `local:PATH.gguf` or an address stand for one."""
Judges: TypeAlias = JudgeModel | list[JudgeModel] | tuple[JudgeModel, ...]


def judged_by(
    evaluators: Sequence[Evaluator],
    judge: Judges | None = None,
    model: str | Sequence[str] = "",
    *,
    timeout: float | None = None,
    criteria: Sequence[str] = (),
) -> tuple[Evaluator, ...]:
    """The evaluators with their models: the one each was given, else the judge, else its provider's.

    A judge without anybody to ask it gets an LLMJudge, and so does each further one. `model` is the name it is asked
    for, where an evaluator does not say its own, and `timeout` how many seconds an attempt at it may take, likewise.
    `criteria` are judged by one more `check_criteria`.
    """
    if criteria:
        asked: Any = CheckCriteriaEvaluator(criteria=list(criteria))
        evaluators = (*evaluators, asked)
    names = [model] if isinstance(model, str) else list(model) or [""]
    judges = list(_judges(judge, names))
    providers = ProviderModels(judges[0][0] if judges else None)

    def give_model(one: Judge) -> Judge:
        one = one.patient(timeout)
        if one.has_own_model:
            return one
        return one.asking(providers.structured_model(one.config.provider), names[0])

    found = [_change_judges(evaluator, give_model) for evaluator in evaluators]
    unasked = judges if not any(map(_members, evaluators)) else judges[1:]
    for number, (structured_model, name) in enumerate(unasked, len(judges) - len(unasked) + 1):
        own = f"llm_judge_{number}" if number > 1 else ""
        found.append(LLMJudge(structured_model, name or LLMJudgeConfig.model, timeout=timeout, name=own))
    return tuple(found)


def prepare(plan: Plan, max_cost: float | None = None) -> None:
    """Find every judge's model before the first call; with a limit on cost its price must be known."""
    prices = Prices.from_env()
    for one in (one for evaluator in plan.evaluators for one in _members(evaluator)):
        named = [getattr(one.config, item.name) for item in fields(one.config) if item.name.endswith("model")]
        for target in map(one.structured_model().target, named):
            require_price(max_cost, *target, repr(one.name), prices)


def require_price(max_cost: float | None, endpoint: str, model: str, who: str, prices: Prices) -> None:
    """Raise a ConfigurationError if cost has a limit and a judge's model has no known price."""
    if max_cost is not None and not endpoint.startswith(f"{LOCAL}:") and not prices.knows(model, endpoint):
        raise ConfigurationError(
            f"--max-cost needs prices, and the price of {model!r}, which {who} asks, is not known; add it to a price "
            "table and name that in RINGTRUE_PRICES, or use --max-tokens",
            parameter="max_cost",
            value=max_cost,
        )


def judge_endpoints(plan: Plan) -> list[Endpoint]:
    """The endpoints that the judges of a plan ask."""
    asked = (innermost(one.structured_model().model) for evaluator in plan.evaluators for one in _members(evaluator))
    return list({id(one): one for one in asked if isinstance(one, Endpoint)}.values())


def judged_at_once(plan: Plan) -> int:
    """Return the number of trials to judge at the same time, unless the caller sets it."""
    targets = [one.structured_model().target()[0] for evaluator in plan.evaluators for one in _members(evaluator)]
    return 1 if any(target.startswith(f"{LOCAL}:") for target in targets) else IN_FLIGHT


@asynccontextmanager
async def with_memory(plan: Plan, cache: ResponseCache | None) -> AsyncIterator[Plan]:
    """The plan with judges that are asked each question once and for all; their connections end with the block.

    A model without an address is code, which may change behind its name: its replies are not kept.
    """
    twins = _Twins(cache)
    try:
        yield replace(
            plan, evaluators=tuple(_change_judges(evaluator, twins.with_memory) for evaluator in plan.evaluators)
        )
    finally:
        for structured_model in twins.structured_models.values():
            if isinstance(structured_model.model, Endpoint):
                await structured_model.model.close()


def with_cache(structured_model: StructuredModel, cache: ResponseCache | None) -> StructuredModel:
    """One whose model is asked each question once and for all, unless it has no address."""
    if cache is None or not has_address(structured_model.model):
        return structured_model
    twin = copy(structured_model)
    twin.model = CachedModel(structured_model.model, cache)
    return twin


@dataclass
class _Twins:
    """Models with a cache, one for each without: evaluators that share one go on to do so."""

    cache: ResponseCache | None
    structured_models: dict[int, StructuredModel] = field(default_factory=dict)
    cached: dict[int, StructuredModel] = field(default_factory=dict)

    def with_memory(self, one: Judge) -> Judge:
        structured_model = one.structured_model()
        if id(structured_model) not in self.structured_models:
            self.structured_models[id(structured_model)] = structured_model
            self.cached[id(structured_model)] = with_cache(structured_model, self.cache)
        return one.asking(self.cached[id(structured_model)])


@dataclass
class ProviderModels:
    """One model for all evaluators at one provider: one pool of connections, one limiter, one memory; or one given."""

    given: StructuredModel | None = None
    made: dict[str, StructuredModel] = field(default_factory=dict)

    def structured_model(self, provider: Any) -> StructuredModel:
        """The model of a provider, whose address and key are in the environment."""
        if self.given is None and provider not in self.made:
            self.made[provider] = StructuredModel(from_env(provider))
        return self.given or self.made[provider]


def _judges(judge: Judges | None, names: list[str]) -> Iterator[tuple[StructuredModel, str]]:
    several = list(judge) if isinstance(judge, (list, tuple)) else [] if judge is None else [judge]
    if len(names) > max(1, len(several)):
        raise ConfigurationError(f"{len(names)} models for {len(several)} judges", parameter="judge_model", value=names)
    for number, one in enumerate(several):
        yield structured_model_of(one), names[min(number, len(names) - 1)]


def structured_model_of(judge: JudgeModel) -> StructuredModel:
    """A model, asked for values; `local`, `local:PATH.gguf` or an address stand for one."""
    if isinstance(judge, StructuredModel):
        return judge
    if not isinstance(judge, str):
        return StructuredModel(judge)
    kind, _, path = judge.partition(":")
    if kind == LOCAL:
        from ringtrue.models.local.local_model import LocalModel

        return StructuredModel(LocalModel(path or None))
    return StructuredModel(Endpoint.from_env(judge, prices=Prices.from_env()))


def _members(evaluator: Any) -> list[Judge]:
    """The judged evaluators in an evaluator."""
    found: list[Judge] = []

    def note(one: Judge) -> Judge:
        found.append(one)
        return one

    _change_judges(evaluator, note)
    return found


def _change_judges(evaluator: Any, change: Callable[[Judge], Judge]) -> Any:
    """An evaluator with every judged one in it changed."""
    if isinstance(evaluator, Judge):
        return change(evaluator)
    if isinstance(evaluator, JudgePanel):
        panel = copy(evaluator)
        panel.judges = tuple(change(one) for one in evaluator.judges)
        return panel
    if isinstance(evaluator, ByCase):
        return replace(
            evaluator, members={case: _change_judges(one, change) for case, one in evaluator.members.items()}
        )
    return evaluator
