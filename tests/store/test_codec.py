"""Records survive the store exactly, whatever text they hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ringtrue.records import Case, Output, Score
from ringtrue.store.codec import decode_record, encode_record

texts = st.text(st.characters())  # lone surrogates and NUL among them
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(st.one_of(texts, st.integers()), texts, st.none() | st.lists(texts).map(tuple), st.dictionaries(texts, plain))
def test_cases(id: str | int, text: str, expected: tuple[str, ...] | None, fields: dict[str, object]) -> None:
    case = Case(id, text, expected, fields=fields)
    again = decode_record(Case, encode_record(case))
    assert again == case or (expected == () and again.expected is None)
    assert type(again.id) is type(case.id)


@given(texts, st.none() | st.floats(0, 100), st.none() | st.integers(0))
def test_outputs(text: str, latency: float | None, tokens: int | None) -> None:
    output = Output(text, latency_seconds=latency, input_tokens=tokens, cost=0.0, calls=2)
    assert decode_record(Output, encode_record(output)) == output


def test_scores() -> None:
    for score in (
        Score(0.0, passed=False, reason="no"),
        Score(1.0, parts={"f1": 1.0}),
        Score.skipped("x"),
        Score.error("y"),
    ):
        assert decode_record(Score, encode_record(score)) == score


def test_ids_one_and_text_one_are_different_cases() -> None:
    assert encode_record(Case(1)) != encode_record(Case("1"))
