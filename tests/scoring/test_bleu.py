"""BLEU equals sacreBLEU's, on [0, 1]."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.scoring.overlap.bleu import Bleu, corpus_bleu, sentence_bleu
from support.golden import golden

ROWS = {row["id"]: row for row in golden("bleu")}
SENTENCE_VARIANTS: dict[str, dict[str, Any]] = {
    "sacrebleu_sentence": {},
    "sacrebleu_sentence_no_effective_order": {"effective_order": False},
    "sacrebleu_sentence_lc": {"lowercase": True},
    "sacrebleu_sentence_smooth_none": {"smooth": "none"},
    "sacrebleu_sentence_smooth_floor": {"smooth": "floor"},
    "sacrebleu_sentence_smooth_addk": {"smooth": "add-k"},
    "sacrebleu_sentence_tok_intl": {"tokenize": "intl"},
    "sacrebleu_sentence_tok_char": {"tokenize": "char"},
    "sacrebleu_sentence_tok_none": {"tokenize": "none"},
}
CORPUS_VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "lowercase": {"lowercase": True},
    "intl": {"tokenize": "intl"},
    "none_tok": {"tokenize": "none"},
    "smooth_none": {"smooth": "none"},
}
SENTENCES = st.lists(st.sampled_from(["the ", "cat ", "sat ", "a ", "1.5 ", ". ", "é"]), max_size=20).map("".join)
SETTINGS = st.fixed_dictionaries(
    {
        "max_order": st.integers(1, 5),
        "tokenize": st.sampled_from(["13a", "intl", "zh", "char", "none"]),
        "smooth": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "lowercase": st.booleans(),
        "effective_order": st.booleans(),
    }
)


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row["id"])
def test_golden_sentences(row: dict) -> None:
    hypothesis, references = row["input"]["hypothesis"], row["input"]["references"]
    found = {
        name: sentence_bleu(hypothesis, references, **settings) * 100 for name, settings in SENTENCE_VARIANTS.items()
    }
    assert found == pytest.approx({name: row["expected"][name] for name in SENTENCE_VARIANTS}, abs=1e-10)
    counts = Bleu().counts(hypothesis, references)
    assert list(counts.shared) == row["expected"]["sacrebleu_counts"]
    assert list(counts.total) == row["expected"]["sacrebleu_totals"]
    assert counts.length == row["expected"]["sacrebleu_sys_len"]
    assert counts.reference_length == row["expected"]["sacrebleu_ref_len"]


@pytest.mark.parametrize("variant", CORPUS_VARIANTS)
@pytest.mark.parametrize("row", golden("bleu_corpus"), ids=lambda row: row["id"])
def test_golden_corpora(row: dict, variant: str) -> None:
    members = [ROWS[name]["input"] for name in row["input"]["row_ids"]]
    references = [member["references"][: row["input"]["n_references"]] for member in members]
    found = corpus_bleu([member["hypothesis"] for member in members], references, **CORPUS_VARIANTS[variant])
    assert found.value * 100 == pytest.approx(row["expected"][f"sacrebleu_{variant}"], abs=1e-10)
    ours, theirs = found.signature, row["expected"][f"signature_{variant}"]
    assert ours.rpartition("|")[0] == theirs.rpartition("|")[0]
    assert ours.rpartition("|")[2].startswith("version:ringtrue-")


@pytest.mark.parametrize(
    ("hypothesis", "references", "settings", "expected"),
    [
        # Made by sacreBLEU 2.6.0 with effective_order=True.
        ("the cat sat on the mat", ["the cat is on the mat"], {"max_order": 2}, 70.71067811865471),
        (
            "the cat sat on the mat",
            ["the cat is on the mat"],
            {"smooth": "floor", "smooth_value": 0.01},
            14.287202148493996,
        ),
        (
            "the cat sat on the mat",
            ["the cat is on the mat"],
            {"smooth": "add-k", "smooth_value": 2},
            58.739490946992184,
        ),
        ("Hello, world!", ["hello world"], {}, 15.97357760615681),
        ("Hello, world!", ["hello world"], {"smooth": "none"}, 0.0),
        ("a", ["a"], {}, 100.0),
        ("a b", ["a b c d e"], {}, 22.31301601484299),
        ("the the the the", ["the cat", "the the dog"], {}, 31.947155212313625),
        ("the the the the", ["the cat", "the the dog"], {"smooth": "add-k"}, 45.180100180492246),
        ("x", ["", "x y"], {}, 100.0),
        ("猫が座った", ["猫が座っている"], {}, 0.0),
        ("猫が座った", ["猫が座っている"], {"tokenize": "zh"}, 59.460355750136046),
    ],
)
def test_table(hypothesis: str, references: list[str], settings: dict[str, Any], expected: float) -> None:
    assert sentence_bleu(hypothesis, references, **settings) * 100 == pytest.approx(expected, abs=1e-10)


def test_signature_names_every_choice() -> None:
    found = corpus_bleu(
        ["a b", "c"], [["a", "b"], "c"], smooth="add-k", smooth_value=0.5, lowercase=True, effective_order=True
    )
    assert found.signature.startswith("nrefs:var|case:lc|eff:yes|tok:13a|smooth:add-k[0.50]|version:ringtrue-")


@pytest.mark.parametrize(
    ("settings", "parameter"),
    [
        ({"max_order": 0}, "max_order"),
        ({"max_order": True}, "max_order"),
        ({"max_order": 2.0}, "max_order"),
        ({"tokenize": "mecab"}, "tokenize"),
        ({"smooth": "linear"}, "smooth"),
        ({"smooth_value": 0.1}, "smooth_value"),
        ({"smooth": "floor", "smooth_value": 0}, "smooth_value"),
    ],
)
def test_wrong_settings_raise_and_name_themselves(settings: dict[str, Any], parameter: str) -> None:
    sentence_bleu("a", "a", max_order=1)
    with pytest.raises(ConfigurationError, match=parameter) as raised:
        sentence_bleu("a", "a", **settings)
    assert raised.value.parameter == parameter


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [([], []), (["a"], []), (["a", "b"], ["a"]), ("a", ["a"]), (["a"], "a"), (["a"], [[]])],
)
def test_a_broken_corpus_raises(hypotheses: Any, references: Any) -> None:
    with pytest.raises(ConfigurationError):
        corpus_bleu(hypotheses, references)


@given(st.one_of(st.text(), SENTENCES), st.lists(st.one_of(st.text(), SENTENCES), min_size=1, max_size=3), SETTINGS)
def test_range_and_order_of_references(hypothesis: str, references: list[str], settings: dict[str, Any]) -> None:
    value = sentence_bleu(hypothesis, references, **settings)
    assert 0.0 <= value <= 1.0
    assert sentence_bleu(hypothesis, references[::-1], **settings) == pytest.approx(value)
    assert corpus_bleu([hypothesis], [references], **settings).value == value


@given(SENTENCES, SETTINGS)
def test_identity(text: str, settings: dict[str, Any]) -> None:
    settings["effective_order"] = True
    expected = 1.0 if text.split() else 0.0
    assert sentence_bleu(text, text, **settings) == pytest.approx(expected)
