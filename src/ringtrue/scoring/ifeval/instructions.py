"""The 25 official instruction types and what each asks of a response."""

from __future__ import annotations

from collections.abc import Callable

from ringtrue.scoring.ifeval import characters, content, keywords, length
from ringtrue.scoring.ifeval import format as form
from ringtrue.scoring.ifeval.arguments import Arguments
from ringtrue.scoring.ifeval.rule import Rule

INSTRUCTIONS: dict[str, Callable[[Arguments], Rule]] = {
    "change_case:capital_word_frequency": characters.capital_word_frequency,
    "change_case:english_capital": characters.english_capital,
    "change_case:english_lowercase": characters.english_lowercase,
    "combination:repeat_prompt": content.repeat_prompt,
    "combination:two_responses": content.two_responses,
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
    "language:response_language": content.response_language,
    "length_constraints:nth_paragraph_first_word": length.nth_paragraph_first_word,
    "length_constraints:number_paragraphs": length.number_paragraphs,
    "length_constraints:number_sentences": length.number_sentences,
    "length_constraints:number_words": length.number_words,
    "punctuation:no_comma": characters.no_comma,
    "startend:end_checker": characters.end_checker,
    "startend:quotation": characters.quotation,
}
