"""`JudgeSession`: one evaluation's questions to its model, and what they took."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ringtrue.models.model import is_local
from ringtrue.models.structured.question import Question
from ringtrue.models.structured.structured_model import Answer, NoValue, Outcome, StructuredModel
from ringtrue.models.usage import Usage
from ringtrue.records import Json, Score
from ringtrue.safetext import shorten_counted

MOST_REPLIES, REPLY_CHARS = 8, 2_000
"""What a score keeps of its judge's own words."""


EMBEDDED_JUDGE = "judged by the embedded model, which is too small to be trusted"
"""The caveat of its scores, so that its word is not taken for that of a judge."""


class JudgeSession:
    """Asks the questions of one evaluation, a bounded number at once, and keeps the usage.

    `repeat` tells apart the repetitions of one evaluation; it belongs into the seed of every question. `known` is what
    was found before the evaluation failed.
    """

    def __init__(
        self,
        structured_model: StructuredModel,
        model: str,
        *,
        max_concurrency: int = 8,
        repeat: int = 0,
        timeout_seconds: float | None = None,
        temperature: float | None = None,
    ) -> None:
        self.structured_model = structured_model
        self.model = model
        self.seed = f"repeat {repeat}" if repeat else ""
        self.timeout_seconds, self.temperature = timeout_seconds, temperature
        self.known: dict[str, Json] = {}
        self._places = asyncio.Semaphore(max_concurrency)
        self._usages: list[Usage] = []
        self._replies: list[str] = []

    async def ask(self, question: Question) -> Outcome:
        """The outcome of one question."""
        async with self._places:
            outcome = await self.structured_model.ask(
                question, self.model, timeout_seconds=self.timeout_seconds, temperature=self.temperature
            )
        self._usages.append(outcome.usage)
        self._replies.append(outcome.reply.text if isinstance(outcome, Answer) else outcome.whole)
        return outcome

    async def ask_all(self, questions: Iterable[Question]) -> list[Outcome]:
        """The outcomes of several questions, in their order; leaving cancels those under way."""
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self.ask(question)) for question in questions]
        except ExceptionGroup as several:
            raise several.exceptions[0] from None
        return [task.result() for task in tasks]

    def note(self, **known: Any) -> None:
        """Keep what was found, for the metadata of an evaluation that fails later."""
        self.known.update(known)

    def usage(self) -> Usage:
        """The usage of all questions so far."""
        return Usage.total(self._usages)

    def replies(self) -> dict[str, Json]:
        """The model's own words: the beginning of the first replies, and how many are left out."""
        said = [text for text in self._replies if text]
        found: dict[str, Json] = {"replies": [shorten_counted(text, REPLY_CHARS) for text in said[:MOST_REPLIES]]}
        return (found if said else {}) | ({"replies_left_out": len(said) - MOST_REPLIES} if said[MOST_REPLIES:] else {})


class NoVerdict(Exception):
    """The model gave no usable verdict; inside an evaluation only."""

    def __init__(self, outcome: NoValue, what: str = "") -> None:
        about = f" on {what}" if what else ""
        said = f"; it said {outcome.said}" if outcome.said else ""
        super().__init__(f"no verdict{about} ({outcome.kind}): {outcome.reason}{said}")
        self.kind, self.status, self.said = outcome.kind, outcome.status, outcome.said


def value_of(outcome: Outcome, what: str = "") -> Answer:
    """The answer in an outcome; a malformed one raises NoVerdict."""
    if isinstance(outcome, NoValue):
        raise NoVerdict(outcome, what)
    return outcome


def with_usage(score: Score, session: JudgeSession) -> Score:
    """The score with what it took."""
    usage = session.usage()
    metadata = {**score.metadata, **usage.metadata(), **session.replies()}
    if is_local(session.structured_model.model):
        metadata["caveat"] = EMBEDDED_JUDGE
    return replace(score, metadata=metadata, calls=usage.calls, tokens=usage.tokens or 0)


def summed_usage(scores: Sequence[Score]) -> dict[str, Json]:
    """Sum the usage of several scores; one unknown amount makes a sum unknown."""
    totals: dict[str, Json] = {}
    for name in ("calls", "input_tokens", "output_tokens", "tokens", "cost", "cache_hits"):
        numbers = [score.metadata.get(name) for score in scores]
        totals[name] = None if None in numbers else sum(numbers)
    for name in ("model", "prompt_hash"):
        totals[name] = ", ".join(dict.fromkeys(str(score.metadata.get(name, "")) for score in scores))
    if caveat := "; ".join(dict.fromkeys(score.caveat for score in scores if score.caveat)):
        totals["caveat"] = caveat
    return totals
