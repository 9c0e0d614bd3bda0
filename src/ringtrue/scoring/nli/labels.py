"""Reading a label of natural language inference from a reply: entailment, contradiction or neutral."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from ringtrue.scoring.nli import label_words as w
from ringtrue.scoring.nli.label_sentence import (
    CONCLUDED,
    EXPLICIT,
    HEDGED,
    SENTENCE_ENDS,
    SILENT,
    STATED,
    Event,
    Sentence,
)
from ringtrue.scoring.nli.label_words import CONTRADICTION, ENTAILMENT, NEUTRAL
from ringtrue.scoring.nli.no_evidence import is_silence, mark_silence
from ringtrue.scoring.prose.reply import visible

_TOKEN = re.compile(r"\x02[a-z0-9]+\x03|[^\W_]+(?:'[^\W\d_]+)?|[^\w\s]|\n")
_SPELLING = re.compile(r"[\s_-]+")
_NOT_ENTAILED = frozenset(
    ("not entailment", "non entailment", "not entailed", "not supported", "unsupported", "not support", "not true")
)
"""Labels that deny entailment without saying which of the other two holds."""

_SPECIFIC = frozenset(("relation", "silence", "own"))
_MEANINGS = [(word, re.compile(phrase)) for word, phrase in w.MEANINGS.items()]
_UNMARKED = {2: " ", 3: " "}


LONGEST_LABEL = 200
"""A longer text is not a label; nothing can be read as it."""


class Label(NamedTuple):
    """The label a reply commits to, or None, and the rule that says so."""

    label: str | None
    rule: str


def family_of(label: str) -> str | None:
    """The family of a label as a dataset spells it, or None if it belongs to none."""
    plain = _plain(label)
    if plain in _NOT_ENTAILED:
        return CONTRADICTION
    for table in (w.RELATIONS, w.TRUTH, w.POLAR):
        if plain in table:
            return table[plain]
    if plain in w.COMPATIBLE:
        return ENTAILMENT
    return NEUTRAL if is_silence(plain) else None


def same_label(gold: str, predicted: str) -> bool:
    """Whether two labels are of one family, or are the same word where they belong to none.

    A gold label that only denies entailment ("not_entailment") is met by contradiction and by neutral.
    """
    known, said = family_of(gold), family_of(predicted)
    if known is None or said is None:
        return bool(gold.strip()) and _plain(gold) == _plain(predicted)
    return known == said or (_plain(gold) in _NOT_ENTAILED and said == NEUTRAL)


def read_label(response: str, labels: Iterable[str] | None = None) -> Label:
    """The label that a response finally commits to, None if it commits to none, and the rule by which it was read.

    Without `labels` it is the name of a family: entailment, contradiction or neutral. With them it is the one of them
    that was meant, as spelled there; a label outside the families is understood as itself.
    """
    given = list(labels) if labels is not None else []
    own = [label for label in given if 0 < len(label.strip()) <= LONGEST_LABEL and family_of(label) is None]
    # "partially true" is found before "partially".
    own.sort(key=len, reverse=True)
    found = _read(visible(response).lower(), [_plain(label) for label in own])
    if found.label is None or not given:
        return found
    if found.label in (ENTAILMENT, CONTRADICTION, NEUTRAL):
        meant = next((label for label in given if same_label(label, str(found.label))), None)
        return Label(meant, found.rule if meant is not None else "a label that was not asked for")
    return Label(next(label for label in own if _plain(label) == found.label), found.rule)


def _plain(label: str) -> str:
    return _SPELLING.sub(" ", label.strip().lower()).strip(" .\"'")


def _read(text: str, own: list[str]) -> Label:
    text = text.translate(_UNMARKED)
    whole = _plain(text.strip(" \t\n*.!\"'`()[]{}<>:#$"))
    if whole in own:
        return Label(whole, "the whole reply")
    if family := family_of(whole) or w.ASSENTS.get(whole):
        return Label(family, "the whole reply")
    # Labels of the task's own, then phrases of silence, become single tokens.
    for number, label in enumerate(own):
        spaced = r"[\s_-]{1,3}".join(re.escape(word) for word in label.split())
        text = re.sub(rf"(?<!\w){spaced}(?!\w)", f"\x02own{number}\x03", text)
    for word, phrase in _MEANINGS:
        text = phrase.sub(word, text)
    text = mark_silence(text, SILENT)
    events: list[Event] = []
    for number, sentence in enumerate(_sentences(_TOKEN.findall(text))):
        events += Sentence(sentence, first=number == 0, own=own).events()
    return _resolve(events)


def _sentences(tokens: list[str]) -> list[list[str]]:
    """The tokens cut at the ends of sentences; a heading ("Answer:") stays with the line below it."""
    sentences: list[list[str]] = [[]]
    for token in tokens:
        held = sentences[-1]
        if token == "\n" and held and (held[-1] in w.SEPARATORS or (len(held) < 4 and held[-1] in w.CUE_NOUNS)):
            continue
        if token != "\n":
            held.append(token)
        if token in SENTENCE_ENDS and held:
            sentences.append([])
    return [sentence for sentence in sentences if any(token not in SENTENCE_ENDS for token in sentence)]


def _resolve(events: list[Event]) -> Label:
    """The last claim of the highest level; denials count against what was claimed before them."""
    if any(event.sort in _SPECIFIC and not event.denied and event.level >= STATED for event in events):
        # A word for the relation says more than a yes or a no before it.
        events = [event for event in events if event.sort != "polar" or event.level == EXPLICIT]
    denied = {event.family for event in events if event.denied}
    for level, rule in ((EXPLICIT, "announced"), (CONCLUDED, "concluded"), (STATED, "stated"), (HEDGED, "hedged")):
        current: str | None = None
        by_denial = False
        for event in events:
            if event.level != level:
                continue
            if not event.denied:
                current, by_denial = event.family, False
            elif event.family == ENTAILMENT:
                if current in (None, ENTAILMENT):
                    current, by_denial = CONTRADICTION, True
            elif event.family == current:
                current, by_denial = NEUTRAL if by_denial else None, False
        if current == CONTRADICTION and by_denial and CONTRADICTION in denied:
            return Label(NEUTRAL, "both denied")
        if current is not None:
            return Label(current, f"{rule}, by denial" if by_denial else rule)
    return Label(None, "no commitment")
