"""The 25 official instruction types and what each asks of a response."""

from __future__ import annotations

from collections.abc import Callable

from ringtrue.scoring.ifeval import (
    combination,
    content,
    keywords,
    language,
    length,
    letter_case,
    punctuation,
    startend,
)
from ringtrue.scoring.ifeval import format as form
from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.rule import Rule

INSTRUCTIONS: dict[str, Callable[[Arguments], Rule]] = {
    "change_case:capital_word_frequency": letter_case.capital_word_frequency,
    "change_case:english_capital": letter_case.english_capital,
    "change_case:english_lowercase": letter_case.english_lowercase,
    "combination:repeat_prompt": combination.repeat_prompt,
    "combination:two_responses": combination.two_responses,
    "detectable_content:number_placeholders": content.number_placeholders,
    "detectable_content:postscript": content.postscript,
    "detectable_format:constrained_response": form.constrained_response,
    "detectable_format:json_format": form.json_format,
    "detectable_format:multiple_sections": form.multiple_sections,
    "detectable_format:number_bullet_lists": form.number_bullet_lists,
    "detectable_format:number_highlighted_sections": form.number_highlighted_sections,
    "detectable_format:title": form.title,
    "keywords:existence": keywords.existence,
    "keywords:forbidden_words": keywords.forbidden_words,
    "keywords:frequency": keywords.frequency,
    "keywords:letter_frequency": keywords.letter_frequency,
    "language:response_language": language.response_language,
    "length_constraints:nth_paragraph_first_word": length.nth_paragraph_first_word,
    "length_constraints:number_paragraphs": length.number_paragraphs,
    "length_constraints:number_sentences": length.number_sentences,
    "length_constraints:number_words": length.number_words,
    "punctuation:no_comma": punctuation.no_comma,
    "startend:end_checker": startend.end_checker,
    "startend:quotation": startend.quotation,
}
