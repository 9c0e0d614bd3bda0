"""Okapi BM25: which of many short texts are about the words of a query."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log

from ringtrue.scoring.overlap.porter import stem

_WORD = re.compile(r"[^\W_]+")
_EACH_A_WORD = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_LONGEST_WORD = 40
K1, B = 1.2, 0.75


def terms(text: str) -> list[str]:
    """The words of a text by which it is found: lower case, English endings off, Chinese and Japanese by character."""
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        found += _EACH_A_WORD.findall(word) if _EACH_A_WORD.search(word) else [stem(word[:_LONGEST_WORD])]
    return found


class BM25:
    """An index of texts; the score of a text for a query is BM25 with k1 = 1.2, b = 0.75 and an idf above zero."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for number, text in enumerate(texts):
            counts = Counter(terms(text))
            self._lengths.append(counts.total())
            for term, count in counts.items():
                self._postings[term].append((number, count))

    def scores(self, query: str) -> dict[int, float]:
        """The texts that share a word with the query, by number, with their scores."""
        found: dict[int, float] = defaultdict(float)
        total = len(self._lengths)
        average = sum(self._lengths) / total if total else 0.0
        for term in dict.fromkeys(terms(query)):
            postings = self._postings.get(term, ())
            idf = log(1 + (total - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, count in postings:
                weight = count + K1 * (1 - B + B * self._lengths[number] / average)
                found[number] += idf * count * (K1 + 1) / weight
        return dict(found)

    def rank(self, query: str, among: Sequence[int] | None = None) -> list[int]:
        """The numbers of the texts that share a word with the query, the best first; ties in their order."""
        scores = self.scores(query)
        allowed = scores.keys() if among is None else scores.keys() & set(among)
        return sorted(allowed, key=lambda number: (-scores[number], number))
