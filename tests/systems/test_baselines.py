"""The two baselines of context compression: nothing is cut, or everything beyond a budget of tokens is."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.models.tokens import count
from ringtrue.systems.identity import Identity
from ringtrue.systems.spec import described_system
from ringtrue.systems.truncation import Truncation

PROSE = " ".join(f"Sentence {number} tells of river {number * 7}." for number in range(400))


def test_identity_hands_on_an_equal_example_that_is_not_the_same_object() -> None:
    example = {"question": "q", "context": PROSE, "answer": ["a"]}
    found = Identity().process(example)
    assert found == example
    assert found is not example


@pytest.mark.parametrize("keep", ["start", "end", "both"])
def test_truncation_keeps_to_its_budget_and_uses_most_of_it(keep: str) -> None:
    found = Truncation(300, keep).process({"question": "q", "context": PROSE})  # type: ignore[arg-type]
    assert 280 <= count(found["context"]).count <= 300
    assert found["question"] == "q"
    start, end = PROSE.startswith(found["context"][:50]), PROSE.endswith(found["context"][-50:])
    assert (start, end) == {"start": (True, False), "end": (False, True), "both": (True, True)}[keep]


def test_a_context_within_the_budget_and_an_example_without_one_stay() -> None:
    assert Truncation(10_000).process({"context": PROSE}) == {"context": PROSE}
    assert Truncation(10).process({"question": "q"}) == {"question": "q"}


@given(st.text(max_size=400), st.integers(1, 60), st.sampled_from(["start", "end", "both"]))
def test_no_text_exceeds_the_budget(text: str, tokens: int, keep: str) -> None:
    # Two halves may meet in one more token than each has alone.
    assert count(Truncation(tokens, keep).cut(text)).count <= tokens + (keep == "both")  # type: ignore[arg-type]


NAMES = {
    "identity": "identity",
    "truncate:2000": "truncate-2000",
    "truncate:4k": "truncate-4096",
    "truncate:500:end": "truncate-500-end",
}


def no_rows(path: Path) -> NoReturn:
    raise AssertionError(f"{path} is read although nothing is replayed")


@pytest.mark.parametrize("text", NAMES)
def test_they_are_named_on_the_command_line(text: str) -> None:
    assert described_system(text, Path(), no_rows).name == NAMES[text]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("truncate:", "truncate needs a number of tokens, as in truncate:2000"),
        ("truncate:many", "truncate needs a number of tokens, as in truncate:2000"),
        ("truncate:0", "tokens must be a whole number of at least 1; got 0"),
        ("truncate:5:top", "keep must be one of 'start', 'end', 'both'; got 'top'"),
        ("identities", "write FILE.py:FUNCTION, MODULE:FUNCTION"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        described_system(text, Path(), no_rows)
