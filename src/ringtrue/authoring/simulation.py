"""`simulate`: made-up people talk to a system, turn by turn, until they have what they want or give up."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ringtrue.authoring.author import Author, CostEstimate, author_of, keeping
from ringtrue.authoring.personas import Persona
from ringtrue.authoring.talk import Ending, Talk
from ringtrue.errors import ConfigurationError
from ringtrue.identity import canonical_json, digest
from ringtrue.records import DEFAULT_STORE, Case, Json
from ringtrue.require import require_count
from ringtrue.runner.judges import JudgeModel
from ringtrue.sync import run_sync
from ringtrue.systems.function import as_system
from ringtrue.systems.system import System

MAX_TURNS = 8
ANSWER_SECONDS = 600.0
_TOKENS_PER_TURN = 120
"""About how many tokens a message and its reply have, for the estimate; every later question repeats them."""
UNFINISHED: tuple[Ending, ...] = ("player_error", "system_error", "budget")
"""The endings of conversations that are held again when the same ones are wanted."""


@dataclass(frozen=True)
class Conversation:
    """The messages of a simulated conversation, why it ended, and whether the goal was achieved (None if unknown)."""

    persona: Persona
    messages: Sequence[Mapping[str, str]]
    turns: int
    ending: Ending
    achieved: bool | None
    refusals: int = 0
    problem: str = ""


def simulate(
    system: Any,
    personas: Sequence[Persona],
    *,
    author: JudgeModel | Author | None = None,
    model: str = "",
    max_turns: int = MAX_TURNS,
    seed: int = 0,
    store: str | None = DEFAULT_STORE,
    listener: Callable[[Conversation], None] | None = None,
) -> list[Conversation]:
    """Simulate one conversation per persona, in order; the author model plays the persona and judges the result.

    Errors of the system or the author, and an exhausted budget, end a conversation and are recorded in it; they do not
    raise. The author's replies are kept in the store; `listener` is called with each finished conversation.
    """
    playing = author if isinstance(author, Author) else author_of(author, model)
    scene = Scene(as_system(system), playing, max_turns, seed)

    async def all_of_them() -> list[Conversation]:
        found: dict[int, Conversation] = {}
        async with keeping(playing, store):
            async for place, one in scene.conversations(personas):
                found[place] = one
                if listener is not None:
                    listener(one)
        return [found[place] for place in range(len(personas))]

    return run_sync(all_of_them())


class Scene:
    """A system, who plays the people, and how long they talk."""

    def __init__(self, system: System, author: Author, max_turns: int = MAX_TURNS, seed: int = 0) -> None:
        require_count("max_turns", max_turns)
        self.system, self.author, self.max_turns, self.seed = system, author, max_turns, seed

    def estimate(self, personas: Sequence[Persona]) -> CostEstimate:
        """About what the author takes at most: a line for each turn, and a verdict; the system's cost is its own."""
        some = [Talk(persona, self.max_turns, self.seed) for persona in personas]
        tokens_read = len(some) * _TOKENS_PER_TURN * self.max_turns * (self.max_turns + 1) // 2
        turn = self.author.estimate([one.line() for one in some])
        rest = self.author.estimate([one.goal() for one in some], more_sent=tokens_read)
        cost = None if turn.cost is None or rest.cost is None else turn.cost * self.max_turns + rest.cost
        questions = turn.questions * self.max_turns + rest.questions
        return CostEstimate(questions, turn.tokens * self.max_turns + rest.tokens, cost)

    def key(self, persona: Persona) -> str:
        """The identity of a conversation: persona, system, the model that plays the persona, and its length."""
        about = [asdict(persona), self.max_turns, self.seed, self.system.signature(), self.author.endpoint,
                 self.author.model]  # fmt: skip
        return digest(canonical_json(about))[:32]

    def row(self, one: Conversation, name: str) -> dict[str, Json]:
        """A conversation as a row that `ringtrue score` takes."""
        return {
            "id": name,
            "messages": [dict(message) for message in one.messages],
            "persona": asdict(one.persona),
            "turns": one.turns,
            "ending": one.ending,
            "goal_achieved": one.achieved,
            "refusals": one.refusals,
            "problem": one.problem,
            "system": self.system.name,
            "author": self.author.model,
            "simulated": self.key(one.persona),
        }

    async def conversations(self, personas: Sequence[Persona]) -> AsyncGenerator[tuple[int, Conversation], None]:
        """Each conversation with its place, as they end; as many at once as the system and the author bear."""
        places = asyncio.Semaphore(max(1, min(self.system.in_flight, self.author.in_flight)))

        async def one(place: int, persona: Persona) -> tuple[int, Conversation]:
            async with places:
                return place, await self.conversation(persona)

        tasks = [asyncio.create_task(one(*numbered)) for numbered in enumerate(personas)]
        try:
            for ended in asyncio.as_completed(tasks):
                yield await ended
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            close = getattr(self.system, "close", None)
            if close is not None:
                await close()

    async def conversation(self, persona: Persona) -> Conversation:
        """One conversation, held."""
        talk = Talk(persona, self.max_turns, self.seed)
        while not talk.ending:
            if self.author.spent:
                talk.end("budget", self.author.spent)
                break
            items, problem = await self.author.one(talk.line())
            if not talk.turns:  # no goal is reached before the system has said anything
                items = [{**item, "goal_reached": False} for item in items]
            if not talk.play(items):
                talk.end("player_error", problem or "the author wrote no message")
            elif not talk.ending:
                await self._answer(talk)
        if talk.can_be_judged and not self.author.spent:
            talk.judge((await self.author.one(talk.goal()))[0])
        said, ending = tuple(talk.messages), talk.ending
        return Conversation(persona, said, talk.turns, ending, talk.achieved, talk.refusals, talk.problem)

    async def _answer(self, talk: Talk) -> None:
        try:
            async with asyncio.timeout(getattr(self.system, "case_seconds", ANSWER_SECONDS)):
                output = await self.system.answer(_case(talk), 0)
        except Exception as error:  # a user's system may raise anything; it ends this conversation and no other
            talk.end("system_error", f"{type(error).__name__}: {error}")
            return
        if output.error or (output.problem and not output.text):
            talk.end("system_error", output.problem or output.error)
        else:
            talk.hear(output.text)


def conversation_text(messages: Sequence[Mapping[str, str]]) -> str:
    """A conversation as a system that takes one text gets it: the first message as it is, then a line for each."""
    if len(messages) == 1:
        return messages[0]["content"]
    return "\n".join(f"{message['role'].upper()}: {message['content']}" for message in messages)


def numbered_names(names: Sequence[str]) -> list[str]:
    """Names of which no two are the same: a later one gets a number."""
    found: dict[str, None] = {}
    last: Counter[str] = Counter()
    for name in names:
        new = name
        while new in found:
            last[name] += 1
            new = f"{name} #{last[name] + 1}"
        found[new] = None
    return list(found)


def require_people(personas: Sequence[Persona]) -> None:
    """Raise a ConfigurationError without a persona."""
    if not personas:
        words = "there are no personas to simulate; give a file with one a line, or a text about the product"
        raise ConfigurationError(words, parameter="personas")


def _case(talk: Talk) -> Case:
    said = [dict(message) for message in talk.messages]
    return Case(talk.persona.name, conversation_text(said), messages=tuple(said), fields={"turns": said})
