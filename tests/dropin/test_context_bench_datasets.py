"""context_bench's loaders: the documented examples, from rows in the documented schema and in the published one."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest
from context_bench.__main__ import CONFIGURABLE_DATASETS, DATASET_LOADERS, _load_dataset
from context_bench.datasets import load_jsonl
from context_bench.datasets._reading import Reader
from context_bench.datasets.longcontext import infinitebench, nolima
from context_bench.datasets.reasoning import _extract_boxed

from ringtrue.datasets.catalogue.table import ENTRIES
from ringtrue.errors import ConfigurationError, InputError
from support.hub import write_mirror


class Rows:
    """In place of the `datasets` library: rows for each call, and what was asked for."""

    def __init__(self, *answers: list[dict[str, Any]]) -> None:
        self.answers, self.calls = list(answers), []  # type: ignore[var-annotated]

    def __call__(self, name: str) -> Rows:
        return self

    Features = dict

    def load_dataset(
        self, *path: str, split: str, features: Any = None, trust_remote_code: bool = False
    ) -> list[dict[str, Any]]:
        self.calls.append((*path, split))
        return self.answers[min(len(self.calls), len(self.answers)) - 1]


def loaded(monkeypatch: pytest.MonkeyPatch, where: str, *answers: list[dict[str, Any]], **given: Any) -> Any:
    module, _, function = where.partition(":")
    place = importlib.import_module(f"context_bench.datasets.{module}")
    rows = Rows(*answers)
    monkeypatch.setattr(place, "_require_datasets", rows)
    return getattr(place, function)(**given), rows.calls


CHOICES = {"question": "Capital?", "choices": ["Rome", "Paris"], "answer": 1}
DOCUMENTED: list[tuple[str, dict[str, Any], dict[str, Any], tuple[str, ...]]] = [
    ("qa:natural_questions", {"question": "What?", "answer": ["A", "B"]},
     {"id": 0, "context": "What?", "question": "What?", "answer": "A"},
     ("google-research-datasets/nq_open", "validation")),
    ("qa:natural_questions", {"question": "What?", "answer": []}, {"answer": ""},
     ("google-research-datasets/nq_open", "validation")),
    ("qa:musique", {"id": "m", "question": "q", "answer": "a", "paragraphs": [
        {"title": "T1", "paragraph_text": "one"}, {"title": "T2", "paragraph_text": "two"}]},
     {"id": "m", "context": "T1: one\nT2: two"}, ("bdsaglam/musique", "answerable", "validation")),
    ("qa:narrativeqa", {"document": {"summary": {"text": "s"}}, "question": "q", "answers": [{"text": "a"}]},
     {"context": "s", "question": "q", "answer": "a"}, ("deepmind/narrativeqa", "test")),
    ("qa:narrativeqa", {"document": {"summary": {"text": "s"}}, "question": {"text": "q"}, "answers": []},
     {"question": "q", "answer": ""}, ("deepmind/narrativeqa", "test")),
    ("qa:triviaqa", {"question_id": "t", "question": "q", "answer": {"value": "a"},
                     "search_results": {"search_context": ["one", ""]}},
     {"id": "t", "context": "one", "answer": "a"}, ("mandarjoshi/trivia_qa", "rc", "validation")),
    ("qa:triviaqa", {"question_id": "t", "question": "q", "answer": {"value": "a"},
                     "search_results": {"search_context": []}},
     {"context": "q"}, ("mandarjoshi/trivia_qa", "rc", "validation")),
    ("qa:frames", {"Prompt": "p", "Answer": "a"}, {"context": "p", "question": "p", "answer": "a"},
     ("google/frames-benchmark", "test")),
    ("qa:quality", {"article": "long", "question": "q", "options": ["A1", "A2"], "gold_label": 2},
     {"context": "long", "question": "q\n\nA) A1  B) A2", "answer": "A2"}, ("tasksource/QuALITY", "validation")),
    ("longcontext:longbench", {"context": "c", "input": "q", "answers": ["a"]},
     {"context": "c", "question": "q", "answer": "a"}, ("THUDM/LongBench", "hotpotqa", "test")),
    ("longcontext:longbench_v2", {"context": "c", "question": "q", "answer": "B", "choice_A": "x", "choice_B": "y"},
     {"answer": "y", "question": "q\n\nA) x  B) y"}, ("THUDM/LongBench-v2", "train")),
    ("longcontext:longbench_v2", {"context": "c", "question": "q", "answer": ""}, {"answer": "", "question": "q"},
     ("THUDM/LongBench-v2", "train")),
    ("longcontext:infinitebench", {"context": "c", "input": "q", "answer": ["a"], "options": []},
     {"question": "q", "answer": "a"}, ("xinrongzhang2022/InfiniteBench", "longbook_qa_eng", "longbook_qa_eng")),
    ("longcontext:bbh", {"input": "i", "target": "t"}, {"context": "i", "question": "i", "answer": "t"},
     ("lukaemon/bbh", "boolean_expressions", "test")),
    ("longcontext:meetingbank", {"transcript": "t", "summary": "s"},
     {"context": "t", "question": "Summarize the meeting transcript.", "answer": "s"},
     ("huuuyeah/meetingbank", "test")),
    ("longcontext:govreport", {"report": "r", "summary": "s"},
     {"question": "Summarize the government report."}, ("ccdv/govreport-summarization", "test")),
    ("code:humaneval", {"task_id": "H/0", "prompt": "def f():\n", "canonical_solution": "  pass\n", "test": "t",
                        "entry_point": "f"},
     {"id": "H/0", "context": "def f():\n", "question": "def f():\n", "answer": "  pass\n", "test": "t",
      "entry_point": "f"}, ("openai/openai_humaneval", "test")),
    ("code:mbpp", {"task_id": 601, "prompt": "Write.", "code": "c", "test_list": ["assert f()"],
                   "test_imports": ["import math"]},
     {"id": 601, "context": "Write.", "question": "Write.\nassert f()", "answer": "c", "test_list": ["assert f()"],
      "test_setup_code": "import math"}, ("google-research-datasets/mbpp", "sanitized", "test")),
    ("summarization:multi_news", {"document": "A|||||B", "summary": "s"},
     {"context": "A|||||B", "question": "Summarize the news articles.", "answer": "s"},
     ("alexfabbri/multi_news", "test")),
    ("summarization:dialogsum", {"id": "d", "dialogue": "hi", "summary": "s"},
     {"id": "d", "question": "Summarize the dialogue."}, ("knkarthick/dialogsum", "test")),
    ("summarization:qmsum", {"id": "0", "input": "A: one.\nB: two.\nQuery: What?", "output": "o"},
     {"context": "A: one.\nB: two.", "question": "What?"}, ("tau/scrolls", "qmsum", "validation")),
    ("summarization:qmsum", {"id": "0", "input": "What?\n\nA: one.\n\nB: two.", "output": "o"},
     {"context": "A: one.\n\nB: two.", "question": "What?"}, ("tau/scrolls", "qmsum", "validation")),
    ("summarization:qmsum", {"id": "1", "input": "No query.", "output": "o"},
     {"context": "No query.", "question": "Summarize the meeting transcript."}, ("tau/scrolls", "qmsum", "validation")),
    ("summarization:summscreenfd", {"id": "0", "input": "i", "output": "o"},
     {"context": "i", "question": "Summarize the TV episode transcript."},
     ("tau/scrolls", "summ_screen_fd", "validation")),
    ("knowledge:mmlu", CHOICES,
     {"context": "Capital?\n\nA) Rome  B) Paris", "choices": ["Rome", "Paris"], "answer": "Paris",
      "correct_letter": "B"}, ("cais/mmlu", "all", "test")),
    ("knowledge:mmlu_pro", {"question": "q", "options": list("abcdefghij"), "answer": "C", "answer_index": 2},
     {"answer": "c", "correct_letter": "C"}, ("TIGER-Lab/MMLU-Pro", "test")),
    ("knowledge:arc_challenge", {"id": "arc", "question": "q", "answerKey": "2",
                                 "choices": {"label": ["1", "2"], "text": ["x", "y"]}},
     {"id": "arc", "answer": "y", "correct_letter": "B"}, ("allenai/ai2_arc", "ARC-Challenge", "test")),
    ("knowledge:truthfulqa", {"question": "q", "best_answer": "a"}, {"context": "q", "answer": "a"},
     ("truthfulqa/truthful_qa", "generation", "validation")),
    ("knowledge:hellaswag", {"ind": 42, "ctx": "c", "endings": ["e0", "e1"], "label": "1"},
     {"id": 42, "answer": "e1", "correct_letter": "B"}, ("Rowan/hellaswag", "validation")),
    ("knowledge:winogrande", {"sentence": "s", "option1": "X", "option2": "Y", "answer": "2"},
     {"answer": "Y", "correct_letter": "B", "choices": ["X", "Y"]},
     ("allenai/winogrande", "winogrande_xl", "validation")),
    ("reasoning:drop", {"query_id": "d", "passage": "p", "question": "q", "answers_spans": {"spans": ["a"]}},
     {"id": "d", "context": "p", "answer": "a"}, ("ucinlp/drop", "validation")),
    ("reasoning:math_dataset", {"problem": "p", "solution": r"so $\boxed{3}$, no: $\boxed{\frac{1}{2}}$."},
     {"answer": r"\frac{1}{2}"}, ("hendrycks/competition_math", "test")),
    ("reasoning:math_dataset", {"problem": "p", "solution": "It is 42."}, {"answer": "It is 42."},
     ("hendrycks/competition_math", "test")),
    ("reasoning:mgsm", {"question": "q", "answer_number": 56}, {"answer": "56"}, ("juletxara/mgsm", "en", "test")),
    ("ifeval:ifeval", {"prompt": "p", "instruction_id_list": ["a"], "kwargs": [{}]},
     {"context": "p", "answer": "", "instruction_id_list": ["a"], "kwargs": [{}]}, ("google/IFEval", "train")),
    ("instruction:alpaca_eval", {"instruction": "i", "output": "o"}, {"context": "i", "question": "i", "answer": "o"},
     ("tatsu-lab/alpaca_eval", "eval")),
    ("multi_turn:mt_bench", {"prompt_id": "101", "category": "w", "turns": ["one", "two"]},
     {"id": "101", "context": "one", "question": "two", "answer": "", "category": "w", "multi_turn": True,
      "turns": [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}]},
     ("HuggingFaceH4/mt_bench_prompts", "train")),
    ("multi_turn:mt_bench", {"prompt_id": "101", "category": "w", "prompt": ["one", "two"]}, {"question": "two"},
     ("HuggingFaceH4/mt_bench_prompts", "train")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("where", "row", "example", "call"), DOCUMENTED, ids=[f"{row[0]}-{place}" for place, row in enumerate(DOCUMENTED)]
)
def test_a_row_becomes_the_documented_example(
    where: str, row: dict[str, Any], example: dict[str, Any], call: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    found, calls = loaded(monkeypatch, where, [row] * 5, n=2)
    assert len(found) == 2
    assert {key: found[0][key] for key in example} == example
    assert calls == [call]


@pytest.mark.parametrize("where", ["knowledge:mmlu", "reasoning:mgsm", "longcontext:longbench", "longcontext:bbh"])
def test_a_configuration_is_passed_on(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, calls = loaded(monkeypatch, where, [], config="own")
    assert (found, calls[0][1]) == ([], "own")


def test_the_correct_option_is_not_always_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"Question": f"q{number}", "Correct Answer": "right", **{f"Incorrect Answer {k}": f"w{k}" for k in (1, 2, 3)}}
        for number in range(40)
    ]
    found, _ = loaded(monkeypatch, "knowledge:gpqa", rows)
    assert {example["correct_letter"] for example in found} == set("ABCD")
    for example in found:
        assert example["choices"]["ABCD".index(example["correct_letter"])] == example["answer"] == "right"


def test_contract_nli_asks_for_the_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"id": "0", "input": "Five years.\nHypothesis: It lasts forever.", "output": "Contradiction"},
        {"id": "1", "input": "It lasts forever.\n\nFive years.", "output": "Entailment"},
    ]
    found, _ = loaded(monkeypatch, "nli:contract_nli", rows)
    assert [example["context"] for example in found] == ["Five years."] * 2
    assert all(example["question"].endswith("It lasts forever.") for example in found)
    assert [example["answer"] for example in found] == ["Contradiction", "Entailment"]


def test_scifact_joins_claims_and_abstracts(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = [
        {"id": 1, "claim": "c", "cited_doc_ids": [10], "evidence": {"10": [{"label": "SUPPORTS"}]}},
        {"id": 2, "claim": "c", "cited_doc_ids": [10], "evidence_doc_id": "10", "evidence_label": "CONTRADICT"},
        {"id": 3, "claim": "c", "cited_doc_ids": [10], "evidence_doc_id": "", "evidence_label": ""},
        {"id": 4, "claim": "c", "cited_doc_ids": [999], "evidence": {}},
    ]
    corpus = [{"doc_id": 10, "abstract": ["one", "two."]}]
    found, calls = loaded(monkeypatch, "nli:scifact", claims, corpus)
    assert [(example["id"], example["answer"]) for example in found] == [
        (1, "SUPPORTS"), (2, "CONTRADICT"), (3, "NOT ENOUGH INFO"),
    ]  # fmt: skip
    assert found[0]["context"] == "one two."
    assert calls == [("allenai/scifact", "claims", "validation"), ("allenai/scifact", "corpus", "train")]


def test_qasper_counts_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [
        {"free_form_answer": "X", "extractive_spans": []},
        {"free_form_answer": "", "extractive_spans": ["span", "other"]},
        {"free_form_answer": "", "extractive_spans": [], "yes_no": False},
        {"free_form_answer": "", "extractive_spans": [], "yes_no": None, "unanswerable": True},
    ]
    paper = {
        "id": "p", "title": "T", "abstract": "A",
        "full_text": {"section_name": ["S", None], "paragraphs": [["one"], ["two"]]},
        "qas": {"question": list("abcd"), "answers": [{"answer": [answer]} for answer in answers]},
    }  # fmt: skip
    found, _ = loaded(monkeypatch, "qa:qasper", [paper])
    assert [(example["id"], example["answer"]) for example in found] == [
        ("p_0", "X"), ("p_1", "span"), ("p_2", "No"), ("p_3", "Unanswerable"),
    ]  # fmt: skip
    assert found[0]["context"] == "T\n\nA\n\nS\n\none\n\ntwo"
    assert len(loaded(monkeypatch, "qa:qasper", [paper], n=3)[0]) == 3


def test_a_row_without_its_key_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"id": "a", "question": "q", "answerKey": "Z", "choices": {"label": ["A"], "text": ["x"]}}
    assert loaded(monkeypatch, "knowledge:arc_challenge", [row])[0] == []


@pytest.mark.parametrize(
    "text", [r"\boxed{42}|42", r"\boxed{\frac{1}{2}}|\frac{1}{2}", "none|", r"\boxed{a{b{c}}}|a{b{c}}"]
)
def test_boxes(text: str) -> None:
    solution, _, answer = text.partition("|")
    assert _extract_boxed(solution) == answer


@pytest.mark.parametrize("name", DATASET_LOADERS)
def test_published_rows_become_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGTRUE_DATA_DIR", str(write_mirror(tmp_path, name)))
    found = _load_dataset(name, max_examples=1)
    assert len(found) == 1
    assert found[0]["context"]
    assert isinstance(found[0]["answer"], str)
    assert all(isinstance(found[0].get(key, ""), str) for key in ("context", "question"))
    assert _load_dataset(name, max_examples=0) == []


def test_every_documented_benchmark_is_in_the_catalogue() -> None:
    assert len(DATASET_LOADERS) == 42
    assert set(DATASET_LOADERS) <= set(ENTRIES)
    assert set(DATASET_LOADERS) > CONFIGURABLE_DATASETS


def test_nolima_hides_the_needle_in_the_same_place_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "amodaresi" / "NoLiMa"
    (folder / "needlesets").mkdir(parents=True)
    (folder / "haystack" / "rand_shuffle").mkdir(parents=True)
    needle = {
        "id": "n", "needle": "{CHAR} lives near {1}.", "questions": {"onehop": "Who has been to {2}?"},
        "character_set": ["Yuki", "Stuart"],
        "tests": {f"T{k}": {"input_args": [f"museum {k}", "Helsinki"]} for k in (1, 2)},
    }  # fmt: skip
    (folder / "needlesets" / "needle_set.json").write_text(json.dumps([needle]))
    (folder / "haystack" / "rand_shuffle" / "book.txt").write_text("Line one.\nLine two.")
    monkeypatch.setenv("RINGTRUE_DATA_DIR", str(tmp_path))
    found = nolima()
    assert found == nolima()
    assert [example["id"] for example in found] == ["n_T1", "n_T2"]
    assert "Yuki lives near museum 1." in found[0]["context"]
    assert "Line one." in found[0]["context"]
    assert (found[0]["question"], found[0]["answer"]) == ("Who has been to Helsinki?", "Yuki")
    assert len(nolima(n=1)) == 1
    with pytest.raises(FileNotFoundError, match="not found"):
        nolima(needle_set="missing.json")


def test_a_split_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="split 'validation' alone"):
        Reader("musique").load_dataset("bdsaglam/musique", split="train")


def test_rows_of_a_task_that_no_one_listed_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "xinrongzhang2022" / "InfiniteBench"
    folder.mkdir(parents=True)
    monkeypatch.setenv("RINGTRUE_DATA_DIR", str(tmp_path))
    (folder / "own_task.jsonl").write_text('{"context": "c", "input": "q", "answer": "a"}\n')
    assert infinitebench(config="own_task") == [{"id": 0, "context": "c", "question": "q", "answer": "a"}]
    (folder / "own_task.jsonl").write_text('{"context": "c", "answer": "a"}\n')
    with pytest.raises(InputError, match="the field 'input' is missing"):
        infinitebench(config="own_task")


def test_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"context": "a"}\n\n{"id": "own", "context": "b"}\n{"context": "c"}\n')
    assert [(row["id"], row["context"]) for row in load_jsonl(path, n=2)] == [(0, "a"), ("own", "b")]
