"""HumanEval+ and MBPP+: the functions of HumanEval and MBPP with many more tests."""

from collections.abc import Iterator
from typing import Any

from ringtrue.datasets.catalogue import humaneval
from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB
from ringtrue.datasets.catalogue.mbpp import ASKED, FORM


def mbpp_plus(source: Source) -> Iterator[Case]:
    """A case per function; the original tests are shown, the added ones are run."""
    for row in source.rows():
        tests = "\n".join(row["test_list"])
        yield {
            "id": row["task_id"],
            "question": f"{row['prompt']}\n\n{ASKED}\n\n{tests}\n\n{FORM}",
            "answer": [row["code"]],
            "test": row["test"],
            "test_imports": list(row["test_imports"]),
        }


COMMON: dict[str, Any] = {
    "task": "code generation",
    "split": "test",
    "evaluators": ("answer_quality", "code_execution"),
    "metric": "pass_at_1",
    "licence": "Apache-2.0",
    "citation": "Liu et al. 2023, arXiv:2305.01210",
    "homepage": "https://github.com/evalplus/evalplus",
    "note": "The tests import numpy: it must be installed where the sandbox runs.",
}
HUMANEVAL_PLUS = Benchmark(
    name="humaneval-plus",
    path="evalplus/humanevalplus",
    size=164,
    fields=humaneval.BENCHMARK.fields,
    load=humaneval.load,
    sources=(
        f"{EVALSCOPE}/humanevalplus/humanevalplus_adapter.py: schema",
        f"{EVALSCOPE}/_meta/humaneval_plus.json: size",
        f"{HUB}/evalplus/humanevalplus/commits/a582dc303ee7ee4e8c3c06bc7135de02301c4966/test.jsonl: licence",
        f"{HUB}/evalplus/humanevalplus/tree/main: files",
    ),
    **COMMON,
)
MBPP_PLUS = Benchmark(
    name="mbpp-plus",
    path="evalplus/mbppplus",
    size=378,
    fields={"task_id": "integer", "prompt": "string", "code": "string", "test": "string", "test_list": ["string"],
            "test_imports": ["string"]},
    load=mbpp_plus,
    sources=(
        f"{EVALSCOPE}/mbppplus/mbppplus_adapter.py: schema",
        f"{EVALSCOPE}/_meta/mbpp_plus.json: size",
        f"{HUB}/evalplus/mbppplus/tree/main: files, licence",
    ),
    **COMMON,
)  # fmt: skip
