"""BLEU (Papineni et al., 2002) as sacreBLEU 2.6 computes it, on [0, 1]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf, log
from typing import NamedTuple

from ringtrue.errors import ConfigurationError
from ringtrue.require import require_count
from ringtrue.scoring.overlap.corpus import CorpusScore, References, pair_references, reference_list, signature
from ringtrue.scoring.overlap.ngrams import shared_tokens
from ringtrue.scoring.overlap.tokenizers import TOKENIZERS, tokens_of

SMOOTHING: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None}
"""Smoothing method -> its default value, None where it takes none."""


class Counts(NamedTuple):
    """The counts from which BLEU is computed; those of a corpus are the sums of those of its sentences."""

    length: int
    reference_length: int
    shared: Sequence[int]
    total: Sequence[int]


@dataclass(frozen=True)
class Bleu:
    """One way of computing BLEU; a wrong setting raises at once."""

    max_order: int = 4
    tokenize: str = "13a"
    smooth: str = "exp"
    smooth_value: float | None = None
    lowercase: bool = False
    effective_order: bool = True

    def __post_init__(self) -> None:
        require_count("max_order", self.max_order, most=100)
        if self.tokenize not in TOKENIZERS:
            self._refuse("tokenize", f"choose one of {', '.join(TOKENIZERS)}")
        if self.smooth not in SMOOTHING:
            self._refuse("smooth", f"choose one of {', '.join(SMOOTHING)}")
        value = self.smooth_value
        if value is not None and (SMOOTHING[self.smooth] is None or not 0 < value < inf):
            self._refuse("smooth_value", "a positive number, and only with smooth='floor' or smooth='add-k'")

    def _refuse(self, name: str, advice: str) -> None:
        value = getattr(self, name)
        raise ConfigurationError(f"BLEU cannot use {name}={value!r}: {advice}", parameter=name, value=value)

    def counts(self, hypothesis: str, references: Sequence[str]) -> Counts:
        """The counts of one sentence; the reference length is the closest one, the shorter of two equally close."""
        if self.lowercase:
            hypothesis, references = hypothesis.lower(), [reference.lower() for reference in references]
        tokenize, order = self.tokenize, self.max_order
        tokens = tokens_of(hypothesis, tokenize)
        gold = [tokens_of(reference, tokenize) for reference in references]
        length = len(tokens)
        closest = len(gold[0]) if len(gold) == 1 else min(map(len, gold), key=lambda n: (abs(n - length), n))
        total = range(length, length - order, -1) if length >= order else [max(0, length - n) for n in range(order)]
        return Counts(length, closest, shared_tokens(tokens, gold, order), total)

    def score(self, counts: Counts) -> float:
        """Brevity penalty times the geometric mean of the smoothed precisions, in [0, 1]."""
        if not counts.shared[0]:
            return 0.0
        logarithms = 0.0
        for precision in (precisions := self.precisions(counts)):
            if not precision:
                return 0.0
            logarithms += log(precision)
        length, wanted = counts.length, counts.reference_length
        penalty = 1.0 if length >= wanted else exp(1 - wanted / length)
        return min(1.0, penalty * exp(logarithms / len(precisions)))

    def precisions(self, counts: Counts) -> list[float]:
        """The smoothed precision of each order; with effective order, of those the hypothesis is long enough for."""
        smooth, value = self.smooth, self.smooth_value or SMOOTHING[self.smooth] or 0.0
        halved = 1.0
        precisions: list[float] = []
        for hits, possible in zip(counts.shared, counts.total, strict=True):
            if smooth == "add-k" and precisions:
                precisions.append((hits + value) / (possible + value))
            elif not possible:
                return precisions if self.effective_order else [0.0]
            elif hits:
                precisions.append(hits / possible)
            elif smooth == "exp":
                halved /= 2
                precisions.append(halved / possible)
            else:
                precisions.append(value / possible)
        return precisions

    def signature_of(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> str:
        """Return the recipe of a corpus score, in sacreBLEU's notation."""
        value = self.smooth_value or SMOOTHING[self.smooth]
        return signature(
            pairs,
            case="lc" if self.lowercase else "mixed",
            eff=self.effective_order,
            tok=self.tokenize,
            smooth=self.smooth if value is None else f"{self.smooth}[{value:.2f}]",
        )


# Building a Bleu costs more than scoring a short sentence.
_bleu = lru_cache(maxsize=64, typed=True)(Bleu)


def sentence_bleu(
    hypothesis: str,
    references: References,
    *,
    max_order: int = 4,
    tokenize: str = "13a",
    smooth: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    effective_order: bool = True,
) -> float:
    """Sentence BLEU in [0, 1]; `references` is a string, or several for the same hypothesis.

    `tokenize`: 13a, intl, zh, char, none. `smooth`: exp, floor, add-k, none; `smooth_value` defaults to 0.1 for floor
    and 1 for add-k. The defaults equal sacreBLEU's `BLEU(effective_order=True).sentence_score`.
    """
    bleu = _bleu(max_order, tokenize, smooth, smooth_value, lowercase, effective_order)
    return bleu.score(bleu.counts(hypothesis, reference_list(references)))


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[References],
    *,
    max_order: int = 4,
    tokenize: str = "13a",
    smooth: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    effective_order: bool = False,
) -> CorpusScore:
    """Corpus BLEU in [0, 1] with its signature, from the summed counts of all sentences.

    `references` has one entry for each hypothesis, a string or a list of strings (sacreBLEU wants this transposed).
    The options are those of `sentence_bleu`; `effective_order` is off, as it is in sacreBLEU's corpus score.
    """
    bleu = Bleu(max_order, tokenize, smooth, smooth_value, lowercase, effective_order)
    pairs = pair_references(hypotheses, references)
    counts = [bleu.counts(hypothesis, gold) for hypothesis, gold in pairs]
    return CorpusScore(bleu.score(_sum_counts(counts)), bleu.signature_of(pairs))


def _sum_counts(counts: Sequence[Counts]) -> Counts:
    lengths, reference_lengths, shared, total = zip(*counts, strict=True)
    return Counts(
        sum(lengths),
        sum(reference_lengths),
        [sum(order) for order in zip(*shared, strict=True)],
        [sum(order) for order in zip(*total, strict=True)],
    )
