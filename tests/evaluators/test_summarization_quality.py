"""SummarizationQuality is rouge-score's rougeL, in three parts."""

from __future__ import annotations

import pytest

from ringtrue.evaluators.summarization_quality import SummarizationQuality
from ringtrue.records import Case, Output, Trial
from support.golden import golden

PARTS = ("rouge_l_precision", "rouge_l_recall", "rouge_l_f1")


def row_of(answer: object, response: object) -> dict[str, float]:
    return SummarizationQuality().score({"answer": answer}, {"response": response})


@pytest.mark.parametrize("row", golden("rouge"), ids=lambda row: row["id"])
def test_golden(row: dict) -> None:
    reference = row["input"]["reference"]
    expected = row["expected"]["nostem"]["rougeL"]
    found = row_of(reference, row["input"]["hypothesis"])
    assert tuple(found) == PARTS
    assert tuple(found.values()) == pytest.approx((expected["precision"], expected["recall"], expected["fmeasure"]))


def test_several_references_give_the_best_f1() -> None:
    assert row_of(["nothing like it", "the cat sat down"], "the cat sat") == pytest.approx(
        dict(zip(PARTS, (1.0, 3 / 4, 6 / 7), strict=True))
    )


def test_the_value_is_f1() -> None:
    score = SummarizationQuality(threshold=0.8).measure(Trial(Case(expected=("a b c d",)), Output("a b c")))
    assert score.value == pytest.approx(6 / 7)
    assert score.passed


def test_no_reference_is_skipped_and_an_empty_one_fails() -> None:
    assert row_of(None, "text") == {}
    assert row_of("", "") == dict.fromkeys(PARTS, 0.0)
    assert not SummarizationQuality(threshold=0).measure(Trial(Case(expected=("",)), Output(""))).passed


def test_a_reference_in_another_script_says_why_it_scores_nothing() -> None:
    score = SummarizationQuality().measure(Trial(Case(expected=("日本語",)), Output("日本語")))
    assert score.value == 0.0
    assert "ROUGE reads nothing else" in score.reason
