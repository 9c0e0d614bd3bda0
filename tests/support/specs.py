"""One way to build each built-in evaluator, and a case that gives every one of them something to measure."""

from __future__ import annotations

from ringtrue import EvalCase

SPECS = {
    "all_of": "all_of(not_empty, word_count(max_words=5))",
    "any_of": "any_of(not_empty, regex_match('^(a+)+$'))",
    "contains": "contains(['needle', 'a'])",
    "diff_applies": "diff_applies('.')",
    "ends_with": "ends_with('needle')",
    "json_schema": "json_schema({'type': 'object', 'properties': {'a': {'type': 'integer', 'maximum': 10}}})",
    "latency": "latency(100)",
    "max_latency": "max_latency(100)",
    "not": "not(contains(['needle']))",
    "not_contains": "not_contains(['needle'])",
    "regex_match": "regex_match('^(a+)+$')",
    "starts_with": "starts_with('needle')",
}
INSTRUCTIONS = [
    ("keywords:existence", {"keywords": ["(a+)+$", "needle"]}),
    ("keywords:frequency", {"keyword": "a", "frequency": 3, "relation": "at least"}),
    ("keywords:forbidden_words", {"forbidden_words": ["bad"]}),
    ("keywords:letter_frequency", {"letter": "a", "let_frequency": 3, "let_relation": "less than"}),
    ("language:response_language", {"language": "de"}),
    ("length_constraints:number_sentences", {"num_sentences": 3, "relation": "at least"}),
    ("length_constraints:number_paragraphs", {"num_paragraphs": 3}),
    ("length_constraints:number_words", {"num_words": 3, "relation": "at least"}),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 1, "first_word": "a"},
    ),
    ("detectable_content:number_placeholders", {"num_placeholders": 2}),
    ("detectable_content:postscript", {"postscript_marker": "P.P.S"}),
    ("detectable_format:number_bullet_lists", {"num_bullets": 2}),
    ("detectable_format:constrained_response", {}),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 2}),
    ("detectable_format:multiple_sections", {"section_spliter": "Section", "num_sections": 2}),
    ("detectable_format:json_format", {}),
    ("detectable_format:title", {}),
    ("combination:two_responses", {}),
    ("combination:repeat_prompt", {"prompt_to_repeat": "Say it again"}),
    ("startend:end_checker", {"end_phrase": "the end"}),
    ("startend:quotation", {}),
    ("change_case:capital_word_frequency", {"capital_frequency": 3, "capital_relation": "at least"}),
    ("change_case:english_capital", {}),
    ("change_case:english_lowercase", {}),
    ("punctuation:no_comma", {}),
]
CASE = EvalCase(
    "What is it?",
    expected_output="B",
    metadata={
        "correct_letter": "B",
        "choices": ["one", "two", "three"],
        "instruction_id_list": [name for name, _ in INSTRUCTIONS],
        "kwargs": [kwargs for _, kwargs in INSTRUCTIONS],
    },
)
