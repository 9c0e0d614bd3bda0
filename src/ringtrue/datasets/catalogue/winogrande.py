"""WinoGrande: which of two names or things a blank stands for."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, INSPECT
from ringtrue.datasets.catalogue.prompts import letter, with_options
from ringtrue.errors import InputError

ASKED = "What does the blank _ stand for in this sentence?"


def load(source: Source) -> Iterator[Case]:
    """A case per sentence; the answer is 1 or 2, and any other one, such as the test split's empty one, an error."""
    for place, row in enumerate(source.rows()):
        if row["answer"] not in ("1", "2"):
            raise InputError(f"winogrande: row {place} has the answer {row['answer']!r}, neither 1 nor 2")
        options, right = [row["option1"], row["option2"]], int(row["answer"]) - 1
        yield {
            "question": with_options(f"{ASKED}\n\n{row['sentence']}", options),
            "choices": options,
            "answer": [options[right]],
            "correct_letter": letter(right),
        }


BENCHMARK = Benchmark(
    name="winogrande",
    task="multiple choice, common sense",
    path="allenai/winogrande",
    config="winogrande_xl",
    configs=("winogrande_xs", "winogrande_s", "winogrande_m", "winogrande_l", "winogrande_xl", "winogrande_debiased"),
    split="validation",
    revision="01e74176c63542e6b0bcb004dcdea22d94fb67b5",
    size=1267,
    fields={"sentence": "string", "option1": "string", "option2": "string", "answer": "string"},
    load=load,
    evaluators=("answer_quality", "multiple_choice"),
    metric="mc_accuracy",
    examples="train",
    licence="CC BY",
    citation="Sakaguchi et al. 2020, arXiv:1907.10641",
    homepage="https://winogrande.allenai.org",
    sources=(
        "github.com/allenai/winogrande@26e82ccebfd17479b14ed508971cfca485d79f33/README.md: licence",
        f"{CARDS}/winogrande/README.md: size, schema, configurations",
        f"{INSPECT}/winogrande/winogrande.py: revision",
    ),
)
