"""Benchmarks as their authors publish them, rewritten as the hub has them.

`python tests/support/authors.py BENCHMARKS src/ringtrue/samples/hub` draws the rows that come with the package.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

Rows = list[dict[str, Any]]
Files = Iterator[tuple[str, Rows]]


def lines(path: Path) -> Rows:
    """The objects of a file of JSON lines, gzipped or not."""
    return [json.loads(line) for line in text(path).splitlines() if line.strip()]


def text(path: Path) -> str:
    """The text of a file, or of the gzipped one beside its name."""
    packed = path.with_name(f"{path.name}.gz")
    return gzip.decompress(packed.read_bytes()).decode() if packed.exists() else path.read_text(encoding="utf-8")


def gsm8k(source: Path) -> Files:
    yield "openai/gsm8k/main/test.jsonl", lines(source / "gsm8k" / "test.jsonl")


def humaneval(source: Path) -> Files:
    yield "openai/openai_humaneval/openai_humaneval/test.jsonl", lines(source / "humaneval" / "HumanEval.jsonl")


def mbpp(source: Path) -> Files:
    """Of both files, the tasks 11 to 510, which are the test split."""
    checked = json.loads(text(source / "mbpp" / "sanitized-mbpp.json"))
    for config, rows in (("sanitized", checked), ("full", lines(source / "mbpp" / "mbpp.jsonl"))):
        tested = [row for row in rows if 11 <= row["task_id"] <= 510]
        yield f"google-research-datasets/mbpp/{config}/test.jsonl", tested


def ifeval(source: Path) -> Files:
    yield "google/IFEval/ifeval_input_data.jsonl", lines(source / "ifeval" / "input_data.jsonl")


def bbh(source: Path) -> Files:
    for path in sorted((source / "bbh").glob("*.json")):
        yield f"lukaemon/bbh/{path.stem}/test.jsonl", json.loads(text(path))["examples"]


def truthfulqa(source: Path) -> Files:
    found = csv.DictReader(text(source / "truthfulqa" / "TruthfulQA.csv").splitlines(keepends=True))
    rows = [
        {
            "type": row["Type"],
            "category": row["Category"],
            "question": row["Question"],
            "best_answer": row["Best Answer"],
            "correct_answers": [part.strip() for part in row["Correct Answers"].split(";") if part.strip()],
            "incorrect_answers": [part.strip() for part in row["Incorrect Answers"].split(";") if part.strip()],
            "source": row["Source"],
        }
        for row in found
    ]
    yield "truthfulqa/truthful_qa/generation/validation.jsonl", rows
    listed = json.loads(text(source / "truthfulqa" / "mc_task.json"))
    targets = ("mc1_targets", "mc2_targets")
    yield (
        "truthfulqa/truthful_qa/multiple_choice/validation.jsonl",
        [{"question": row["question"]} | {name: _labelled(row[name]) for name in targets} for row in listed],
    )


def _labelled(options: dict[str, int]) -> dict[str, list[Any]]:
    return {"choices": list(options), "labels": list(options.values())}


def mmlu(source: Path) -> Files:
    every: Rows = []
    for path in sorted((source / "mmlu").glob("*_test.csv")):
        subject = path.stem.removesuffix("_test")
        rows = [
            {
                "question": row["question"],
                "subject": subject,
                "choices": [row[f"choice{place}"] for place in range(4)],
                "answer": int(row["answer"]),
            }
            for row in csv.DictReader(text(path).splitlines(keepends=True))
        ]
        every += rows
        yield f"cais/mmlu/{subject}/test.jsonl", rows
    yield "cais/mmlu/all/test.jsonl", every


def arc(source: Path) -> Files:
    rows = lines(source / "arc" / "arc_challenge_test.jsonl")
    kept = [{key: row[key] for key in ("id", "question", "choices", "answerKey")} for row in rows]
    yield "allenai/ai2_arc/ARC-Challenge/test.jsonl", kept


def maths(source: Path) -> Files:
    yield "DigitalLearningGmbH/MATH-lighteval/data/test.jsonl", lines(source / "math" / "math500_test.jsonl")


def bfcl(source: Path) -> Files:
    """The files of one turn, as the repository has them or, with their answers in a folder, the package bfcl-eval."""
    here = "gorilla-llm/Berkeley-Function-Calling-Leaderboard"
    for path in sorted((source / "bfcl").rglob("*BFCL_v4_*.json*")):
        name = path.relative_to(source / "bfcl").as_posix().removesuffix(".gz")
        if not re.search("multi_turn|memory|web_search|format_sensitivity|unused", name):
            rows = lines(path.with_name(path.name.removesuffix(".gz")))
            yield f"{here}/{name.replace('possible_answer.', 'possible_answer/')}", rows


def mt_bench(source: Path) -> Files:
    given = lines(source / "mt_bench" / "reference_answer_gpt-4.jsonl")
    references = {row["question_id"]: row["choices"][0]["turns"] for row in given}
    rows = [
        {
            "category": row["category"],
            "prompt": row["turns"],
            "prompt_id": row["question_id"],
            "reference": references.get(row["question_id"], []),
        }
        for row in lines(source / "mt_bench" / "question.jsonl")
    ]
    yield "HuggingFaceH4/mt_bench_prompts/data/train.jsonl", rows


CONVERSIONS: dict[str, Callable[[Path], Files]] = {
    "gsm8k": gsm8k,
    "humaneval": humaneval,
    "mbpp": mbpp,
    "ifeval": ifeval,
    "bbh": bbh,
    "truthfulqa": truthfulqa,
    "mmlu": mmlu,
    "arc-challenge": arc,
    "math": maths,
    "bfcl": bfcl,
    "mt-bench": mt_bench,
}

SAMPLED = {
    "gsm8k": 40,
    "humaneval": 20,
    "mbpp": 20,
    "ifeval": 30,
    "bbh": 3,
    "truthfulqa": 30,
    "mmlu": 40,
    "bfcl": 6,
    "mt-bench": 10,
}
"""Rows per file that come with the package: what is MIT, Apache-2.0 or CC BY."""


def write(files: Iterable[tuple[str, Rows]], target: Path) -> None:
    """Files under a mirror folder."""
    for path, rows in files:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8"
        )


def drawn(name: str, files: Files, count: int) -> Files:
    """A draw of the rows of every file, in their order; answers follow the questions they belong to."""
    found = dict(files)
    chosen: set[Any] = set()
    for path, rows in found.items():
        if "possible_answer" in path or (name == "mmlu" and "/all/" not in path) or "/full/" in path:
            continue
        picked = sorted(random.Random(f"{name}:{Path(path).name}").sample(range(len(rows)), min(count, len(rows))))
        chosen |= {rows[place].get("id") for place in picked}
        yield path, [rows[place] for place in picked]
    for path, rows in found.items():
        kept = [row for row in rows if row.get("id") in chosen]
        if "possible_answer" in path and kept:
            yield path, kept


if __name__ == "__main__":
    for benchmark, size in SAMPLED.items():
        write(drawn(benchmark, CONVERSIONS[benchmark](Path(sys.argv[1])), size), Path(sys.argv[2]))
