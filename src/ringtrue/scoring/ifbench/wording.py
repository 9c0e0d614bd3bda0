"""Instructions of IFBench about words: their letters, their lengths and their places."""

from __future__ import annotations

import re
from itertools import pairwise
from string import ascii_lowercase

from ringtrue.scoring.ifbench.counting import Given
from ringtrue.scoring.ifbench.texts import (
    PUNCTUATION,
    bare,
    bare_words,
    sentences,
    strip_edges,
    without_end,
    without_start,
)
from ringtrue.scoring.prose.word_tokens import split_words

_CONSONANT_PAIR = re.compile(r"[bcdfghjklmnpqrstvwxyz]{2}")
_PRIMES = frozenset((2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97))
_VOWELS = re.compile(r"[aeiouy]+")
_VERBS = (
    "add allow analyze answer apply ask avoid be become begin believe break bring build buy call carry catch change "
    "check choose clean close collect combine come compare complete consider continue cook count create cut decide "
    "define delve describe design develop discover do drink drive eat embrace enjoy ensure establish evaluate "
    "examine expect explain explore feel fill find finish focus follow forget gather get give go grow handle have "
    "hear help hold imagine improve include increase introduce keep know lead learn leave let list listen live look "
    "lose love make manage meet mix move need note offer open organize pay pick place plan play prepare present "
    "prevent produce provide pull push put read reach recall receive recognize reduce remember remove replace "
    "research return run save say search see seek select sell send serve set share show sing sit sleep solve speak "
    "spend stand start stay stop strive study take talk teach tell think throw travel try turn understand unlock "
    "use visit wait walk want wash watch wear win work write "
    "am are did does done had has is was were been went goes made said saw took came gave found thought knew got"
)


def alphabet(text: str, given: Given) -> bool:
    """Each word begins with the letter of the alphabet after the last word's, a after z."""
    words = bare_words(text)
    places = [ascii_lowercase.find(word[0]) for word in words]
    return bool(words) and places[0] >= 0 and all(later == (earlier + 1) % 26 for earlier, later in pairwise(places))


def vowels(text: str, given: Given) -> bool:
    """One paragraph with at most three different vowels."""
    return "\n" not in text.strip() and len(set(text.lower()) & set("aeiou")) <= 3


def consonants(text: str, given: Given) -> bool:
    """Two consonants side by side in every word."""
    return all(_CONSONANT_PAIR.search(word) for word in text.lower().split())


def alliteration(text: str, given: Given) -> bool:
    """Every sentence has more alliterative words than the one before it."""
    counts = [_alliterative(sentence) for sentence in sentences(text)]
    return all(earlier < later for earlier, later in pairwise([-1, *counts]))


def palindromes(text: str, given: Given) -> bool:
    """Ten palindromes of five letters or more."""
    return sum(len(word) >= 5 and word == word[::-1] for word in bare_words(text)) >= 10


def prime_lengths(text: str, given: Given) -> bool:
    """Only words whose length is a prime number."""
    return all(len(word) in _PRIMES for word in bare(text).split())


def start_verb(text: str, given: Given) -> bool:
    """The first word is a verb; one of two hundred common ones, where the authors ask a tagger."""
    first = next(iter(split_words(text)), "").lower()
    known = set(_VERBS.split())
    stems = {first, first.removesuffix("s"), first.removesuffix("ing"), f"{first.removesuffix('ing')}e",
             first.removesuffix("ed"), first.removesuffix("d")}  # fmt: skip
    return not known.isdisjoint(stems)


def syllables(text: str, given: Given) -> bool:
    """Words of an odd and an even number of syllables by turns; syllables are groups of vowels, a silent e aside."""
    parities = [_syllables(word) % 2 for word in bare_words(text)]
    return all(earlier != later for earlier, later in pairwise(parities))


def last_first(text: str, given: Given) -> bool:
    """Each sentence begins with the last word of the one before it."""
    for earlier, later in pairwise(sentences(text)):
        last, first = without_end(earlier).split()[-1:], without_start(later).split()[:1]
        if not last or not first or last[0].lower() != first[0].lower():
            return False
    return True


def paragraph_last_first(text: str, given: Given) -> bool:
    """Each paragraph ends with the word it begins with."""
    found = [strip_edges(line.strip().lower()).split() for line in text.split("\n") if line.strip()]
    return all(words[0] == words[-1] for words in found if words)


def no_consecutive(text: str, given: Given) -> bool:
    """No two words side by side begin with the same letter."""
    return all(earlier[0] != later[0] for earlier, later in pairwise(bare_words(text)))


def keyword_place(text: str, given: Given) -> bool:
    """The `m`th word of the `n`th sentence is the keyword; punctuation is not counted, nor is letter case."""
    found, place, word = sentences(text), int(given["n"]), int(given["m"])
    tokens = split_words(found[place - 1].lower()) if len(found) >= place else []
    words = [token for token in tokens if any(map(str.isalnum, token))]
    return len(words) >= word and words[word - 1] == str(given["keyword"]).strip().lower()


def second_and_last(text: str, given: Given) -> bool:
    """The second word and the last but one are the keyword, whatever the case; without a final punctuation mark."""
    words = split_words(text.lower())
    last = -3 if words and words[-1] in PUNCTUATION else -2
    return len(words) >= -last and words[1] == words[last] == str(given["keyword"]).strip().lower()


def sentence_keyword(text: str, given: Given) -> bool:
    """The `N`th sentence holds the `word`."""
    found, place = sentences(text), int(given["N"])
    return len(found) >= place and str(given["word"]).strip().lower() in found[place - 1].lower()


def word_increments(text: str, given: Given) -> bool:
    """Every sentence has `small_n` words more than the one before it."""
    counts = [len(bare(sentence).split()) for sentence in sentences(text)]
    return all(later == earlier + int(given["small_n"]) for earlier, later in pairwise(counts))


def _alliterative(sentence: str) -> int:
    words = [word for word in map(without_start, sentence.lower().split()) if word]
    same = [earlier[0] == later[0] for earlier, later in pairwise(words)]
    runs = sum(now and not before for before, now in pairwise([False, *same]))
    return sum(same) + runs


def _syllables(word: str) -> int:
    groups = len(_VOWELS.findall(word))
    silent = word.endswith("e") and not word.endswith("le") and groups > 1
    return max(1, groups - silent)
