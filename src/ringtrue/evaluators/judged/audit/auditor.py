"""`Auditor`: looks at a snapshot with its tools until it knows enough, then gives the verdict that was ordered."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from ringtrue.evaluators.judged.audit.commands import Commands, Shell
from ringtrue.evaluators.judged.audit.history import NOTHING, Trail
from ringtrue.evaluators.judged.audit.settings import AuditConfig
from ringtrue.evaluators.judged.audit.snapshot import Snapshot
from ringtrue.evaluators.judged.audit.tools import ACTION, DECLARED, FINISH, Call, Tools
from ringtrue.evaluators.judged.audit.views import listing
from ringtrue.evaluators.judged.fences import neutralise
from ringtrue.evaluators.judged.prompt import Prompt
from ringtrue.evaluators.judged.session import JudgeSession, NoVerdict, value_of
from ringtrue.models.structured.features import too_long
from ringtrue.models.structured.question import Question
from ringtrue.models.structured.structured_model import NO_TOOLS, Answer, NoValue
from ringtrue.models.tokens import estimate
from ringtrue.models.usage import Usage
from ringtrue.records import Json
from ringtrue.sandbox.pool.sandbox import shared_sandbox

Ended: TypeAlias = Literal["finished", "max_steps", "max_tokens", "max_cost", "deadline"]
EXPLORING_SHARE = 0.75
"""The part of the deadline after which the auditor has to fill in the rubric."""
_MAX_CALLS = 8
_MIN_ROOM = 1_000
_ORDER = re.compile(r"<<([a-z]{1,20})>>")


@dataclass(frozen=True)
class Order:
    """The order of an audit: the task that was set, the caller's own words, and the verdict wanted.

    `prompts` are those for looking and for the verdict; `problem` says what is wrong with a verdict that fits the
    schema, or nothing.
    """

    prompts: tuple[Prompt, Prompt]
    task: str
    words: Mapping[str, str]
    schema: Mapping[str, Json]
    problem: Callable[[Json], str]
    what: str


@dataclass
class Auditor:
    """One audit by one model.

    A model that can call tools does so; any other fills in which tool it wants. The verdict is the answer to a
    question of its own, in which all that was seen is inside fences: no file can be the verdict.
    """

    session: JudgeSession
    config: AuditConfig
    order: Order
    tools: Tools
    native: bool = True
    trail: Trail = field(default_factory=Trail)
    ended: Ended = "finished"
    tokens: int = 0
    cost: float | None = 0.0

    @classmethod
    def over(
        cls, snapshot: Snapshot, order: Order, config: AuditConfig, session: JudgeSession, shell: Shell | None = None
    ) -> Auditor:
        """The auditor of a copy; commands run in the sandbox of this process unless there is another."""
        commands = Commands(shell or shared_sandbox(allow_unsafe=config.allow_unsafe), snapshot)
        return cls(session, config, order, Tools(snapshot, commands, config.result_chars), config.tool_calls)

    async def verdict(self) -> Json:
        """The answer that fits the order's schema; NoVerdict where there is none."""
        started = asyncio.get_running_loop().time()
        until = started + EXPLORING_SHARE * self.config.deadline_seconds
        try:
            async with asyncio.timeout_at(until):
                self.ended = await self._explore(until)
        except TimeoutError:
            self.ended = "deadline"
        try:
            async with asyncio.timeout_at(started + self.config.deadline_seconds):
                return await self._judge()
        except TimeoutError:
            raise _given_up("timeout", f"the audit took longer than {self.config.deadline_seconds:g} s") from None

    def facts(self) -> dict[str, Json]:
        """The facts about the audit."""
        commands, snapshot = self.tools.commands, self.tools.snapshot
        return {
            "ended": self.ended,
            "audit": self.trail.summary(),
            "native_tool_calls": self.native,
            "commands": commands.count,
            "sandbox": commands.isolation,
            "files": len(snapshot.files),
            "left_out": dict(list(snapshot.left_out.items())[:100]),
        }

    async def _explore(self, until: float) -> Ended:
        room = self.config.history_chars
        for _ in range(self.config.max_steps):
            outcome, room = await self._next(room)
            calls = self._calls(outcome)
            if not calls and self.native and not self.trail.turns:
                self.native = False  # it was given tools and used none: ask for them in words
                continue
            wanted = [call for call in calls if call.tool != FINISH][:_MAX_CALLS]
            if wanted:
                self.trail.add(wanted, [await self.tools.result(call, self._seconds(until)) for call in wanted])
            if not wanted or any(call.tool == FINISH for call in calls):
                return "finished"
            if self.tokens >= self.config.max_tokens:
                return "max_tokens"
            if self.config.max_cost is not None and (self.cost or 0.0) >= self.config.max_cost:
                return "max_cost"
        return "max_steps"

    async def _next(self, room: int) -> tuple[Answer, int]:
        """The next answer, after whatever the endpoint made necessary, and how much of the history has room."""
        while True:
            question = self._with_tools(room) if self.native else self._in_words(room)
            outcome = await self.session.ask(question)
            if isinstance(outcome, Answer):
                self._charge(outcome, question)
                return outcome, room
            if self.native and outcome.kind == NO_TOOLS:
                self.native = False
            elif too_long(outcome.reason) and room > _MIN_ROOM:
                room //= 2
            else:
                raise NoVerdict(outcome, f"step {self.trail.steps + 1} of the audit")

    async def _judge(self) -> Json:
        room = self.config.history_chars
        while True:
            question = self._prompt_with_order(self.order.prompts[1]).question(
                self._texts(self.trail.text(room)),
                self.order.schema,
                check=self.order.problem,
                seed=self.session.seed,
            )
            outcome = await self.session.ask(question)
            if not isinstance(outcome, NoValue) or not too_long(outcome.reason) or room <= _MIN_ROOM:
                return value_of(outcome, self.order.what).value
            room //= 2

    def _with_tools(self, room: int) -> Question:
        looking = self._prompt_with_order(self.order.prompts[0])
        texts = {**self._texts(NOTHING), **self.trail.results(room)}
        # One code for the whole conversation: no result, and no argument copied from one, holds that of another.
        sealed = looking.seal(texts, seed=self.session.seed, beside=self.trail.calls())
        first = looking.about(sealed, None)
        return replace(first, messages=[*first.messages, *self.trail.messages(sealed)], tools=DECLARED)

    def _in_words(self, room: int) -> Question:
        seed = f"{self.session.seed}|{self.trail.steps}"
        return self._prompt_with_order(self.order.prompts[0]).question(
            self._texts(self.trail.text(room)), ACTION, seed=seed
        )

    def _texts(self, history: str) -> dict[str, str]:
        files = listing(self.tools.snapshot)[: self.tools.most]
        return {"task": self.order.task or "(not given)", "files": files, "audit": history}

    def _prompt_with_order(self, found: Prompt) -> Prompt:
        """A prompt with the caller's own words outside the fences: the auditor obeys them."""
        words = self.order.words
        # What looks like a field of the template is broken up as well.
        user = _ORDER.sub(lambda place: neutralise(words[place[1]]).replace("{{", "{ {"), found.user)
        return replace(found, user=user)

    def _calls(self, answer: Answer) -> Sequence[Call]:
        if self.native:
            return [Call.of_reply(call) for call in answer.reply.tool_calls]
        return [Call.of_action(answer.value)]

    def _charge(self, answer: Answer, question: Question) -> None:
        """Count what a reply took when it was first given: from a cache the same audit takes the same course."""
        reply = answer.reply
        asked = "".join(str(message.get("content") or "") for message in question.messages)
        self.tokens += estimate(asked) if reply.input_tokens is None else reply.input_tokens
        self.tokens += estimate(reply.text) if reply.output_tokens is None else reply.output_tokens
        self.cost = None if self.cost is None or reply.cost is None else self.cost + reply.cost
        if self.cost is None and self.config.max_cost is not None:
            raise _given_up("budget", "max_cost is set and the price of the model is not known; set max_tokens instead")

    def _seconds(self, until: float) -> float:
        return max(0.1, min(self.config.run_seconds, until - asyncio.get_running_loop().time()))


def _given_up(kind: str, why: str) -> NoVerdict:
    return NoVerdict(NoValue(kind, why, Usage()))
