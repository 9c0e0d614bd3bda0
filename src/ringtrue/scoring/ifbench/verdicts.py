"""The checks by id, and the verdicts on a response, strict and loose."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ringtrue.scoring.ifbench import counting, fixed, forms, wording
from ringtrue.scoring.ifeval.arguments import InstructionError
from ringtrue.scoring.ifeval.loose import variants

CHECKS: Mapping[str, Callable[[str, Mapping[str, Any]], bool]] = {
    "count:word_count_range": counting.word_count_range,
    "count:unique_word_count": counting.unique_words,
    "count:conjunctions": counting.conjunctions,
    "count:person_names": counting.person_names,
    "count:numbers": counting.numbers,
    "count:punctuation": counting.punctuation,
    "count:words_japanese": counting.japanese_words,
    "count:pronouns": counting.pronouns,
    "count:keywords_multiple": counting.keywords,
    "ratio:stop_words": counting.stop_words,
    "ratio:sentence_type": counting.sentence_types,
    "ratio:sentence_balance": counting.sentence_balance,
    "ratio:overlap": counting.trigram_overlap,
    "ratio:sentence_words": counting.equal_sentences,
    "words:repeats": counting.repeats,
    "words:alphabet": wording.alphabet,
    "words:vowel": wording.vowels,
    "words:consonants": wording.consonants,
    "words:palindrome": wording.palindromes,
    "words:prime_lengths": wording.prime_lengths,
    "words:start_verb": wording.start_verb,
    "words:odd_even_syllables": wording.syllables,
    "words:last_first": wording.last_first,
    "words:paragraph_last_first": wording.paragraph_last_first,
    "words:no_consecutive": wording.no_consecutive,
    "words:keywords_specific_position": wording.keyword_place,
    "words:words_position": wording.second_and_last,
    "sentence:alliteration_increment": wording.alliteration,
    "sentence:keyword": wording.sentence_keyword,
    "sentence:increment": wording.word_increments,
    "format:parentheses": forms.parentheses,
    "format:quotes": forms.quotes,
    "format:options": forms.options,
    "format:newline": forms.one_word_lines,
    "format:emoji": forms.emoji,
    "format:line_indent": forms.stairs,
    "format:quote_unquote": forms.explained_quotes,
    "format:list": forms.marked_list,
    "format:thesis": forms.thesis,
    "format:sub-bullets": forms.sub_bullets,
    "format:no_bullets_bullets": forms.sentences_then_bullets,
    "format:title_case": forms.title_case,
    "format:output_template": forms.output_template,
    "format:no_whitespace": forms.no_whitespace,
    "repeat:repeat_change": forms.repeat_changed,
    "repeat:repeat_simple": forms.repeat_sentence,
    "repeat:repeat_span": forms.repeat_span,
    "custom:multiples": fixed.multiples,
    "custom:mcq_count_length": fixed.questions,
    "custom:reverse_newline": fixed.african_countries,
    "custom:word_reverse": fixed.reversed_words,
    "custom:character_reverse": fixed.reversed_characters,
    "custom:sentence_alphabet": fixed.sentence_alphabet,
    "custom:european_capitals_sort": fixed.capitals,
    "custom:csv_city": fixed.city_table,
    "custom:csv_special_character": fixed.special_table,
    "custom:csv_quotes": fixed.quoted_table,
    "custom:date_format_list": fixed.dates,
}
"""Id of an instruction -> its check."""


def check_instructions(ids: Sequence[str], kwargs: Sequence[Any], response: str) -> tuple[list[bool], list[bool]]:
    """Whether a response follows each instruction: as it is, and in one of the eight variants of the loose reading.

    An unknown id, or a missing argument, raises InstructionError.
    """
    given = [dict(one or {}) for one in [*kwargs, *[None] * (len(ids) - len(kwargs))]]
    strict = [_follows(name, response, one) for name, one in zip(ids, given, strict=False)]
    loose = [
        followed or any(_follows(name, variant, one) for variant in variants(response)[1:])
        for followed, name, one in zip(strict, ids, given, strict=False)
    ]
    return strict, loose


def _follows(name: str, text: str, given: Mapping[str, Any]) -> bool:
    if name not in CHECKS:
        raise InstructionError(f"IFBench has no instruction {name!r}", instruction=name)
    if not text.strip():
        return False
    try:
        return CHECKS[name](text, given)
    except csv.Error:  # a reply that is not a table
        return False
    except (KeyError, TypeError, ValueError) as error:
        raise InstructionError(f"{name}: its arguments cannot be read: {error}", instruction=name) from error
