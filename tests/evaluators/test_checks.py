"""The plain checks of text, one row per law."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.dialects.suite import EvalCase
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.contains import Contains, NotContains
from ringtrue.evaluators.exact_match import ExactMatch
from ringtrue.evaluators.is_json import IsJSON
from ringtrue.evaluators.json_equals import JSONEquals
from ringtrue.evaluators.json_schema import JSONSchemaEval
from ringtrue.evaluators.not_empty import NotEmpty
from ringtrue.evaluators.regex_match import RegexMatch
from ringtrue.evaluators.starts_with import EndsWith, StartsWith
from ringtrue.evaluators.text_check import TextCheck
from ringtrue.evaluators.word_count import WordCount
from ringtrue.records import Case, Output, Score, Trial
from ringtrue.scoring.fractions import least, meets

CHECKS: list[TextCheck] = [
    NotEmpty(),
    ExactMatch(),
    ExactMatch(case_sensitive=True),
    Contains(["a"]),
    Contains(["A"], True),
    Contains(["a", "ß", "1"], threshold=0.67),
    Contains(["a", "b"], match_any=True),
    NotContains(["a"]),
    NotContains(["a", "ss"]),
    RegexMatch("a|1"),
    RegexMatch("(a|b|ab)*1"),
    RegexMatch(r"\s+$", 0),
    WordCount(1, 3),
    StartsWith("a"),
    EndsWith("ß"),
    IsJSON(),
    JSONEquals(),
    JSONSchemaEval({"type": "integer", "minimum": 1}),
]
TEXTS = st.text("aAbBßs1 \n\t.\u200b\ud800", max_size=6) | st.text(max_size=20) | st.sampled_from(["1", "[1]", "a", ""])


def score(check: TextCheck, text: str, *expected: str) -> Score:
    return check.measure(Trial(Case(expected=expected or None), Output(text)))


@pytest.mark.parametrize(
    ("check", "text", "value"),
    [
        (NotEmpty(), "x", 1.0),
        (NotEmpty(), "  x  ", 1.0),
        (NotEmpty(), "é", 1.0),
        (NotEmpty(), "\u200bx", 1.0),
        (NotEmpty(), "。", 1.0),
        (NotEmpty(), "👍", 1.0),
        (NotEmpty(), "\ud800", 1.0),
        (NotEmpty(), "", 0.0),
        (NotEmpty(), " \t\r\n", 0.0),
        (NotEmpty(), "\u00a0\u3000\u2028", 0.0),
        (NotEmpty(), "\u200b\u200c\u200d\u2060\ufeff", 0.0),
        (NotEmpty(), "\u200e\u202e\u2066", 0.0),
        (NotEmpty(), "\x00\x1b\x07", 0.0),
        (NotEmpty(), "\u3164\u115f\u2800", 0.0),
        (NotEmpty(), "\ufe0f\u00ad\u034f", 0.0),
        (Contains(["Paris"]), "It is paris.", 1.0),
        (Contains(["Paris"]), "rapis", 0.0),
        (Contains(["Paris"], case_sensitive=True), "It is paris.", 0.0),
        (Contains(["a", "b", "z"]), "ab", 2 / 3),
        (Contains(["a", "a", "z"]), "a", 2 / 3),
        (Contains(("a", "b")), "ab", 1.0),
        (Contains(["STRASSE"]), "Hauptstraße 1", 1.0),
        (Contains(["z", "b"], match_any=True), "ab", 1.0),
        (Contains(["z", "y"], match_any=True), "ab", 0.0),
        (Contains(["\n"]), "a\nb", 1.0),
        (NotContains(["rome", "milan"]), "Paris", 1.0),
        (NotContains(["rome", "milan"]), "ROME", 0.5),
        (NotContains(["rome"], True), "ROME", 1.0),
        (RegexMatch(r"\d{3}-\d{4}"), "call 555-1234 now", 1.0),
        (RegexMatch(r"^\d+$"), "a1", 0.0),
        (RegexMatch("PARIS"), "paris", 1.0),
        (RegexMatch("PARIS", 0), "paris", 0.0),
        (RegexMatch("a.b", re.DOTALL), "a\nb", 1.0),
        (RegexMatch("^b", re.MULTILINE), "a\nb", 1.0),
        (RegexMatch(re.compile("PARIS")), "paris", 0.0),
        (RegexMatch(re.compile("PARIS", re.I)), "paris", 1.0),
        (RegexMatch(re.compile("PARIS"), 0), "PARIS", 1.0),
        (RegexMatch(""), "", 1.0),
        (RegexMatch("^(a+)+$"), "a" * 40 + "!", 0.0),
        (RegexMatch("^(a+)+$"), "a" * 40, 1.0),
        (WordCount(), "", 1.0),
        (WordCount(), "a " * 10_000, 1.0),
        (WordCount(), "a " * 10_001, 0.0),
        (WordCount(2, 3), "one", 0.0),
        (WordCount(2, 3), "one two", 1.0),
        (WordCount(2, 3), " one\ttwo\nthree ", 1.0),
        (WordCount(2, 3), "one two three four", 0.0),
        (WordCount(min=2), "one", 0.0),
        (WordCount(max=1), "one two", 0.0),
        (WordCount(0, 0), " ", 1.0),
        (WordCount(0, 0), " a", 0.0),
        (WordCount(0, 10**30), "a b", 1.0),
        (StartsWith("Yes"), "yes, it is", 1.0),
        (StartsWith("Yes"), "\n  yes", 1.0),
        (StartsWith("Yes"), "no, yes", 0.0),
        (StartsWith("Yes", True), "yes", 0.0),
        (StartsWith("```python\n"), "```python\nx = 1", 1.0),
        (StartsWith("```python\n"), "```python\n", 1.0),
        (StartsWith("```python\n"), "```python", 0.0),
        (StartsWith("  yes"), "  yes", 1.0),
        (StartsWith("  yes"), "yes", 1.0),
        (StartsWith("\n"), "\nyes", 1.0),
        (StartsWith("\n"), "yes", 0.0),
        (StartsWith("STRASS"), "straße", 1.0),
        (StartsWith("stra"), "s", 0.0),
        (EndsWith("."), "The end.", 1.0),
        (EndsWith("."), "The end. \n", 1.0),
        (EndsWith("END."), "The end.", 1.0),
        (EndsWith("END.", True), "The end.", 0.0),
        (EndsWith("end.\n"), "The end.\n", 1.0),
        (EndsWith("\n"), "The end.\n", 1.0),
        (EndsWith("\n"), "The end.", 0.0),
        (EndsWith("SSE"), "Straße", 1.0),
    ],
)
def test_values(check: TextCheck, text: str, value: float) -> None:
    result = score(check, text)
    assert result.value == value
    assert result.passed is (value == 1.0)
    assert result.passed or result.reason


@pytest.mark.parametrize(
    ("check", "text", "expected", "value"),
    [
        (ExactMatch(), " Paris\n", ("paris",), 1.0),
        (ExactMatch(), "Paris", ("Rome", "Paris"), 1.0),
        (ExactMatch(), "Paris.", ("Paris",), 0.0),
        (ExactMatch(), "straße", ("STRASSE",), 1.0),
        (ExactMatch(), " ", ("",), 1.0),
        (ExactMatch(), "x", ("",), 0.0),
        (ExactMatch(True), "paris", ("Paris",), 0.0),
        (ExactMatch(True), " Paris ", ("Paris",), 1.0),
        (ExactMatch(), "x", (), None),
    ],
)
def test_exact_match(check: ExactMatch, text: str, expected: tuple[str, ...], value: float | None) -> None:
    result = score(check, text, *expected)
    assert result.value == value
    assert result.status == ("skipped" if value is None else "scored")


@pytest.mark.parametrize(
    ("found", "total", "threshold", "passes"),
    [
        (2, 3, 0.67, True),
        (2, 3, 0.66, True),
        (2, 3, 0.667, True),
        (2, 3, 0.7, True),
        (2, 3, 0.68, False),
        (2, 3, 2 / 3, True),
        (1, 3, 0.34, False),
        (1, 3, 0.33, True),
        (1, 2, 0.5, True),
        (0, 2, 0.0, True),
        (0, 2, 0.5, False),
        (999, 1_000, 1.0, False),
        (999, 1_000, 1, False),
        (3, 3, 1.0, True),
        (1, 100_000, 1e-05, True),
    ],
)
def test_a_fraction_meets_a_rounded_threshold(found: int, total: int, threshold: float, passes: bool) -> None:
    assert meets(found, total, threshold) is passes
    assert (found >= least(total, threshold)) is passes


def test_two_of_three_pass_at_two_thirds() -> None:
    result = score(Contains(["a", "b", "z"], threshold=0.67), "ab")
    assert (result.value, result.passed, result.metadata["missing"]) == (2 / 3, True, ("z",))
    assert score(Contains(["a", "b", "z"], threshold=0.68), "ab").passed is False


@pytest.mark.parametrize(
    ("kind", "arguments", "parameter"),
    [
        (Contains, ("Paris",), "substrings"),
        (Contains, ([],), "substrings"),
        (Contains, ([""],), "substrings"),
        (Contains, ([1],), "substrings"),
        (Contains, (None,), "substrings"),
        (NotContains, ("Paris",), "substrings"),
        (RegexMatch, ("(",), "pattern"),
        (RegexMatch, (7,), "pattern"),
        (RegexMatch, ("a", re.LOCALE), "flags"),
        (RegexMatch, (re.compile("a"), re.DOTALL), "flags"),
        (WordCount, (5, 3), "min_words"),
        (WordCount, (-1,), "min_words"),
        (WordCount, (0, 1.5), "max_words"),
        (WordCount, ("1",), "min_words"),
        (WordCount, (True,), "min_words"),
        (StartsWith, ("",), "prefix"),
        (StartsWith, (["a"],), "prefix"),
        (EndsWith, (None,), "suffix"),
        (NotEmpty, (1.5,), "threshold"),
        (NotEmpty, ("1",), "threshold"),
        (ExactMatch, (False, float("nan")), "threshold"),
        (ExactMatch, ("no",), "case_sensitive"),
        (Contains, (["a"], 0.5), "case_sensitive"),
    ],
)
def test_a_broken_setting_raises_in_the_constructor(kind: Any, arguments: tuple[Any, ...], parameter: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        kind(*arguments)
    assert caught.value.parameter == parameter


def test_the_message_for_a_string_says_what_to_write() -> None:
    with pytest.raises(ConfigurationError, match=re.escape("Contains(['Paris'])")):
        Contains("Paris")  # type: ignore[arg-type]


def test_word_count_has_one_truth() -> None:
    check = WordCount(min=2, max=5)
    assert (check.min_words, check.max_words) == (2, 5)
    assert check == WordCount(2, 5)
    with pytest.raises(ConfigurationError):
        WordCount(min_words=3, min=2)


def test_a_compiled_pattern_becomes_its_text_and_flags() -> None:
    check = RegexMatch(re.compile("a", re.DOTALL))
    assert check.pattern == "a"
    assert check == pickle.loads(pickle.dumps(check))
    assert score(pickle.loads(pickle.dumps(check)), "A").value == 0.0


def test_a_search_that_is_given_up_says_so() -> None:
    result = score(RegexMatch("(x+x+)+y"), "x" * 50_000)
    assert (result.value, result.passed) == (0.0, False)
    assert "given up" in result.reason


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.signature())
@given(rows=st.lists(st.tuples(TEXTS, st.none() | st.lists(TEXTS, min_size=1, max_size=3).map(tuple)), max_size=5))
def test_a_column_is_scored_as_its_cells(check: TextCheck, rows: list[tuple[str, tuple[str, ...] | None]]) -> None:
    trials = [Trial(Case(expected=expected), Output(text)) for text, expected in rows]
    one_by_one = [check.measure(trial) for trial in trials]
    assert check.measure_many(trials) == one_by_one
    assert check.measure_texts([text for text, _ in rows], [expected for _, expected in rows]) == one_by_one


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.signature())
def test_checks_travel_between_processes(check: TextCheck) -> None:
    copy = pickle.loads(pickle.dumps(check))
    assert copy == check
    assert copy.signature() == check.signature()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.signature())
@pytest.mark.parametrize("output", [None, b"bytes", object()])
def test_a_broken_output_is_a_scored_failure(check: TextCheck, output: Any) -> None:
    result = check.evaluate(EvalCase("q", "1"), output)
    assert (result.score, result.passed, result.status) == (0.0, False, "scored")
    assert result.reason


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.signature())
def test_a_text_beyond_the_limit_is_a_failure_that_names_it(check: TextCheck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(check), "max_chars", 3)
    texts: list[str] = ["abcd", "a", "1"]
    expected: list[tuple[str, ...] | None] = [("a",), ("abcd",), ("1",)]
    scores = check.measure_texts(texts, expected)
    assert scores == [score(check, text, *(answers or ())) for text, answers in zip(texts, expected, strict=True)]
    assert [item.value for item in scores[:2]] == [0.0, 0.0]
    assert "reads 3" in scores[0].reason
    assert "reads 3" in scores[1].reason


def test_columns_of_different_lengths_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="equally long"):
        NotEmpty().measure_texts(["a"], [])
