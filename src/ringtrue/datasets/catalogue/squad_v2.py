"""SQuAD 2.0: questions about a paragraph, half of which it does not answer."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS
from ringtrue.datasets.catalogue.prompts import asking

FORM = 'Answer with words of the text alone; if the text does not hold the answer, reply "unanswerable".'


def load(source: Source) -> Iterator[Case]:
    """A case per question; where there is no answer, the right reply is "unanswerable"."""
    for row in source.rows():
        answers = list(dict.fromkeys(row["answers"]["text"]))
        yield {
            "id": row["id"],
            "question": asking(row["question"], FORM),
            "context": row["context"],
            "answer": answers or ["unanswerable"],
            "unanswerable": not answers,
        }


BENCHMARK = Benchmark(
    name="squad-v2",
    task="reading comprehension",
    path="rajpurkar/squad_v2",
    config="squad_v2",
    split="validation",
    size=11873,
    fields={"id": "string", "question": "string", "context": "string", "answers": {"text": ["string"]}},
    load=load,
    evaluators=("answer_quality", "squad_v2"),
    metric="squad_f1",
    examples="train",
    licence="CC BY-SA 4.0",
    citation="Rajpurkar et al. 2018, arXiv:1806.03822",
    homepage="https://rajpurkar.github.io/SQuAD-explorer",
    sources=(f"{CARDS}/squad_v2/README.md: size, schema, licence, configurations",),
)
