"""The authors' own files, read as the hub has them, become cases whose gold answers their evaluators accept.

RINGTRUE_BENCHMARKS names a folder of them; without it, the rows of them that come with the package are read.
"""

from __future__ import annotations

import csv
import json
import os
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ringtrue.datasets.catalogue.bfcl_rules import FOREIGN, LIVE
from ringtrue.datasets.catalogue.loading import load, sampled_names
from ringtrue.datasets.catalogue.table import find
from ringtrue.datasets.hub.origin import SAMPLES, Origin
from ringtrue.dialects.fields import Fields
from ringtrue.evaluators.answer_quality import AnswerQuality
from ringtrue.evaluators.check import Check
from ringtrue.evaluators.code_execution import CodeExecution
from ringtrue.evaluators.final_answer import FinalAnswer
from ringtrue.evaluators.ifbench import IFBench
from ringtrue.evaluators.ifeval import IFEval
from ringtrue.evaluators.math_equivalence import MathEquivalence
from ringtrue.evaluators.multiple_choice import MultipleChoiceAccuracy
from ringtrue.evaluators.nli_label_match import NLILabelMatch
from ringtrue.evaluators.squad_v2 import SQuADv2
from ringtrue.evaluators.tool_calls import ToolCallMatch
from ringtrue.records import Output, Trial
from support.authors import CONVERSIONS, SAMPLED, lines, write

BENCHMARKS = os.environ.get("RINGTRUE_BENCHMARKS", "")
real = pytest.mark.skipif(
    not BENCHMARKS, reason="its rows do not come with the package; RINGTRUE_BENCHMARKS names none"
)

SIZES = {
    "gsm8k": 1319,
    "humaneval": 164,
    "mbpp": 257,
    "ifeval": 541,
    "bbh": 6511,
    "truthfulqa": 790,
    "mmlu": 135 + 152 + 100 + 270 + 171,
    "arc-challenge": 1172,
    "math": 500,
    "bfcl": 400 + 200 + 200 + 200 + 240,
    "mt-bench": 80,
}
"""Cases in the authors' files."""

BUNDLED = {
    "gsm8k": 40,
    "humaneval": 20,
    "mbpp": 20,
    "ifeval": 30,
    "bbh": 27 * 3,
    "truthfulqa": 30,
    "mmlu": 40,
    "bfcl": 5 * 6,
    "mt-bench": 10,
    "gsm8k-platinum": 20,
    "simpleqa": 20,
    "simpleqa-verified": 20,
    "ifbench": 12,
    "squad-v2": 28,
}
"""Cases that come with the package."""


def score(evaluator: Check, case: dict[str, Any], response: str) -> float | None:
    return evaluator.measure(Trial(Fields().case(case, 0), Output(response))).value


def cases(name: str, folder: Path, config: str = "") -> list[dict[str, Any]]:
    """The cases of the authors' files where they are at hand, else of those that come with the package."""
    if not BENCHMARKS:
        return list(load(f"{name}@sample"))
    write(CONVERSIONS[name](Path(BENCHMARKS)), folder)
    return list(load(f"{name}{config}", origin=Origin(folder)))


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in BUNDLED else real) for name in SIZES])
def test_every_row_becomes_a_case(name: str, tmp_path: Path) -> None:
    assert len(cases(name, tmp_path)) == (SIZES if BENCHMARKS else BUNDLED)[name]


def test_gsm8k_s_own_solutions_are_right_and_others_wrong(tmp_path: Path) -> None:
    for case in cases("gsm8k", tmp_path):
        assert score(MathEquivalence(), case, f"{case['reasoning']}\n#### {case['answer'][0]}") == 1.0
        assert score(MathEquivalence(), case, f"{case['reasoning']}\n#### {case['answer'][0]}7") == 0.0


@real
def test_math_s_last_box_is_the_answer_its_authors_give(tmp_path: Path) -> None:
    found = cases("math", tmp_path)
    rows = next(iter(CONVERSIONS["math"](Path(BENCHMARKS))))[1]
    differing = [(case["answer"][0], row["answer"]) for case, row in zip(found, rows, strict=True)
                 if case["answer"][0].replace(" ", "") != row["answer"].replace(" ", "")]  # fmt: skip
    assert len(differing) <= 5, "a handful of published answers are tidied by hand"
    wrong = [row for case, row in zip(found, rows, strict=True) if score(MathEquivalence(), case, row["solution"]) != 1]
    assert wrong == []


@pytest.mark.parametrize("name", ["mmlu", pytest.param("arc-challenge", marks=real)])
def test_the_letter_of_the_answer_is_right_and_no_other_is(name: str, tmp_path: Path) -> None:
    letters = Counter[str]()
    for case in cases(name, tmp_path):
        letters[case["correct_letter"]] += 1
        said = {letter: score(MultipleChoiceAccuracy(), case, f"Because.\nAnswer: {letter}") for letter in "ABCD"}
        assert [letter for letter, value in said.items() if value == 1.0] == [case["correct_letter"]]
    assert len(letters) >= 4


def test_bbh_s_targets_are_right_and_those_of_another_row_are_not(tmp_path: Path) -> None:
    found = cases("bbh", tmp_path)
    assert len({case["subtask"] for case in found}) == 27
    for case, other in zip(found, [*found[1:], found[0]], strict=True):
        assert score(FinalAnswer(), case, f"Let us see. So the answer is {case['answer'][0]}.") == 1.0
        assert score(FinalAnswer(), case, case["answer"][0]) == 1.0
        if other["answer"] != case["answer"]:
            assert score(FinalAnswer(), case, f"The answer is {other['answer'][0]}.") == 0.0


UNANSWERABLE = ["live_simple_106-63-0", "live_simple_112-68-0"]
"""Rows that require an argument and accept no value for it."""
UNDECLARED = ["parallel_multiple_12", "parallel_multiple_26"] if BENCHMARKS else []
"""Rows that accept an argument which their function does not have: the authors' checker refuses it, too."""


@pytest.mark.parametrize("config", ["", pytest.param(":live_simple", marks=real)])
def test_bfcl_s_own_answers_are_accepted_and_wrong_ones_are_not(config: str, tmp_path: Path) -> None:
    wrong = []
    for case in cases("bfcl", tmp_path, config):
        if case["category"] == "irrelevance":
            assert score(ToolCallMatch(), case, "None of the functions fits.") == 1.0
            assert score(ToolCallMatch(), case, f"[{case['tools'][0]['name']}()]") == 0.0
            continue
        if score(ToolCallMatch(), case, case["answer"][0]) != 1.0:
            wrong.append(case["id"])
        assert score(ToolCallMatch(), case, "[]") == 0.0
        assert score(ToolCallMatch(), case, case["answer"][0][:-1] + ", other()]") == 0.0
    assert wrong == (UNANSWERABLE if config else UNDECLARED)


def test_mt_bench_asks_two_turns_and_thirty_have_references(tmp_path: Path) -> None:
    found = cases("mt-bench", tmp_path)
    assert {len(case["turns"]) for case in found} == {2}
    assert {case["category"] for case in found if "answer" in case} <= {"math", "reasoning", "coding"}
    assert sum("answer" in case for case in found) == (30 if BENCHMARKS else 4)


@real
def test_contract_nli_keeps_hypothesis_and_contract_apart(tmp_path: Path) -> None:
    """Real clauses of LegalBench's ContractNLI rows, in the form SCROLLS stores them."""
    rows, texts = [], []
    for path in sorted((Path(BENCHMARKS) / "contract_nli").glob("*.tsv")):
        for row in csv.DictReader(path.read_text().splitlines(keepends=True), delimiter="\t"):
            label = "Entailment" if row["answer"] == "Yes" else "Not mentioned"
            texts.append((row["text"], label))
            asked = f"{path.stem}.\n\n{row['text']}"
            rows.append({"id": f"{path.stem}_{row['index']}", "pid": "", "input": asked, "output": label})
    (tmp_path / "tau" / "scrolls").mkdir(parents=True)
    with zipfile.ZipFile(tmp_path / "tau" / "scrolls" / "contract_nli.zip", "w") as archive:
        archive.writestr("contract_nli/validation.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    found = list(load("contract-nli", origin=Origin(tmp_path)))
    assert [(case["context"], case["answer"][0]) for case in found] == texts
    assert len(found) > 80
    for case in found:
        assert score(NLILabelMatch(), case, f"{case['answer'][0]}.") == 1.0


def test_a_sample_of_several_benchmarks_comes_with_the_package() -> None:
    assert set(sampled_names()) == set(BUNDLED)
    for name, count in BUNDLED.items():
        assert [case["dataset"] for case in load(f"{name}@sample")] == [name] * count


@pytest.mark.parametrize("name", BUNDLED)
def test_a_sample_says_whose_rows_it_holds_and_under_which_licence(name: str) -> None:
    """The package's README has a line for every folder of rows: origin, and a licence that lets them be passed on."""
    lines = (SAMPLES.parent / "README.md").read_text(encoding="utf-8").splitlines()
    cells = next([cell.strip() for cell in line.split("|")] for line in lines if f"| {find(name).path} |" in line)
    assert "/" in cells[3] or "google-research" in cells[3], "a repository it was drawn from"
    assert cells[4] in ("MIT", "Apache-2.0", "CC BY 4.0", "CC BY-SA 4.0", "ODC-BY 1.0")


GOLD: dict[str, tuple[Check, Any]] = {
    "truthfulqa": (AnswerQuality(), lambda case: case["answer"][0]),
    "mbpp": (CodeExecution(), lambda case: f"```python\n{case['answer'][0]}\n```"),
    "humaneval": (CodeExecution(), lambda case: case["answer"][0]),
    "gsm8k-platinum": (MathEquivalence(), lambda case: f"#### {case['answer'][0]}"),
    "simpleqa": (AnswerQuality(), lambda case: case["answer"][0]),
    "simpleqa-verified": (AnswerQuality(), lambda case: case["answer"][0]),
    "squad-v2": (SQuADv2(), lambda case: case["answer"][0]),
}


@pytest.mark.parametrize("name", GOLD)
def test_a_sample_s_gold_answers_get_full_marks(name: str) -> None:
    evaluator, said = GOLD[name]
    found = list(load(f"{name}@sample", 6 if isinstance(evaluator, CodeExecution) else None))
    assert [case["id"] for case in found if score(evaluator, case, said(case)) != 1.0] == []


@pytest.mark.parametrize(("name", "evaluator"), [("ifeval", IFEval()), ("ifbench", IFBench())])
def test_a_sample_of_instructions_is_measured(name: str, evaluator: Check) -> None:
    for case in load(f"{name}@sample"):
        assert score(evaluator, case, "Something.") in (0.0, 1.0)


def test_an_answer_of_squad_s_sample_is_where_its_row_says() -> None:
    rows = lines(SAMPLES / find("squad-v2").path / "squad_v2" / "validation.jsonl")
    for row in rows:
        for start, said in zip(row["answers"]["answer_start"], row["answers"]["text"], strict=True):
            assert row["context"].startswith(said, start)
    assert {case["unanswerable"] for case in load("squad-v2@sample")} == {True, False}


@pytest.mark.parametrize("category", [*LIVE, *FOREIGN])
def test_a_category_of_bfcl_outside_its_total_has_a_sample(category: str) -> None:
    found = list(load(f"bfcl:{category}@sample"))
    assert {case["category"] for case in found} == {category}
    for case in found:
        calls = case.get("expected_calls")
        assert calls if "relevance" not in category else not calls
    assert len(found) == SAMPLED["bfcl"]


def test_the_sample_s_revision_is_not_claimed() -> None:
    assert {case["source"] for case in load("gsm8k@sample")} == {f"{find('gsm8k').path}@sample"}
