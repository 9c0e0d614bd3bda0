"""Instructions about how many words, sentences and paragraphs there are."""

from __future__ import annotations

import re

from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.rule import Rule
from ringtrue.scoring.prose.sentences import count_sentences

_WORD = re.compile(r"\w+")
_PUNCTUATION = re.compile("[\u2000-\u206f]+")
_NOT_IN_WORDS = "".join(chr(code) if chr(code).isalnum() or code == ord("_") else " " for code in range(128))
_ENDS_WORD = frozenset(".,?!'\"")


def number_words(arguments: Arguments) -> Rule:
    """There are at least, or less than, N runs of letters, digits and underscores."""
    number = arguments.number("num_words")
    if arguments.relation("relation"):
        return Rule(lambda text: _has_words(text, number), "same")
    return Rule(lambda text: not _has_words(text, number), "core")


def number_sentences(arguments: Arguments) -> Rule:
    """There are at least, or less than, N sentences, as Punkt finds them."""
    number = arguments.number("num_sentences")
    if arguments.relation("relation"):
        return Rule(lambda text: _has_sentences(text, number))
    return Rule(lambda text: not _has_sentences(text, number))


def number_paragraphs(arguments: Arguments) -> Rule:
    """There are exactly N paragraphs between `***`, and none between two of them is blank."""
    number = arguments.number("num_paragraphs")

    def follows(text: str) -> bool:
        # Each mark makes one paragraph more; the first and the last one may be blank.
        if not number - 1 <= text.count("***") <= number + 1:
            return False
        first, *others = (bool(part.strip()) for part in text.split("***"))
        *middle, last = others or [False]
        return all(middle) and first + len(middle) + last == number

    return Rule(follows)


def nth_paragraph_first_word(arguments: Arguments) -> Rule:
    """There are exactly N paragraphs between blank lines, and the nth starts with a given word."""
    number = arguments.number("num_paragraphs")
    place = arguments.number("nth_paragraph")
    first_word = arguments.text("first_word").lower()

    def follows(text: str) -> bool:
        paragraphs = text.split("\n\n")
        # The nth paragraph is taken among all pieces, though only those that are not blank are counted.
        if not 1 <= place <= number or sum(not part.isspace() for part in paragraphs if part) != number:
            return False
        words = paragraphs[place - 1].split(maxsplit=1)
        return bool(words) and "".join(map(str.lower, _bare(words[0]))) == first_word

    return Rule(follows)


def _bare(word: str) -> str:
    word = word.lstrip("'").lstrip('"')
    return word[: next((at for at, letter in enumerate(word) if letter in _ENDS_WORD), len(word))]


def _has_words(text: str, number: int) -> bool:
    if not text.isascii():
        # Most texts are plain but for dashes and quotation marks, and plain ones are cut faster.
        text = _PUNCTUATION.sub(" ", text)
        if not text.isascii():
            return len(_WORD.findall(text)) >= number
    return len(text.translate(_NOT_IN_WORDS).split()) >= number


def _has_sentences(text: str, number: int) -> bool:
    if text.count(".") + text.count("?") + text.count("!") + 1 < number:
        return False
    return number <= 0 or count_sentences(text, number) >= number
