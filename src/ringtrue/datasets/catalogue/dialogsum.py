"""DialogSum: short summaries of everyday dialogues, three for each dialogue of the test set."""

from collections.abc import Iterator
from itertools import groupby

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import HUB
from ringtrue.datasets.catalogue.prompts import SUMMARY_ALONE, asking

ASKED = "Summarize this dialogue in one or two sentences."


def load(source: Source) -> Iterator[Case]:
    """A case per dialogue; rows that repeat it one after the other give its further summaries, all references."""
    for dialogue, group in groupby(source.rows(), key=lambda row: row["dialogue"]):
        rows = list(group)
        yield {
            "id": rows[0]["id"],
            "question": asking(ASKED, SUMMARY_ALONE),
            "context": dialogue,
            "answer": list(dict.fromkeys(row["summary"] for row in rows)),
        }


BENCHMARK = Benchmark(
    name="dialogsum",
    task="summarization",
    path="knkarthick/dialogsum",
    split="test",
    revision="a968e7aee0602e257935f1321a02e4287f7d5848",
    size=500,
    fields={"id": "string", "dialogue": "string", "summary": "string"},
    load=load,
    evaluators=("answer_quality", "summarization_quality", "rouge_scores"),
    metric="rougeL",
    proxy="The best of the three summaries counts; the authors average over them.",
    examples="train",
    licence="CC BY-NC-SA 4.0",
    citation="Chen et al. 2021, doi:10.18653/v1/2021.findings-acl.449",
    homepage="https://github.com/cylnlp/dialogsum",
    sources=(
        f"{HUB}/knkarthick/dialogsum/tree/a968e7aee0602e257935f1321a02e4287f7d5848: revision, files, licence",
        f"{HUB}/dipanjanS/dialogsum-copy/blob/0459b4be3aa833771ab8cd4547a9571994bc1c22/README.md: schema",
        (
            "github.com/cylnlp/dialogsum@67b15f6439b42d419f6626aa2a2e5b07e3aa4ea9/"
            "DialogSum_Data/dialogsum.test.jsonl: size"
        ),
    ),
)
