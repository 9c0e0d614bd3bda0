"""QuALITY: four-way questions about stories and articles of some five thousand words."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import HUB
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
    examples="train",
    licence="CC BY 4.0",
    citation="Pang et al. 2022, arXiv:2112.08608",
    homepage="https://github.com/nyu-mll/quality",
    sources=(
        f"{HUB}/tasksource/QuALITY/raw/main/README.md: size, schema",
        "github.com/nyu-mll/quality@0ced8de294260496bee55121e6125abdd632f92f/README.md: rules",
        "github.com/nyu-mll/quality@e89fec6da770cd7740958ccb2d9e2337d77b36cb/docs/index.html: licence",
    ),
)
