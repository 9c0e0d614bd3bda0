"""HellaSwag: which of four endings continues a description of an everyday scene."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, INSPECT
from ringtrue.datasets.catalogue.prompts import letter, with_options
from ringtrue.errors import InputError

ASKED = "Which ending continues this text best?"


def load(source: Source) -> Iterator[Case]:
    """A case per text; a label that is not a number is a row without gold, and an error."""
    for row in source.rows():
        endings = list(row["endings"])
        if not row["label"].isdigit() or int(row["label"]) >= len(endings):
            raise InputError(f"hellaswag: row {row['ind']} has the label {row['label']!r} for {len(endings)} endings")
        place = int(row["label"])
        yield {
            "id": row["ind"],
            "question": with_options(f"{ASKED}\n\n{row['ctx']}", endings),
            "choices": endings,
            "answer": [endings[place]],
            "correct_letter": letter(place),
        }


BENCHMARK = Benchmark(
    name="hellaswag",
    task="multiple choice, common sense",
    path="Rowan/hellaswag",
    split="validation",
    revision="218ec52e09a7e7462a5400043bb9a69a41d06b76",
    size=10042,
    fields={"ind": "integer", "ctx": "string", "endings": ["string"], "label": "string"},
    load=load,
    evaluators=("answer_quality", "multiple_choice"),
    metric="mc_accuracy",
    examples="train",
    licence="MIT",
    citation="Zellers et al. 2019, arXiv:1905.07830",
    homepage="https://rowanzellers.com/hellaswag",
    sources=(
        f"{INSPECT}/hellaswag/hellaswag.py: revision",
        f"{CARDS}/hellaswag/README.md: size, schema, licence",
    ),
    proxy="The letter a reply names; the authors compare how likely a model finds each ending.",
)
