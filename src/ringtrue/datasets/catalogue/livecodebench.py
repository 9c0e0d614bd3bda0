"""LiveCodeBench: contest problems by date; `livecodebench:2025-01..2025-04` has those of four months."""

import json
import re
from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB, LIGHTEVAL
from ringtrue.datasets.catalogue.contest_tests import read_contest_tests
from ringtrue.errors import InputError

WHOLE = "Write a Python program that reads standard input and writes standard output."
STARTED = "Complete this Python code; its class and method are called by the tests."
FORM = "Reply with the code alone, in one code block."
WINDOW = re.compile(r"(?P<start>\d{4}-\d{2}(?:-\d{2})?)?\.\.(?P<end>\d{4}-\d{2}(?:-\d{2})?)?")


def load(source: Source) -> Iterator[Case]:
    """A case per problem within the window, both ends included; tests feed standard input, or call the method."""
    named = WINDOW.fullmatch(str(source.config))
    start, end = (named["start"] or "", named["end"] or "9") if named else ("", "9")
    for row in source.rows():
        day = row["contest_date"][:10]
        if not (start <= day and day[: len(end)] <= end):
            continue
        tests = {name: read_contest_tests(row[name]) for name in ("public_test_cases", "private_test_cases")}
        if not any(tests.values()):
            raise InputError(f"livecodebench: {row['question_id']} has no tests")
        task = f"{STARTED}\n\n{row['starter_code']}" if row["starter_code"] else WHOLE
        yield {
            "id": row["question_id"],
            "question": f"{row['question_content'].strip()}\n\n{task}\n\n{FORM}",
            "difficulty": row["difficulty"],
            "contest_date": day,
            **tests,
            "metadata": json.loads(row["metadata"] or "{}"),
        }


TEXTS = ("question_id", "question_content", "starter_code", "difficulty", "contest_date", "public_test_cases")
BENCHMARK = Benchmark(
    name="livecodebench",
    task="code generation, contests",
    path="livecodebench/code_generation_lite",
    config="all",
    configs=("all",),
    config_pattern=WINDOW.pattern,
    split="test",
    files="test*.jsonl",
    size=1055,
    fields=dict.fromkeys((*TEXTS, "private_test_cases", "metadata"), "string"),
    load=load,
    evaluators=("answer_quality", "code_execution"),
    metric="pass_at_1",
    proxy="The program is looked for in the whole reply, where the authors take the last code block; one that exits "
    "with an error fails, even after the right output.",
    subject="difficulty",
    licence="CC",
    citation="Jain et al. 2024, arXiv:2403.07974",
    homepage="https://github.com/LiveCodeBench/LiveCodeBench",
    sources=(
        f"{HUB}/livecodebench/code_generation_lite/commit/671d527134ceb9e8688ff64b81fd2d07e2ff9082: licence",
        f"{EVALSCOPE}/live_code_bench/load_utils.py: schema",
        f"{EVALSCOPE}/_meta/live_code_bench.json: size",
        f"{LIGHTEVAL}/lcb/main.py: configurations",
        f"{HUB}/livecodebench/code_generation_lite/tree/main: files",
    ),
)
