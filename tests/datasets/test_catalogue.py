"""Every benchmark becomes cases that the runner and its evaluators can read, from files in the hub's own schema."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ringtrue import metrics
from ringtrue.datasets.catalogue.benchmark import ScoringRule
from ringtrue.datasets.catalogue.loading import load, parse_name
from ringtrue.datasets.catalogue.table import ENTRIES, find, scoring_of
from ringtrue.datasets.hub.origin import Origin
from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError, InputError
from ringtrue.evaluators.spec import find as find_evaluator
from ringtrue.evaluators.wiring import evaluators_of_datasets
from ringtrue.models.tokens import count
from ringtrue.scoring.choice import read_choice
from support.hub import FIXTURES, fixture, write_mirror

NAMES = [name for name in ENTRIES if find(name).path]
"""The benchmarks that are read from files; the others are generated."""
DOCUMENTED = (
    "hotpotqa natural-questions musique narrativeqa triviaqa frames quality qasper mmlu mmlu-pro arc-challenge "
    "truthfulqa gpqa hellaswag winogrande gsm8k drop math mgsm bbh humaneval mbpp multi-news dialogsum qmsum "
    "summscreenfd meetingbank govreport contract-nli scifact ifeval alpaca-eval mt-bench longbench longbench-v2 "
    "infinitebench nolima bfcl apigen swebench swebench-verified swebench-lite"
)
CATALOGUE = Path(__file__).parents[2] / "src" / "ringtrue" / "datasets" / "catalogue"


def cases(name: str, folder: Path, **options: Any) -> list[dict[str, Any]]:
    write_mirror(folder, name.partition(":")[0])
    return list(load(name, origin=Origin(folder), **options))


def test_the_catalogue_has_the_first_42_benchmarks_and_those_added() -> None:
    assert NAMES[:42] == DOCUMENTED.split()
    assert sorted(path.stem for path in FIXTURES.glob("*.json")) == sorted(NAMES)


@pytest.mark.parametrize("path", sorted(CATALOGUE.glob("*.py")), ids=lambda path: path.name)
def test_a_loader_is_short_enough_to_audit(path: Path) -> None:
    if path.stem not in ("table", "benchmark", "loading"):
        assert len(path.read_text().splitlines()) <= 75


@pytest.mark.parametrize("name", NAMES)
def test_rows_become_the_expected_cases(name: str, tmp_path: Path) -> None:
    expected, found = fixture(name), cases(name, tmp_path)
    assert len(found) == expected.get("count", len(expected["expect"]))
    for case, wanted in zip(found, expected["expect"], strict=False):
        assert {key: case.get(key) for key in wanted} == wanted


@pytest.mark.parametrize("name", NAMES)
def test_a_case_asks_something_and_says_where_it_is_from(name: str, tmp_path: Path) -> None:
    found = cases(name, tmp_path)
    for case in found:
        assert case["question"].strip()
        assert case["dataset"] == name
        assert case["source"] == f"{find(name).path}@unknown"
        assert case.get("context") is None or case["context"].strip()
        json.dumps(case)
    assert len({case["id"] for case in found}) == len(found)


@pytest.mark.parametrize("name", NAMES)
def test_the_runner_reads_question_and_references(name: str, tmp_path: Path) -> None:
    """No field of a case is taken for a response, and every reference is one."""
    for place, row in enumerate(cases(name, tmp_path)):
        columns, case = Fields().columns(row), Fields().case(row, place)
        assert columns.response is None
        assert case.input == row["question"]
        assert case.id == row["id"]
        assert case.expected == (tuple(row["answer"]) if "answer" in row else None)
        assert case.context == row.get("context", "")


CONFIGURATIONS = [
    f"{name}:{config}" if config else name for name in NAMES for config in (find(name).configs or (None,))
]


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_configuration_names_evaluators_and_a_headline_they_give(name: str) -> None:
    """Without a judge and with one; `evaluators_of_datasets` refuses a headline that no evaluator gives."""
    benchmark, scoring = find(name.partition(":")[0]), scoring_of(name)
    assert scoring is not None
    assert benchmark.name == name.partition(":")[0]
    assert scoring.evaluators[0] == "answer_quality"
    assert scoring.headline in [
        key for evaluator in evaluators_of_datasets({name: scoring})[0] for key in evaluator.keys
    ]
    judged = [part for spec in scoring.judged for part in find_evaluator(spec).parts]
    assert (scoring.judged_headline in judged) == bool(judged)
    for kind, *fields in scoring.metrics:
        assert getattr(metrics, kind)(*fields).name
    assert benchmark.sources, "a schema without a source is invented"
    assert benchmark.revision is None or len(benchmark.revision) == 40


def test_a_headline_no_one_gives_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="the metric 'typo' is given by none of its evaluators; they give f1"):
        evaluators_of_datasets({"mine": ScoringRule(("answer_quality",), "typo")})


def test_a_wrong_kind_of_field_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="benchmark 'gsm8k': fields has the kind 'str'; there are string"):
        replace(find("gsm8k"), fields={"question": "str"})
    with pytest.raises(ConfigurationError, match="by_config names 'tset', not one of its configurations"):
        replace(find("gsm8k"), by_config={"tset": ScoringRule((), "f1")})


CHOICES = [name for name in NAMES if "multiple_choice" in find(name).evaluators and name != "mmlu-redux"]


@pytest.mark.parametrize("name", CHOICES)
def test_options_are_shown_and_the_letter_is_that_of_the_answer(name: str, tmp_path: Path) -> None:
    for case in cases(name, tmp_path):
        letters = "ABCDEFGHIJ"[: len(case["choices"])]
        for letter, option in zip(letters, case["choices"], strict=True):
            assert f"\n{letter}) {option}" in case["question"]
        assert case["choices"][letters.index(case["correct_letter"])] == case["answer"][0]
        said = f"Answer: {case['correct_letter']}"
        texts = dict(zip(letters, case["choices"], strict=True))
        assert read_choice(said, texts, labels=letters)[0] == case["correct_letter"]


def test_gpqa_s_correct_letter_moves_with_the_seed_and_stays_with_it(tmp_path: Path) -> None:
    first, again = cases("gpqa", tmp_path), cases("gpqa", tmp_path)
    other = cases("gpqa", tmp_path, seed=1)
    letters = [case["correct_letter"] for case in first]
    assert first == again
    assert len(set(letters)) > 1, "a system that always says A must not pass"
    assert letters != [case["correct_letter"] for case in other]


def test_nolima_hides_the_needle_at_every_depth_of_every_book_and_keeps_to_the_tokens(tmp_path: Path) -> None:
    found, again, other = (cases("nolima:1k", tmp_path, seed=seed) for seed in (0, 0, 1))
    assert found == again
    assert len(found) == 2 * 26 * len({case["book"] for case in found})
    assert found != other
    for case in found:
        needle = f"Actually, {case['answer'][0]} lives next to the Kiasma museum."
        lines = case["context"].split("\n")
        before = "".join(f"{line}\n" for line in lines[: lines.index(needle)])
        whole = case["context"].replace(f"{needle}\n", "").replace(needle, "")
        assert 950 < count(whole).count <= 1_001
        assert abs(count(before).count / count(whole).count - case["depth"]) < 0.02
        assert case["answer"][0] not in case["question"]
    assert {case["question"].partition("?")[0] for case in found} == {
        "Which character has been to Helsinki",
        "Which character has been to Uusimaa",
    }
    assert len({case["book"] for case in found[:10]}) == 2, "the first cases are a sample of all"


CONFIGURED = {
    "hotpotqa:distractor": {"id": "d1"},
    "mmlu:anatomy": {"subject": "anatomy", "dataset": "mmlu:anatomy"},
    "arc-challenge:ARC-Easy": {"id": "e"},
    "triviaqa:rc.nocontext": {"id": "tc_3", "context": None},
    "gpqa:gpqa_main": {"id": "recm"},
    "mgsm:de": {"language": "de", "answer": ["7"]},
    "bbh:causal_judgement": {"subtask": "causal_judgement", "id": "causal_judgement_0"},
    "math:algebra": {"answer": ["2"]},
    "mbpp:full": {"id": 12, "test_imports": [""], "test_list": ["assert half(2) == 1"]},
    "longbench:trec": {"id": "t1", "all_classes": ["Definition of something", "Date"]},
    "infinitebench:passkey": {"answer": ["71432"]},
    "infinitebench:longbook_choice_eng": {
        "correct_letter": "B",
        "choices": ["Ann", "Bo", "Cy", "Di"],
        "answer": ["Bo"],
    },
    "infinitebench:math_calc": {"answer": ["[1, 3]"], "subtask": "math_calc"},
    "bfcl:parallel": {"id": "parallel_0", "category": "parallel"},
    "mrcr:8needle": {"needles": 8},
    "mmmlu:DE_DE": {"language": "DE_DE"},
    "babilong:qa2-4k": {"id": "qa2_4k_0", "subtask": "qa2"},
    "mmlu-redux:anatomy": {"subject": "anatomy"},
    "longmemeval:oracle": {"id": "q1"},
    "locomo:evidence": {"context": "Date: 1:56 pm on 8 May, 2023\nBo: I went to a choir. [shares a picture: a church]"},
    "graphwalks:1M": {"answer_nodes": []},
    "multi-if:German": {"id": "1001:1:de"},
}


@pytest.mark.parametrize("name", CONFIGURED)
def test_a_configuration_is_named_after_a_colon(name: str, tmp_path: Path) -> None:
    case = cases(name, tmp_path)[0]
    assert {key: case.get(key) for key in CONFIGURED[name]} == CONFIGURED[name]


def test_every_prompt_asks_for_an_answer_its_evaluator_reads(tmp_path: Path) -> None:
    asked = {name: cases(name, tmp_path)[0]["question"] for name in NAMES}
    for name in NAMES:
        evaluators = find(name).evaluators
        if "multiple_choice" in evaluators:
            assert '"Answer: X"' in asked[name]
        if "nli_label_match" in evaluators:
            assert "Answer with one of: " in asked[name]
        if "tool_call_match" in evaluators:
            assert "list of calls in Python syntax" in asked[name]
        if "diff_files" in evaluators:
            assert "unified diff" in asked[name]
    assert r"\boxed{}" in asked["math"]
    assert "####" in asked["gsm8k"]
    assert "####" in asked["mgsm"]
    assert "assert twice(2) == 4" in asked["mbpp"], "the tests alone say how the function is called"
    assert asked["humaneval"].endswith(cases("humaneval", tmp_path)[0]["context"])


BROKEN = {
    "a field is gone": ({"question": "q"}, "gsm8k: the field 'answer' is missing; there are 'question', in row 1 of"),
    "a field changed its type": ({"question": "q", "answer": ["#### 1"]}, "gsm8k: the field 'answer' is a list, not a"),
    "null": ({"question": None, "answer": "#### 1"}, "gsm8k: the field 'question' is null, not a string"),
    "no gold": ({"question": "q", "answer": "1"}, "gsm8k: the solution of row 0 has no ####"),
}


@pytest.mark.parametrize(("row", "message"), BROKEN.values(), ids=BROKEN)
def test_a_changed_schema_names_the_field_and_the_revision(row: Any, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "openai" / "gsm8k" / "main"
    folder.mkdir(parents=True)
    (folder / "test.jsonl").write_text(json.dumps(row) + "\n")
    with pytest.raises(InputError) as caught:
        list(load("gsm8k", origin=Origin(tmp_path)))
    assert str(caught.value).startswith(message)
    if "field" in message:
        assert "cc7b047b6e5bb11b4f1af84efc572db110a51b3c is pinned" in str(caught.value)


GOLDLESS = {
    "winogrande": ("winogrande_xl/validation.jsonl", {"sentence": "_", "option1": "a", "option2": "b", "answer": ""}),
    "hellaswag": ("data/validation.jsonl", {"ind": 1, "ctx": "x", "endings": ["a"], "label": ""}),
    "math": ("data/test.jsonl", {"problem": "p", "solution": "no box"}),
    "arc-challenge": (
        "ARC-Challenge/test.jsonl",
        {"id": "i", "question": "q", "choices": {"text": ["a"], "label": ["A"]}, "answerKey": "E"},
    ),
}


@pytest.mark.parametrize("name", GOLDLESS)
def test_a_row_without_gold_is_an_error_and_not_a_letter(name: str, tmp_path: Path) -> None:
    path, row = GOLDLESS[name]
    target = tmp_path / find(name).path / path
    target.parent.mkdir(parents=True)
    target.write_text(json.dumps(row) + "\n")
    with pytest.raises(InputError, match=name):
        list(load(name, origin=Origin(tmp_path)))


def test_rows_are_read_no_further_than_asked(tmp_path: Path) -> None:
    """The second file is not opened where the first has rows enough."""
    folder = tmp_path / "openai" / "gsm8k" / "main"
    folder.mkdir(parents=True)
    (folder / "test-00000-of-00002.jsonl").write_text('{"question": "q", "answer": "#### 1"}\n' * 3)
    (folder / "test-00001-of-00002.jsonl").write_bytes(b"\xff\xfe not to be read")
    assert len(list(load("gsm8k", 3, origin=Origin(tmp_path)))) == 3
    with pytest.raises(InputError):
        list(load("gsm8k", 4, origin=Origin(tmp_path)))


def test_a_known_configuration_is_found() -> None:
    assert parse_name("mmlu:anatomy")[1] == "anatomy"
    assert parse_name("mmlu")[1] == "all"
    assert parse_name("gsm8k@sample")[0].name == "gsm8k"
