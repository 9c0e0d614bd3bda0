"""Text from outside can be shown anywhere, and is never longer than asked."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.safetext import excerpt, printable, short_repr, shorten, shorten_counted, xml_text

texts = st.text(st.characters(exclude_categories=[]))


@given(texts)
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    shown.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("a\u202eb", "a\\u202eb"),
        ("\u2066", "\\u2066"),
        ("\ud800", "\\ud800"),
        ("ä ☃", "ä ☃"),
    ],
)
def test_what_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(texts)
def test_xml_takes_the_text(text: str) -> None:
    made = ElementTree.Element("a")
    made.text = xml_text(text)
    again = ElementTree.fromstring(ElementTree.tostring(made, "utf-8"))
    assert (again.text or "") == xml_text(text).replace("\r\n", "\n").replace("\r", "\n")


@given(texts, st.integers(1, 50))
def test_a_short_text_is_as_it_was_and_a_long_one_is_cut(text: str, most: int) -> None:
    cut = shorten(text, most)
    assert len(cut) <= most
    assert cut == text if len(text) <= most else cut == text[: most - 1] + "…"
    counted = shorten_counted(text, most)
    assert counted == text if len(text) <= most else counted == f"{text[:most]}… ({len(text)} characters)"


def test_a_value_is_cut_as_python_writes_it() -> None:
    assert short_repr("abc") == "'abc'"
    assert short_repr("abcdef", 5) == "'abc…"
    assert short_repr(1 << 20_000) == "a int that cannot be shown"
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    assert short_repr(nested) == "a list that cannot be shown"


@given(st.text(max_size=20), st.text("key", min_size=3, max_size=6), st.text(max_size=3000))
def test_an_excerpt_never_shows_the_secret(before: str, secret: str, after: str) -> None:
    assert secret not in excerpt(before + secret + after, secret).replace("[key]", "")


def test_a_short_key_is_not_struck_out_inside_words() -> None:
    assert excerpt("an attempt at a key: a.", "a") == "'an attempt at [key] key: [key].'"
