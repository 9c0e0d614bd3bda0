"""MATH-500: the 500 problems of MATH that are reported in place of all."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB
from ringtrue.datasets.catalogue.competition_math import FORM
from ringtrue.datasets.catalogue.prompts import asking


def load(source: Source) -> Iterator[Case]:
    """A case per problem; the answer is the authors' own."""
    for row in source.rows():
        yield {
            "id": row["unique_id"],
            "question": asking(row["problem"], FORM),
            "answer": [row["answer"]],
            "level": row["level"],
            "subject": row["subject"],
        }


BENCHMARK = Benchmark(
    name="math-500",
    task="mathematics, competitions",
    path="HuggingFaceH4/MATH-500",
    split="test",
    size=500,
    fields=dict.fromkeys(("unique_id", "problem", "answer", "subject"), "string") | {"level": "any"},
    load=load,
    evaluators=("answer_quality", "math_equivalence"),
    metric="math_equiv",
    subject="subject",
    licence="none stated",
    citation="Lightman et al. 2023, arXiv:2305.20050; Hendrycks et al. 2021, arXiv:2103.03874",
    homepage="https://huggingface.co/datasets/HuggingFaceH4/MATH-500",
    sources=(
        f"{EVALSCOPE}/math_500/math_500_adapter.py: schema",
        f"{EVALSCOPE}/_meta/math_500.json: size",
        f"{HUB}/HuggingFaceH4/MATH-500/commits/main: files, licence",
    ),
    note="The problem texts are MATH's and may not be passed on; the choice of the 500 comes from openai/prm800k.",
)
