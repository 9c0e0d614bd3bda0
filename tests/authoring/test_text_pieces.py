"""Pieces of a text cover it; a quotation is found where it is, or nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.authoring.text_pieces import OVERLAP, pieces, shares, span_of
from ringtrue.errors import ConfigurationError

WRAPPED = "The museum\n  opens at ten.\r\nA ticket costs 12 euros."


@given(st.integers(0, 4_000), st.integers(OVERLAP + 1, 900))
def test_pieces_cover_a_text_and_none_is_inside_another(length: int, most: int) -> None:
    text = "".join(chr(97 + at % 26) for at in range(length))
    found = pieces(text, most)
    assert all(text[at : at + len(piece)] == piece for at, piece in found)
    assert all(len(piece) <= most for _, piece in found)
    ends = [at + len(piece) for at, piece in found]
    assert ends == sorted(set(ends))
    assert not text or ends[-1] == length
    assert all(later.start <= end for end, later in zip(ends, found[1:], strict=False))
    assert len(found) <= 1 + length // (most // 2), "short pieces are not countless"


def test_pieces_too_small_to_overlap_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="at least 201"):
        pieces("text", OVERLAP)


@given(st.integers(0, 300), st.integers(1, 60))
def test_shares_are_as_equal_as_can_be(wanted: int, places: int) -> None:
    found = shares(wanted, places)
    assert (len(found), sum(found)) == (places, wanted)
    assert max(found) - min(found) <= 1


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("The museum\n  opens", "The museum\n  opens"),
        ("museum opens at ten. A ticket", "museum\n  opens at ten.\r\nA ticket"),
        ("ten", "ten"),
        ("12\teuros.", "12 euros."),
        ("opens at nine", None),
        (" ", None),
        ("", None),
    ],
)
def test_a_quotation_is_found_across_line_breaks(quote: str, found: str | None) -> None:
    span = span_of(100, WRAPPED, quote)
    if found is None:
        assert span is None
    else:
        assert span is not None
        assert WRAPPED[span["start"] - 100 : span["end"] - 100] == found


@given(st.text(), st.integers(0, 50), st.integers(0, 50))
def test_every_slice_of_a_text_is_found_in_it(text: str, start: int, end: int) -> None:
    quote = text[start:end]
    span = span_of(0, text, quote)
    assert (span is None) is not bool(quote.strip())
    if span is not None:
        assert text[span["start"] : span["end"]] == quote
