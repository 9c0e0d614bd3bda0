"""MuSiQue-Answerable: questions composed of two to four single hops, over twenty passages."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.prompts import SHORT, asking, passages


def load(source: Source) -> Iterator[Case]:
    """A case per question; the answer and its aliases are references."""
    for row in source.rows():
        titles = [item["title"] for item in row["paragraphs"]]
        texts = [item["paragraph_text"] for item in row["paragraphs"]]
        yield {
            "id": row["id"],
            "question": asking(row["question"], SHORT),
            "context": passages(titles, texts),
            "answer": list(dict.fromkeys([row["answer"], *row["answer_aliases"]])),
        }


BENCHMARK = Benchmark(
    name="musique",
    task="multi-hop question answering",
    path="bdsaglam/musique",
    split="validation",
    files="musique_ans_v1.0_dev.jsonl",
    revision="22873a405dd809893b22ada0b499299fb612d2df",
    size=2417,
    fields={
        "id": "string",
        "question": "string",
        "answer": "string",
        "answer_aliases": ["string"],
        "paragraphs": [{"title": "string", "paragraph_text": "string"}],
    },
    load=load,
    metric="f1",
    licence="CC BY 4.0",
    citation="Trivedi et al. 2022, arXiv:2108.00573",
    homepage="https://github.com/StonyBrookNLP/musique",
    sources=(
        "arXiv:2108.00573: size of the answerable development set",
        "the authors' release format (github.com/StonyBrookNLP/musique): schema",
        "several public evaluations pin this commit and its file musique_ans_v1.0_dev.jsonl, SHA-256 15fa63794d18a94c…",
    ),
)
