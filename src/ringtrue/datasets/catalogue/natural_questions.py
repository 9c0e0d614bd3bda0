"""NQ-Open: questions people asked a search engine, with short answers and nothing to read."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS
from ringtrue.datasets.catalogue.prompts import SHORT, asking


def load(source: Source) -> Iterator[Case]:
    """A case per question; every annotated answer is a reference."""
    for row in source.rows():
        yield {"question": asking(f"{row['question'].rstrip('?')}?", SHORT), "answer": list(row["answer"])}


BENCHMARK = Benchmark(
    name="natural-questions",
    task="open-domain question answering",
    path="google-research-datasets/nq_open",
    config="nq_open",
    split="validation",
    size=3610,
    fields={"question": "string", "answer": ["string"]},
    load=load,
    metric="exact_match",
    examples="train",
    licence="CC BY-SA 3.0",
    citation="Kwiatkowski et al. 2019, doi:10.1162/tacl_a_00276; Lee et al. 2019, arXiv:1906.00300",
    homepage="https://github.com/google-research-datasets/natural-questions",
    sources=(f"{CARDS}/nq_open/README.md: size, schema, licence",),
)
