"""Token counts are exact where a tokenizer is installed, labelled where not, and bounded on any text."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.models.tokens import ENCODINGS, ESTIMATE, MAX_EXACT_CHARS, count, estimate

WITHOUT_SPLINTR = """
import sys
sys.modules["splintr"] = None
from ringtrue.models.tokens import count
print(count("four words of text"))
"""


@pytest.mark.parametrize(
    ("text", "cl100k", "o200k"),
    [("antidisestablishmentarianism", 6, 6), ("2 + 2 = 4", 7, 7), ("お誕生日おめでとう", 9, 8)],
)
def test_counts_of_tiktoken(text: str, cl100k: int, o200k: int) -> None:
    """The numbers are tiktoken's, as OpenAI's cookbook prints them in its recipe on counting tokens."""
    pytest.importorskip("splintr")
    assert count(text, "cl100k").count == cl100k
    assert count(text).count == o200k
    assert count(text).source == "splintr:o200k"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_empty_text_has_no_tokens(encoding: str) -> None:
    assert count("", encoding).count == 0


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("special", ["<|endoftext|>", "<|im_start|>", "</s>", "<bos>", "<|endofprompt|>"])
def test_names_of_special_tokens_are_plain_text(encoding: str, special: str) -> None:
    pytest.importorskip("splintr")
    assert count(f"a{special}b", encoding).count > 3


def test_without_the_extra_the_count_is_an_estimate_and_says_so() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_SPLINTR], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"TokenCount(count=5, source={ESTIMATE!r})"


def test_an_unknown_encoding_names_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="no encoding 'gpt2'; there are cl100k, deepseek"):
        count("text", "gpt2")


def test_a_text_beyond_the_bound_is_estimated() -> None:
    found = count("a" * (MAX_EXACT_CHARS + 1))
    assert found.source == ESTIMATE
    assert not found.exact


@pytest.mark.parametrize(
    "text",
    [
        "\ud800",
        "\0",
        "\u202e" * 1000,
        "a" * 100_000,
        " " * 100_000,
        "[" * 100_000,
        "e" + "\u0301" * 50_000,
        "😀" * 20_000,
    ],
    ids=["surrogate", "nul", "right-to-left", "letters", "blanks", "brackets", "accents", "faces"],
)
def test_hostile_texts_are_counted(text: str) -> None:
    assert 0 < count(text).count <= 4 * len(text)


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_is_counted(text: str) -> None:
    """No token is shorter than a byte, and no text but the empty one has none."""
    size = len(text.encode("utf-8", "replace"))
    for number in (count(text).count, estimate(text)):
        assert (number == 0) == (text == "")
        assert number <= size


@given(st.text(), st.text())
def test_an_estimate_of_a_whole_is_near_that_of_its_parts(left: str, right: str) -> None:
    parts = estimate(left) + estimate(right)
    assert parts - 1 <= estimate(left + right) <= parts
