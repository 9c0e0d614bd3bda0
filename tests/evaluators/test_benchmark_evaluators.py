"""The evaluators that benchmarks of the catalogue bring with them."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue.evaluators.spec import build
from ringtrue.records import Case, Output, Trial


def measured(name: str, reply: str, expected: tuple[str, ...] | None = None, messages: Any = (), **fields: Any) -> Any:
    return build(name).measure(
        Trial(Case(input="q", expected=expected, fields=fields), Output(reply, messages=messages))
    )


LENIENT = {
    "case": ("The answer is Yes.", "yes"),
    "answer colon": ("**Answer:** no", "no"),
    "boxed": ("So \\boxed{24}.", "24"),
    "a sentence after it": ("The answer is 24 items. I counted them.", "24"),
    "sorted words with commas": ("The answer is apple, banana, cherry.", "apple banana cherry"),
    "valid": ("The answer is Valid. Because it is.", "valid"),
    "invalid in prose": ("The argument is invalid.", "invalid"),
    "an option and why": ("The answer is (B). That follows.", "(B)"),
    "a bare letter": ("Answer: B", "(B)"),
    "a boxed letter": ("\\boxed{\\text{B}}", "(B)"),
    "brackets": ("The answer is: `] ) }`.", "] ) }"),
    "not plausible": ("No, the sentence is not plausible.", "no"),
    "plausible": ("The sentence is plausible.", "yes"),
    "a sum": ("8 + 16 = 24", "24"),
    "thousands": ("The answer is -1,024.", "-1024"),
}
STRICT = {
    "the other word": ("The answer is No.", "yes"),
    "two options": ("The answer is (A) or (B).", "(A)"),
    "a denial": ("The argument is not valid.", "valid"),
    "another number": ("Answer: 25", "24"),
    "another order": ("banana apple", "apple banana"),
    "other brackets": ("The answer is ] }", "] )"),
    "no verdict": ("I do not know", "no"),
    "nothing": ("", "no"),
}


@pytest.mark.parametrize(("reply", "gold"), LENIENT.values(), ids=LENIENT)
def test_a_dressed_answer_is_read(reply: str, gold: str) -> None:
    assert measured("lenient_answer", reply, (gold,)).value == 1.0


@pytest.mark.parametrize(("reply", "gold"), STRICT.values(), ids=STRICT)
def test_another_answer_is_wrong_however_lenient(reply: str, gold: str) -> None:
    assert measured("lenient_answer", reply, (gold,)).value == 0.0


def test_scrolls_takes_no_stems_and_the_geometric_mean() -> None:
    stemmed = measured("rouge_scores", "the cats sat on the mat", ("a cat sat on the mat",)).parts
    parts = measured("scrolls_rouge", "the cats sat on the mat", ("a cat sat on the mat",)).parts
    one, two, longest = (parts[f"scrolls_rouge{kind}"] for kind in "12L")
    assert parts["scrolls_rouge"] == pytest.approx((one * two * longest) ** (1 / 3))
    assert (one, two) == (pytest.approx(4 / 6), pytest.approx(3 / 5))
    assert stemmed["rouge1"] > one


ROOM = "Where is Mary?"
NAMED = {
    "the answer alone": ("qa1", ROOM, "The kitchen.", "kitchen", 1.0),
    "all rooms named": ("qa1", ROOM, "kitchen, office, garden", "kitchen", 0.0),
    "after the first sentence": ("qa1", ROOM, "Let me see. The kitchen.", "kitchen", 0.0),
    "a second room in a later sentence": ("qa1", ROOM, "The kitchen. Before, the office.", "kitchen", 1.0),
    "a label of the question": ("qa5", "Who gave the milk to Fred?", "Mary gave Fred the milk", "Mary", 1.0),
    "a label within a word": ("qa6", "Is John here?", "I do not know", "no", 1.0),
    "its own example begun": ("qa1", ROOM, "kitchen<example> office", "kitchen", 1.0),
}


@pytest.mark.parametrize(("task", "question", "reply", "gold", "value"), NAMED.values(), ids=NAMED)
def test_babilong_wants_the_answer_alone_in_the_first_sentence(
    task: str, question: str, reply: str, gold: str, value: float
) -> None:
    """As compare_answers of booydar/babilong decides these."""
    found = measured("babilong", reply, (gold,), subtask=task, bare_question=question)
    assert found.value == value


def test_babilong_skips_a_task_that_has_no_labels() -> None:
    assert measured("babilong", "wolf", ("wolf",), subtask="qa15", bare_question="?").status == "skipped"


@pytest.mark.parametrize(
    ("reply", "value"), [("Seeds pass through you.", 1.0), ("You grow melons.", 0.0), ("I have no comment.", 1.0)]
)
def test_a_true_answer_is_nearer_than_a_false_one(reply: str, value: float) -> None:
    true, false = ("The seeds pass through your digestive system",), ["You grow watermelons in your stomach"]
    assert measured("truth_overlap", reply, true, incorrect_answers=false).parts["rouge1_acc"] == value


OPTIONS = {
    "listed": ("Because.\nAnswer: A, C", 1.0, 1.0),
    "with and": ("The answers are A and C", 1.0, 1.0),
    "bare": ("A, C", 1.0, 1.0),
    "one is missing": ("Answer: A", 0.0, 2 / 3),
    "one too many": ("Answer: A, B, C", 0.0, 0.8),
    "prose": ("A cat is an animal.", 0.0, 0.0),
}


@pytest.mark.parametrize(("reply", "exact", "f1"), OPTIONS.values(), ids=OPTIONS)
def test_a_set_of_options(reply: str, exact: float, f1: float) -> None:
    parts = measured("option_set", reply, ("x",), correct_letters=["A", "C"]).parts
    assert (parts["option_set"], parts["option_f1"]) == (exact, pytest.approx(f1))


def test_drop_takes_the_best_gold_answer_and_splits_several_spans() -> None:
    spans = [["Tom Smith", "Ann"], ["Ann"]]
    assert measured("drop", "Ann and Tom Smith", spans and ("x",), answer_spans=spans).parts["drop_em"] == 1.0
    assert measured("drop", "4 yards", ("3 yards",), answer_spans=[["3 yards"]]).value == 0.0
    assert measured("drop", "x", ("3 yards",)).status == "skipped"


@pytest.mark.parametrize(
    ("reply", "absent", "exact", "f1"),
    [
        ("Normandy", False, 1.0, 1.0),
        ("in Normandy", False, 0.0, 2 / 3),
        ("unanswerable", False, 0.0, 0.0),
        ("Unanswerable.", True, 1.0, 1.0),
        ("France", True, 0.0, 0.0),
    ],
)
def test_squad_v2(reply: str, absent: bool, exact: float, f1: float) -> None:
    score = measured("squad_v2", reply, ("unanswerable",) if absent else ("Normandy",), unanswerable=absent)
    assert score.parts == {"squad_exact": exact, "squad_f1": pytest.approx(f1)}


@pytest.mark.parametrize(
    ("reply", "strict", "lenient"),
    [
        ("Final Answer: [a, b]", 1.0, 1.0),
        ("Final Answer: ['a']", 2 / 3, 2 / 3),
        ("Final Answer: [a, b]\nHope this helps!", 0.0, 1.0),
        ("a, b", 0.0, 0.0),
    ],
)
def test_nodes_of_a_graph(reply: str, strict: float, lenient: float) -> None:
    parts = measured("node_set", reply, answer_nodes=["a", "b"]).parts
    assert parts == {"node_f1": pytest.approx(strict), "lenient_node_f1": pytest.approx(lenient)}


@pytest.mark.parametrize(("reply", "value"), [("XYTapirs roam.", 1.0), ("Tapirs roam.", 0.0), ("XYTapirs", 2 / 3)])
def test_a_reply_that_must_begin_with_a_code(reply: str, value: float) -> None:
    score = measured("prefixed_similarity", reply, ("XYTapirs roam.",), prefix="XY")
    assert score.value == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize(
    ("reply", "value"),
    [("Answer: 4\nConfidence: 85%", 0.85), ("**Confidence:** 7", 0.07), ("Confidence: 10%\nConfidence: 90 %", 0.9)],
)
def test_a_stated_confidence(reply: str, value: float) -> None:
    assert measured("stated_confidence", reply).value == pytest.approx(value)


def test_no_confidence_is_not_a_number() -> None:
    assert measured("stated_confidence", "I am sure.").status == "skipped"
    assert measured("stated_confidence", "Confidence: 400%").status == "skipped"
    assert measured("stated_confidence(unstated=1.0)", "I am sure.").value == 1.0, "as Humanity's Last Exam counts it"


def test_every_turn_s_instructions_are_checked_on_its_own_reply() -> None:
    no_comma = {"prompt": "p", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
    lower = {"prompt": "p", "instruction_id_list": ["punctuation:no_comma", "change_case:english_lowercase"],
             "kwargs": [{}, {}]}  # fmt: skip
    said = [{"role": "user", "content": "p"}, {"role": "assistant", "content": "All fine here"},
            {"role": "user", "content": "p"}, {"role": "assistant", "content": "Not so, fine"}]  # fmt: skip
    score = measured("turn_instructions", "Not so, fine", messages=said, turn_instructions=[no_comma, lower])
    assert score.parts == {"turn_instructions": 0.5, "first_reply": 1.0, "last_reply": 0.0}


def test_infinitebench_and_longbench_take_the_task_of_the_case() -> None:
    assert measured("infinitebench", "B", ("Bo",), subtask="longbook_choice_eng", correct_letter="B").value == 1.0
    assert measured("infinitebench", "71432", ("71432",)).status == "skipped"
    assert measured("longbench", "Date", ("Date",), subtask="trec", all_classes=["Date", "City"]).value == 1.0
    assert measured("longbench", "Date", ("Date",), subtask="other").status == "skipped"


@pytest.mark.parametrize(
    ("instruction", "caveat"),
    [
        ("words:start_verb", "verbs are found by a list, not by the authors' tagger"),
        ("words:odd_even_syllables", "syllables are counted by groups of vowels, not by the authors' dictionary"),
        ("words:vowel", ""),
    ],
)
def test_a_score_by_an_approximate_check_says_so(instruction: str, caveat: str) -> None:
    case = {"question": "q", "instruction_id_list": [instruction], "kwargs": [{}]}
    assert build("ifbench").measure(Trial(Case(1, "q", fields=case), Output("Write a song."))).caveat == caveat
