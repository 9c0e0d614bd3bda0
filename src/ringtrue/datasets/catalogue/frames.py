"""FRAMES: questions that need facts from two to fifteen Wikipedia articles, which the system finds itself."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB
from ringtrue.datasets.catalogue.prompts import OWN_WORDS, SHORT, asking


def load(source: Source) -> Iterator[Case]:
    """A case per question; the articles' addresses are kept for systems that fetch them."""
    for row in source.rows():
        yield {
            "question": asking(row["Prompt"], SHORT),
            "bare_question": row["Prompt"],
            "answer": [row["Answer"]],
            "reasoning_types": row["reasoning_types"],
            "wiki_links": row["wiki_links"],
        }


BENCHMARK = Benchmark(
    name="frames",
    task="multi-hop question answering",
    path="google/frames-benchmark",
    split="test",
    files="test.tsv",
    size=824,
    fields={"Prompt": "string", "Answer": "string", "reasoning_types": "string", "wiki_links": "string"},
    load=load,
    metric="f1",
    proxy="Token F1; the authors let a model decide whether an answer is right: with a judge the headline is that.",
    judged=("short_answer_judge",),
    judged_metric="correct",
    judged_proxy=OWN_WORDS,
    licence="Apache-2.0",
    citation="Krishna et al. 2024, arXiv:2409.12941",
    homepage="https://huggingface.co/datasets/google/frames-benchmark",
    sources=(
        f"{HUB}/google/frames-benchmark/blob/refs%2Fpr%2F21/test.tsv: files, licence",
        f"{HUB}/12kimih/frames-benchmark/blob/main/README.md: schema",
        f"{EVALSCOPE}/_meta/frames.json: size",
    ),
)
