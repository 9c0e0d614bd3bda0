"""ARC-Challenge: grade-school science questions that retrieval and word overlap get wrong."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, INSPECT
from ringtrue.datasets.catalogue.prompts import letter, with_options
from ringtrue.errors import InputError


def load(source: Source) -> Iterator[Case]:
    """A case per question; a key that is a number or a letter names an option by its label."""
    for row in source.rows():
        texts, labels = list(row["choices"]["text"]), list(row["choices"]["label"])
        if row["answerKey"] not in labels:
            raise InputError(f"arc-challenge: {row['id']} has the key {row['answerKey']!r} and the labels {labels}")
        place = labels.index(row["answerKey"])
        yield {
            "id": row["id"],
            "question": with_options(row["question"], texts),
            "choices": texts,
            "answer": [texts[place]],
            "correct_letter": letter(place),
        }


BENCHMARK = Benchmark(
    name="arc-challenge",
    task="multiple choice, science",
    path="allenai/ai2_arc",
    config="ARC-Challenge",
    configs=("ARC-Challenge", "ARC-Easy"),
    split="test",
    revision="210d026faf9955653af8916fad021475a3f00453",
    size=1172,
    fields={
        "id": "string",
        "question": "string",
        "choices": {"text": ["string"], "label": ["string"]},
        "answerKey": "string",
    },
    load=load,
    evaluators=("answer_quality", "multiple_choice"),
    metric="mc_accuracy",
    examples="train",
    licence="CC BY-SA 4.0",
    citation="Clark et al. 2018, arXiv:1803.05457",
    homepage="https://allenai.org/data/arc",
    sources=(
        f"{INSPECT}/arc/arc.py: revision",
        f"{CARDS}/ai2_arc/README.md: size, schema, configurations, licence",
    ),
)
