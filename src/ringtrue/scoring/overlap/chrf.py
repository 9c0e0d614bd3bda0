"""chrF and chrF++ (Popović, 2015 and 2017) as sacreBLEU 2.6 computes them, on [0, 1]."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ringtrue.errors import ConfigurationError
from ringtrue.require import require_count, require_within
from ringtrue.scoring.overlap.corpus import CorpusScore, References, pair_references, reference_list, signature
from ringtrue.scoring.overlap.ngrams import shared_characters, shared_tokens

_PUNCTUATION = frozenset(string.punctuation)
_EPSILON = 1e-16


class OrderCounts(NamedTuple):
    """The n-grams of one order: in the hypothesis, in the reference, in both."""

    hypothesis: int
    reference: int
    shared: int


@dataclass(frozen=True)
class Chrf:
    """One way of computing chrF; a wrong setting raises at once."""

    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        for name in ("char_order", "word_order"):
            require_count(name, getattr(self, name), least=0, most=100)
        if not self.char_order and not self.word_order:
            self._refuse("char_order", "without characters it needs a word_order of 1 or more")
        require_within("beta", self.beta, 0, 1_000_000)

    def _refuse(self, name: str, advice: str) -> None:
        value = getattr(self, name)
        raise ConfigurationError(f"chrF cannot use {name}={value!r}: {advice}", parameter=name, value=value)

    def counts(self, hypothesis: str, references: Sequence[str]) -> list[OrderCounts]:
        """The counts of every order against the reference that scores best, the first of equals."""
        every = [self._against(hypothesis, reference) for reference in references]
        return every[0] if len(every) == 1 else max(every, key=self._percent)

    def _against(self, hypothesis: str, reference: str) -> list[OrderCounts]:
        if self.lowercase:
            hypothesis, reference = hypothesis.lower(), reference.lower()
        counts = []
        if self.char_order:
            text, gold = (hypothesis, reference) if self.whitespace else map(_squeeze, (hypothesis, reference))
            counts = _orders(len(text), len(gold), shared_characters(text, gold, self.char_order))
        if self.word_order:
            words, gold_words = _words(hypothesis), _words(reference)
            counts += _orders(len(words), len(gold_words), shared_tokens(words, [gold_words], self.word_order))
        return counts

    def score(self, counts: Sequence[OrderCounts]) -> float:
        """F-beta of the mean precision and mean recall over the orders, in [0, 1].

        Orders either side is too short for are left out; with `eps_smoothing` they count as nearly zero, and the F-beta
        of the orders are averaged instead.
        """
        return min(1.0, self._percent(counts) / 100)

    def _percent(self, counts: Sequence[OrderCounts]) -> float:
        # On sacreBLEU's scale, so that rounding prefers the same one of several references.
        weight = self.beta**2
        if self.eps_smoothing:
            return 100 * sum([_smooth(order, weight) for order in counts]) / len(counts)
        usable = [order for order in counts if order.hypothesis and order.reference]
        if not usable:
            return 0.0
        precision = sum([shared / total for total, _, shared in usable]) / len(usable)
        recall = sum([shared / total for _, total, shared in usable]) / len(usable)
        return 100 * _f_beta(precision, recall, weight) if precision else 0.0

    def signature_of(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> str:
        """Return the recipe of a corpus score, in sacreBLEU's notation."""
        return signature(
            pairs,
            case="lc" if self.lowercase else "mixed",
            eff=not self.eps_smoothing,
            nc=self.char_order,
            nw=self.word_order,
            space=self.whitespace,
        )


def _orders(length: int, reference_length: int, shared: Sequence[int]) -> list[OrderCounts]:
    counts = []
    for n, both in enumerate(shared):
        reference = max(0, reference_length - n)
        # An order the reference is too short for does not weigh on the hypothesis.
        counts.append(OrderCounts(max(0, length - n) if reference else 0, reference, both))
    return counts


def _smooth(order: OrderCounts, weight: float) -> float:
    precision = order.shared / order.hypothesis if order.hypothesis else _EPSILON
    recall = order.shared / order.reference if order.reference else _EPSILON
    # Without weight a recall of nothing leaves nothing to divide by.
    return _f_beta(precision, recall, weight) if recall or (precision and weight) else _EPSILON


def _f_beta(precision: float, recall: float, weight: float) -> float:
    return (1 + weight) * precision * recall / (weight * precision + recall)


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _words(text: str) -> list[str]:
    """Words with one mark of punctuation split off, the last one before the first one."""
    words: list[str] = []
    for word in text.split():
        if len(word) == 1:
            words.append(word)
        elif word[-1] in _PUNCTUATION:
            words += (word[:-1], word[-1])
        elif word[0] in _PUNCTUATION:
            words += (word[0], word[1:])
        else:
            words.append(word)
    return words


# Building a Chrf costs as much as scoring a short sentence.
_chrf = lru_cache(maxsize=64, typed=True)(Chrf)


def sentence_chrf(
    hypothesis: str,
    references: References,
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> float:
    """Sentence chrF in [0, 1], the best over the references; `word_order=2` makes it chrF++.

    `references` is a string, or several for the same hypothesis.
    """
    chrf = _chrf(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
    return chrf.score(chrf.counts(hypothesis, reference_list(references)))


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Sequence[References],
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> CorpusScore:
    """Corpus chrF in [0, 1] with its signature, from the summed counts of each hypothesis and its best reference.

    `references` has one entry for each hypothesis, a string or a list of strings (sacreBLEU wants this transposed).
    """
    chrf = Chrf(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)
    pairs = pair_references(hypotheses, references)
    every = [chrf.counts(hypothesis, gold) for hypothesis, gold in pairs]
    summed = [OrderCounts(*map(sum, zip(*order, strict=True))) for order in zip(*every, strict=True)]
    return CorpusScore(chrf.score(summed), chrf.signature_of(pairs))
