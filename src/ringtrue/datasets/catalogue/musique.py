"""MuSiQue-Answerable: questions composed of two to four single hops, over twenty passages."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import HUB
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


AUTHORS = "github.com/StonyBrookNLP/musique"
BENCHMARK = Benchmark(
    name="musique",
    task="multi-hop question answering",
    path="bdsaglam/musique",
    split="validation",
    files="musique_ans_v1.0_dev.jsonl",
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
        f"{HUB}/bdsaglam/musique/tree/main: files",
        f"{AUTHORS}@a7f4e8fa70fb08515ab91111c9235d6017fb92c6/raw_data_to_official_format.py: schema",
        f"{AUTHORS}@071a664db84d5fc2520b0253bad02018dbc884eb/README.md: licence",
        "flashrag-dev 0.1.2 on PyPI, flashrag_dev-0.1.2.dist-info/METADATA: size",
    ),
)
