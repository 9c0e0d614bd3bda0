"""Tokens of a row: what was sent and what came back, and who counted them."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.metrics.row_tokens import Tokens
from ringtrue.models.tokens import MAX_EXACT_CHARS, count
from ringtrue.records import Case, Output, Trial

pytest.importorskip("splintr", reason="the extra 'tokens' is not installed")
TURNS = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "One?"}]
SAID = [{"role": "user", "content": "One?"}, {"role": "assistant", "content": "one two three"}]


@pytest.mark.parametrize(
    ("case", "output", "fields", "expected"),
    [
        (Case(input="One?"), Output("yes"), None, (2, 1, "splintr:o200k")),
        (Case(input="One?"), Output("yes", input_tokens=7, output_tokens=9), None, (7, 9, "usage")),
        (Case(input="One?"), Output("yes", input_tokens=0, output_tokens=0), None, (0, 0, "usage")),
        (Case(input="One?"), Output("yes", input_tokens=7), None, (7, 1, "splintr:o200k")),
        (Case(input="One?", context="yes"), Output("yes"), None, (3, 1, "splintr:o200k")),
        (Case(fields={"a": "yes", "b": "One?"}), Output("yes"), ["a", "b"], (3, 1, "splintr:o200k")),
        (Case(fields={"turns": TURNS}), Output("x", messages=SAID), None, (5, 3, "splintr:o200k")),
        (Case(fields={"turns": ["no dict", 7]}), Output("yes"), None, (0, 1, "splintr:o200k")),
        (Case(), Output(), None, (0, 0, "splintr:o200k")),
    ],
    ids=["counted", "reported", "reported zero", "half", "context", "fields", "turns", "odd turns", "nothing"],
)
def test_who_counts(case: Case, output: Output, fields: Any, expected: tuple[int, int, str]) -> None:
    assert Tokens.of(Trial(case, output), fields)[1:] == expected


def test_an_estimate_is_called_one() -> None:
    long = "a " * (MAX_EXACT_CHARS // 2 + 1)
    found = Tokens.of(Trial(Case(input="One?"), Output(long, input_tokens=2)))
    assert found[1:] == (2, count(long).count, "estimate")
    row = evaluate(lambda question: long, [{"question": "q"}], ["not_empty"], progress=False, store=None).rows[0]
    assert row.token_source == "estimate"


def test_what_a_system_handed_on_was_sent_and_the_case_stays_as_long_as_it_was() -> None:
    case = Case(input="One?", context="yes yes yes yes", fields={"question": "One?", "context": "yes yes yes yes"})
    assert Tokens.of(Trial(case, Output("x")))[:2] == (6, 6)
    assert Tokens.of(Trial(case, Output("x", fields={"context": "yes"})))[:2] == (6, 3)
    assert Tokens.of(Trial(case, Output("x", input_tokens=9)))[:2] == (6, 9)


def test_compression_of_systems_as_the_documents_define_it() -> None:
    """A pass-through has 0, half the context about 0.5, and a cost of pass counts what was sent and what came."""
    rows = [{"question": "q?", "context": "yes " * 100, "answer": "x"}] * 3

    def passing(example: dict[str, Any]) -> dict[str, Any]:
        return dict(example)

    def halving(example: dict[str, Any]) -> dict[str, Any]:
        return {**example, "context": example["context"][:200], "response": "x"}

    found = evaluate([passing, halving], rows, ["exact_match"], progress=False, store=None).summary
    assert found["passing"]["compression_ratio"] == 0.0
    assert found["passing"]["cost_of_pass"] is None
    assert found["halving"]["compression_ratio"] == pytest.approx(0.5, abs=0.02)
    assert found["halving"]["cost_of_pass"] == pytest.approx(54, abs=1)
