"""A bounded pattern finds what `re` finds, and always comes to an end."""

from __future__ import annotations

import re
import warnings
from math import inf
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
import regex  # type: ignore[import-untyped]
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.scoring.patterns.bounded_search import bounded_pattern
from ringtrue.scoring.patterns.translation import translate
from support.patterns import FLAGS, PATTERNS, TEXTS


def stoppable(pattern: str, flags: int) -> Any:
    """The translated pattern, whether it is needed or not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        compiled = re.compile(pattern, flags)
        tree = _parser.parse(pattern, compiled.flags)
    return regex.compile(translate(tree, compiled.flags), regex.V1)


@given(PATTERNS, FLAGS, st.lists(TEXTS, min_size=1, max_size=5))
@settings(max_examples=200, deadline=None)
def test_the_translation_finds_what_re_finds(pattern: str, flags: int, texts: list[str]) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            compiled = re.compile(pattern, flags)
    except (re.error, OverflowError):
        assume(False)
    translated = stoppable(pattern, flags)
    for text in texts:
        found, same = compiled.search(text), translated.search(text)
        assert (found and found.span()) == (same and same.span())


@pytest.mark.parametrize(
    ("pattern", "flags", "text"),
    [
        pytest.param(r"[[]a]", 0, "[a]", id="a bracket inside a set opens no set"),
        pytest.param(r"[a&&b]", 0, "&", id="no set intersection"),
        pytest.param(r"[[:alpha:]]", 0, "x", id="no POSIX class"),
        pytest.param(r"(?:abc){e<=1}", 0, "abd", id="no fuzzy match"),
        pytest.param(r"a{,2}b", 0, "aab", id="a count without a lower bound"),
        pytest.param(r"\w", 0, "\u0301", id="a combining mark is no word character"),
        pytest.param(r"\w", 0, "½", id="a vulgar fraction is a word character"),
        pytest.param(r"\s", 0, "\x1c", id="a file separator is a space"),
        pytest.param(r"\bé", 0, "e\u0301é", id="a boundary beside a combining mark"),
        pytest.param(r"\B", 0, "", id="no inner position in an empty text"),
        pytest.param(r"$", 0, "\n", id="the end before a last newline"),
        pytest.param(r"^b$", re.M, "a\nb\nc", id="lines"),
        pytest.param(r"(?:[^a]|[^b])+$", 0, "ab", id="two sets that each leave out one character"),
        pytest.param(r"(?:[^a]|.)+$", 0, "aa", id="any character beside a set that leaves one out"),
        pytest.param(r"(?:[^a-a]|[^K])+$", re.I, "aK", id="the same, whatever the case"),
        pytest.param(r"k", re.I, "K", id="the Kelvin sign"),
        pytest.param(r"s", re.I, "ſ", id="the long s"),
        pytest.param(r"i", re.I, "İ", id="the dotted capital I"),
        pytest.param(r"k", re.I | re.A, "K", id="no Kelvin sign in ASCII"),
        pytest.param(r"[^k]", re.I, "K", id="a negated set ignores case"),
        pytest.param(r"[a-z]+", re.I, "K", id="a range ignores case"),
        pytest.param(r"ß", re.I, "ss", id="no full case folding"),
        pytest.param(r"(.{1,2}){2}+", 0, "ab", id="a possessive repeat gives nothing back between rounds"),
        pytest.param(r"(?x) a b  # ab", 0, "ab", id="a verbose pattern"),
        pytest.param(r"(?P<x>a)(?P=x)", 0, "aa", id="a named group"),
        pytest.param(r"(a)?(?(1)b|c)", 0, "c", id="a condition"),
        pytest.param("\ud800", 0, "\ud800", id="a lone surrogate"),
        pytest.param("\x00", 0, "a\x00", id="NUL"),
        pytest.param(r"\w", 0, "\U0003134a", id="the newest letters are as Python knows them"),
    ],
)
def test_engines_agree(pattern: str, flags: int, text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        expected = re.search(pattern, text, flags) is not None
    assert (stoppable(pattern, flags).search(text) is not None) is expected
    assert bounded_pattern(pattern, flags).found_in(text) is expected


@pytest.mark.parametrize("pattern", [r"\w+", r"\d+", r"\s+", r"[^\W\d_]+"])
@pytest.mark.parametrize("flags", [0, re.A, re.I])
def test_classes_have_the_same_characters(pattern: str, flags: int) -> None:
    everything = "".join(map(chr, range(0x110000)))
    assert stoppable(pattern, flags).findall(everything) == re.findall(pattern, everything, flags)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^(a+)+$", "a" * 40 + "!"),
        ("(a*)*b", "a" * 100_000),
        ("(a|a)*c", "a" * 50_000 + "b"),
        (r"\s+$", " " * 100_000 + "x"),
        (r"(x+x+)+y", "x" * 100_000),
        (r"(?:a{1,1000}){1,1000}b", "a" * 30_000),
        (r"(a?){30}a{30}b", "a" * 30_000),
        (r"(.*)*\1z", "ab" * 20_000),
        (r"\w+@\w+\.com", "a" * 100_000),
        (r"(?=(a*))\1*b", "a" * 100_000),
        (r"(?:a|b|ab)*c", "ab" * 50_000),
        (r"^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 100_000),
        ("a{1,1000}b", "a" * 100_000),
    ],
)
def test_catastrophic_patterns_come_to_an_end(pattern: str, text: str) -> None:
    assert bounded_pattern(pattern).found_in(text) in (None, False)


@pytest.mark.parametrize(
    "pattern",
    ["", "paris", "foo|bar", r"\d+", r"https?://\S+", r"\b\d{4}-\d{2}-\d{2}\b", r"^\s*$", "Answer: .*", "[a-z]{1,3}x"],
)
def test_patterns_of_bounded_work_run_on_re(pattern: str) -> None:
    assert bounded_pattern(pattern).safe_chars == inf


@pytest.mark.parametrize("pattern", ["(a+)+", "(a|b|ab)*c", "(?:a*b?)*", "(a?){30}b", r"((\w+)\s?)*$"])
def test_patterns_of_unbounded_work_never_run_on_re(pattern: str) -> None:
    assert bounded_pattern(pattern).safe_chars == 0


@pytest.mark.parametrize("pattern", [r"\s+$", "a*b", ".*foo", "a.*b.*c", r"(\w+) \1"])
def test_patterns_of_polynomial_work_run_on_re_for_short_texts(pattern: str) -> None:
    assert 0 < bounded_pattern(pattern).safe_chars <= 10_000


@pytest.mark.parametrize(
    ("pattern", "flags", "parameter"),
    [
        ("(", 0, "pattern"),
        ("a**", 0, "pattern"),
        ("(?<=a+)b", 0, "pattern"),
        ("(" * 5_000 + ")" * 5_000, 0, "pattern"),
        ("a{99999999999}", 0, "pattern"),
        (b"a", 0, "pattern"),
        (re.compile(b"a"), 0, "pattern"),
        (None, 0, "pattern"),
        (["a"], 0, "pattern"),
        ("a", re.LOCALE, "flags"),
        ("a", re.DEBUG, "flags"),
        ("a", 1 << 20, "flags"),
        ("a", "i", "flags"),
        ("a", True, "flags"),
        ("a", -1, "flags"),
        ("a", re.ASCII | re.UNICODE, "pattern"),
    ],
)
def test_what_re_refuses_is_a_configuration_error(pattern: Any, flags: Any, parameter: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        bounded_pattern(pattern, flags)
    assert caught.value.parameter == parameter


def test_a_compiled_pattern_brings_its_flags() -> None:
    assert bounded_pattern(re.compile("A", re.I)).found_in("a") is True
    assert bounded_pattern(re.compile("A")).found_in("a") is False
