"""DROP: questions that add, count, compare and sort what a paragraph says."""

from collections.abc import Iterator, Mapping

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB, INSPECT, LM_EVAL
from ringtrue.datasets.catalogue.prompts import asking
from ringtrue.records import Json

FORM = "Answer with the number, the date or the words alone; put commas between several."
DATE = {"day": "string", "month": "string", "year": "string"}


def load(source: Source) -> Iterator[Case]:
    """A case per question; the answer and every validated one are references."""
    for row in source.rows():
        checked = row["validated_answers"]
        every = zip(checked["number"], checked["date"], checked["spans"], strict=True)
        given = [{"number": number, "date": date, "spans": spans} for number, date, spans in every]
        yield {
            "id": row["query_id"],
            "question": asking(row["question"], FORM),
            "context": row["passage"],
            "answer": list(dict.fromkeys(filter(None, map(answer_of, [row["answer"], *given])))),
            "answer_spans": [spans_of(one) for one in [row["answer"], *given] if answer_of(one)],
        }


def answer_of(given: Mapping[str, Json]) -> str:
    """An answer as text: the number, else the spans joined by commas, else the date."""
    date = given["date"]
    return given["number"] or ", ".join(given["spans"]) or f"{date['day']} {date['month']} {date['year']}".strip()


def spans_of(given: Mapping[str, Json]) -> list[str]:
    """The spans of an answer; a number or a date is one."""
    return [answer_of(given)] if given["number"] or not given["spans"] else list(given["spans"])


BENCHMARK = Benchmark(
    name="drop",
    task="reading comprehension, arithmetic",
    path="EleutherAI/drop",
    split="validation",
    revision="619386fc7ffe6dace3cc6d3483c69b164ebf6bf3",
    size=9536,
    fields={
        "query_id": "string",
        "passage": "string",
        "question": "string",
        "answer": {"number": "string", "date": DATE, "spans": ["string"]},
        "validated_answers": {"number": ["string"], "date": [DATE], "spans": [["string"]]},
    },
    load=load,
    evaluators=("answer_quality", "drop"),
    metric="drop_f1",
    examples="train",
    licence="CC BY 4.0",
    citation="Dua et al. 2019, arXiv:1903.00161",
    homepage="https://allenai.org/data/drop",
    sources=(
        f"{INSPECT}/drop/drop.py: revision",
        f"{EVALSCOPE}/_meta/drop.json: size",
        f"{LM_EVAL}/drop/utils.py: schema",
        f"{HUB}/EleutherAI/drop/tree/main: files, licence",
    ),
)
