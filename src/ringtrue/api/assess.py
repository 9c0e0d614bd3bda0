"""`assess`: several evaluations of one transcript."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.dialects.evaluation_output import EvaluationOutput, evaluation_output
from ringtrue.dialects.transcripts import item_list, trial_of_messages
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import as_evaluator
from ringtrue.evaluators.judged.judge import Judged
from ringtrue.evaluators.spec import find
from ringtrue.identity import name_of
from ringtrue.models.client.providers import from_env
from ringtrue.models.model import Model
from ringtrue.models.structured.structured_model import Asker
from ringtrue.require import require_count
from ringtrue.sync import synchronous

Assessing = Callable[[Sequence[Any], Sequence[Any]], Awaitable[Any]]


async def assess(
    messages: Sequence[Any],
    tools: Sequence[Any] | None = None,
    evaluations: Sequence[Any] = (),
    evaluation_configs: Mapping[str, Any] | None = None,
    max_concurrency: int = 4,
    *,
    model: Model | Asker | None = None,
) -> list[EvaluationOutput]:
    """The result of each evaluation of a transcript, in the order asked for; one that fails says so in its place.

    `evaluations` are names, evaluators, or classes; a class is made with its entry of `evaluation_configs`, which is
    keyed by evaluation name or class name and holds a config object or a dict of settings. A name that is unknown or a
    config that does not fit raises before the first call. Chat-completions and Responses transcripts are read alike.
    `model` is asked by all evaluations that were not given one; without it, the provider that each config names.
    """
    plan = _plan(evaluations, evaluation_configs or {}, model)
    require_count("max_concurrency", max_concurrency)
    places = asyncio.Semaphore(max_concurrency)
    story, given = item_list(messages), item_list(tools or (), "tools")

    async def one(planned: _Planned) -> EvaluationOutput:
        async with places:
            return await planned.output(story, given)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(planned)) for planned in plan]
    return [task.result() for task in tasks]


assess_sync = synchronous(assess, "assess_sync")
assess_sync.__doc__ = """`assess` for a caller that does not await, with or without a running event loop."""


@dataclass(frozen=True)
class _Planned:
    name: str
    assessing: Assessing

    async def output(self, messages: Sequence[Any], tools: Sequence[Any]) -> EvaluationOutput:
        try:
            found = await self.assessing(messages, tools)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # Nobody cancelled this: the evaluation let through what became of a task of its own.
            return EvaluationOutput(self.name, False, 0.0, None, {"error": "CancelledError: it gave up"}, "error")
        except Exception as error:  # a user's evaluation may raise anything; it never hides another's result
            reason = f"{type(error).__name__}: {error}"
            return EvaluationOutput(self.name, False, 0.0, None, {"error": reason}, "error")
        if isinstance(found, EvaluationOutput) or hasattr(found, "applicable"):
            return found  # type: ignore[no-any-return]
        reason = f"it returned {type(found).__name__}, not an EvaluationOutput"
        return EvaluationOutput(self.name, False, 0.0, None, {"error": reason}, "error")


def _plan(evaluations: Sequence[Any], configs: Mapping[str, Any], model: Model | Asker | None) -> list[_Planned]:
    if isinstance(evaluations, (str, bytes)) or not isinstance(evaluations, Sequence) or not evaluations:
        raise ConfigurationError(
            f"evaluations must be a list of names, evaluators or classes; got {evaluations!r}",
            parameter="evaluations",
            value=evaluations,
        )
    if not isinstance(configs, Mapping):
        raise ConfigurationError(
            f"evaluation_configs must be a dict of configs by evaluation; got {configs!r}",
            parameter="evaluation_configs",
            value=configs,
        )
    shared = _Shared(model if isinstance(model, Asker) or model is None else Asker(model))
    known = {one if isinstance(one, str) else getattr(one, "__name__", "") for one in evaluations}
    stray = next((name for name in configs if name not in known), None)
    if stray is not None:
        raise ConfigurationError(
            f"evaluation_configs has {stray!r}, which is none of the evaluations by name or class",
            parameter="evaluation_configs",
            value=stray,
        )
    return [_planned(one, configs, shared) for one in evaluations]


def _planned(item: Any, configs: Mapping[str, Any], shared: _Shared) -> _Planned:
    if isinstance(item, str):
        made = _made(find(item), configs.get(item), shared)
    elif isinstance(item, type):
        made = _made(item, configs.get(item.__name__), shared)
    else:
        made = item
    spoken = getattr(made, "evaluate", None)
    if callable(spoken) and (inspect.iscoroutinefunction(spoken) or "messages" in inspect.signature(spoken).parameters):
        if isinstance(made, Judged):
            made.prepare()
        return _Planned(name_of(made), _awaiting(spoken))
    evaluator = as_evaluator(made)
    if hasattr(made, "prepare"):
        made.prepare()

    async def measured(messages: Sequence[Any], tools: Sequence[Any]) -> EvaluationOutput:
        score: Any = evaluator.measure(trial_of_messages(messages, tools))
        return evaluation_output(evaluator.name, await score if inspect.isawaitable(score) else score)

    return _Planned(evaluator.name, measured)


def _awaiting(spoken: Callable[..., Any]) -> Assessing:
    async def called(messages: Sequence[Any], tools: Sequence[Any]) -> Any:
        found = spoken(messages, tools)
        return await found if inspect.isawaitable(found) else found

    return called


@dataclass
class _Shared:
    """One asker for all evaluations at one provider: one pool of connections, one memory of what it supports."""

    given: Asker | None
    made: dict[str, Asker] = field(default_factory=dict)

    def asker(self, provider: Any) -> Asker:
        if self.given is not None:
            return self.given
        if provider not in self.made:
            self.made[provider] = Asker(from_env(provider))
        return self.made[provider]


def _made(kind: Any, config: Any, shared: _Shared) -> Any:
    """The evaluator of a class; one that takes a `config` gets it, any other gets a dict's entries by name."""
    try:
        takes = inspect.signature(kind).parameters
    except ValueError as error:
        raise ConfigurationError(f"{kind!r} is no evaluation: {error}", parameter="evaluations", value=kind) from error
    try:
        if isinstance(kind, type) and issubclass(kind, Judged) and "config" in takes:
            first = kind(config)
            return kind(first.config, model=shared.asker(first.config.provider))
        if "config" in takes:
            return kind(config=config)
        if config is None or isinstance(config, Mapping):
            settings = dict(config or {})
            if shared.given is not None and "base_url" in takes:
                settings.setdefault("base_url", shared.given)
            return kind(**settings)
    except TypeError as error:
        raise ConfigurationError(
            f"{name_of(kind)} does not take its config: {error}", parameter="evaluation_configs", value=config
        ) from error
    raise ConfigurationError(
        f"{name_of(kind)} takes no config object; give a dict of its settings",
        parameter="evaluation_configs",
        value=config,
    )
