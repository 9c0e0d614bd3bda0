"""BLEU, ROUGE, ChrF and Levenshtein as checks of a suite."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.dialects.suite import EvalCase
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.bleu import BLEU
from ringtrue.evaluators.check import Check
from ringtrue.evaluators.chrf import ChrF
from ringtrue.evaluators.levenshtein import Levenshtein
from ringtrue.evaluators.rouge import ROUGE
from ringtrue.evaluators.summarization_quality import SummarizationQuality
from ringtrue.records import Case, Output, Trial
from ringtrue.scoring.overlap.bleu import sentence_bleu
from ringtrue.scoring.overlap.chrf import sentence_chrf

CHECKS = [BLEU(), ROUGE(), ChrF(), Levenshtein(), SummarizationQuality()]
every_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)


def score(check: Check, expected: Any, output: Any) -> float | None:
    return check.evaluate(EvalCase("q", expected_output=expected), output).score


@pytest.mark.parametrize(
    ("check", "name", "threshold"),
    [(BLEU(), "bleu", 0.5), (ROUGE(), "rouge_l", 0.5), (ChrF(), "chrf", 0.5), (Levenshtein(), "levenshtein", 0.8)],
    ids=lambda value: getattr(value, "name", None),
)
def test_names_and_defaults(check: Check, name: str, threshold: float) -> None:
    assert (check.name, check.parts, check.threshold) == (name, (name,), threshold)


@pytest.mark.parametrize(
    ("check", "expected", "output", "value"),
    [
        # Made by sacreBLEU 2.6.0 and rouge-score 0.1.2.
        (BLEU(), "the cat is on the mat", "the cat sat on the mat", 0.3799178428257963),
        (BLEU(2), "the cat is on the mat", "the cat sat on the mat", 0.7071067811865471),
        (BLEU(smooth="none"), "the cat is on the mat", "the cat sat on the mat", 0.0),
        (BLEU(lowercase=True), "Hello there", "hello There", 1.0),
        (BLEU(tokenize="zh"), "猫が座っている", "猫が座った", 0.59460355750136046),
        (BLEU(), ["the cat", "the the dog"], "the the the the", 0.31947155212313625),
        (ROUGE(), "hello world", "Hello, world!", 1.0),
        (ROUGE(), ["no", "hello world"], "hello there world", 0.8),
        (ROUGE(), "the cats sat", "the cat sat", 2 / 3),
        (ROUGE(stem=True), "the cats sat", "the cat sat", 1.0),
        (ChrF(), "the cat is on the mat", "the cat sat on the mat", 0.645779420625287),
        (ChrF(word_order=2), "hello world", "Hello, world!", 0.39998489705667986),
        (ChrF(char_order=3, beta=1), "the cat is on the mat", "the cat sat on the mat", 0.7909821667661633),
        (ChrF(whitespace=True), "the cat is on the mat", "the cat sat on the mat", 0.7459371320248871),
        (Levenshtein(), "sitting", "kitten", 4 / 7),
        (Levenshtein(), "KITTEN", "kitten", 1.0),
        (Levenshtein(case_sensitive=True), "KITTEN", "kitten", 0.0),
        (Levenshtein(), ["dog", "kitten"], "kitten", 1.0),
        (Levenshtein(), ["", "dog"], "", 0.0),
    ],
)
def test_values(check: Check, expected: Any, output: str, value: float) -> None:
    assert score(check, expected, output) == pytest.approx(value)


@every_check
def test_no_expected_output_is_skipped(check: Check) -> None:
    result = check.evaluate(EvalCase("q"), "text")
    assert (result.status, result.score, result.passed) == ("skipped", None, False)


@every_check
@pytest.mark.parametrize("output", ["", "text"])
def test_an_empty_expected_output_is_scored_and_never_a_pass(check: Check, output: str) -> None:
    result = type(check)(threshold=0.0).evaluate(EvalCase("q", expected_output=""), output)
    assert (result.status, result.score, result.passed) == ("scored", 0.0, False)
    assert "empty" in result.reason


@every_check
def test_an_output_that_is_not_text_is_a_failure(check: Check) -> None:
    result = check.evaluate(EvalCase("q", expected_output="text"), None)
    assert (result.status, result.score, result.passed) == ("scored", 0.0, False)


@every_check
def test_it_passes_at_the_threshold_and_not_below(check: Check) -> None:
    value = score(check, "the cat is on the mat", "the cat sat on the mat")
    assert value is not None
    case = EvalCase("q", expected_output="the cat is on the mat")
    assert type(check)(threshold=value).evaluate(case, "the cat sat on the mat").passed
    assert not type(check)(threshold=value + 1e-9).evaluate(case, "the cat sat on the mat").passed


@pytest.mark.parametrize("check", [ROUGE(), ChrF(), Levenshtein(), SummarizationQuality()], ids=lambda c: c.name)
def test_a_text_beyond_the_limit_is_a_failure_that_names_it(check: Check) -> None:
    result = check.evaluate(EvalCase("q", expected_output="a"), "a" * (check.max_chars + 1))
    assert (result.score, result.passed) == (0.0, False)
    assert f"{check.max_chars:,}" in result.reason


@pytest.mark.parametrize(
    ("build", "parameter"),
    [
        (lambda: BLEU(0), "n"),
        (lambda: BLEU("4"), "n"),  # type: ignore[arg-type]
        (lambda: BLEU(True), "n"),
        (lambda: BLEU(threshold=2), "threshold"),
        (lambda: BLEU(tokenize="spaces"), "tokenize"),
        (lambda: BLEU(smooth="method7"), "smooth"),
        (lambda: ChrF(char_order=0), "char_order"),
        (lambda: ChrF(beta=-1), "beta"),
        (lambda: ROUGE(threshold="high"), "threshold"),  # type: ignore[arg-type]
        (lambda: Levenshtein(threshold=-0.1), "threshold"),
    ],
)
def test_a_wrong_setting_raises_in_the_constructor(build: Any, parameter: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        build()
    assert raised.value.parameter == parameter


@every_check
def test_a_check_travels_between_processes(check: Check) -> None:
    again = pickle.loads(pickle.dumps(check))
    assert again == check
    assert again.signature() == check.signature()


@given(st.text(), st.lists(st.text(min_size=1), min_size=1, max_size=3))
def test_any_text_is_scored_in_range_and_alike_by_the_column(output: str, expected: list[str]) -> None:
    trial = Trial(Case(expected=tuple(expected)), Output(output))
    for check in (BLEU(), ROUGE(), ChrF(), Levenshtein()):
        found = check.measure(trial)
        assert found.value is not None
        assert check.measure_texts([output], [tuple(expected)]) == [found]
    assert BLEU().measure(trial).value == sentence_bleu(output, expected)
    assert ChrF().measure(trial).value == sentence_chrf(output, expected)
