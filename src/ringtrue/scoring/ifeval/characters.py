"""Instructions about single characters: capital and small letters, commas, how a response begins and ends."""

from __future__ import annotations

import re

from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.rule import Rule
from ringtrue.scoring.languages import is_written_in
from ringtrue.scoring.prose.word_tokens import split_words

_CAPITALS = re.compile("(?<![A-Za-z])[A-Z]+(?![A-Za-z])")
_CUT_INSIDE = ("cannot", "gimme", "gonna", "gotta", "lemme", "wanna", "'tis", "'twas")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def english_capital(arguments: Arguments) -> Rule:
    """The response is English in capital letters; a text of unknown language passes."""
    return Rule(lambda text: text.isupper() and is_written_in(text, "en") is not False)


def english_lowercase(arguments: Arguments) -> Rule:
    """The response is English in small letters; a text of unknown language passes."""
    return Rule(lambda text: text.islower() and is_written_in(text, "en") is not False)


def capital_word_frequency(arguments: Arguments) -> Rule:
    """At least, or less than, N word tokens are in capital letters."""
    number = arguments.number("capital_frequency")
    if arguments.relation("capital_relation"):
        return Rule(lambda text: has_capital_words(text, number))
    return Rule(lambda text: not has_capital_words(text, number))


def has_capital_words(text: str, number: int) -> bool:
    """Whether at least N word tokens are in capital letters."""
    # Every piece between spaces that is in capitals holds such a token …
    if sum(map(str.isupper, text.split())) >= number:
        return True
    # … and every such token holds whole runs of capitals, unless a rule cuts inside a word.
    others = "" if text.isascii() else set("".join(_NOT_ASCII.findall(text)))
    if not any(map(str.isupper, others)) and len(_CAPITALS.findall(text)) < number:
        lower = text.lower()
        if not any(map(lower.__contains__, _CUT_INSIDE)):
            return False
    return sum(map(str.isupper, split_words(text))) >= number


def no_comma(arguments: Arguments) -> Rule:
    """There is no comma."""
    return Rule(lambda text: "," not in text, "core")


def end_checker(arguments: Arguments) -> Rule:
    """The response ends with the phrase, whatever its case and without quotation marks around the response."""
    phrase = arguments.text("end_phrase").lower()

    def follows(text: str) -> bool:
        text = text.strip().strip('"')
        return (text[-len(phrase) :] if text.isascii() else text).lower().endswith(phrase)

    return Rule(follows)


def quotation(arguments: Arguments) -> Rule:
    """The response is wrapped in double quotation marks."""

    def follows(text: str) -> bool:
        text = text.strip()
        return len(text) > 1 and text[0] == text[-1] == '"'

    return Rule(follows)
