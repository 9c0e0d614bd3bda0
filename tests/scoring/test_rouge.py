"""ROUGE equals rouge-score's."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.scoring.overlap.rouge import KINDS, PRF, rouge, rouge_l, rouge_multi, unscorable
from support.golden import golden

PIECES = ["cat ", "cats ", "sat\n", "a ", "b\n", "running ", "é", "\n"]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=25).map("".join))


def numbers(found: dict[str, PRF]) -> dict[str, float]:
    return {f"{kind}.{part}": value for kind, prf in found.items() for part, value in prf._asdict().items()}


@pytest.mark.parametrize("row", golden("rouge"), ids=lambda row: row["id"])
def test_golden(row: dict) -> None:
    given_, checked = row["input"], 0
    for how, expected in row["expected"].items():
        references = given_["all_references"] if how.startswith("multi_") else [given_["reference"]]
        found = rouge_multi(given_["hypothesis"], references, stem=not how.endswith("nostem"))
        wanted = {kind: PRF(n["precision"], n["recall"], n["fmeasure"]) for kind, n in expected.items()}
        assert numbers(found) == pytest.approx(numbers(wanted), abs=1e-12), how
        checked += 1
    assert checked >= 2


@pytest.mark.parametrize(
    ("prediction", "reference", "kind", "expected"),
    [
        pytest.param("The cat sat.", "the cat sat", "rougeL", PRF(1.0, 1.0, 1.0), id="punctuation_and_case_go"),
        pytest.param("state-of-the-art", "state of the art", "rouge2", PRF(1.0, 1.0, 1.0), id="dashes_split"),
        pytest.param("日本語", "日本語", "rougeL", PRF(0.0, 0.0, 0.0), id="other_scripts_have_no_tokens"),
        pytest.param("\u212a", "k", "rouge1", PRF(1.0, 1.0, 1.0), id="the_kelvin_sign_lowers_to_k"),
        pytest.param("a b", "a b", "rouge3", PRF(0.0, 0.0, 0.0), id="too_short_for_the_order"),
        pytest.param("", "", "rougeLsum", PRF(0.0, 0.0, 0.0), id="both_empty"),
        pytest.param("a a", "a b c", "rouge1", PRF(1 / 2, 1 / 3, 0.4), id="clipped"),
        pytest.param("w1 w2 w3 w4 w5", "w1 w3 w8 w9 w5", "rougeL", PRF(0.6, 0.6, 0.6), id="subsequence"),
        pytest.param("w1 w3\nw5", "w5\nw1 w3", "rougeLsum", PRF(1.0, 1.0, 1.0), id="lines_in_any_order"),
        pytest.param("a x", "a a", "rougeLsum", PRF(1 / 2, 1 / 2, 1 / 2), id="one_line"),
    ],
)
def test_table(prediction: str, reference: str, kind: str, expected: PRF) -> None:
    assert rouge(prediction, reference, [kind])[kind] == pytest.approx(expected)


def test_the_first_of_equally_good_references_counts() -> None:
    found = rouge_multi("a b c d", ["a b", "a b c d x x x x", "a b c d"], ["rouge1"])["rouge1"]
    assert found == PRF(1.0, 1.0, 1.0)
    first = rouge_multi("a b c", ["a x y", "b z w"], ["rouge1"])["rouge1"]
    assert first == rouge("a b c", "a x y", ["rouge1"])["rouge1"]


@pytest.mark.parametrize("kinds", ["rougeL", ["rouge0"], ["rouge10"], ["rougel"], ["rougeL", "bleu"]])
def test_unknown_kinds_raise(kinds: Any) -> None:
    with pytest.raises(ConfigurationError, match="kinds must be") as raised:
        rouge("a", "a", kinds)
    assert raised.value.parameter == "kinds"


@pytest.mark.parametrize("references", [[], "a text"])
def test_references_are_a_list(references: Any) -> None:
    with pytest.raises(ConfigurationError, match="references must be"):
        rouge_multi("a", references)


def test_unseen_says_why_nothing_can_score() -> None:
    assert "no letter a-z" in unscorable(["日本語", "…"])
    assert "no letter and" in unscorable(["…"], unicode=True)
    assert unscorable(["日本語", "x"]) == ""


@given(TEXTS, TEXTS, st.booleans())
def test_range_turned_round_and_the_quick_way(prediction: str, reference: str, stem: bool) -> None:
    found = rouge(prediction, reference, KINDS, stem)
    assert all(0.0 <= value <= 1.0 for value in numbers(found).values())
    turned = rouge(reference, prediction, KINDS, stem)
    for kind in set(KINDS) - {"rougeLsum"}:
        assert found[kind] == pytest.approx(PRF(turned[kind].recall, turned[kind].precision, turned[kind].f1))
    assert rouge_l(prediction, [reference], stem) == found["rougeL"]


@given(TEXTS)
def test_identity(text: str) -> None:
    has_tokens = not unscorable([text])
    for kind in ("rouge1", "rougeL", "rougeLsum"):
        assert rouge(text, text, [kind])[kind].f1 == (1.0 if has_tokens else 0.0)
