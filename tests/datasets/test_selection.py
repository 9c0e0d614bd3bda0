"""What a run takes of a dataset: a sample across subjects, another split, another order, examples, other words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.datasets import Benchmark, Origin, Selection, find, load
from ringtrue.datasets.cases import read_cases
from ringtrue.datasets.catalogue import squad_v2
from ringtrue.datasets.catalogue.loading import cases_of, of_split
from ringtrue.datasets.catalogue.table import ENTRIES
from ringtrue.errors import ConfigurationError
from support.hub import write_mirror

ROWS = [{"id": f"{subject}{number}", "question": "q", "subject": subject}
        for subject, size in (("algebra", 60), ("biology", 30), ("chess", 10)) for number in range(size)]  # fmt: skip


def taken(subject: str | None = "subject", **options: Any) -> list[str]:
    return [str(row["id"]) for row in Selection(**options).chosen(iter(ROWS), subject=subject)]


def test_a_limit_draws_across_subjects_in_proportion() -> None:
    found = Counter(name.rstrip("0123456789") for name in taken(limit=20))
    assert found == {"algebra": 12, "biology": 6, "chess": 2}


def test_a_smaller_sample_is_the_beginning_of_a_larger_one_and_the_seed_decides_it() -> None:
    assert taken(limit=50)[:20] == taken(limit=20)
    assert taken(limit=20) == taken(limit=20)
    assert taken(limit=20) != taken(limit=20, seed=1)


def test_first_takes_the_first_rows() -> None:
    assert taken(limit=3, first=True) == ["algebra0", "algebra1", "algebra2"]
    assert taken(None, limit=3) == ["algebra0", "algebra1", "algebra2"], "rows of a file are taken as they come"


def test_a_benchmark_without_subjects_is_drawn_from_all_of_its_rows() -> None:
    assert {name[0] for name in taken("", limit=20)} == {"a", "b", "c"}
    drawn, other, first = (
        [case["id"] for case in load("gsm8k@sample", selection=Selection(limit=10, **options))]
        for options in ({}, {"seed": 1}, {"first": True})
    )
    assert first == [case["id"] for case in load("gsm8k@sample", 10)]
    assert len({tuple(drawn), tuple(other), tuple(first)}) == 3
    assert set(drawn) != set(first)


def test_all_rows_stay_in_order_unless_they_are_shuffled() -> None:
    assert taken() == [row["id"] for row in ROWS]
    assert taken(shuffle=True) != taken()
    assert sorted(taken(shuffle=True)) == sorted(taken())
    assert len(set(taken(shuffle=True, limit=40))) == 40


def test_rows_that_are_taken_as_they_come_are_read_no_further_than_the_limit() -> None:
    read: list[int] = []

    def endless() -> Iterator[dict[str, Any]]:
        while True:
            read.append(1)
            yield {"id": len(read), "question": "q", "subject": "x"}

    assert len(list(Selection(limit=4).chosen(endless()))) == 4
    assert len(read) == 4


def test_bbh_s_sample_has_every_task_before_any_has_many() -> None:
    found = list(load("bbh@sample", selection=Selection(limit=27)))
    assert len({case["subtask"] for case in found}) == 27
    assert len({case["subtask"] for case in load("bbh@sample", 27)}) == 9, "the first rows are of few"


def test_another_split_is_read(tmp_path: Path) -> None:
    write_mirror(tmp_path, "gsm8k")
    found = list(load("gsm8k", origin=Origin(tmp_path), selection=Selection(split="train")))
    assert [case["answer"] for case in found] == [["0"]]


@pytest.mark.parametrize(
    ("name", "message"),
    [("infinitebench", "infinitebench has no other split than"), ("ruler", "ruler is generated: it has no splits")],
)
def test_a_benchmark_without_other_splits_says_so(name: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        list(load(name, selection=Selection(split="train")))


def test_the_split_in_the_name_of_a_file_is_replaced(tmp_path: Path) -> None:
    write_mirror(tmp_path, "qmsum")
    usual, other = (
        [case["id"] for case in load("qmsum", origin=Origin(tmp_path), selection=Selection(split=split))]
        for split in (None, "train")
    )
    assert usual != other


def write(folder: Path, path: str, rows: list[dict[str, Any]]) -> None:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("".join(json.dumps(row) + "\n" for row in rows))


FORMATS: dict[str, tuple[str, str, list[dict[str, Any]], str]] = {
    "mmlu": (
        "cais/mmlu/all",
        "dev",
        [
            {"question": f"{word}?", "subject": "high_school_physics", "choices": ["1", "2", "3", "4"], "answer": place}
            for place, word in enumerate(("First", "Second", "Asked"))
        ],
        (
            "The following are multiple choice questions (with answers) about  high school physics.\n\n"
            "First?\nA. 1\nB. 2\nC. 3\nD. 4\nAnswer: A\n\nSecond?\nA. 1\nB. 2\nC. 3\nD. 4\nAnswer: B\n\n"
            "Asked?\nA. 1\nB. 2\nC. 3\nD. 4\nAnswer:"
        ),
    ),
    "mmlu-pro": (
        "TIGER-Lab/MMLU-Pro/data",
        "validation",
        [
            {"question_id": 1, "question": f"{word}?", "options": ["1", "2"], "answer_index": 1, "category": "law"}
            | {"cot_content": "" if word == "Asked" else "A: Let's think step by step. The answer is (B)."}
            for word in ("First", "Second", "Asked")
        ],
        (
            "The following are multiple choice questions (with answers) about law. Think step by step and then output "
            'the answer in the format of "The answer is (X)" at the end.\n\n'
            "Question: First?\nOptions: A. 1\nB. 2\nAnswer: Let's think step by step. The answer is (B).\n\n"
            "Question: Second?\nOptions: A. 1\nB. 2\nAnswer: Let's think step by step. The answer is (B).\n\n"
            "Question: Asked?\nOptions: A. 1\nB. 2\nAnswer: Let's think step by step.\n\n"
        ),
    ),
    "gsm8k": (
        "openai/gsm8k/main",
        "train",
        [
            {"question": f"{word}?", "answer": f"{word} 2*500=<<2*500=1000>>1000.\n#### 1,000"}
            for word in ("First", "Second", "Asked")
        ],
        (
            "Question: First?\nAnswer: First 2*500=<<2*500=1000>>1000.\n#### 1,000\n\n"
            "Question: Second?\nAnswer: Second 2*500=<<2*500=1000>>1000.\n#### 1,000\n\nQuestion: Asked?\nAnswer:"
        ),
    ),
    "math": (
        "DigitalLearningGmbH/MATH-lighteval/default",
        "train",
        [
            {"problem": f"{word} ${{x}}$?", "solution": "So \\boxed{\\frac{1}{2}}."}
            for word in ("First", "Second", "Asked")
        ],
        (
            "Given a mathematics problem, determine the answer. Simplify your answer as much as possible.\n"
            "Problem: First ${x}$?\nAnswer: $\\frac{1}{2}$\n###\nProblem: Second ${x}$?\nAnswer: $\\frac{1}{2}$\n###\n"
            "Asked ${x}$?\nAnswer: $"
        ),
    ),
    "mbpp": (
        "google-research-datasets/mbpp/sanitized",
        "prompt",
        [
            {
                "task_id": 1,
                "prompt": f"{word}.",
                "code": f"def {word}(): pass",
                "test_imports": [],
                "test_list": ["assert a", "assert b"],
            }
            for word in ("First", "Second", "Asked")
        ],
        (
            "You are an expert Python programmer, and here is your task: First. Your code should pass these tests:\n\n"
            "assert a\nassert b\n[BEGIN]\ndef First(): pass\n[DONE]\n\n"
            "You are an expert Python programmer, and here is your task: Second. Your code should pass these tests:\n\n"
            "assert a\nassert b\n[BEGIN]\ndef Second(): pass\n[DONE]\n\n"
            "You are an expert Python programmer, and here is your task: Asked. Your code should pass these tests:\n\n"
            "assert a\nassert b\n[BEGIN]\n"
        ),
    ),
    "mgsm:zh": (
        "juletxara/mgsm/zh",
        "train",
        [
            {"question": "问题：一？", "answer": "逐步解答：答案是 1。", "answer_number": 1},
            {"question": "问题：二？", "answer": "逐步解答：答案是 2。", "answer_number": 2},
            {"question": "三？", "answer": None, "answer_number": 3},
        ],
        "问题：一？\n逐步解答：答案是 1。\n\n问题：二？\n逐步解答：答案是 2。\n\n问题：三？\n逐步解答：",
    ),
    "squad-v2": (
        "rajpurkar/squad_v2/squad_v2",
        "train",
        [
            {
                "id": word,
                "question": f"{word}?",
                "context": f"Text of {word}.",
                "answers": {"text": [word][: word != "Second"]},
            }
            for word in ("First", "Second", "Asked")
        ],
        (
            "Question: Text of First.\n\nFirst?\n\nFORM\nAnswer: First\n\nQuestion: Text of Second.\n\nSecond?"
            "\n\nFORM\nAnswer: unanswerable\n\nQuestion: Text of Asked.\n\nAsked?\n\nFORM\nAnswer:"
        ),
    ),
}
"""Set -> where its files are, the split of its examples, two of them and a question, and what is sent."""


@pytest.mark.parametrize("name", FORMATS)
def test_examples_of_the_training_split_are_written_as_the_authors_write_them(tmp_path: Path, name: str) -> None:
    place, split, rows, prompt = FORMATS[name]
    asked = find(name.partition(":")[0]).split
    write(tmp_path, f"{place}/{split}.jsonl", [*rows[:2], {**rows[1], "question": "Third?"}])
    write(tmp_path, f"{place}/{asked}.jsonl", rows[2:])
    (case,) = load(name, origin=Origin(tmp_path), selection=Selection(few_shot=2))
    assert case["question"] == prompt.replace("FORM", squad_v2.FORM)
    assert "raw" not in case, "what a format is filled from is not part of a case"
    assert "context" not in case, "a context that the question holds is not sent again"


def test_worked_examples_are_in_the_words_of_a_template_too(tmp_path: Path) -> None:
    place, split, rows, _ = FORMATS["gsm8k"]
    write(tmp_path, f"{place}/{split}.jsonl", rows[:1])
    write(tmp_path, f"{place}/test.jsonl", rows[2:])
    chosen = Selection(few_shot=1, template="Be brief. {question}")
    (case,) = load("gsm8k", origin=Origin(tmp_path), selection=chosen)
    assert case["question"].startswith("Question: Be brief. First?")
    assert "Question: Be brief. Asked?" in case["question"]


@pytest.mark.parametrize("name", [name for name in ENTRIES if find(name).examples])
def test_the_split_of_worked_examples_is_another_one_that_can_be_named(name: str) -> None:
    benchmark = find(name)
    split = of_split(benchmark, str(benchmark.examples))
    assert split.split != benchmark.split
    assert split.files is None or split.files != benchmark.files


def test_worked_examples_of_a_reading_set_have_their_texts(tmp_path: Path) -> None:
    origin = Origin(write_mirror(tmp_path, "qmsum"))
    (case,) = load("qmsum", origin=origin, selection=Selection(few_shot=1))
    shown, _, asked = case["question"].partition("\n\nQuestion: A: Let us go.")
    assert shown.endswith("Answer: no")
    assert "What did they decide?" in asked
    assert asked.endswith("Answer:")


def test_examples_are_of_the_question_s_own_subject(tmp_path: Path) -> None:
    def row(subject: str, text: str) -> dict[str, Any]:
        return {"question": text, "subject": subject, "choices": ["a", "b", "c", "d"], "answer": 1}

    write(tmp_path, "cais/mmlu/all/test.jsonl", [row("anatomy", "Asked?")])
    write(tmp_path, "cais/mmlu/all/dev.jsonl", [row("virology", "Virus?"), row("anatomy", "Bone?")])
    (case,) = load("mmlu", origin=Origin(tmp_path), selection=Selection(few_shot=1))
    assert "Bone?" in case["question"]
    assert "Virus?" not in case["question"]


def test_few_shot_without_examples_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="ifeval has no training split to take examples from"):
        list(load("ifeval@sample", selection=Selection(few_shot=1)))
    with pytest.raises(ConfigurationError, match="the examples of gsm8k are those of the split 'train'"):
        list(load("gsm8k@sample", selection=Selection(few_shot=1, split="train")))
    with pytest.raises(ConfigurationError, match="gsm8k@sample has the split 'test' alone"):
        list(load("gsm8k@sample", selection=Selection(few_shot=1)))


def test_more_worked_examples_than_there_are_is_refused(tmp_path: Path) -> None:
    place = Origin(write_mirror(tmp_path, "gsm8k"))
    with pytest.raises(ConfigurationError, match="few_shot asks for 9 worked examples, more than the 1 there are"):
        list(load("gsm8k", origin=place, selection=Selection(few_shot=9)))


def test_a_template_takes_the_place_of_the_question() -> None:
    with pytest.raises(
        ConfigurationError, match=r"the template names \{quest\}, which a case does not have; it has id"
    ):
        list(load("mmlu@sample", selection=Selection(limit=1, template="Q: {quest}")))
    latex = Selection(limit=1, template="\\frac{1}{2}, \\frac{a}{b} and \\boxed{x}: {question}")
    assert next(load("mmlu@sample", selection=latex))["question"].startswith(
        "\\frac{1}{2}, \\frac{a}{b} and \\boxed{x}: "
    )
    (case,) = load("mmlu@sample", selection=Selection(limit=1, template="Options:\n{choices}\nQ: {question}"))
    assert case["question"].startswith("Options:\n" + "\n".join(case["choices"]) + "\nQ: ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"limit": -1}, "limit must be a whole number of at least 0; got -1"),
        ({"few_shot": True}, "few_shot must be a whole number of at least 0; got True"),
        ({"first": True, "shuffle": True}, "first and shuffle exclude each other"),
        ({"template": "no field"}, "a template names fields of a case in braces"),
    ],
)
def test_a_wrong_setting_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Selection(**options)


def test_gpqa_s_letters_move_with_the_seed(tmp_path: Path) -> None:
    write_mirror(tmp_path, "gpqa")
    first, second = (
        [case["correct_letter"] for case in load("gpqa", origin=Origin(tmp_path), selection=Selection(seed=seed))]
        for seed in (0, 1)
    )
    assert first != second


def test_rows_of_one_s_own_can_be_shuffled_and_reworded_but_have_no_split() -> None:
    rows = [{"question": str(number), "answer": "x"} for number in range(30)]
    found = read_cases(rows, selection=Selection(limit=5, shuffle=True, template="Say {question}"))
    assert len(found) == 5
    assert all(case.input.startswith("Say ") for case in found)
    assert [case.input for case in found] != [f"Say {number}" for number in range(5)]
    with pytest.raises(ConfigurationError, match="split works only with a benchmark by name"):
        read_cases(rows, selection=Selection(split="test"))


OWN = """
from ringtrue.datasets import Benchmark


def read(source):
    yield {"question": f"How many sides has a {source.config or 'square'}?", "answer": ["4"]}


SHAPES = Benchmark(
    name="shapes", task="geometry", path="", split="test", fields={}, load=read, metric="math_equiv",
    evaluators=("answer_quality", "math_equivalence"), licence="MIT", citation="me", homepage="", sources=("me",),
    configs=("square", "rhombus"), config="square",
)
OTHER = 7
"""


def test_a_benchmark_lives_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "shapes.py"
    path.write_text(OWN)
    result = evaluate(lambda question: "It has 4.", f"{path}:SHAPES", progress=False, store=None)
    assert result.rows[0].scores["math_equiv"] == 1.0
    assert result.rows[0].main == "math_equiv"
    (case,) = load(f"{path}:SHAPES:rhombus")
    assert case["question"] == "How many sides has a rhombus?"


WRONG = {
    "{}:OTHER": "OTHER of .* is int, not a Benchmark; it has SHAPES",
    "{}:NONE": "NONE of .* is missing; it has SHAPES",
    "no.py:X": r"no file no\.py",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_a_benchmark_in_a_file_is_said(name: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong_shapes.py"
    path.write_text(OWN)
    with pytest.raises(ConfigurationError, match=WRONG[name]):
        load(name.format(path))


def test_a_file_that_cannot_be_run_is_said(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text("1 / 0")
    with pytest.raises(ConfigurationError, match="cannot be run: ZeroDivisionError"):
        load(f"{path}:X")


def test_a_benchmark_is_handed_over_as_an_object() -> None:
    def read(source: Any) -> Iterator[dict[str, Any]]:
        yield {"question": "2 + 2?", "answer": ["4"]}

    sums = Benchmark(
        name="sums", task="", path="", split="", fields={}, load=read, metric="math_equiv", licence="MIT", citation="",
        homepage="", sources=(), evaluators=("answer_quality", "math_equivalence"),
    )  # fmt: skip
    result = evaluate(lambda question: "4.0", sums, progress=False, store=None)
    assert result.rows[0].scores["math_equiv"] == 1.0
    assert [case["dataset"] for case in cases_of(sums, "sums", None, Origin(), Selection())] == ["sums"]


def test_a_sample_of_all_subjects_has_rows_of_one() -> None:
    found = list(load("mmlu:anatomy@sample"))
    assert {case["subject"] for case in found} == {"anatomy"}
    assert len(list(load("mmlu:anatomy@sample", 2))) == 2


def test_a_split_that_is_named_comes_before_others_of_its_kind(tmp_path: Path) -> None:
    row = {"subject": "anatomy", "choices": ["a", "b", "c", "d"], "answer": 1}
    for split in ("test", "dev", "validation"):
        write(tmp_path, f"cais/mmlu/all/{split}-00000-of-00001.jsonl", [{**row, "question": f"{split}?"}])
    for split in ("test", "dev", "validation"):
        found = list(load("mmlu", origin=Origin(tmp_path), selection=Selection(split=split)))
        assert [case["question"].partition("?")[0] for case in found] == [split]
