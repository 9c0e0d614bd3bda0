"""GPQA: questions of PhD level in biology, physics and chemistry that a search does not answer."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import HUB, INSPECT, LM_EVAL
from ringtrue.datasets.catalogue.prompts import letter, shuffled_options, with_options

WRONG = ("Incorrect Answer 1", "Incorrect Answer 2", "Incorrect Answer 3")


def load(source: Source) -> Iterator[Case]:
    """A case per question; the file lists the correct answer first, so a seeded shuffle decides its letter."""
    for row in source.rows():
        given = [row["Correct Answer"].strip(), *(row[name].strip() for name in WRONG)]
        options, place = shuffled_options(given, 0, f"{source.seed}:{row['Record ID']}")
        yield {
            "id": row["Record ID"],
            "question": with_options(row["Question"], options),
            "choices": options,
            "answer": [given[0]],
            "correct_letter": letter(place),
            "domain": row["High-level domain"],
        }


BENCHMARK = Benchmark(
    name="gpqa",
    task="multiple choice, science",
    path="Idavidrein/gpqa",
    config="gpqa_diamond",
    configs=("gpqa_diamond", "gpqa_main", "gpqa_extended"),
    split="train",
    revision="5233cd1db58884ed0bf678c7c6be731722a23f84",
    size=198,
    gated=True,
    fields={
        "Record ID": "string",
        "Question": "string",
        "Correct Answer": "string",
        **dict.fromkeys(WRONG, "string"),
        "High-level domain": "string",
    },
    load=load,
    evaluators=("answer_quality", "multiple_choice"),
    metric="mc_accuracy",
    licence="CC BY 4.0",
    citation="Rein et al. 2023, arXiv:2311.12022",
    homepage="https://github.com/idavidrein/gpqa",
    sources=(
        f"{INSPECT}/abstention_bench/recipe/abstention_datasets/gpqa.py: revision",
        f"{INSPECT}/gpqa/gpqa.py: schema",
        f"{INSPECT}/gpqa/eval.yaml: size",
        f"{LM_EVAL}/gpqa/zeroshot/_generate_configs.py: configurations",
        f"{HUB}/Idavidrein/gpqa/discussions/7: licence",
    ),
)
