"""LongBench v2: four-way questions on texts of up to two million words."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB
from ringtrue.datasets.catalogue.prompts import with_options

LETTERS = "ABCD"


def load(source: Source) -> Iterator[Case]:
    """A case per question, its options shown in the authors' order."""
    for row in source.rows():
        options = [row[f"choice_{letter}"] for letter in LETTERS]
        yield {
            "id": row["_id"],
            "question": with_options(row["question"], options),
            "context": row["context"],
            "choices": options,
            "answer": [options[LETTERS.index(row["answer"])]],
            "correct_letter": row["answer"],
            "domain": row["domain"],
            "difficulty": row["difficulty"],
            "length": row["length"],
        }


BENCHMARK = Benchmark(
    name="longbench-v2",
    task="long context, multiple choice",
    path="zai-org/LongBench-v2",
    split="train",
    files="data.json",
    revision="2b48e494f2c7a2f0af81aae178e05c7e1dde0fe9",
    size=503,
    fields={
        **{f"choice_{letter}": "string" for letter in LETTERS},
        **dict.fromkeys(("_id", "question", "context", "answer", "domain", "difficulty", "length"), "string"),
    },
    load=load,
    evaluators=("answer_quality", "multiple_choice"),
    metric="mc_accuracy",
    licence="Apache-2.0",
    citation="Bai et al. 2024, arXiv:2412.15204",
    homepage="https://longbench2.github.io",
    sources=(
        f"{HUB}/THUDM/LongBench-v2/tree/2b48e494f2c7a2f0af81aae178e05c7e1dde0fe9: revision, files",
        f"{HUB}/THUDM/LongBench-v2/tree/main: licence",
        f"{EVALSCOPE}/longbench_v2/longbench_v2_adapter.py: schema",
        f"{EVALSCOPE}/_meta/longbench_v2.json: size",
    ),
)
