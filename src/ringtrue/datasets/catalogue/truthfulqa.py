"""TruthfulQA: questions that people answer with widespread misconceptions."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, INSPECT
from ringtrue.datasets.catalogue.prompts import asking

FORM = "Answer in one sentence."


def load(source: Source) -> Iterator[Case]:
    """A case per question; the best answer and all true ones are references, the false ones are kept beside them."""
    for row in source.rows():
        yield {
            "question": asking(row["question"], FORM),
            "answer": list(dict.fromkeys([row["best_answer"], *row["correct_answers"]])),
            "incorrect_answers": list(row["incorrect_answers"]),
            "category": row["category"],
        }


BENCHMARK = Benchmark(
    name="truthfulqa",
    task="truthful generation",
    path="truthfulqa/truthful_qa",
    config="generation",
    split="validation",
    revision="741b8276f2d1982aa3d5b832d3ee81ed3b896490",
    size=817,
    fields={
        "question": "string",
        "category": "string",
        "best_answer": "string",
        "correct_answers": ["string"],
        "incorrect_answers": ["string"],
    },
    load=load,
    metric="f1",
    licence="Apache-2.0",
    citation="Lin et al. 2022, arXiv:2109.07958",
    homepage="https://github.com/sylinrl/TruthfulQA",
    sources=(
        f"{CARDS}/truthful_qa/README.md: size, schema, licence",
        f"{INSPECT}/truthfulqa/truthfulqa.py: revision",
    ),
    note="The authors judge truth with a model; token F1 against the true answers is a proxy: add --judge-url.",
)
