"""`assess`: several evaluations of one transcript."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.dialects.evaluation_output import EvaluationOutput, evaluation_output, score_of_output
from ringtrue.dialects.transcripts import item_list, trial_of_messages
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import as_evaluator
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.parts import threshold_of
from ringtrue.evaluators.spec import build, find
from ringtrue.identity import name_of
from ringtrue.models.model import Model
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.records import DatasetInfo, Row, Run, Score, Trial
from ringtrue.require import require_count
from ringtrue.runner.headline import with_headlines
from ringtrue.runner.job import ReplayJob
from ringtrue.runner.journal import KeepNothing
from ringtrue.runner.judges import ProviderModels
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan
from ringtrue.sync import synchronous
from ringtrue.systems.replay import Replay

Assessing = Callable[[Sequence[Any], Sequence[Any]], Awaitable[Any]]


class Assessments(list[EvaluationOutput]):
    """The result of each evaluation, in the order asked for; a view of the `run` they are part of."""

    def __init__(self, outputs: Iterable[EvaluationOutput], run: Run) -> None:
        super().__init__(outputs)
        self.run = run


async def assess(
    messages: Sequence[Any],
    tools: Sequence[Any] | None = None,
    evaluations: Sequence[Any] = (),
    evaluation_configs: Mapping[str, Any] | None = None,
    max_concurrency: int = 4,
    *,
    model: Model | StructuredModel | None = None,
) -> Assessments:
    """Evaluate a transcript and return one result per evaluation, in order; one that fails is an `error` result.

    `evaluations` are names (`"word_count(max_words=100)"` has settings), evaluators or classes. `evaluation_configs`
    maps an evaluation's name or class name to its config object or a dict of settings. An unknown name or a wrong
    config raises before the first call. Transcripts of chat completions and of the Responses API both work. `model`
    serves all evaluations that have no model; without it, each config names its provider.
    """
    plan = _plan(evaluations, evaluation_configs or {}, model)
    require_count("max_concurrency", max_concurrency)
    story, given = item_list(messages), item_list(tools or (), "tools")
    evaluators: list[Any] = [_Assessment(f"{one.name}{place}", one, story, given) for one, place in _with_numbers(plan)]
    row = Row(trial=trial_of_messages(story, given), scores={}, system=TRANSCRIPT)
    infos = Plan(tuple(evaluators))
    job = ReplayJob(
        systems=[Replay(name=TRANSCRIPT)],
        cases=[row.trial.case],
        answers=[row],
        plan=infos,
        options=Options(store=None, evaluator_workers=max_concurrency, progress=False),
        datasets=with_headlines([DatasetInfo("", cases=1)], infos.infos),
        kind="assess",
    )
    run = await job.run(KeepNothing())
    scores = next(iter(run.rows)).scores
    return Assessments([one.output or evaluation_output(one.planned.name, scores[one.name]) for one in evaluators], run)


assess_sync = synchronous(assess, "assess_sync")
assess_sync.__doc__ = """`assess` without `await`; it also works inside a running event loop."""

TRANSCRIPT = "transcript"
"""The system whose answer a transcript ends with."""


@dataclass(frozen=True)
class _PlannedEvaluation:
    name: str
    assessing: Assessing
    evaluator: Any


@dataclass
class _Assessment:
    """One evaluation of one transcript, as an evaluator of the run; it keeps what the evaluation returned."""

    name: str
    planned: _PlannedEvaluation
    messages: Sequence[Any]
    tools: Sequence[Any]
    output: EvaluationOutput | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.name,)

    async def measure(self, trial: Trial) -> Score:
        found = await self.planned.assessing(self.messages, self.tools)
        if not isinstance(found, EvaluationOutput) and not hasattr(found, "applicable"):
            return Score.error(f"it returned {type(found).__name__}, not an EvaluationOutput", kind="evaluator_error")
        self.output = found
        return score_of_output(found)

    @property
    def threshold(self) -> float:
        return threshold_of(self.planned.evaluator)

    def signature(self) -> str:
        own = getattr(self.planned.evaluator, "signature", None)
        return str(own()) if callable(own) else self.name


def _with_numbers(plan: Sequence[_PlannedEvaluation]) -> Iterator[tuple[_PlannedEvaluation, str]]:
    """Each evaluation, with what tells it apart from an earlier one of its name."""
    seen: Counter[str] = Counter()
    for one in plan:
        seen[one.name] += 1
        yield one, f" ({seen[one.name]})" if seen[one.name] > 1 else ""


def _plan(
    evaluations: Sequence[Any], configs: Mapping[str, Any], model: Model | StructuredModel | None
) -> list[_PlannedEvaluation]:
    if isinstance(evaluations, (str, bytes)) or not isinstance(evaluations, Sequence) or not evaluations:
        raise ConfigurationError(
            f"evaluations must be a list of one evaluator or more, such as ['tool_usage']; got {evaluations!r}",
            parameter="evaluations",
            value=evaluations,
        )
    if not isinstance(configs, Mapping):
        raise ConfigurationError(
            f"evaluation_configs must be a dict of configs by evaluation; got {configs!r}",
            parameter="evaluation_configs",
            value=configs,
        )
    shared = ProviderModels(model if isinstance(model, StructuredModel) or model is None else StructuredModel(model))
    known = {one if isinstance(one, str) else getattr(one, "__name__", "") for one in evaluations}
    stray = next((name for name in configs if name not in known), None)
    if stray is not None:
        raise ConfigurationError(
            f"evaluation_configs has {stray!r}, which is not the name or class of an evaluation",
            parameter="evaluation_configs",
            value=stray,
        )
    return [_plan_of(one, configs, shared) for one in evaluations]


def _plan_of(item: Any, configs: Mapping[str, Any], shared: ProviderModels) -> _PlannedEvaluation:
    if isinstance(item, str):
        made = build(item) if "(" in item else _build(find(item), configs.get(item))
    elif isinstance(item, type):
        made = _build(item, configs.get(item.__name__))
    else:
        made = item
    if isinstance(made, Judge) and not made.has_own_model:
        made = made.asking(shared.structured_model(made.config.provider))
    spoken = getattr(made, "evaluate", None)
    if callable(spoken) and (inspect.iscoroutinefunction(spoken) or "messages" in inspect.signature(spoken).parameters):
        if isinstance(made, Judge):
            made.prepare()
        return _PlannedEvaluation(name_of(made), _awaiting(spoken), made)
    evaluator = as_evaluator(made)
    if hasattr(made, "prepare"):
        made.prepare()

    async def measure(messages: Sequence[Any], tools: Sequence[Any]) -> EvaluationOutput:
        score: Any = evaluator.measure(trial_of_messages(messages, tools))
        return evaluation_output(evaluator.name, await score if inspect.isawaitable(score) else score)

    return _PlannedEvaluation(evaluator.name, measure, evaluator)


def _awaiting(spoken: Callable[..., Any]) -> Assessing:
    async def call(messages: Sequence[Any], tools: Sequence[Any]) -> Any:
        found = spoken(messages, tools)
        return await found if inspect.isawaitable(found) else found

    return call


def _build(kind: Any, config: Any) -> Any:
    """The evaluator of a class; one that takes a `config` gets it, any other gets a dict's entries by name."""
    try:
        takes = inspect.signature(kind).parameters
    except ValueError as error:
        raise ConfigurationError(
            f"{kind!r} is not an evaluation: {error}", parameter="evaluations", value=kind
        ) from error
    try:
        if "config" in takes:
            return kind(config=config)
        if config is None or isinstance(config, Mapping):
            return kind(**(config or {}))
    except TypeError as error:
        raise ConfigurationError(
            f"{name_of(kind)} does not take its config: {error}", parameter="evaluation_configs", value=config
        ) from error
    raise ConfigurationError(
        f"{name_of(kind)} takes no config object; give a dict of its settings",
        parameter="evaluation_configs",
        value=config,
    )
