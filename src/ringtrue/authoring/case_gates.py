"""Checks that a generated case must pass before it is kept: it has a question, an expectation, and no duplicate."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from math import ceil

from ringtrue.dialects.suite import EvalCase
from ringtrue.scoring.prose.normal_form import compose

SAME = 0.85
"""Questions that share this much of their words are one question."""
EXPECTATIONS = ("expected_behavior", "expected_behaviour", "expected_response", "expected")
"""Where metadata may say in words what is expected."""
_WORD = re.compile(r"\w+")


def lacking(case: EvalCase) -> str:
    """Return why a case cannot be scored (no question, or nothing expected), or the empty string."""
    if not isinstance(case.input, str) or not case.input.strip():
        return "the input is empty"
    given = case.expected_output
    said = [*(given if isinstance(given, list) else [given]), *(case.metadata.get(name) for name in EXPECTATIONS)]
    if any(isinstance(text, str) and text.strip() for text in said):
        return ""
    return "nothing is expected: neither expected_output nor expected_behavior"


def words_of(text: str) -> frozenset[str]:
    """The words of a text, whatever their case."""
    return frozenset(_WORD.findall((text or "").casefold()))


def shared_words(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of words that two texts have in common (Jaccard); two texts without words are equal."""
    return len(one & other) / len(one | other) if one | other else 1.0


def one_line(text: str) -> str:
    """A text with its white space as single blanks."""
    return " ".join(compose(text or "").split())


class AskedQuestions:
    """Questions that are asked already."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._words: defaultdict[str, list[frozenset[str]]] = defaultdict(list)

    def add(self, text: str) -> None:
        """From now on this is asked already."""
        self._texts.add(one_line(text))
        words = words_of(text)
        for word in _longest_words(words):
            self._words[word].append(words)

    def twin(self, text: str) -> str:
        """Return why a question repeats an earlier one (the same text, nearly the same words), or the empty string."""
        if one_line(text) in self._texts:
            return "the input is identical to that of an accepted case"
        words = words_of(text)
        near = {other for word in _longest_words(words) for other in self._words.get(word, ())}
        shared = max((shared_words(words, other) for other in near), default=0.0)
        return f"the input shares its words with an accepted case: Jaccard {shared:.2f}" if shared >= SAME else ""


def _longest_words(words: frozenset[str]) -> list[str]:
    """The longest words of a text, enough that texts which share `SAME` of theirs have one of these in common."""
    least_shared = ceil(SAME * len(words) - 1e-9)
    return sorted(words, key=lambda word: (-len(word), word))[: len(words) - least_shared + 1] or [""]


@dataclass
class MakingReport:
    """Counts of the generated cases: each was accepted, or dropped for one reason."""

    requested: int
    generated: int = 0
    accepted: int = 0
    dropped_malformed: int = 0
    dropped_duplicate: int = 0
    spans_missing: int = 0

    def summary_line(self) -> str:
        """The counts in a line."""
        spans = f" ({self.spans_missing} accepted without a source span)" if self.spans_missing else ""
        dropped = f"{self.dropped_duplicate} duplicates, {self.dropped_malformed} malformed"
        return f"generated {self.generated}, accepted {self.accepted} — dropped {dropped}{spans}"


@dataclass
class Sieve:
    """Keeps the cases that may be kept, and counts in a report what became of the others."""

    report: MakingReport
    cases: list[EvalCase] = field(default_factory=list)
    taken: AskedQuestions = field(default_factory=AskedQuestions)

    def admit(self, case: EvalCase, *, alone: bool = True) -> bool:
        """Keep a case unless it is malformed or, where it must be asked `alone`, asks what a kept one asks."""
        if lacking(case):
            self.report.dropped_malformed += 1
        elif alone and self.taken.twin(case.input):
            self.report.dropped_duplicate += 1
        else:
            self.cases.append(case)
            self.taken.add(case.input)
            self.report.accepted += 1
            return True
        return False
