"""Evaluators from text."""

from __future__ import annotations

import pytest

from ringtrue.errors import ConfigurationError, UnknownName
from ringtrue.evaluators import build
from ringtrue.evaluators.built_in import BUILT_IN
from ringtrue.evaluators.spec import find


@pytest.mark.parametrize(
    ("spec", "signature"),
    [
        ("not_empty", "not_empty=NotEmpty(threshold=1.0)"),
        (" word_count(max_words=100) ", "word_count=WordCount("),
        ("contains(['a', 'b'], threshold=0.5, name='ab')", 'ab=Contains(substrings=["a","b"]'),
        ("contains(substrings=['x'], case_sensitive=true)", "case_sensitive=true"),
        ("any_of(not_empty, contains(['x']))", "any_of=AnyOf("),
        ("not(contains(['x']))", "not=Not("),
        ("all_of(not_empty, not(contains(['x'])))", "all_of=AllOf("),
        ("numeric_match(tolerance=-0.0)", "numeric_match=NumericMatch("),
    ],
)
def test_built(spec: str, signature: str) -> None:
    assert signature in build(spec).signature()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("word_cuont", "no evaluator named 'word_cuont'; did you mean 'word_count'?"),
        ("word_count(words=1)", "'ringtrue explain word_count' shows its settings"),
        ("word_count(", "cannot read the evaluator"),
        ("word_count(max_words=__import__('os'))", "no evaluator named '__import__'"),
        ("contains(substrings=open('/etc/passwd'))", "no evaluator named 'open'"),
        ("1 + 1", "cannot read the evaluator"),
        ("", "cannot read the evaluator"),
        ("(" * 5000, "cannot read the evaluator"),
        ("latency", "missing a required argument: 'max_ms'; 'ringtrue explain latency'"),
        ("word_count(max_word=1)", "there is no setting 'max_word', did you mean 'max_words'?"),
        ("contains([Lima])", "Lima is not a value; write text in quotes: 'Lima'"),
    ],
    ids=["typo", "setting", "open", "code", "call", "number", "empty", "deep", "missing", "near", "unquoted"],
)
def test_refused(spec: str, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        build(spec)
    assert message in str(caught.value)


def test_the_table_names_classes_by_their_own_names() -> None:
    for name in BUILT_IN:
        assert find(name).default_name == name


def test_an_unknown_name_carries_its_values() -> None:
    with pytest.raises(UnknownName) as caught:
        find("blue")
    assert (caught.value.value, caught.value.near) == ("blue", ["bleu"])
