"""Benchmarks in a run: what they are wired to, whose rows an evaluator measures, and what makes a run another one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.datasets import load
from ringtrue.datasets.catalogue.table import ENTRIES, find
from ringtrue.datasets.hub.origin import Origin
from ringtrue.dialects.fields import Fields
from ringtrue.evaluators.answer_quality import AnswerQuality
from ringtrue.evaluators.spec import build
from ringtrue.records import Output, Trial
from ringtrue.store.database import Database
from support.hub import write_mirror

DOCUMENTED = {
    "summarization_quality": {"multi-news", "dialogsum", "qmsum", "summscreenfd", "meetingbank", "govreport"},
    "multiple_choice": {"mmlu", "mmlu-pro", "arc-challenge", "gpqa", "hellaswag", "winogrande"},
    "code_execution": {"humaneval", "mbpp"},
    "math_equivalence": {"math", "gsm8k", "mgsm"},
    "nli_label_match": {"contract-nli", "scifact"},
    "ifeval_checker": {"ifeval"},
    "ifeval": {"ifeval"},
}
"""The evaluators of each benchmark, with the reference scorer of IFEval beside its checker."""

ADDED = {
    "multiple_choice": {"quality", "longbench-v2"},
    "final_answer": {"bbh"},
    "lenient_answer": {"bbh"},
    "tool_call_match": {"bfcl", "apigen"},
    "diff_files": {"swebench", "swebench-verified", "swebench-lite"},
    "rouge_scores": {"multi-news", "dialogsum", "meetingbank", "govreport"},
    "scrolls_rouge": {"qmsum", "summscreenfd"},
    "infinitebench": {"infinitebench"},
    "longbench": {"longbench"},
    "truth_overlap": {"truthfulqa"},
    "drop": {"drop"},
}
"""What is measured beside it: parts that are added, none that is replaced."""


def test_the_wiring_is_the_documented_one_and_what_is_added_to_it() -> None:
    found: dict[str, set[str]] = {}
    first = list(ENTRIES)[:42]
    for name in first:
        for evaluator in find(name).evaluators:
            found.setdefault(evaluator, set()).add(name)
    both = {key: DOCUMENTED.get(key, set()) | ADDED.get(key, set()) for key in {**DOCUMENTED, **ADDED}}
    assert found == {"answer_quality": set(first), **both}


def rows(name: str, folder: Path) -> list[dict[str, Any]]:
    return list(load(name, origin=Origin(write_mirror(folder, name))))


def parts(name: str) -> set[str]:
    return {part for evaluator in find(name).evaluators for part in build(evaluator).parts}


def test_in_a_mixed_run_every_evaluator_measures_the_rows_it_is_meant_for(tmp_path: Path) -> None:
    """All benchmarks in one run: a row has the parts of its own evaluators, and no other's."""
    mixed = [row for name in ENTRIES if find(name).path for row in rows(name, tmp_path)]
    result = evaluate(lambda question: "The answer is (A).", mixed, progress=False, store=None)
    assert [row.dataset for row in result.rows] == [row["dataset"] for row in mixed]
    for row in result.rows:
        specific = parts(row.dataset) - set(build("answer_quality").parts)
        assert set(row.scores) <= parts(row.dataset), row.dataset
        assert specific <= {*row.scores, *row.absent}, f"{row.dataset} is not measured by its own evaluator"


SEVERAL = ("natural-questions", "musique", "narrativeqa", "triviaqa", "qasper", "truthfulqa", "drop", "dialogsum")


@pytest.mark.parametrize("name", SEVERAL)
def test_every_reference_is_kept_and_the_best_one_counts(name: str, tmp_path: Path) -> None:
    several = [row for row in rows(name, tmp_path) if len(row["answer"]) > 1]
    assert several
    for row in several:
        for reference in row["answer"]:
            trial = Trial(Fields().case(row, 0), Output(reference))
            assert AnswerQuality().measure(trial).parts["exact_match"] == 1.0, reference


def test_the_prompt_is_part_of_what_a_run_is(tmp_path: Path) -> None:
    """The same rows are the same plan; one word more in one prompt is another."""
    store = str(tmp_path / "runs.db")
    asked = list(load("gsm8k@sample", 2))
    other = [asked[0], {**asked[1], "question": f"{asked[1]['question']} Be brief."}]
    for given in (asked, asked, other):
        evaluate(lambda question: "#### 7", given, progress=False, store=store)
    with Database(store) as database:
        plans = [run.digest for run in database.runs()]
    assert len(plans) == 3
    assert len(set(plans)) == 2
