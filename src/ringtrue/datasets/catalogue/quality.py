"""QuALITY: four-way questions about stories and articles of some five thousand words."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.prompts import letter, with_options


def load(source: Source) -> Iterator[Case]:
    """A case per question with its options shown; labels count from 1, and 0 means that there is none."""
    for row in source.rows():
        options, place = list(row["options"]), row["gold_label"] - 1
        if 0 <= place < len(options):
            yield {
                "id": row["question_unique_id"],
                "question": with_options(row["question"], options),
                "context": row["article"],
                "choices": options,
                "answer": [options[place]],
                "correct_letter": letter(place),
            }


BENCHMARK = Benchmark(
    name="quality",
    task="multiple-choice reading comprehension",
    path="tasksource/QuALITY",
    split="validation",
    size=2086,
    fields={
        "question_unique_id": "string",
        "question": "string",
        "article": "string",
        "options": ["string"],
        "gold_label": "integer",
    },
    load=load,
    evaluators=("answer_quality", "multiple_choice"),
    metric="mc_accuracy",
    licence="CC BY 4.0",
    citation="Pang et al. 2022, arXiv:2112.08608",
    homepage="https://github.com/nyu-mll/quality",
    sources=(
        "arXiv:2112.08608: size of the development set",
        "public code that reads tasksource/QuALITY (article, question, options, gold_label from 1): schema",
    ),
)
