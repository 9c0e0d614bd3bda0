"""SimpleQA and SimpleQA Verified: short questions of fact, graded correct, incorrect or not attempted."""

from collections.abc import Iterator
from typing import Any

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB, INSPECT
from ringtrue.datasets.catalogue.prompts import OWN_WORDS


def load(source: Source) -> Iterator[Case]:
    """A case per question, exactly as it is: saying that one does not know is an answer, too."""
    for place, row in enumerate(source.rows()):
        case = {"id": row.get("original_index", place), "question": row["problem"], "answer": [row["answer"]]}
        yield {**case, "topic": row["topic"]} if row.get("topic") else case


COMMON: dict[str, Any] = {
    "task": "short factual answers",
    "load": load,
    "metric": "contains",
    "proxy": "Whether the reply contains the answer, letter by letter; the authors let a model grade it: add a judge.",
    "judged": ("short_answer_judge",),
    "judged_metric": "correct",
    "judged_proxy": OWN_WORDS,
    "metrics": (("Attempted",),),
    "licence": "MIT",
}
SIMPLEQA = Benchmark(
    name="simpleqa",
    path="basicv8vc/SimpleQA",
    split="test",
    size=4326,
    fields={"problem": "string", "answer": "string"},
    citation="Wei et al. 2024, arXiv:2411.04368",
    homepage="https://github.com/openai/simple-evals",
    sources=(
        f"{EVALSCOPE}/simple_qa/simple_qa_adapter.py: schema",
        f"{EVALSCOPE}/_meta/simple_qa.json: size",
        f"{HUB}/basicv8vc/SimpleQA/commits/main: files, licence",
    ),
    note="A copy: the authors publish the file outside the hub.",
    **COMMON,
)
VERIFIED = Benchmark(
    name="simpleqa-verified",
    path="codelion/SimpleQA-Verified",
    split="train",
    revision="5a913f57326d89935cbed0ac071494e7e624b876",
    size=1000,
    fields={"original_index": "integer", "problem": "string", "answer": "string", "topic": "string"},
    citation="Haas et al. 2025, arXiv:2509.07968",
    homepage="https://www.kaggle.com/datasets/deepmind/simpleqa-verified",
    sources=(
        f"{INSPECT}/simpleqa/dataset.py: revision, schema",
        f"{INSPECT}/simpleqa/eval.yaml: size",
        f"{HUB}/codelion/SimpleQA-Verified/tree/main: files",
        f"{HUB}/quantiles/simpleqa-verified/commits/main: licence",
    ),
    subject="topic",
    note="A copy: the authors publish the file outside this repository.",
    **COMMON,
)
