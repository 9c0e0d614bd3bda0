"""One sentence of a reply and the labels of inference it claims or denies."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from ringtrue.scoring.nli import label_words as w
from ringtrue.scoring.nli.label_words import CONTRADICTION, ENTAILMENT, NEUTRAL

EXPLICIT, CONCLUDED, STATED, HEDGED = 4, 3, 2, 1
"""Announced ("Label: …"); drawn as the conclusion or opening the reply; said in passing; said with doubt."""

SENTENCE_ENDS = frozenset(".!?;\n")
SILENT = "\x02silent\x03"
"""The token that stands for a phrase of silence; a label of the task's own is `\x02own<number>\x03`."""

_QUOTES = frozenset("\"'([{*`<#>$\\")
_LISTS = frozenset((",", "/", "|", "or", "and", "nor", "&", "vs", "versus", "-"))
_EITHER = frozenset(("and", "or", "/"))
_AFTER_POLAR = frozenset((*",:-–—()\"'*", "because", "since", "it", "the", "this"))
_BEFORE_LEAD = frozenset(("a", "an", "the", "not"))
_AFTER_LEAD = frozenset(("because", "since", "as", "the", "it", "this", "but", "based"))


class Event(NamedTuple):
    """A place that names a label: what it claims, or what it denies."""

    family: str
    denied: bool
    level: int
    sort: str
    """`relation`, `truth`, `polar`, `silence` or `own`: the kind of word that names it."""


class Sentence:
    """One sentence and the labels it names."""

    def __init__(self, tokens: list[str], *, first: bool, own: list[str]) -> None:
        self.tokens = tokens
        self.first = first
        self.own = own

    def events(self) -> list[Event]:
        """Return the labels that the sentence claims; those that it denies, if it claims none."""
        if self.tokens[-1] == "?" or self._defines():
            return []
        named = [(at, *found) for at in range(len(self.tokens)) if (found := self._named_family(at)) is not None]
        events: list[Event] = []
        at = 0
        while at < len(named):
            end = at + 1
            while end < len(named) and self._are_joined(named[end - 1], named[end]):
                end += 1
            group = named[at:end]
            events += self._of_group(group)
            at = end
            if any(sort == "silence" for _, _, sort in group):
                # What follows is what the evidence is silent about: "cannot say whether it is true".
                resumed = self._resumes(group[-1][0])
                while at < len(named) and named[at][0] < resumed:
                    at += 1
        claims = [event for event in events if not event.denied]
        return claims if claims else events

    def _resumes(self, at: int) -> int:
        """Return the place where a new clause begins after the token at `at`."""
        steps = range(at + 1, len(self.tokens))
        return next((step for step in steps if self.tokens[step] in w.RESUMING), len(self.tokens))

    def _defines(self) -> bool:
        """Whether the sentence explains a label instead of giving one: "Entailment means that"."""
        return any(word in w.RELATIONS and after in w.DEFINING for word, after in pairwise(self.tokens))

    def _of_group(self, group: list[tuple[int, str, str]]) -> list[Event]:
        made = [self._event(at, family, sort) for at, family, sort in group]
        families = {family for _, family, _ in group}
        if len(families) == 1:
            return [event for event in made if event is not None]
        if not all(self._negations(at) % 2 for at, _, _ in group):
            return []
        if {ENTAILMENT, CONTRADICTION} <= families:
            return [Event(NEUTRAL, False, self._level(group[0][0], "silence"), "silence")]
        return [event for event in made if event is not None and event.denied]

    def _at(self, at: int) -> str:
        return self.tokens[at] if 0 <= at < len(self.tokens) else "."

    def _named_family(self, at: int) -> tuple[str, str] | None:
        """The family that a token names, and the sort of word it is."""
        token, following = self.tokens[at], self._at(at + 1)
        if token == SILENT:
            return NEUTRAL, "silence"
        if token.startswith("\x02own"):
            return self.own[int(token[4:-1])], "own"
        if token in w.RELATIONS:
            passing = token == "follows" and following in ("that", ":", ",")
            paired = token == "neither" and "nor" in self.tokens[at : at + 30]
            return None if passing or paired else (w.RELATIONS[token], "relation")
        if token in w.TRUTH:
            judges = not following[0].isalpha() or following in w.PREDICATED
            return (w.TRUTH[token], "truth") if judges and not self._reports(at) else None
        if token in w.POLAR and self._answers(at):
            return w.POLAR[token], "polar"
        return (CONTRADICTION, "compatible") if token in w.COMPATIBLE else None

    def _reports(self, at: int) -> bool:
        """Whether an adjective denies what follows it: "it is wrong to say that"."""
        return self.tokens[at] in w.REPORTED and self._at(at + 1) in ("to", "that")

    def _answers(self, at: int) -> bool:
        """Whether a yes or a no is an answer: it opens the reply, follows a cue, or ends its sentence."""
        following = self._at(at + 1)
        if following in _EITHER or (at and self.tokens[at - 1] in _EITHER):
            return False
        if following in SENTENCE_ENDS:
            return True
        if following not in _AFTER_POLAR:
            return False
        opens = all(token in _QUOTES for token in self.tokens[:at][:8])
        return (self.first and opens) or self._is_cued(at)

    def _are_joined(self, left: tuple[int, str, str], right: tuple[int, str, str]) -> bool:
        between = self.tokens[left[0] + 1 : right[0]]
        if not all(token in w.JOINS for token in between) or not _LISTS.intersection(between):
            return False
        return "polar" not in (left[2], right[2]) or bool(_EITHER.intersection(between))

    def _event(self, at: int, family: str, sort: str) -> Event | None:
        denied = self._negations(at) % 2 == 1
        level = self._level(at, sort)
        if sort == "compatible":
            return Event(CONTRADICTION, not denied, level, "relation")
        before = self._clause_before(at)
        conditional = "would" in before and "if" in self.tokens[at + 1 : at + 4]
        if (conditional or w.CONDITIONS.intersection(before)) and level < EXPLICIT:
            return None
        if before and before[-1] in w.PARTIAL:
            return None
        if not denied or sort in ("silence", "polar"):
            return Event(family, False, level, sort)
        if sort == "truth":
            return Event(CONTRADICTION if family == ENTAILMENT else ENTAILMENT, False, level, sort)
        if self.tokens[at] == "unsupported":
            return Event(ENTAILMENT, False, level, sort)
        return Event(family, True, level, sort)

    def _clause_before(self, at: int) -> list[str]:
        start = max(0, at - 12)
        return self.tokens[
            max((step + 1 for step in range(start, at) if self.tokens[step] in w.RESUMING), default=start) : at
        ]

    def _negations(self, at: int) -> int:
        """Count the negations that govern the token: walking back over helping words and joined labels."""
        count = int(self._at(at + 1) in ("nothing", "neither"))
        for step in range(at - 1, max(-1, at - 14), -1):
            if self._denies(step):
                count += 1
                if self.tokens[step] == "nor":
                    # "Neither … nor" denies once.
                    break
            elif not self._passes(step) or (count and self.tokens[step] in ("or", "and")):
                break
        return count

    def _denies(self, at: int) -> bool:
        token, previous = self.tokens[at], self._at(at - 1)
        pair = (previous, token)
        return token in w.NEGATORS or pair in (("rather", "than"), ("instead", "of")) or self._reports(at)

    def _passes(self, at: int) -> bool:
        """Whether a negation before the token reaches beyond it."""
        token, following = self.tokens[at], self._at(at + 1)
        if token == ",":
            return following in ("or", "nor", "and", "directly", "in")
        if token == "but":
            return self._at(at - 1) == "anything"
        if token in ("or", "and"):
            return at > 0 and self._named_family(at - 1) is not None
        if token in w.BEFORE or token in _QUOTES:
            return True
        return following in ("or", "nor", "and", ",") and self._named_family(at) is not None

    def _level(self, at: int, sort: str) -> int:
        tokens = self.tokens
        before = tokens[max(0, at - 40) : at]
        if self._is_cued(at) or tokens[0] in w.CORRECTIONS:
            return EXPLICIT
        if w.HEDGES.intersection(before[-6:]) and sort != "silence":
            return HEDGED
        if w.CONCLUSIONS.intersection(before):
            return CONCLUDED
        opens = self.first and at < 6 and all(token in _QUOTES or token in _BEFORE_LEAD for token in before)
        following = self._at(at + 1)
        return CONCLUDED if opens and (not following[0].isalpha() or following in _AFTER_LEAD) else STATED

    def _is_cued(self, at: int) -> bool:
        """Whether the token is what a noun such as "label" is said to be: "the label is", "Verdict:"."""
        tokens = self.tokens
        step = at - 1
        while step >= 0 and (tokens[step] in w.CUE_FILLERS or tokens[step] in _QUOTES or tokens[step] in w.NEGATORS):
            step -= 1
        if step < 0 or (tokens[step] not in w.SEPARATORS and tokens[step] not in w.LINKS):
            return False
        return bool(w.CUE_NOUNS.intersection(tokens[max(0, step - 6) : step]))
