"""Quotations, dates and amounts, compared as a careful reader would."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.facts.amounts import amounts
from ringtrue.scoring.facts.dates import dates
from ringtrue.scoring.facts.exact_facts import differing, normal, same_words, unmet
from support.golden import golden
from support.hostile import LARGE, SMALL

DATES = [
    ("October 16, 1898", [(1898, 10, 16)]),
    ("16th of October 1898", [(1898, 10, 16)]),
    ("on 1898-10-16", [(1898, 10, 16)]),
    ("Oct. 16", [(None, 10, 16)]),
    ("in May 2020", [(2020, 5, None)]),
    ("in 1898", [(1898, None, None)]),
    ("from 2005–09", [(2005, None, None), (2009, None, None)]),
    ("1,898 people", []),
    ("1898 km and 18981", [(1898, None, None)]),
    ("may 5 people", []),
]


@pytest.mark.parametrize(("text", "found"), DATES, ids=[text for text, _ in DATES])
def test_dates(text: str, found: list[tuple[int | None, int | None, int | None]]) -> None:
    assert [(date.year, date.month, date.day) for date in dates(text)] == found


AMOUNTS = [
    ("12 million", [(12_000_000, 1_000_000)]),
    ("$5.2 billion", [(5_200_000_000, 100_000_000)]),
    ("105.4 km²", [("105.4", "0.1")]),
    ("20 percent", [("0.2", 0)]),
    ("twenty-one men", [(21, 0)]),
    ("three hundred", [(300, 100)]),
    ("about 1,200 people", [(1200, 100)]),
    ("1,200 people", [(1200, 0)]),
    ("1e5000 of them", []),
    ("3 in Paris", [(3, 0)]),
]


@pytest.mark.parametrize(("text", "found"), AMOUNTS, ids=[text for text, _ in AMOUNTS])
def test_amounts(text: str, found: list[tuple[object, object]]) -> None:
    wanted = [(Fraction(str(value)), Fraction(str(step))) for value, step in found]
    assert [(amount.value, amount.step) for amount in amounts(text)] == wanted


UNMET = [
    ("other-number", "It has 12 million residents", "with 2.1 million inhabitants", ["12 million"]),
    ("rounded", "about 2 million people", "2,100,000 people", []),
    ("wrongly-rounded", "about 2 million people", "2,600,000 people", ["2 million"]),
    ("other-unit-same-length", "It is 5 km long", "It is 5,000 m long", []),
    ("other-unit-other-length", "It is 5 km long", "It is 5 miles long", ["5 km"]),
    ("percent-in-a-table", "a share of 50%", "Share: 50", []),
    ("half", "50 percent of them", "half of them", []),
    ("less-of-the-date", "born in 1898", "born on October 16, 1898", []),
    ("more-of-the-date", "born on October 16, 1898", "born in 1898", ["October 16, 1898"]),
    ("another-day", "on 16 October 1898", "on October 17, 1898", ["16 October 1898"]),
    ("written-otherwise", "on 16 October 1898", "1898-10-16", []),
    ("either-order", "on March 4, 2020", "4/3/2020", []),
    ("year-elsewhere", "on October 16, 1898", "In 1898 he moved. On October 16 he died.", []),
    ("decade", "in the 1970s", "in 1975", []),
    ("years-between", "served 36 years", "from 1939 to 1975", []),
    ("growth", "a 20% rise", "from 50 to 60", []),
    ("sum", "121 people in all", "100 adults and 21 children", []),
    ("counted", "He has three children", "Ann, Bob and Cy are his children", []),
    ("in-words", "He scored 21 points", "He scored twenty-one points", []),
    ("turned-digits", "17 people", "71 people", ["17"]),
    ("quotation", 'She said "we will  win"', "“We will win”, she said", []),
    ("misquoted", 'She said "we will win"', "She said they will win", ["we will win"]),
    ("nothing-exact", "It is large", "", []),
    ("no-year-but-grams", "It weighs 2 kg", "It weighs 2000 g.", []),
    ("a-year-before-an-initial", "In 1990 W. Li left", "W. Li left in 1990", []),
    ("rounded-in-other-units", "It is 10 km long", "It is 6.2 miles long", []),
    ("zeros-rounded-in-other-units", "It is 1,600 km away", "It is 1,000 miles away", []),
    ("hours-are-not-rounded", "It took 3 hours", "It took 170 minutes", ["3 hours"]),
    ("speed", "It runs at 100 km/h", "It runs at 62 mph", []),
    ("other-scale-same-warmth", "It was 20 °C", "It was 68 °F", []),
    ("other-scale-other-warmth", "It was 20 °C", "It was 20 °F", ["20 °C"]),
    ("degrees-in-words", "It was 20 degrees Celsius", "It was 20°C, or 20 degrees", []),
    ("bytes", "It has 16 GB", "It has 16,384 MB", []),
    ("other-bytes", "It has 16 GB", "It has 8,192 MB", ["16 GB"]),
    ("hectares", "It covers 5 km2", "It covers 500 hectares", []),
    ("square-in-digits", "It covers 5 km2", "It covers 5 km²", []),
    ("short-millions", "It cost $5m", "It cost $5,000,000", []),
    ("other-short-millions", "It cost $5m", "It cost $6,000,000", ["$5m"]),
    ("short-billions", "It made 1.2bn", "It made 1.2 billion", []),
    ("metres-are-no-millions", "It is 5m long", "It is 5 metres long", []),
    ("spaced-thousands", "It has 1 234 567 people", "It has 1,234,567 people", []),
    ("thin-spaced-thousands", "It has 12\u202f345 people", "It has 12,345 people", []),
    ("real-minus-sign", "It was \N{MINUS SIGN}15 °C", "It was -15 °C", []),
    ("sign-lost", "It was \N{MINUS SIGN}15 °C", "It was 15 °C", ["-15 °C"]),
    ("hours-and-minutes", "It runs 1h 30min", "It runs 90 minutes", []),
    ("minutes-in-hours", "It runs 90 minutes", "It runs 1 hour and 30 minutes", []),
    ("other-hours-and-minutes", "It runs 1h 30min", "It runs 80 minutes", ["1h", "30min"]),
    ("feet-and-inches", "He is 178 cm tall", "He is 5 feet 10 inches tall", []),
    ("a-third", "It grew by 33%", "It grew by a third", []),
    ("two-thirds", "It took 67% of them", "It took two-thirds of them", []),
    ("not-a-third", "It grew by 35%", "It grew by a third", ["35%"]),
    ("a-decade", "It took 10 years", "It took a decade", []),
    ("two-centuries", "It took 200 years", "It took two centuries", []),
    ("an-hour-and-a-half", "It took 90 minutes", "It took an hour and a half", []),
    ("one-and-a-half-million", "It has 1.5 million users", "It has one and a half million users", []),
    ("a-million", "It has 1,000,000 users", "It has a million users", []),
    ("fourteenth", "It was the 14th", "It was the fourteenth", []),
    ("twenty-first", "It was the 21st", "It was the twenty-first", []),
    ("capital-millions", "It sold 1.2M copies", "It sold 1,200,000 copies", []),
    ("thousands", "It sold 300k copies", "It sold 300,000 copies", []),
    ("other-thousands", "It sold 300k copies", "It sold 305,000 copies", ["300k"]),
    ("milliseconds", "It takes 300 ms", "It takes 0.3 seconds", []),
    ("frequency", "It runs at 3.2 GHz", "It runs at 3,200 MHz", []),
    ("combining-letters-quoted", 'He said "cafe\u0301 noir"', "He said “caf\u00e9 noir”", []),
]


@pytest.mark.parametrize(("claim", "evidence", "missing"), [row[1:] for row in UNMET], ids=[row[0] for row in UNMET])
def test_unmet(claim: str, evidence: str, missing: list[str]) -> None:
    assert unmet(claim, evidence) == missing


def test_quotations_may_be_anywhere_in_the_sources() -> None:
    assert unmet('He wrote "The Abyss"', "He wrote it", normal("A film: The Abyss.")) == []


DIFFERING = [
    ("length", "The bridge is 120 m long.", "The bridge is 150 m long.", ("120 m", "150 m")),
    ("same-in-another-unit", "It is 5 km long.", "It is 5,000 m long.", None),
    ("years-are-no-amounts", "In 2019 it had 5 cars", "In 2020 it had 5 cars", None),
    ("two-differ", "3 of 4 left", "5 of 6 left", None),
    ("other-words", "It is 120 m long", "It was 150 m long", None),
    ("other-kinds", "It weighs 5 kg", "It weighs 5 m", None),
    ("small-numbers", "It has 2 lanes", "it has 3 lanes.", ("2", "3")),
    ("rounded-conversion", "It is 10 km long.", "It is 6.2 miles long.", None),
    ("other-conversion", "It is 12 km long.", "It is 6.2 miles long.", ("12 km", "6.2 miles")),
    ("lower-bound", "More than 5 people came.", "More than 8 people came.", None),
    ("upper-bound", "It holds up to 5 people.", "It holds up to 4 people.", None),
    ("bound-behind", "15 or more came", "16 or more came", None),
    ("rounds-to-the-claim", "It is 7 km long.", "It is 7.3 km long.", None),
    ("rounds-to-another", "It is 8 km long.", "It is 7.3 km long.", ("8 km", "7.3 km")),
    ("other-decimals", "It is 7.5 km long.", "It is 7.3 km long.", ("7.5 km", "7.3 km")),
    ("other-shares", "It grew by 40%.", "It grew by 41%.", ("40%", "41%")),
    ("grams-like-a-year", "It weighs 2000 g.", "It weighs 3000 g.", ("2000 g", "3000 g")),
]


@pytest.mark.parametrize(("one", "other", "pair"), [row[1:] for row in DIFFERING], ids=[row[0] for row in DIFFERING])
def test_differing(one: str, other: str, pair: tuple[str, str] | None) -> None:
    found = differing(one, other)
    assert (found and (found[0].text, found[1].text)) == pair


def test_same_words() -> None:
    assert same_words("**Paris** is “big”.", 'paris  is "big"')
    assert same_words("The cafe\u0301 is open", "The caf\u00e9 is open.")
    assert not same_words("Paris is big", "Paris is not big")
    assert not same_words(".5 mm is its width", "5 mm is its width")


@given(st.text(alphabet=st.sampled_from(list('ab 0123456789.,/%$-–−:"km²MayCFbn°\u202f')), max_size=80))
def test_a_text_holds_what_it_states(text: str) -> None:
    assert unmet(text, text) == []
    assert differing(text, text) is None


@pytest.mark.parametrize("item", [name for name, text in {**SMALL, **LARGE}.items() if isinstance(text, str)])
def test_hostile_texts_end(item: str) -> None:
    text = {**SMALL, **LARGE}[item]
    assert isinstance(unmet(text[:5_000], text), list)


def test_facts_of_real_sentences_state_nothing_that_the_sentence_does_not() -> None:
    """People took FActScore's sentences apart; code that missed a number, date or quotation would wrong the fact."""
    pairs = [
        (fact["text"], row["input"]["sentence"])
        for row in golden("claims_factscore")
        for fact in row["expected"]["atomic_facts"]
    ]
    missed = [pair for pair in pairs if unmet(*pair)]
    assert len(pairs) > 1_000
    assert len(missed) / len(pairs) < 0.004
