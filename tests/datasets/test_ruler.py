"""RULER is generated: any length is kept to, every answer is in the text once, and a seed decides it all."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

from ringtrue.datasets import Origin, load
from ringtrue.datasets.catalogue.ruler import TASKS
from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.string_match import StringMatch
from ringtrue.models.tokens import count
from ringtrue.records import Output, Trial
from support.hub import encoded, write_mirror

REPLIES = {"vt": 30, "cwe": 120, "fwe": 50, "qa_1": 32, "qa_2": 32}
"""Tokens that the authors leave for the reply (`tokens_to_generate`); 128 for needles."""


def whole_length(case: dict[str, Any]) -> int:
    """Tokens of what is sent, with those left for the reply."""
    return count(f"{case['context']}\n\n{case['question']}").count + REPLIES.get(case["subtask"], 128)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("tokens", [1_000, 6_000, 20_000])
def test_a_length_is_kept_to_and_used(task: str, tokens: int) -> None:
    for case in islice(load(f"ruler:{task}-{tokens}"), 2):
        assert 0.9 * tokens < whole_length(case) <= tokens
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
            words = [word for word in case["context"].split() if word != "..." and not word.rstrip(".").isdigit()]
            often = sorted(set(words), key=words.count, reverse=True)
            assert set(often[:most]) == set(case["required_answers"])
            assert words.count(often[most - 1]) > words.count(often[most])


@pytest.mark.parametrize(("length", "often", "seldom"), [("2k", 6, 1), ("4095", 6, 1), ("4k", 30, 3), ("8k", 30, 3)])
def test_common_words_are_as_frequent_as_the_authors_make_them(length: str, often: int, seldom: int) -> None:
    (case,) = islice(load(f"ruler:cwe-{length}"), 1)
    times = Counter(case["context"].split()[1::2])
    assert {times.pop(word) for word in case["required_answers"]} == {often}
    assert set(times.values()) == {seldom}


def test_frequent_words_follow_the_authors_distribution_with_dots_in_front() -> None:
    """A word of rank k is there in proportion to 1 / k²; ranks 2 to 4 are asked for; a text has length / 50 words."""
    (case,) = islice(load("ruler:fwe-8k"), 1)
    ranked = Counter(case["context"].split()).most_common()
    assert [ranked[0][0], *sorted(word for word, _ in ranked[1:4])] == ["...", *sorted(case["required_answers"])]
    shares = [times / ranked[0][1] for _, times in ranked[:6]]
    assert shares == pytest.approx([1 / rank**2 for rank in range(1, 7)], abs=0.002)
    assert len(ranked) <= 8192 // 50 + 1


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


def squad_mirror(folder: Path) -> Path:
    """SQuAD 2.0 in the hub's schema: 40 articles of 5 paragraphs, with an answerable and another question on each."""
    rows = []
    for article, paragraph in product(range(40), range(5)):
        text = f"Town {article} has {paragraph} gates. " + f"Gate keepers of town {article} walk all day. " * 12
        made = {
            "title": f"Town {article}",
            "context": f"{text}The mayor of quarter {paragraph} is M{article}x{paragraph}.",
        }
        asked = f"Who is the mayor of quarter {paragraph} of town {article}?"
        answers = [f"M{article}x{paragraph}", f"mayor M{article}x{paragraph}"]
        rows.append({"id": f"{article}-{paragraph}", **made, "question": asked, "answers": {"text": answers}})
        rows.append({"id": f"{article}-{paragraph}n", **made, "question": "Who sings?", "answers": {"text": []}})
    target = folder / "rajpurkar/squad_v2/squad_v2/validation-00000-of-00001.parquet"
    target.parent.mkdir(parents=True)
    target.write_bytes(encoded(target.name, rows))
    return folder


def test_questions_are_among_as_many_documents_as_fit(tmp_path: Path) -> None:
    origin = Origin(squad_mirror(tmp_path))
    found = list(islice(load("ruler:qa_1-3k", origin=origin), 20))
    for case in found:
        assert 0.8 * 3072 < whole_length(case) <= 3072
        town = case["question"].split(" of town ")[1].split("?")[0]
        assert case["context"].count(f"Town {town} has") == 5, "the paragraphs of its article come first"
        assert case["context"].startswith("Document 1:\n")
        assert case["source"] == "rajpurkar/squad_v2@unknown"
    places = [case["context"][: case["context"].index(case["answer"][0])].count("Document ") for case in found]
    assert len(set(places)) > 3, "the answer's document stands anywhere"
    assert found == list(islice(load("ruler:qa_1-3k", origin=origin), 20))
    assert found != list(islice(load("ruler:qa_1-3k", origin=origin, seed=1), 20))


def test_one_accepted_answer_is_enough_for_a_question(tmp_path: Path) -> None:
    case = next(load("ruler:qa_1-3k", origin=Origin(squad_mirror(tmp_path))))
    made = Fields().case(case, 0)
    assert StringMatch().measure(Trial(made, Output(f"It is {case['answer'][0].lower()}."))).value == 1.0
    assert StringMatch().measure(Trial(made, Output("It is somebody."))).value == 0.0


def test_hotpot_questions_come_with_their_passages(tmp_path: Path) -> None:
    write_mirror(tmp_path, "hotpotqa")
    (case,) = load("ruler:qa_2-1k", origin=Origin(tmp_path))
    assert (case["context"], case["answer"]) == ("Document 1:\nT\nS.", ["A"])
    with pytest.raises(ConfigurationError, match="hold no question of qa_2"):
        list(load("ruler:qa_2-40", origin=Origin(tmp_path)))


def test_16k_is_16384_tokens_and_a_plain_number_is_itself() -> None:
    assert next(load("ruler:16k"))["tokens"] == 16_384
    assert next(load("ruler:vt-5000"))["tokens"] == 5_000


def test_a_length_that_is_too_short_or_no_length_is_said() -> None:
    with pytest.raises(ConfigurationError, match="tokens are too few: the shortest example has"):
        next(load("ruler:vt-150"))
    with pytest.raises(ConfigurationError, match="ruler has no configuration 'long'"):
        load("ruler:long")
