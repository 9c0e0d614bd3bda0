"""Claims that code decides without a model: the same sentence, or the same with another number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ringtrue.evaluators.judged.claims.records import Verdict
from ringtrue.evaluators.judged.claims.sources import Sources
from ringtrue.scoring.facts.exact_facts import differing, same_words
from ringtrue.scoring.prose.bm25 import terms

_NEAREST = 12
_RIVAL = 0.6
_REFERS = re.compile(r"\b(?:it|he|she|they|we|i|this|these|those|the (?:former|latter))\b", re.IGNORECASE)
_ASSERTING = ("text", "item", "row", "data")
_FUNCTION_WORDS = frozenset(
    terms(
        "a an the of in on at to by for from with and or is are was were be been has have had it its this that as"
        " which who not no"
    )
)


class SettledVerdict(NamedTuple):
    """A verdict that needed no model: the passage that decides, and why."""

    verdict: Verdict
    number: int
    proof: str


def settle(claim: str, sources: Sources, numbers: Sequence[int]) -> SettledVerdict | None:
    """The verdict on a claim that a source states word for word, or with one other amount; else None.

    Only where no other passage speaks of the same: what disagrees with itself is for a reader to judge. Questions state
    nothing, and neither do headings and code. What says "it" may say so of something else.
    """
    if _REFERS.search(claim):
        return None
    nearest = [number for number in sources.ranked_passages(claim, numbers)[:_NEAREST] if _asserts(sources, number)]
    same = [number for number in nearest if same_words(claim, sources.sentence(number))]
    if same:
        proof = "The source says so, word for word."
        return None if _rivals(claim, sources, nearest, same) else SettledVerdict("supported", same[0], proof)
    apart = [(number, pair) for number in nearest if (pair := differing(claim, sources.sentence(number))) is not None]
    if len(apart) != 1 or _rivals(claim, sources, nearest, [apart[0][0]]):
        return None
    number, (claimed, stated) = apart[0]
    return SettledVerdict(
        "contradicted", number, f"The source says {stated.text!r} where the claim says {claimed.text!r}."
    )


def _asserts(sources: Sources, number: int) -> bool:
    return sources.spots[number - 1].passage.kind in _ASSERTING and not sources.sentence(number).rstrip().endswith("?")


def _rivals(claim: str, sources: Sources, nearest: Sequence[int], own: Sequence[int]) -> bool:
    """Whether another passage has most of the claim's words."""
    sentences = {sources.sentence(number) for number in own}
    words = frozenset(terms(claim)) - _FUNCTION_WORDS
    return any(
        len(words & sources.words(number)) >= _RIVAL * len(words)
        for number in nearest
        if sources.sentence(number) not in sentences
    )
