"""Passages: the sentences of prose, and what is not prose, with their places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.prose.passages import split_passages
from support.golden import golden
from support.hostile import LARGE, SMALL

SENTENCES = [
    ("plain", "One is here. Two is there! Is three?", ["One is here.", "Two is there!", "Is three?"]),
    ("decimals", "It is 3.5 m. It costs $2.10 now.", ["It is 3.5 m.", "It costs $2.10 now."]),
    ("titles", "Dr. Smith met Mr. Lee. They spoke.", ["Dr. Smith met Mr. Lee.", "They spoke."]),
    ("that-is", "It is dry, i.e. without rain. Good.", ["It is dry, i.e. without rain.", "Good."]),
    ("before-a-number", "See Fig. 3 and No. 5 there. Then go.", ["See Fig. 3 and No. 5 there.", "Then go."]),
    ("about", "It has approx. 2.1 million inhabitants.", ["It has approx. 2.1 million inhabitants."]),
    ("states", "The U.S. embassy is near. It is new.", ["The U.S. embassy is near.", "It is new."]),
    ("era", "It fell in 44 B.C. and rose again.", ["It fell in 44 B.C. and rose again."]),
    ("quoted-end", 'He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
    (
        "in-a-bracket",
        'He cried ("Long live the King!") before the end.',
        ['He cried ("Long live the King!") before the end.'],
    ),
    ("wrapped", "One sentence over\ntwo lines. Another.", ["One sentence over two lines.", "Another."]),
    ("hard-break", "First line  \nSecond line", ["First line", "Second line"]),
    ("chinese", "巴黎是首都。人口两百万。", ["巴黎是首都。", "人口两百万。"]),
    ("labels", "Name: Paris\nCountry: France", ["Name: Paris", "Country: France"]),
    ("quote", "Before\n> quoted over\n> two lines.", ["Before", "quoted over two lines."]),
    ("ellipsis", "He waited... then he left.", ["He waited... then he left."]),
    ("crlf", "One.\r\n\r\nTwo.\r\n", ["One.", "Two."]),
    ("about-at-the-start", "Approx. 30 people came. Good.", ["Approx. 30 people came.", "Good."]),
    ("and-others", "Lee et al. (2020) showed it. Good.", ["Lee et al. (2020) showed it.", "Good."]),
    ("and-others-at-the-end", "It is by Lee et al. The rest is new.", ["It is by Lee et al.", "The rest is new."]),
    ("picture", "![a map](map.png) It is old. Good.", ["![a map](map.png) It is old.", "Good."]),
    ("row-with-a-line-break", "| | b |\n|-|-|\n| x\r9: y | z |", ["| | b |", "x 9: y; b: z"]),
    ("blank-code", "```\n  \n```\nText.", ["Text."]),
    ("empty", " \n\t\n", []),
]


@pytest.mark.parametrize(("text", "sentences"), [row[1:] for row in SENTENCES], ids=[row[0] for row in SENTENCES])
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [passage.text for passage in split_passages(text)] == sentences


DOCUMENT = """# Paris

It is a city. It is big.

## Facts

Some facts:
- **Area**: 105.4 km². It is dense
  and old.
1. First item.

| City | Population |
|------|-----------:|
| Paris | 2.1 million |

```python
x = 1. # not. prose.
```

**Summary**
All is well.

Other
-----
{"city": "Paris"}
"""


def test_structure() -> None:
    found = [(passage.kind, passage.headings, passage.text) for passage in split_passages(DOCUMENT)]
    top, facts = ("Paris",), ("Paris", "Facts")
    assert found == [
        ("heading", (), "Paris"),
        ("text", top, "It is a city."),
        ("text", top, "It is big."),
        ("heading", top, "Facts"),
        ("text", facts, "Some facts:"),
        ("item", facts, "**Area**: 105.4 km²."),
        ("item", facts, "It is dense and old."),
        ("item", facts, "First item."),
        ("heading", facts, "| City | Population |"),
        ("row", facts, "City: Paris; Population: 2.1 million"),
        ("code", facts, "x = 1. # not. prose."),
        ("heading", facts, "**Summary**"),
        ("text", (*facts, "Summary"), "All is well."),
        ("heading", top, "Other"),
        ("data", ("Paris", "Other"), '{"city": "Paris"}'),
    ]


def test_places_are_exact() -> None:
    for passage in split_passages(DOCUMENT):
        lines = DOCUMENT[: passage.start].count("\n") + 1, DOCUMENT[: passage.end].count("\n") + 1
        assert (passage.first_line, passage.last_line) == lines
        if passage.kind not in ("row", "item"):
            assert " ".join(DOCUMENT[passage.start : passage.end].split()) == passage.text


def test_long_sentences_are_cut_at_spaces_and_remember_their_sentence() -> None:
    text = "Short one. W" + "ord " * 40 + "end."
    found = split_passages(text, 50)
    assert [passage.sentence for passage in found] == [0, 1, 1, 1, 1]
    assert all(len(passage.text) <= 50 and not passage.text.startswith("rd") for passage in found)
    assert " ".join(passage.text for passage in found) == text


MARKS = "ab .!?\n#-*|>`\"'()[]{}:1~=_\t\r中。"


@given(st.text(alphabet=st.sampled_from(MARKS), max_size=200), st.integers(5, 60))
def test_passages_are_slices_in_order_within_the_bound(text: str, longest: int) -> None:
    at = 0
    for passage in split_passages(text, longest):
        assert at <= passage.start < passage.end <= len(text)
        assert passage.end - passage.start <= longest
        at = passage.end


@given(st.text(alphabet=st.sampled_from("ab .!?\n#|>*中。:"), max_size=200))
def test_no_word_is_lost(text: str) -> None:
    found = "".join(text[passage.start : passage.end] for passage in split_passages(text))
    assert [letter for letter in found if letter.isalpha()] == [letter for letter in text if letter.isalpha()]


@pytest.mark.parametrize("item", [name for name, text in {**SMALL, **LARGE}.items() if isinstance(text, str)])
def test_hostile_texts_end(item: str) -> None:
    text = {**SMALL, **LARGE}[item]
    for passage in split_passages(text, 200):
        assert passage.text


def test_real_biographies_are_split_as_their_annotators_had_them() -> None:
    """FActScore's sentences, joined again; those we do not find again are those the annotators cut at "No."."""
    biographies: dict[str, list[str]] = {}
    for row in golden("claims_factscore"):
        biographies.setdefault(row["id"].rpartition("-")[0], []).append(" ".join(row["input"]["sentence"].split()))
    total = kept = 0
    for sentences in biographies.values():
        found = {passage.text for passage in split_passages(" ".join(sentences))}
        total += len(sentences)
        kept += sum(sentence in found for sentence in sentences)
    assert total > 200
    assert kept / total > 0.98
