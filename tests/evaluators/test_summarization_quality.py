"""SummarizationQuality is rouge-score's rougeL, in three parts."""

from __future__ import annotations

import pytest

from ringtrue.evaluators.rouge import ROUGE
from ringtrue.evaluators.rouge_check import RougeCheck
from ringtrue.evaluators.rouge_scores import RougeScores
from ringtrue.evaluators.summarization_quality import SummarizationQuality
from ringtrue.records import Case, Output, Trial
from ringtrue.scoring.overlap.rouge import loses_letters
from support.golden import golden

PARTS = ("rouge_l_precision", "rouge_l_recall", "rouge_l_f1")


def row_of(answer: object, response: object) -> dict[str, float]:
    return SummarizationQuality().score({"answer": answer}, {"response": response})


LATIN = [row for row in golden("rouge") if not loses_letters([*row["input"]["reference"], row["input"]["hypothesis"]])]


@pytest.mark.parametrize("row", LATIN, ids=lambda row: row["id"])
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


@pytest.mark.parametrize(
    ("text", "near", "f1"),
    [
        ("Привет, мир", "привет мир и война", 2 * 2 / 6),
        ("日本語です", "日本です", 2 * 4 / 9),
        ("مرحبا بالعالم", "مرحبا", 2 / 3),
        ("Γειά σου Κόσμε", "γειά κόσμε", 4 / 5),
        ("हिन्दी में लिखा", "हिन्दी लिखा", 4 / 5),
        ("ภาษาไทย", "ภาษา", 2 * 4 / 11),
    ],
    ids=["Russian", "Japanese", "Arabic", "Greek", "Hindi", "Thai"],
)
@pytest.mark.parametrize("evaluator", [SummarizationQuality(), ROUGE(), ROUGE(stem=True), RougeScores()])
def test_other_scripts_are_read_as_unicode_words_and_the_score_says_so(
    evaluator: RougeCheck, text: str, near: str, f1: float
) -> None:
    same = evaluator.measure(Trial(Case(expected=(text,)), Output(text)))
    assert (same.value, same.passed, same.metadata["tokens"]) == (1.0, True, "unicode words")
    assert evaluator.measure(Trial(Case(expected=(text,)), Output(near))).value == pytest.approx(f1)
    assert evaluator.measure(Trial(Case(expected=(text,)), Output("nothing of it"))).value == 0.0
    assert "unicode words" in evaluator.signature()


def test_tokens_are_rouge_scores_while_these_keep_half_of_the_letters() -> None:
    score = ROUGE().measure(Trial(Case(expected=("Der Bär trinkt öfter",)), Output("Der Bär trinkt öfter")))
    assert "tokens" not in score.metadata
    assert loses_letters(["abc", "абвг x"])
    assert not loses_letters(["abc é", "", "123 …", "abab абаб"])
