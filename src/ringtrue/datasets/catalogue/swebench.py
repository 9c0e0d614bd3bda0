"""SWE-bench, its verified and its lite subset: issues of Python projects, to be solved with a patch."""

from collections.abc import Iterator
from typing import Any

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, INSPECT

ASKED = (
    "Solve this issue of the repository {repo}. Reply with a patch as a unified diff alone, with paths from the root "
    "of the repository."
)


def load(source: Source) -> Iterator[Case]:
    """A case per issue; the gold patch is the answer."""
    for row in source.rows():
        yield {
            "id": row["instance_id"],
            "question": f"{ASKED.format(repo=row['repo'])}\n\n{row['problem_statement']}",
            "answer": [row["patch"]],
            "instance_id": row["instance_id"],
            "repo": row["repo"],
            "base_commit": row["base_commit"],
        }


COMMON: dict[str, Any] = {
    "task": "code repair",
    "split": "test",
    "fields": dict.fromkeys(("instance_id", "repo", "base_commit", "problem_statement", "patch"), "string"),
    "load": load,
    "evaluators": ("answer_quality", "diff_files"),
    "metric": "touches_gold_files",
    "licence": "MIT",
    "homepage": "https://www.swebench.com",
    "proxy": "No test runs: whether the patch touches the files that the gold patch touches. The authors' figure is "
    "'resolved', which needs their harness.",
    "note": "With checkouts, diff_applies says whether a patch fits.",
}
PAPER = "Jimenez et al. 2024, arXiv:2310.06770"
SCHEMA = f"{INSPECT}/swe_bench/swe_bench.py: schema"
LICENCE = "github.com/princeton-nlp/SWE-bench@e5878aa0d7d4ee3b500a980bf77e3b6856b55298/LICENSE.md: licence"
ABSTRACT = (
    "github.com/wcphkust/LLM-PLSE-paper@69b465a83f8438ddec24e193aee660e5874c4730/"
    "data/papers/venues/ICLR2024/paper_1.md: size"
)
FULL = Benchmark(
    name="swebench",
    path="princeton-nlp/SWE-bench",
    size=2294,
    citation=PAPER,
    sources=(ABSTRACT, SCHEMA, LICENCE),
    **COMMON,
)
VERIFIED = Benchmark(
    name="swebench-verified",
    path="princeton-nlp/SWE-bench_Verified",
    revision="c104f840cc67f8b6eec6f759ebc8b2693d585d4a",
    size=500,
    citation=f"{PAPER}; openai.com/index/introducing-swe-bench-verified",
    sources=(f"{INSPECT}/swe_bench/README.md: revision", f"{INSPECT}/swe_bench/eval.yaml: size", SCHEMA, LICENCE),
    **COMMON,
)
LITE = Benchmark(
    name="swebench-lite",
    path="princeton-nlp/SWE-bench_Lite",
    size=300,
    citation=PAPER,
    sources=(f"{EVALSCOPE}/_meta/swe_bench_lite.json: size", SCHEMA, LICENCE),
    **COMMON,
)
