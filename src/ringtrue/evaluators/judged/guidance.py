"""`GuidanceEvaluator`: how gracefully an assistant handles what it cannot do."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ringtrue.dialects.evaluation_output import percent
from ringtrue.dialects.tools import tools_of
from ringtrue.dialects.transcripts import render, system_prompt, turns_of_trial, up_to_last_user
from ringtrue.errors import EvaluationError
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import PERCENT, TEXT, WHOLE_PERCENT, fraction_in, record
from ringtrue.evaluators.judged.session import JudgeSession, NoVerdict, value_of
from ringtrue.models.client.providers import Provider, from_env
from ringtrue.models.model import Model
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.records import Json, Score, Status, Trial
from ringtrue.require import require_percent, require_text

SCOPE = record(
    capabilities_analysis=TEXT, sufficient_capabilities=TEXT, in_scope_reasoning=TEXT, is_in_scope_probability=PERCENT
)
GRACE = record(reasoning=TEXT, score=WHOLE_PERCENT)


@dataclass(frozen=True, kw_only=True)
class GuidanceEvaluatorConfig(BaseEvaluatorConfig):
    """A description of what the assistant can and cannot do (generated if not given), and the probability, in percent,
    at which a request counts as in scope."""

    capability_manifest: str | None = None
    in_scope_probability_threshold: float = 50

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.capability_manifest is not None:
            require_text("capability_manifest", self.capability_manifest)
        require_percent("in_scope_probability_threshold", self.in_scope_probability_threshold)


@dataclass(frozen=True)
class InputGuidanceEval:
    """A conversation as text, up to the user's last message and whole, and the assistant's tools."""

    conversation_history_beginning_turn: str
    conversation_history_full: str
    tools: Sequence[Any] = ()


@dataclass(frozen=True)
class IsInScopeReasoning:
    """Whether a request is in scope, 0 to 100, and why."""

    capabilities_analysis: str = ""
    sufficient_capabilities: str = ""
    in_scope_reasoning: str = ""
    is_in_scope_probability: float = 0.0


@dataclass(frozen=True)
class OutputGuidanceEval:
    """The result, 0 to 100; if it is not applicable, the score is 0 and `reasoning` says why."""

    is_in_scope_reasoning: IsInScopeReasoning
    applicable: bool
    reasoning: str
    score: float
    status: Status = "scored"
    metadata: Mapping[str, Json] = field(default_factory=dict)


class GuidanceEvaluator(Judge):
    """A rating of how the assistant handles a request beyond its capabilities; one in scope is not applicable."""

    default_name = "guidance"
    parts = ("guidance",)
    needs = "a transcript; a capability manifest, or a system prompt and tools to generate one from"
    formula = "the judge's score / 100"
    prompts = ("guidance_scope", "guidance_grace", "capability_manifest")
    config_class = GuidanceEvaluatorConfig
    unmeasured = {"in_scope_reasoning": {}, "reasoning": ""}  # noqa: RUF012 - it is copied before it is handed out
    config: GuidanceEvaluatorConfig

    def __init__(self, config: Any = None, **settings: Any) -> None:
        super().__init__(config, **settings)
        self._manifests = Manifests()

    async def judge(self, trial: Trial, session: JudgeSession) -> Score:
        """Is the request in scope; if not, how was it handled."""
        story = turns_of_trial(trial)
        beginning = render(turn for turn in up_to_last_user(story) if turn.role != "system")
        tools = trial.case.tools or trial.case.fields.get("tools") or ()
        return await self._judge_guidance(beginning, render(story), system_prompt(story), tools, session)

    async def run(self, input: InputGuidanceEval) -> OutputGuidanceEval:
        """Evaluate a conversation that is given as text, its system message with it."""
        beginning, whole = input.conversation_history_beginning_turn, input.conversation_history_full
        score = await self._direct(
            lambda session: self._judge_guidance(beginning, whole, beginning, input.tools, session)
        )
        scope = score.metadata.get("in_scope_reasoning") or {}
        return OutputGuidanceEval(
            IsInScopeReasoning(**scope),
            score.value is not None,
            score.reason,
            percent(score),
            score.status,
            score.metadata,
        )

    async def _judge_guidance(
        self, beginning: str, whole: str, system: str, tools: Sequence[Any], session: JudgeSession
    ) -> Score:
        manifest = self.config.capability_manifest
        if manifest is None:
            manifest = await self._manifests.manifest(system, tools, session)
        scope = value_of(
            await session.ask(
                prompt("guidance_scope").question(
                    {"capabilities": manifest, "conversation": beginning}, SCOPE, check=_off_scale, seed=session.seed
                )
            ),
            "the scope of the request",
        ).value
        metadata: dict[str, Json] = {"in_scope_reasoning": scope, "capability_manifest": manifest}
        session.note(**metadata)
        if scope["is_in_scope_probability"] >= self.config.in_scope_probability_threshold:
            return Score.skipped("the request is in scope", reasoning="the request is in scope", **metadata)
        grace = value_of(
            await session.ask(
                prompt("guidance_grace").question(
                    {"capabilities": manifest, "conversation": whole}, GRACE, seed=session.seed
                )
            ),
            "how the request was handled",
        ).value
        reasoning = grace["reasoning"]
        metadata |= {"reasoning": reasoning, "feedback": reasoning if grace["score"] <= 50 else None}
        return self.verdict(grace["score"] / 100, reasoning, **metadata)


def _off_scale(value: Json) -> str:
    return fraction_in("is_in_scope_probability", [value["is_in_scope_probability"]])


async def generate_capability_manifest(
    system_prompt: str,
    tools: Sequence[Any] | None = None,
    provider: Provider = "openai",
    model: str | Model = "gpt-5",
) -> str:
    """A Markdown description of what an assistant with this prompt and these tools can and cannot do.

    `model` is a name at the provider, or a model object. A model that gives no usable text raises an EvaluationError.
    """
    asked, name = (from_env(provider), model) if isinstance(model, str) else (model, "")
    session = JudgeSession(StructuredModel(asked), name)
    try:
        return await Manifests().manifest(system_prompt, tools or (), session)
    except NoVerdict as error:
        raise EvaluationError(f"no capability manifest: {error}") from None


KEPT = 64
_Key: TypeAlias = tuple[str, str, str, str]


class Manifests:
    """Keeps the manifests of the last system prompts and tools; another prompt or tool has another manifest."""

    def __init__(self) -> None:
        self._made: dict[_Key, str] = {}
        self._under_way: dict[tuple[asyncio.AbstractEventLoop, _Key], asyncio.Event] = {}

    async def manifest(self, system: str, tools: Sequence[Any], session: JudgeSession) -> str:
        """The manifest of a system prompt and tools with their parameters; those who want it at once ask once."""
        described = "\n\n".join(tool.text() for tool in tools_of(tools)) or "(no tools)"
        key = (system, described, *session.structured_model.target(session.model))
        place = (asyncio.get_running_loop(), key)
        while (other := self._under_way.get(place)) is not None:
            await other.wait()
        if key not in self._made:
            self._under_way[place] = asyncio.Event()
            try:
                texts = {"system_prompt": system or "(none)", "tools": described}
                made = value_of(await session.ask(prompt("capability_manifest").question(texts, None))).value
            finally:
                self._under_way.pop(place).set()
            while len(self._made) >= KEPT:
                self._made.pop(next(iter(self._made)))
            self._made[key] = str(made)
        return self._made[key]
