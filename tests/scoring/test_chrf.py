"""chrF and chrF++ equal sacreBLEU's, on [0, 1]."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.scoring.overlap.chrf import corpus_chrf, sentence_chrf
from support.golden import golden

ROWS = {row["id"]: row for row in golden("bleu")}
VARIANTS: dict[str, dict[str, Any]] = {"chrf": {}, "chrf_pp": {"word_order": 2}}
SETTINGS = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([0, 0.5, 1, 2, 3.0]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    }
)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row["id"])
def test_golden_sentences(row: dict, variant: str) -> None:
    found = sentence_chrf(row["input"]["hypothesis"], row["input"]["references"], **VARIANTS[variant])
    assert found * 100 == pytest.approx(row["expected"][variant], abs=1e-10)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("row", golden("bleu_corpus"), ids=lambda row: row["id"])
def test_golden_corpora(row: dict, variant: str) -> None:
    members = [ROWS[name]["input"] for name in row["input"]["row_ids"]]
    references = [member["references"][: row["input"]["n_references"]] for member in members]
    found = corpus_chrf([member["hypothesis"] for member in members], references, **VARIANTS[variant])
    assert found.value * 100 == pytest.approx(row["expected"][variant], abs=1e-10)


@pytest.mark.parametrize(
    ("hypothesis", "references", "settings", "expected"),
    [
        # Made by sacreBLEU 2.6.0.
        ("the cat sat on the mat", ["the cat is on the mat"], {"whitespace": True}, 74.59371320248871),
        ("the cat sat on the mat", ["the cat is on the mat"], {"eps_smoothing": True}, 64.5771950690186),
        ("the cat sat on the mat", ["the cat is on the mat"], {"char_order": 3, "beta": 1}, 79.09821667661633),
        ("Hello, world!", ["hello world"], {"word_order": 2}, 39.998489705667986),
        ("Hello, world!", ["hello world"], {"word_order": 1, "lowercase": True}, 60.614494038096026),
        ("a", ["a"], {"eps_smoothing": True}, 16.666666666666668),
        ("a b", ["a b c d e"], {"eps_smoothing": True}, 12.477718360071302),
        ("the the the the", ["the cat", "the the dog"], {"word_order": 2}, 48.071189581248525),
        ("x", ["", "x y"], {}, 55.55555555555556),
        ("猫が座った", ["猫が座っている"], {"word_order": 2}, 30.95879831032092),
        ("", [""], {}, 0.0),
        # Words alone, and precision alone.
        ("the cat sat on the mat", ["the cat is on the mat"], {"char_order": 0, "word_order": 2}, 71.66666666666667),
        ("the cat sat on the mat", ["the cat is on the mat"], {"beta": 0}, 61.08866623572505),
        ("zz q", ["the cat is on the mat"], {"beta": 0, "eps_smoothing": True}, 1e-14),
        ("a", ["abcdefgh"], {"beta": 0, "eps_smoothing": True}, 16.666666666666668),
    ],
)
def test_table(hypothesis: str, references: list[str], settings: dict[str, Any], expected: float) -> None:
    assert sentence_chrf(hypothesis, references, **settings) * 100 == pytest.approx(expected, abs=1e-10)


def test_signature_names_every_choice() -> None:
    found = corpus_chrf(["a", "b"], ["a", "b"], word_order=2, lowercase=True, whitespace=True, eps_smoothing=True)
    assert found.signature.startswith("nrefs:1|case:lc|eff:no|nc:6|nw:2|space:yes|version:ringtrue-")
    assert corpus_chrf(["a"], ["a"]).signature.startswith("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:")


@pytest.mark.parametrize(
    ("settings", "parameter"),
    [
        ({"char_order": 0}, "char_order"),
        ({"char_order": -1, "word_order": 1}, "char_order"),
        ({"word_order": -1}, "word_order"),
        ({"word_order": True}, "word_order"),
        ({"beta": -1}, "beta"),
        ({"beta": "2"}, "beta"),
        ({"beta": float("nan")}, "beta"),
    ],
)
def test_wrong_settings_raise_and_name_themselves(settings: dict[str, Any], parameter: str) -> None:
    with pytest.raises(ConfigurationError, match=parameter) as raised:
        sentence_chrf("a", "a", **settings)
    assert raised.value.parameter == parameter


def test_no_reference_raises() -> None:
    with pytest.raises(ConfigurationError, match="at least one reference"):
        sentence_chrf("a", [])


@given(st.text(), st.lists(st.text(), min_size=1, max_size=3), SETTINGS)
def test_range_and_best_reference(hypothesis: str, references: list[str], settings: dict[str, Any]) -> None:
    value = sentence_chrf(hypothesis, references, **settings)
    assert 0.0 <= value <= 1.0
    assert value == max(sentence_chrf(hypothesis, reference, **settings) for reference in references)
    assert corpus_chrf([hypothesis], [references], **settings).value == value


@given(st.text(), SETTINGS)
def test_identity(text: str, settings: dict[str, Any]) -> None:
    settings["eps_smoothing"] = False
    has_letters = bool(text if settings["whitespace"] else text.split())
    assert sentence_chrf(text, text, **settings) == pytest.approx(1.0 if has_letters else 0.0)


@given(st.text(), st.text(), st.booleans())
def test_beta_one_is_symmetric(first: str, second: str, whitespace: bool) -> None:
    value = sentence_chrf(first, second, beta=1, whitespace=whitespace)
    assert sentence_chrf(second, first, beta=1, whitespace=whitespace) == pytest.approx(value)
