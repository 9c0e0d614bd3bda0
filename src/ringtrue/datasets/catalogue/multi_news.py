"""Multi-News: one summary of several news articles on the same event."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS
from ringtrue.datasets.catalogue.prompts import SUMMARY_ALONE, asking

ASKED = "Summarize these news articles, which ||||| separates, in one text."


def load(source: Source) -> Iterator[Case]:
    """A case per set of articles."""
    for row in source.rows():
        articles = row["document"].replace("NEWLINE_CHAR", "\n")
        yield {"question": asking(ASKED, SUMMARY_ALONE), "context": articles, "answer": [row["summary"]]}


BENCHMARK = Benchmark(
    name="multi-news",
    task="summarization",
    path="alexfabbri/multi_news",
    split="test",
    script=True,
    size=5622,
    fields={"document": "string", "summary": "string"},
    load=load,
    evaluators=("answer_quality", "summarization_quality", "rouge_scores"),
    metric="rougeL",
    proxy="The authors report ROUGE-1, ROUGE-2 and ROUGE-SU; the first two are beside it, ROUGE-SU is not here.",
    examples="train",
    licence="non-commercial research and education",
    citation="Fabbri et al. 2019, arXiv:1906.01749",
    homepage="https://github.com/Alex-Fabbri/Multi-News",
    sources=(f"{CARDS}/multi_news/README.md: size, schema, licence",),
)
