"""`Judge`: what every evaluator that asks a model is."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import fields, is_dataclass, replace
from statistics import fmean
from typing import Any, ClassVar, Literal, Self

from ringtrue._version import __version__
from ringtrue.dialects.evaluation_output import EvaluationOutput, evaluation_output
from ringtrue.dialects.transcripts import NO_ANSWER, since_last_user, trial_of_messages, turns
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.fences import is_visible
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.session import JudgeSession, NoVerdict, summed_usage, with_usage
from ringtrue.evaluators.named_parts import NamedParts
from ringtrue.identity import canonical_json, digest
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.client.prices import Prices
from ringtrue.models.client.providers import address_from_env, from_env
from ringtrue.models.function_model import ModelFunction
from ringtrue.models.model import Model, is_local
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.models.usage import Usage
from ringtrue.records import Json, Score, Trial
from ringtrue.require import require_count, require_number, require_string


class Judge(NamedParts, ABC):
    """An evaluator whose score comes from a model's verdicts.

    `model` is a name, then the provider's address and key are looked up in the environment at the first call unless
    `base_url` and `api_key` say them; or an Endpoint, a LocalModel, a ScriptedModel, a function of the prompt that
    returns text, or a StructuredModel that several evaluators share. `timeout` is how many seconds one attempt may
    take. Settings may be given as a config object or by name. With `repeats`, an evaluation whose value is within
    `repeat_within` of the threshold is made again, up to that many times; the value is the mean, and the agreement is
    reported.
    """

    counts: ClassVar[frozenset[str]] = frozenset()
    """The parts that count something: their zeros are not failures."""
    needs: ClassVar[str]
    formula: ClassVar[str]
    matches: ClassVar[str] = ""
    prompts: ClassVar[tuple[str, ...]]
    config_class: ClassVar[type[BaseEvaluatorConfig]] = BaseEvaluatorConfig
    answers: ClassVar[Literal["text", "text or calls", "none"]] = "text"
    """What an answer is: where there is none, or a blank one, the trial fails without a question to the model."""
    unmeasured: ClassVar[Mapping[str, Json]] = {}
    """The metadata of a trial without a verdict: every outcome has the same keys."""

    def __init__(
        self,
        config: Any = None,
        *,
        model: Model | StructuredModel | ModelFunction | str | None = None,
        base_url: str = "",
        api_key: str | None = None,
        timeout: float | None = None,
        name: str = "",
        repeats: int = 1,
        repeat_within: float = 0.1,
        **settings: Any,
    ) -> None:
        given = {"model": model if isinstance(model, str) else None, "base_url": base_url, "timeout": timeout}
        settings |= {setting: value for setting, value in given.items() if value not in (None, "")}
        self.config: Any = self._merged_config(config, settings)
        self._structured_model = model if isinstance(model, StructuredModel) else None
        if model is not None and not isinstance(model, (str, StructuredModel)):
            self._structured_model = StructuredModel(model)
        self._key = api_key
        require_string("name", name)
        self.take_name(name, self.default_name)
        require_count("repeats", repeats)
        require_number("repeat_within", repeat_within, least=0)
        self.repeats, self.repeat_within = repeats, repeat_within

    @property
    def threshold(self) -> float:  # type: ignore[override]
        """The value, in [0, 1], at which an evaluation passes: the config's, where it has one."""
        return float(getattr(self.config, "threshold", 0.5))

    @abstractmethod
    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """The score of a trial; `NoVerdict` says that the model gave no usable verdict."""

    async def measure(self, trial: Trial) -> Score:
        """The score of one trial; whatever the model does, it is a score: measured, skipped, or an error."""
        return await self._measure_once(trial)

    async def measure_again(self, trial: Trial, repeat: int) -> Score:
        """Another score of the same trial, asked for again: two replies of a judge may differ."""
        self.prepare()
        return await self._once(lambda session: self.judge(trial, session), repeat)

    async def evaluate(self, messages: Sequence[Any], tools: Sequence[Any] | None = None) -> EvaluationOutput:
        """Evaluate a transcript with the assistant's tools, in either API's shape."""
        trial = trial_of_messages(messages, tools)
        return evaluation_output(self.name, await self._measure_once(trial))

    def prepare(self) -> None:
        """Find the model, before the first call; a missing key or address is a ConfigurationError."""
        self.structured_model()

    def structured_model(self) -> StructuredModel:
        """The model, asked for values."""
        if self._structured_model is None:
            self._structured_model = StructuredModel(self._endpoint())
        return self._structured_model

    def _endpoint(self) -> Endpoint:
        if not self.config.base_url and self._key is None:
            return from_env(self.config.provider)
        if self.config.base_url:
            return Endpoint.from_env(self.config.base_url, self._key, prices=Prices.from_env())
        return from_env(self.config.provider, api_key=self._key)

    @property
    def has_own_model(self) -> bool:
        """Whether it has a model of its own: a model object, an address or a key."""
        return self._structured_model is not None or bool(self.config.base_url) or self._key is not None

    @property
    def local(self) -> bool:
        """Whether it asks a model in this process, which takes one question at a time."""
        return self._structured_model is not None and is_local(self._structured_model.model)

    def asking(self, structured_model: StructuredModel, model: str = "") -> Self:
        """A copy that asks this model; `model` takes the place of the config's name where that is the default one."""
        twin = copy(self)
        twin._structured_model = structured_model
        if model and self.config.model == type(self.config).model:
            twin.config = replace(self.config, model=model)
        return twin

    def with_model_name(self, model: str) -> Self:
        """A copy that asks for the model of this name."""
        twin = copy(self)
        twin.config = replace(self.config, model=model)
        return twin

    def patient(self, timeout: float | None) -> Self:
        """A copy whose attempts may take `timeout` seconds, unless it has a limit of its own."""
        if timeout is None or self.config.timeout is not None:
            return self
        twin = copy(self)
        twin.config = replace(self.config, timeout=timeout)
        return twin

    def session(self, repeat: int = 0) -> JudgeSession:
        """Return the session of one evaluation, which asks the model and counts usage; only repetitions vary."""
        return JudgeSession(
            self.structured_model(),
            self.config.model,
            max_concurrency=getattr(self.config, "max_concurrency", 8),
            repeat=repeat,
            timeout_seconds=self.config.timeout,
            temperature=None if repeat else 0.0,
        )

    def settings(self) -> dict[str, Any]:
        """The settings that decide the verdicts besides the model."""
        own = {item.name: getattr(self.config, item.name) for item in fields(self.config) if item.name != "timeout"}
        return own | {"repeats": self.repeats, "repeat_within": self.repeat_within}

    def signature(self) -> str:
        """The recipe of a number: class, settings, model, prompts, package version."""
        text = canonical_json(self.settings())
        shown = text if len(text) <= 120 else "sha256:" + digest(text)[:16]
        target = "/".join(self._target())
        if self._structured_model is not None and self._structured_model.given_parameters:
            target += canonical_json(self._structured_model.given_parameters)
        words = ",".join(prompt(one).hash for one in self.prompts)
        made = f"model:{target}|prompts:{words}|ringtrue:{__version__}{self.code_of_subclass()}"
        return f"{self.name}={type(self).__name__}({shown})|{made}"

    def _target(self) -> tuple[str, str]:
        if self._structured_model is not None:
            return self._structured_model.target(self.config.model)
        if self.config.base_url:
            return self.config.base_url, self.config.model
        return address_from_env(self.config.provider), self.config.model

    def _merged_config(self, config: Any, settings: Mapping[str, Any]) -> BaseEvaluatorConfig:
        wanted = self.config_class
        if config is None:
            return wanted(**settings)
        if isinstance(config, Mapping):
            return wanted(**{**config, **settings})
        if not isinstance(config, wanted):
            raise ConfigurationError(
                f"{type(self).__name__} needs config={wanted.__name__}(...); got {type(config).__name__}",
                parameter="config",
                value=config,
            )
        return replace(config, **settings)

    def inapplicable(self, trial: Trial) -> str:
        """Return why a trial cannot be judged whatever the answer is, or the empty string."""
        return ""

    def skipped_metadata(self, why: str) -> dict[str, Json]:
        """The metadata of a trial that does not apply."""
        return deepcopy(dict(self.unmeasured))

    async def _measure_once(self, trial: Trial) -> Score:
        if why := self.inapplicable(trial):
            return Score.skipped(why, **self.skipped_metadata(why), **Usage().metadata())
        if self.answers != "none" and not has_answer(trial, calls=self.answers != "text"):
            return self._without_answer(trial.output.problem or NO_ANSWER)
        return await self._direct(lambda session: self.judge(trial, session))

    def _without_answer(self, problem: str) -> Score:
        metadata = {**deepcopy(dict(self.unmeasured)), **Usage().metadata()}
        parts = {self.parts[0]: 0.0} if len(self.parts) > 1 else {}
        return Score(0.0, status="scored", passed=False, reason=problem, parts=parts, metadata=metadata)

    async def _direct(self, judging: Callable[[JudgeSession], Awaitable[Score]]) -> Score:
        self.prepare()
        first = await self._once(judging, 0)
        if self.repeats == 1 or first.value is None or abs(first.value - self.threshold) > self.repeat_within:
            return first
        others = [await self._once(judging, repeat) for repeat in range(1, self.repeats)]
        return self._pool([first, *others])

    async def _once(self, judging: Callable[[JudgeSession], Awaitable[Score]], repeat: int) -> Score:
        session = self.session(repeat)
        try:
            score = await judging(session)
        except NoVerdict as error:
            status = {"status": error.status} if error.status else {}
            score = Score.error(str(error), kind=error.kind, said=error.said, **status)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # This task was not cancelled: the model let through the cancellation of a task of its own.
            score = Score.error("CancelledError: the model gave up", kind="evaluator_error")
        except Exception as error:  # a user's model may raise anything; it costs this score and no other
            score = Score.error(f"{type(error).__name__}: {error}", kind="evaluator_error")
        if score.value is None:
            metadata = {**deepcopy(dict(self.unmeasured)), **session.known, **score.metadata}
            score = replace(score, metadata=metadata)
        return with_usage(score, session)

    def _pool(self, scores: Sequence[Score]) -> Score:
        """One score of several evaluations of one trial: the mean of those that gave a value."""
        made = [score for score in scores if score.value is not None]
        values = [score.value for score in made if score.value is not None]
        value = fmean(values)
        passed = value >= self.threshold
        same = sum((one >= self.threshold) == passed for one in values)
        shared = [part for part in made[0].parts if all(part in score.parts for score in made)]
        parts = {part: fmean(score.parts[part] for score in made) for part in shared}
        repeat_record = {"values": values, "agreement": same / len(values), "errors": len(scores) - len(made)}
        metadata = {**made[0].metadata, **summed_usage(scores), "repeats": repeat_record}
        calls, tokens = sum(score.calls for score in scores), sum(score.tokens for score in scores)
        score = self.verdict(value, made[0].reason, parts)
        return replace(score, metadata=metadata, calls=calls, tokens=tokens)


def has_answer(trial: Trial, *, calls: bool = False) -> bool:
    """Whether a trial has an answer: visible text, or `calls` of tools where they count.

    An earlier answer of a transcript is none to the user's last turn. A row may be a finished transcript, which needs
    no response beside it.
    """
    if is_visible(trial.output.text):
        return True
    messages = trial.output.messages or trial.case.fields.get("messages")
    story = since_last_user(turns(messages)) if isinstance(messages, (list, tuple)) else ()
    own = [turn for turn in story if turn.role == "assistant"]
    called = bool(trial.output.tool_calls) or any(turn.kind == "call" for turn in story)
    return (calls and called) or any(turn.kind == "message" and is_visible(turn.text) for turn in own)


def plain(value: Any) -> Json:
    """A record as JSON values."""
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
