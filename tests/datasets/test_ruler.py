"""RULER is generated: any length is kept to, every answer is in the text once, and a seed decides it all."""

from __future__ import annotations

from itertools import islice

import pytest

from ringtrue.datasets import load
from ringtrue.datasets.catalogue.ruler import REPLY, TASKS
from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError, UnknownName
from ringtrue.evaluators.string_match import StringMatch
from ringtrue.models.tokens import count
from ringtrue.records import Output, Trial


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("tokens", [1_000, 6_000, 20_000])
def test_a_length_is_kept_to_and_used(task: str, tokens: int) -> None:
    for case in islice(load(f"ruler:{task}-{tokens}"), 2):
        size = count(f"{case['context']}\n\n{case['question']}").count + REPLY
        assert 0.9 * tokens < size <= tokens
        assert case["subtask"] == task


@pytest.mark.parametrize("task", TASKS)
def test_what_is_required_is_in_the_text_and_full_marks_need_all_of_it(task: str) -> None:
    for case in islice(load(f"ruler:{task}-2k"), 5):
        assert all(answer in case["context"] for answer in case["required_answers"])
        assert not any(answer in case["question"] for answer in case["required_answers"])
        made = Fields().case(case, 0)
        whole = StringMatch().measure(Trial(made, Output(f"They are {case['answer'][0].upper()}.")))
        assert whole.value == 1.0
        less = ", ".join(case["required_answers"][1:])
        part = StringMatch().measure(Trial(made, Output(f"I found {less}."))).value
        assert part == pytest.approx(1 - 1 / len(case["required_answers"]))


def test_only_one_needle_has_the_key_that_is_asked_for() -> None:
    for case in islice(load("ruler:niah_multikey_2-16k"), 10):
        key = case["question"].split(" for ")[1].split(" in the text")[0]
        assert case["context"].count(f" for {key} is ") == 1


def test_the_frequent_words_are_the_most_frequent() -> None:
    for task, most in (("cwe", 10), ("fwe", 3)):
        for case in islice(load(f"ruler:{task}-4k"), 5):
            words = [word for word in case["context"].split() if word != "...." and not word.rstrip(".").isdigit()]
            often = sorted(set(words), key=words.count, reverse=True)
            assert set(often[:most]) == set(case["required_answers"])
            assert words.count(often[most - 1]) > words.count(often[most])


def test_a_chain_of_variables_leads_to_its_value() -> None:
    (case,) = islice(load("ruler:vt-2k"), 1)
    lines = [line for line in case["context"].split("\n") if line.startswith("VAR ")]
    assert len(lines) == len(case["required_answers"]) == 5
    assert lines[0].split(" = ")[1] in case["question"]


def test_a_length_has_all_tasks_in_turn_and_the_seed_decides() -> None:
    first = list(islice(load("ruler:1k"), 22))
    assert [case["subtask"] for case in first] == [*TASKS, *TASKS]
    assert first[:11] == list(islice(load("ruler:1k"), 11))
    assert first[:11] != list(islice(load("ruler:1k", seed=1), 11))
    assert len({case["context"] for case in first}) == 22


def test_16k_is_16384_tokens_and_a_plain_number_is_itself() -> None:
    assert next(load("ruler:16k"))["tokens"] == 16_384
    assert next(load("ruler:vt-5000"))["tokens"] == 5_000


def test_a_length_that_is_too_short_or_no_length_is_said() -> None:
    with pytest.raises(ConfigurationError, match="tokens are too few: the shortest example has"):
        next(load("ruler:vt-150"))
    with pytest.raises(UnknownName, match="ruler:long"):
        load("ruler:long")
