"""GovReport: summaries of reports of US government agencies."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CONTEXT_BENCH, HUB
from ringtrue.datasets.catalogue.prompts import SUMMARY_ALONE, asking

ASKED = "Summarize this government report."


def load(source: Source) -> Iterator[Case]:
    """A case per report."""
    for row in source.rows():
        yield {"question": asking(ASKED, SUMMARY_ALONE), "context": row["report"], "answer": [row["summary"]]}


BENCHMARK = Benchmark(
    name="govreport",
    task="summarization",
    path="ccdv/govreport-summarization",
    config="document",
    split="test",
    size=973,
    fields={"report": "string", "summary": "string"},
    load=load,
    evaluators=("answer_quality", "summarization_quality", "rouge_scores"),
    metric="rougeL",
    proxy="ROUGE-L of the summary as one text; the authors cut it into sentences, as ROUGE 1.5.5 does.",
    examples="train",
    licence="none stated",
    citation="Huang et al. 2021, arXiv:2104.02112",
    homepage="https://gov-report-data.github.io",
    sources=(
        f"{CONTEXT_BENCH}/longcontext.py: schema",
        f"{HUB}/ccdv/govreport-summarization/tree/fc7564b5dc1e9a13181273224bc4e262de456849/document: configurations",
        f"{HUB}/ccdv/govreport-summarization/viewer/document/train: size",
        f"{HUB}/ccdv/govreport-summarization/tree/main: licence",
    ),
)
