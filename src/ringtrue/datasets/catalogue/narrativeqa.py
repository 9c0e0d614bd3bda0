"""NarrativeQA: questions about books and films, answered from their summaries."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS
from ringtrue.datasets.catalogue.prompts import SHORT, asking


def load(source: Source) -> Iterator[Case]:
    """A case per question; question and answers are objects with a `text`, and both answers are references."""
    for row in source.rows():
        yield {
            "question": asking(row["question"]["text"], SHORT),
            "context": row["document"]["summary"]["text"],
            "answer": [answer["text"] for answer in row["answers"]],
            "document_id": row["document"]["id"],
        }


BENCHMARK = Benchmark(
    name="narrativeqa",
    task="reading comprehension",
    path="deepmind/narrativeqa",
    split="test",
    size=10557,
    fields={
        "document": {"id": "string", "summary": {"text": "string"}},
        "question": {"text": "string"},
        "answers": [{"text": "string"}],
    },
    load=load,
    metric="f1",
    examples="train",
    licence="Apache-2.0",
    citation="Kočiský et al. 2018, arXiv:1712.07040",
    homepage="https://github.com/google-deepmind/narrativeqa",
    sources=(f"{CARDS}/narrativeqa/README.md: size, schema, licence",),
    proxy="Token F1, as later work reports; the authors report BLEU, METEOR and ROUGE-L.",
    note="The task is the one on summaries.",
)
