"""MeetingBank: minutes of the items of city council meetings."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import HUB
from ringtrue.datasets.catalogue.prompts import SUMMARY_ALONE, asking

ASKED = "Summarize this part of a city council meeting as its minutes would."


def load(source: Source) -> Iterator[Case]:
    """A case per item of a meeting."""
    for row in source.rows():
        yield {"question": asking(ASKED, SUMMARY_ALONE), "context": row["transcript"], "answer": [row["summary"]]}


BENCHMARK = Benchmark(
    name="meetingbank",
    task="summarization",
    path="huuuyeah/meetingbank",
    split="test",
    size=862,
    fields={"transcript": "string", "summary": "string"},
    load=load,
    evaluators=("answer_quality", "summarization_quality", "rouge_scores"),
    metric="rougeL",
    proxy="The authors report BERTScore, MoverScore and others beside ROUGE, which are not here.",
    examples="train",
    licence="CC BY-NC-SA 4.0",
    citation="Hu et al. 2023, arXiv:2305.17529",
    homepage="https://meetingbank.github.io",
    sources=(
        f"{HUB}/huuuyeah/meetingbank/commit/6d5127e2f6396fae5c68485fe009b8bcb698fad3: schema, licence",
        f"{HUB}/huuuyeah/meetingbank/tree/main: files",
        f"{HUB}/kursathalat/meetingbank_features/viewer/default/test?p=0: size",
    ),
)
