"""One stretch of a reply that answers one question: what it commits to, and what it only leans to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from ringtrue.scoring.choice.leadup import stance_before
from ringtrue.scoring.choice.mentions import Mention, find_mentions
from ringtrue.scoring.choice.option_text import SHORT, implied_option, normalise, starting, stated_option, table
from ringtrue.scoring.choice.stance import DOUBTED, MEDIUM, NAMED, NEUTRAL, REJECTED, STRONG, WEAK, Stance
from ringtrue.scoring.choice.surroundings import Surroundings, surroundings
from ringtrue.scoring.choice.verdict import mark_at_line_end, mark_at_line_start, stance_after, stance_of_reply
from ringtrue.scoring.choice.worded import commits, letter_options
from ringtrue.scoring.choice.words import AFTER_LETTER

_RETRACTION = re.compile(
    r"\b(?:wait|hold on|hmm|actually|no)\b[^.\n]{0,40}\b(?:that|this|it)(?:'s| is| was)"
    r"(?: completely| clearly)? (?:wrong|incorrect|not right|not correct|a mistake)\b|\bscratch that\b"
    r"|\bI made an? (?:mistake|error)\b",
    re.IGNORECASE,
)
_LISTING = re.compile(r"(?:[^.;:\n]|\.(?=\d)){0,80}?(?:,| and| or|&|/)\s*(?:also |both |option )?[(\[]?$")
_ASIDE = 24  # characters of a reply that is no more than a doubtful letter
_CLAUSE = re.compile(r"\b(?:because|since|as|while|which|not|is|are|but|whereas|although|unlike|than)\b")


class OptionChoice(NamedTuple):
    """The option a reply commits to, or None, and the rule that says so."""

    letter: str | None
    rule: str


class _Event(NamedTuple):
    mention: Mention
    around: Surroundings
    level: int
    rule: str
    corrects: bool
    place: str
    """`bare` for a letter that is its whole line, `label` for one that heads a line, `lead` for one that opens all."""


class Segment:
    """A stretch of text with the options it names, each with the stance towards it."""

    def __init__(self, text: str, allowed: str, texts: Mapping[str, str]) -> None:
        self.text = text
        self.allowed = allowed
        self.texts = texts
        self.events = self._read(lower=False)

    def _read(self, *, lower: bool) -> list[_Event]:
        text = self.text
        start = next((at for at, mark in enumerate(text) if mark.isalnum()), 0)
        events = []
        for mention in find_mentions(text, self.allowed, lower=lower):
            around = surroundings(text, mention)
            own = around.opens_line and self._has_own_text(mention)
            level, rule, corrects = self._own_stance(mention, around) if own else _stance(text, mention, around)
            place = ""
            mark = mark_at_line_start(text[text.rfind("\n", 0, mention.start) + 1 : mention.start])
            if mark is not NAMED:
                level, rule, corrects = mark
            elif around.opens_sentence and not around.listed and level != REJECTED and around.ending != "?":
                headed = own or around.closed or _brackets_open(text, mention, around)
                if around.alone:
                    level, place = STRONG, "bare"
                    rule = rule if rule.startswith("answer") else "letter alone"
                elif headed and (around.opens_line or mention.start == start):
                    place = "lead" if mention.start == start else "label"
            events.append(_Event(mention, around, level, rule, corrects, place))
        return events

    def _own_stance(self, mention: Mention, around: Surroundings) -> Stance:
        """The stance of a line that gives an option with its own words: what comes before or after them."""
        line_end = self.text.find("\n", mention.end)
        mark = mark_at_line_end(self.text[mention.end : line_end if line_end >= 0 else len(self.text)])
        left = stance_before(mention, around)
        return mark if mark.level == REJECTED or mark.level > left.level else left

    def _has_own_text(self, mention: Mention) -> bool:
        """Whether the option's own words follow its letter: "(B) London"."""
        own = self.texts.get(mention.letters, "")
        if not own:
            return False
        key = normalise(own[:200])
        return bool(key) and normalise(self.text[mention.end : mention.end + 220]).startswith(key)

    def committed_choice(self) -> OptionChoice | None:
        """The last option the text states as its answer; a later correction of it goes first."""
        found = self._last_stated(self.events)
        small = self._read(lower=True) if found is None else []
        found = found or self._last_stated(small)
        if found is None and self.texts:
            words = stated_option(self.text, self.texts)
            found = OptionChoice(*words) if words else None
        # One small letter heads a reply; several number its points.
        return found or self._leading_choice(self.events) or (self._leading_choice(small) if len(small) == 1 else None)

    def _last_stated(self, events: list[_Event]) -> OptionChoice | None:
        taken = [event for event in events if event.level >= STRONG and self._counts(event)]
        if not taken:
            return None
        if _enumerates([event.mention.letters for event in taken]):
            return OptionChoice(None, "every option in turn")
        last = taken[-1]
        later = [
            event
            for event in events
            if event.corrects and event.level >= WEAK and event.mention.start > last.mention.start
        ]
        if later:
            last = later[-1]
        elif narrowed := _narrow(last, events):
            last = narrowed
        elif _RETRACTION.search(self.text, last.mention.end):
            return OptionChoice(None, "taken back")
        return self._choice(last, events)

    def _counts(self, event: _Event) -> bool:
        """A letter beyond the options is an answer only where the text calls it one."""
        return event.rule.startswith("answer") or event.place == "bare" or event.mention.letters[-1] in self.allowed

    def _choice(self, event: _Event, events: list[_Event]) -> OptionChoice:
        mention = event.mention
        if self.texts:
            fragment = normalise(self.text[mention.start : mention.start + 300])
            meant = starting(fragment, {key: v for key, v in table(self.texts).items() if len(key) > 1})
            if meant:
                return OptionChoice(meant, "announced option text")
            if len(mention.letters) > 1 and (words := stated_option(self.text, self.texts)):
                return OptionChoice(*words)
        letter = mention.letters[-1]
        split = event.rule == "change" or (mention.joined_by_comma and event.rule == "verdict")
        if len(mention.letters) > 1 and not split:
            return OptionChoice(None, "several options")
        if letter not in self.allowed:
            return OptionChoice(None, "a letter beyond the options")
        if _continues(self.text, mention, events):
            return OptionChoice(None, "several options")
        return OptionChoice(letter, event.rule)

    def _leading_choice(self, read: list[_Event]) -> OptionChoice | None:
        """An option that opens the text, a conclusion in passing, or the one line that an option heads."""
        events = [event for event in read if event.level != REJECTED and self._within(event)]
        lead = [event for event in events if event.place == "lead" and len(event.mention.letters) == 1]
        medium = [event for event in events if event.level == MEDIUM]
        labels = [event for event in events if event.place in ("label", "lead") and len(event.mention.letters) == 1]
        ticked = [event for event in medium if event.rule == "marked"]
        if ticked and not _one(ticked):
            return OptionChoice(None, "several options")
        if medium and (medium[-1].corrects or not lead or _runs(labels)):
            return self._choice(medium[-1], events)
        rest = _without_run(labels)
        if _one(rest) and not rest[-1].around.continues:
            return self._choice(rest[-1]._replace(rule="option heads the line"), events)
        if lead and lead[0] is labels[0] and _runs(labels[1:]) and self._is_apart(labels):
            return self._choice(lead[0]._replace(rule="option heads the reply"), events)
        return None

    def _is_apart(self, labels: list[_Event]) -> bool:
        """Whether only the first of the headed lines has a paragraph of its own."""
        gaps = ["\n\n" in self.text[a.mention.end : b.mention.start] for a, b in pairwise(labels)]
        return gaps[0] and not any(gaps[1:])

    def _within(self, event: _Event) -> bool:
        return all(letter in self.allowed for letter in event.mention.letters)

    def leaning(self) -> OptionChoice | None:
        """Return the option that the text leads to without stating it."""
        read = self.events or self._read(lower=True)
        events = [event for event in read if event.level != REJECTED and self._within(event)]
        weak = [event for event in events if event.level == WEAK and self._may_lean(event)]
        if weak and (_one(weak) or self._in_last_sentence(weak[-1])):
            return self._choice(weak[-1], events)
        written = self.text.rstrip()
        broken_off = bool(self.events) and written[-1:].isalnum() and self.events[-1].mention.end < len(written)
        if self.texts and not broken_off and (words := implied_option(self.text, self.texts)):
            return OptionChoice(*words)
        if self.texts and (meant := self._worded_choice()):
            return meant
        bracketed = [event for event in events if event.mention.bracketed and event.around.closed]
        named = [event for event in bracketed if event.level == NEUTRAL]
        if _one(named) and named[-1].rule == "named" and self._in_last_sentence(named[-1]):
            return self._choice(named[-1], events)
        doubted = [event for event in events if event.level == DOUBTED]
        if _one(doubted) and len(doubted[-1].mention.letters) == 1 and not self._turns_from(doubted[-1], events):
            return OptionChoice(doubted[-1].mention.letters, "doubted")
        asked = len(events) == 1 and events[0].around.opens_line and written.endswith("?") and len(written) <= _ASIDE
        return self._choice(events[0]._replace(rule="doubted"), events) if asked else None

    def _worded_choice(self) -> OptionChoice | None:
        """Return the option that a short text, or the last paragraph of a long one, names in its own words."""
        whole = len(self.text) <= SHORT and not self.events
        start = 0 if whole else self.text.rstrip().rfind("\n\n") + 1
        if len(self.text) - start > SHORT or any(event.mention.start >= start for event in self.events):
            return None
        written, letters = letter_options(self.text[start:], table(self.texts))
        reading = Segment(written, "".join(letters), {})
        found = reading._last_stated(reading.events) or reading._leading_choice(reading.events) or reading._turned_to()
        if found is None or found.letter is None or not commits(written, found.letter, found.rule):
            return None
        return OptionChoice(letters[found.letter], "option's own words")

    def _turned_to(self) -> OptionChoice | None:
        """The option that the text turns to at its end: "A and B are large, but the capital is C"."""
        last = [e for e in self.events[-1:] if e.level == WEAK and e.around.turned and self._in_last_sentence(e)]
        return self._choice(last[0]._replace(rule="conclusion"), self.events) if last else None

    def _turns_from(self, event: _Event, events: list[_Event]) -> bool:
        """Whether a "but" leads from an option to another one: "A seems right, but we get C"."""
        return any(other.around.turned and other.mention.start > event.mention.start for other in events)

    def _may_lean(self, event: _Event) -> bool:
        """A lone letter that no word calls an option may be anything, unless it closes a finished or short text."""
        if event.rule not in ("bare predicate", "bare apposition"):
            return True
        return self._in_last_sentence(event) and (event.around.ending in (".", "!") or len(self.text) <= 200)

    def _in_last_sentence(self, event: _Event) -> bool:
        rest = self.text[event.mention.end :].rstrip()
        return len(rest) <= 400 and ". " not in rest[:-1] and "\n" not in rest


def _stance(text: str, mention: Mention, around: Surroundings) -> Stance:
    """The stance of a sentence towards the option it names: a rejection on either side, else the stronger side."""
    left = stance_before(mention, around)
    if left.rule == "answer is" and mention.bracketed:
        # What follows is the option's own text: "The answer is (D) is not making any profit."
        return left
    right = stance_after(text, mention, around)
    if right.level == REJECTED or right.rule == "exception":
        return right
    if left.level == REJECTED and not (right.level >= MEDIUM and mention.joined_by_comma):
        return left
    best = right if right.level > left.level else left
    if around.ending == "?":
        answered = stance_of_reply(text, mention)
        if answered is not NAMED:
            return answered
        if best.level > DOUBTED:
            return Stance(DOUBTED, "asked")
    return Stance(best.level, best.rule, left.corrects or right.corrects)


def _brackets_open(text: str, mention: Mention, around: Surroundings) -> bool:
    """Whether a bracket sets the letter off from what follows, and that is not a verb: "B) London", "(B) London"."""
    closing = text[mention.end : mention.end + 1]
    return closing in (")", "]") and not (mention.bracketed and around.right[0] in AFTER_LETTER)


def _continues(text: str, mention: Mention, events: list[_Event]) -> bool:
    """Whether the sentence names another option as well: "(A) Mars and (B) Venus"."""
    for other in events:
        gap = other.mention.start - mention.end
        if gap > 100:
            return False
        if gap > 0 and mention.bracketed and other.mention.bracketed and other.level != REJECTED:
            between = text[mention.end : other.mention.start]
            return bool(_LISTING.match(between)) and not _CLAUSE.search(between)
    return False


def _one(events: list[_Event]) -> bool:
    return len({event.mention.letters for event in events}) == 1


def _narrow(several: _Event, events: list[_Event]) -> _Event | None:
    """The one of several options that the text leans to after it named them: "B or C, most likely C"."""
    named = several.mention.letters
    if len(named) == 1:
        return None
    later = [event for event in events if event.mention.start > several.mention.start and event.level >= WEAK]
    return later[-1] if later and len(later[-1].mention.letters) == 1 and later[-1].mention.letters in named else None


def _enumerates(stated: list[str]) -> bool:
    """Whether three or more different options are stated one after the other, in the order of the list."""
    singles = list(dict.fromkeys(letters for letters in stated if len(letters) == 1))
    return len(singles) > 2 and singles == sorted(singles) and singles[0] == "A"


def _runs(labels: list[_Event]) -> bool:
    """Whether lines are headed by options in the order of the list."""
    letters = [event.mention.letters for event in labels]
    return len(letters) > 1 and letters == sorted(set(letters))


def _without_run(labels: list[_Event]) -> list[_Event]:
    """The headed lines that do not belong to a list of the options."""
    if len(labels) < 2:
        return labels
    at = 0
    while at + 1 < len(labels) and labels[at].mention.letters < labels[at + 1].mention.letters:
        at += 1
    return labels[at + 1 :] if at else labels
