"""HotpotQA: questions over two of ten Wikipedia passages."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS
from ringtrue.datasets.catalogue.prompts import SHORT, asking, passages


def load(source: Source) -> Iterator[Case]:
    """A case per question; the ten passages are the context."""
    for row in source.rows():
        texts = ["".join(sentences) for sentences in row["context"]["sentences"]]
        yield {
            "id": row["id"],
            "question": asking(row["question"], SHORT),
            "context": passages(row["context"]["title"], texts),
            "answer": [row["answer"]],
            "type": row["type"],
        }


BENCHMARK = Benchmark(
    name="hotpotqa",
    task="multi-hop question answering",
    path="hotpotqa/hotpot_qa",
    config="fullwiki",
    configs=("distractor", "fullwiki"),
    split="validation",
    revision="1908d6afbbead072334abe2965f91bd2709910ab",
    size=7405,
    fields={
        "id": "string",
        "question": "string",
        "answer": "string",
        "type": "string",
        "context": {"title": ["string"], "sentences": [["string"]]},
    },
    load=load,
    metric="f1",
    proxy="A yes or no within a longer answer has partial credit; the authors give it none.",
    examples="train",
    licence="CC BY-SA 4.0",
    citation="Yang et al. 2018, arXiv:1809.09600",
    homepage="https://hotpotqa.github.io",
    sources=(
        f"{CARDS}/hotpot_qa/README.md: size, schema, configurations, licence",
        (
            "github.com/vimalanandans/advanced-rag-platform@20285e4e7ed86d26096dd4313fb04bbfca6672df/"
            "scripts/prepare_hotpotqa.py: revision"
        ),
    ),
)
