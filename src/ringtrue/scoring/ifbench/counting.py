"""Instructions of IFBench that count: words, names, numbers, kinds of sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ringtrue.scoring.ifbench.texts import bare, bare_words, sentences, strip_edges, word_runs

Given = Mapping[str, Any]

_CONJUNCTIONS = frozenset(("and", "but", "for", "nor", "or", "so", "yet"))
_NAMES = (
    "Emma Liam Sophia Jackson Olivia Noah Ava Lucas Isabella Mason Mia Ethan Charlotte Alexander Amelia Benjamin "
    "Harper Leo Zoe Daniel Chloe Samuel Lily Matthew Grace Owen Abigail Gabriel Ella Jacob Scarlett Nathan Victoria "
    "Elijah Layla Nicholas Audrey David Hannah Christopher Penelope Thomas Nora Andrew Aria Joseph Claire Ryan "
    "Stella Jonathan"
)
_PRONOUNS = (
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her "
    "hers herself it its itself they them their theirs themselves"
)
_STOP_WORDS = (
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers "
    "herself it its itself they them their theirs themselves what which who whom this that these those am is are "
    "was were be been being have has had having do does did doing a an the and but if or because as until while of "
    "at by for with about against between into through during before after above below to from up down in out on "
    "off over under again further then once here there when where why how all any both each few more most other "
    "some such no nor not only own same so than too very s t can will just don should now d ll m o re ve y ain aren "
    "couldn didn doesn hadn hasn haven isn ma mightn mustn needn shan shouldn wasn weren won wouldn"
)
_MARKS = frozenset(".,!?;:")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def word_count_range(text: str, given: Given) -> bool:
    """Between `min_words` and `max_words` words."""
    return int(given["min_words"]) <= len(word_runs(text)) <= int(given["max_words"])


def unique_words(text: str, given: Given) -> bool:
    """At least `N` different words."""
    return len({strip_edges(word) for word in text.lower().split()}) >= int(given["N"])


def stop_words(text: str, given: Given) -> bool:
    """At most `percentage` of the words are stop words."""
    words = word_runs(text)
    listed = set(_STOP_WORDS.split())
    return bool(words) and 100 * sum(word.lower() in listed for word in words) / len(words) <= float(
        given["percentage"]
    )


def sentence_types(text: str, given: Given) -> bool:
    """Twice as many statements as questions."""
    ends = [sentence[-1:] for sentence in sentences(text)]
    return ends.count(".") == 2 * ends.count("?")


def sentence_balance(text: str, given: Given) -> bool:
    """As many statements as questions as exclamations."""
    ends = [sentence[-1:] for sentence in sentences(text)]
    return ends.count(".") == ends.count("?") == ends.count("!")


def conjunctions(text: str, given: Given) -> bool:
    """At least `small_n` different conjunctions, as they are written."""
    found = {word for word in text.split() if strip_edges(word).lower() in _CONJUNCTIONS}
    return len(found) >= int(given["small_n"])


def person_names(text: str, given: Given) -> bool:
    """At least `N` of fifty names, each a word of its own."""
    return len(set(_NAMES.split()).intersection(re.findall(r"\w+", text))) >= int(given["N"])


def trigram_overlap(text: str, given: Given) -> bool:
    """As large a part of the trigrams of characters is the reference's as `percentage` says, give or take 2."""
    reference = str(given["reference_text"])
    mine, theirs = ({one[at : at + 3] for at in range(len(one) - 2)} for one in (text, reference))
    wanted = float(given["percentage"])
    return bool(mine) and wanted - 2 <= 100 * len(mine & theirs) / len(mine) <= wanted + 2


def numbers(text: str, given: Given) -> bool:
    """Exactly `N` numbers."""
    return len(re.findall(r"\d+", bare(text))) == int(given["N"])


def punctuation(text: str, given: Given) -> bool:
    """Each of . , ! ? ; : and an interrobang besides."""
    if not any(mark in text for mark in ("!?", "?!", "‽")):
        return False
    rest = text.replace("?!", "", 1) if "?!" in text else text.replace("!?", "", 1)
    return set(rest) >= _MARKS


def japanese_words(text: str, given: Given) -> bool:
    """Every `N`th word is Japanese, unless it is a number."""
    step = int(given["N"])
    every = [strip_edges(word) for word in text.split()][step - 1 :: step]
    return all(_JAPANESE.search(word) for word in every if word and not word.isdigit())


def pronouns(text: str, given: Given) -> bool:
    """At least `N` pronouns."""
    listed = set(_PRONOUNS.split())
    return sum(word in listed for word in bare_words(text.replace("/", " "))) >= int(given["N"])


def keywords(text: str, given: Given) -> bool:
    """`keyword1` once, and the others two, three, five and seven times."""
    lowered = text.lower()
    times = zip(range(1, 6), (1, 2, 3, 5, 7), strict=True)
    return all(lowered.count(str(given[f"keyword{place}"]).strip().lower()) == count for place, count in times)


def repeats(text: str, given: Given) -> bool:
    """No word more than `small_n` times."""
    return max(Counter(bare_words(text)).values(), default=0) <= int(given["small_n"])


def equal_sentences(text: str, given: Given) -> bool:
    """Three sentences of the same number of characters."""
    lengths = [len(sentence) for sentence in sentences(text)]
    return len(lengths) == 3 and len(set(lengths)) == 1
