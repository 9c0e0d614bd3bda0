"""Stems equal those of NLTK's PorterStemmer in its default mode; the table is the output of NLTK 3.10.4."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.overlap.porter import stem

STEMS = """
caresses caress  ponies poni  ties tie  dies die  flies fli  cats cat  caress caress  ss ss  feed feed  agreed agre
plastered plaster  bled bled  motoring motor  sing sing  conflated conflat  troubled troubl  sized size  hopping hop
tanned tan  falling fall  hissing hiss  fizzed fizz  failing fail  filing file  happy happi  sky sky  enjoy enjoy
enjoyment enjoy  spy spi  spied spi  died die  cried cri  relational relat  conditional condit  rational ration
valenci valenc  hesitanci hesit  digitizer digit  conformabli conform  radically radic  differently differ  vilely vile
analogously analog  vietnamization vietnam  predication predic  operator oper  feudalism feudal  decisiveness decis
hopefulness hope  callousness callous  formality formal  sensitivity sensit  sensibility sensibl  geologi geolog
theology theolog  fully fulli  carefully care  triplicate triplic  formative form  formalize formal  electricity electr
electrical electr  hopeful hope  goodness good  revival reviv  allowance allow  inference infer  airliner airlin
gyroscopic gyroscop  adjustable adjust  defensible defens  irritant irrit  replacement replac  adjustment adjust
dependent depend  adoption adopt  homologou homolog  communism commun  activate activ  angularity angular
homologous homolog  effective effect  bowdlerize bowdler  probate probat  rate rate  cease ceas  controll control
roll roll  skies sky  dying die  lying lie  news news  innings inning  succeed succeed  howe howe  yyyy yyyi
syzygy syzygi  toy toy  by by  is is  be be  2nd 2nd  1980s 1980  x264 x264  aed a  ying ying  eed eed
generally gener  nationally nation  organizations organ  running run
"""
PAIRS = STEMS.split()


@pytest.mark.parametrize(("word", "expected"), list(zip(PAIRS[::2], PAIRS[1::2], strict=True)))
def test_table(word: str, expected: str) -> None:
    assert stem(word) == expected


@given(st.one_of(st.text(), st.text("aeiouyslteding", max_size=40)))
def test_a_stem_is_never_longer_and_nothing_raises(word: str) -> None:
    assert len(stem(word)) <= len(word)


def test_a_very_long_word_ends() -> None:
    assert stem("y" * 100_000 + "ing").startswith("y" * 99_999)
