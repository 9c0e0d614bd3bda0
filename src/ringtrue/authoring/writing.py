"""`Writing`: what a model is asked to write, and how its reply is read; `Wanted`: writing that becomes cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ringtrue.authoring.case_gates import MakingReport, Sieve
from ringtrue.dialects.suite import EvalCase
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.evaluators.judged.schemas import record, several
from ringtrue.models.structured.question import Question
from ringtrue.models.tokens import estimate
from ringtrue.records import Json

Item = Mapping[str, Any]
_ITEMS = "items"
_TOKENS_PER_FIELD = 30
"""Tokens that a model writes for a field, estimated before it is asked."""


@dataclass(frozen=True)
class WritingTask:
    """A prompt's name, the texts in its fences, and what each object of the reply has: a schema for each field.

    `count` is how many objects are wanted in a list; without it the reply is one object.
    """

    prompt: str
    texts: Mapping[str, str]
    item: Mapping[str, Json]
    count: int | None = None

    @property
    def schema(self) -> dict[str, Json]:
        """The JSON Schema of a reply."""
        one = record(**self.item)
        return one if self.count is None else record(**{_ITEMS: several(one, self.count)})

    def question(self, seed: str = "") -> Question:
        """The question whose answer fits the schema; who repeats the marks around a text has not read it."""
        words = prompt(self.prompt, __package__)
        sealed = words.seal(self.texts, seed=seed)

        def check(value: Json) -> str:
            written = str(value)
            repeats = sealed.code in written or sealed.nonce in written
            return "it repeats the code of the fences, which is not part of any text" if repeats else ""

        return words.about(sealed, self.schema, check=check)

    def items(self, value: Json) -> list[Item]:
        """The objects in an answer that fits."""
        return [value] if self.count is None else list(value[_ITEMS])

    def tokens(self) -> tuple[int, int]:
        """About how many tokens are sent and come back."""
        sent = sum(estimate(str(message["content"])) for message in self.question().messages)
        return sent, _TOKENS_PER_FIELD * (self.count or 1) * len(self.item)


@dataclass(frozen=True)
class CaseRequest(WritingTask):
    """Writing that becomes cases; where each must be asked `alone`, one that asks what another asks is dropped."""

    make: Callable[[Item], EvalCase] = field(kw_only=True)
    alone: bool = True


def collect_cases(
    wanted: Sequence[CaseRequest], replies: Iterable[Sequence[Item]], report: MakingReport
) -> list[EvalCase]:
    """The cases that the replies to what was wanted make, but for those that a gate drops, which the report counts."""
    sieve = Sieve(report)
    for one, items in zip(wanted, replies, strict=True):
        for item in items[: one.count or 1]:
            report.generated += 1
            sieve.admit(one.make(item), alone=one.alone)
    report.spans_missing = sum(_lacks_source(case) for case in sieve.cases)
    return sieve.cases


def empty_report(wanted: Iterable[CaseRequest]) -> MakingReport:
    """A report in which nothing is made yet."""
    return MakingReport(sum(one.count or 1 for one in wanted))


def item_text(item: Item, name: str) -> str:
    """A text of an item; what is not text is absent."""
    value = item.get(name)
    return value if isinstance(value, str) else ""


def _lacks_source(case: EvalCase) -> bool:
    return case.metadata.get("source_span", ...) is None and case.expected_output is not None
