"""Long-context benchmarks: replies scored as their authors score them."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.long_context import infinitebench, longbench
from ringtrue.scoring.long_context.character_f1 import character_f1
from ringtrue.scoring.long_context.locomo import locomo_score
from support.golden import golden

ROWS = golden("longbench")


@pytest.mark.parametrize("row", ROWS, ids=[f"{place}-{row['task']}" for place, row in enumerate(ROWS)])
def test_longbench_scores_as_the_official_metrics_do(row: dict[str, Any]) -> None:
    if row["task"] == "lcc":
        # The authors' fuzzywuzzy has two back ends; the golden one is difflib, ours is that of the faster one.
        lines = row["reply"].lstrip("\n").split("\n")
        code = next((line for line in lines if not any(mark in line for mark in ("`", "#", "//"))), "")
        assert row["expected"] == round(100 * SequenceMatcher(None, code, row["gold"][0]).ratio()) / 100
        assert longbench.score("lcc", row["reply"], row["gold"]) == pytest.approx(row["expected"], abs=0.15)
        return
    reply = row["reply"]
    assert longbench.score(row["task"], reply, row["gold"], row["classes"]) == pytest.approx(row["expected"], abs=1e-9)


LONGBENCH = {
    "Chinese, full-width stop": ("multifieldqa_zh", "北京大学。", "北京大学", 1.0),
    "Chinese, one character of four more": ("multifieldqa_zh", "北京大学生", "北京大学", 8 / 9),
    "Chinese paragraph": ("passage_retrieval_zh", "答案是段落7。", "段落7", 1.0),
    "Chinese summary": ("vcsum", "会议讨论预算", "会议讨论预算。", 1.0),
    "first line of a few-shot reply": ("triviaqa", "\nParis\nQuestion: next", "Paris", 1.0),
    "even lengths": ("hotpotqa_e", "Paris", "Paris", 1.0),
    "code with a missing blank": ("lcc", "return a+ b", "return a + b", 0.96),
    "code in a fence": ("repobench-p", "```python\nreturn 1\n```", "return 1", 1.0),
    "nothing said": ("gov_report", "", "A report.", 0.0),
    "a blank sentence is a token": ("gov_report", "Rain: 3\nof all of\n, end. ", ",. ", 4 / 9),
}


@pytest.mark.parametrize(("task", "reply", "gold", "value"), LONGBENCH.values(), ids=LONGBENCH)
def test_longbench_s_other_tasks(task: str, reply: str, gold: str, value: float) -> None:
    assert longbench.score(task, reply, [gold]) == pytest.approx(value, abs=0.005)


INFINITE = {
    "number in a sentence": ("passkey", "The pass key is 71432.", ["71432"], 1.0),
    "another number first": ("passkey", "1 key: 71432", ["71432"], 0.0),
    "value in quotes": ("kv_retrieval", 'It is "c14c-8b".', ["c14c-8b"], 1.0),
    "value as part of a word": ("kv_retrieval", "c14c-8bX", ["c14c-8b"], 0.0),
    "name in lower case": ("longdialogue_qa_eng", "I think it is Ace.", ["ACE", "ACE ROTHSTEIN"], 1.0),
    "second name alone": ("longdialogue_qa_eng", "Rothstein", ["ACE", "ACE ROTHSTEIN"], 0.0),
    "last number": ("code_run", "func(2) = 3 + 1\nThe return value is: -4.", ["-4"], 1.0),
    "a word last": ("code_run", "4 it is", ["4"], 0.0),
    "first number, an integer": ("math_find", "The largest is 88, not 99", ["88"], 1.0),
    "a fraction for an integer": ("math_find", "88.5", ["88"], 0.0),
    "a fraction": ("math_find", "about 3.5", ["3.5"], 1.0),
    "half of a calculation": ("math_calc", "[4, 8, 9]", ["[4, 8, 7, 6]"], 0.5),
    "a number without end": ("math_calc", "4, " + "8" * 5_000, ["[4, 8]"], 0.5),
    "one step of a calculation": ("math_calc", "8", ["[4, 8, 7, 6]"], 0.0),
    "a letter first": ("longbook_choice_eng", "B. Bo", ["Bo", "B"], 1.0),
    "a wrong letter first": ("longbook_choice_eng", "A or B", ["Bo", "B"], 0.0),
    "a letter announced": ("longbook_choice_eng", "The answer is: B", ["Bo", "B"], 1.0),
    "the option's text announced": ("longbook_choice_eng", "My answer: Bo is it", ["Bo", "B"], 1.0),
    "announced and missing": ("longbook_choice_eng", "Well the answer is:", ["Bo", "B"], 0.0),
    "a letter somewhere": ("longbook_choice_eng", "It must be B then", ["Bo", "B"], 1.0),
    "a letter after a blank": ("longbook_choice_eng", " B", ["Bo", "B"], 1.0),
    "a wrong letter after a blank": ("longbook_choice_eng", "\nA. B is it", ["Bo", "B"], 0.0),
    "the option and nothing else": ("longbook_choice_eng", " eleven answer: no ", ["eleven answer: no", "B"], 1.0),
    "an empty reply": ("longbook_choice_eng", "", ["Bo", "B"], 0.0),
    "a function by letter": ("code_debug", "B. run", ["run", "B"], 1.0),
    "a function by letter after a blank": ("code_debug", "\n B: run", ["run", "B"], 1.0),
    "a function by name": ("code_debug", "The answer is: run", ["run", "B"], 1.0),
    "a function not announced": ("code_debug", "I would say run", ["run", "B"], 0.0),
    "Chinese characters": ("longbook_qa_chn", "田归农", ["田归农。"], 1.0),
    "two answers": ("longbook_qa_eng", "the war", ["love", "a war"], 1.0),
}


@pytest.mark.parametrize(("task", "reply", "gold", "value"), INFINITE.values(), ids=INFINITE)
def test_infinitebench_reads_replies_as_its_authors_do(task: str, reply: str, gold: list[str], value: float) -> None:
    assert infinitebench.RULES[task](reply, gold) == pytest.approx(value)


def test_the_first_operand_is_left_out_on_request() -> None:
    assert infinitebench.matching_prefix("[1, 4, 8]", ["[4, 8]"]) == 0.0
    assert infinitebench.matching_prefix("[1, 4, 8]", ["[4, 8]"], repeats_first=True) == 1.0


LOCOMO = {
    "stemmed": ("He was hiking", "hike", 4, 0.5),
    "an accent in another form": ("caf\u00e9", "cafe\u0301", 4, 0.0),
    "and is no word": ("cats and dogs", "cats dogs", 4, 1.0),
    "several answers": ("pottery, swimming", "swimming, painting", 1, 0.5),
    "nothing known": ("There is no information available on that.", "No information available", 5, 1.0),
    "something made up": ("A song", "No information available", 5, 0.0),
}


@pytest.mark.parametrize(("reply", "answer", "category", "value"), LOCOMO.values(), ids=LOCOMO)
def test_locomo_scores_by_category(reply: str, answer: str, category: int, value: float) -> None:
    assert locomo_score(reply, answer, category) == pytest.approx(value)


@given(st.text(max_size=80), st.text(min_size=1, max_size=80), st.sampled_from(sorted(infinitebench.RULES)))
def test_no_text_is_too_strange_for_infinitebench(reply: str, gold: str, task: str) -> None:
    numbers = {"code_run": "4", "math_find": "3.5", "math_calc": "[1, 2]"}
    assert 0.0 <= infinitebench.RULES[task](reply, [numbers.get(task, gold), "A"]) <= 1.0


@given(st.text(max_size=80), st.text(min_size=1, max_size=80), st.sampled_from(sorted(longbench.RULES)))
def test_no_text_is_too_strange_for_longbench(reply: str, gold: str, task: str) -> None:
    assert 0.0 <= longbench.score(task, reply, [gold], ["Date", gold]) <= 1.0


@given(st.text(max_size=60), st.text(max_size=60))
def test_character_f1_is_symmetric_and_1_for_a_text_with_itself(first: str, second: str) -> None:
    assert character_f1(first, second) == character_f1(second, first)
    assert character_f1(first, first) in (0.0, 1.0)
