"""GSM8K: grade-school word problems of two to eight steps."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, INSPECT
from ringtrue.datasets.catalogue.prompts import asking
from ringtrue.errors import InputError

FORM = 'Reason step by step, then end with a line "#### N", where N is the answer as a number.'


def load(source: Source) -> Iterator[Case]:
    """A case per problem; the answer is what follows the last `####` of the worked solution."""
    for place, row in enumerate(source.rows()):
        reasoning, mark, answer = row["answer"].rpartition("####")
        if not mark or not answer.strip():
            raise InputError(f"gsm8k: the solution of row {place} has no ####")
        yield {
            "question": asking(row["question"], FORM),
            "answer": [answer.strip().replace(",", "")],
            "reasoning": reasoning.strip(),
        }


BENCHMARK = Benchmark(
    name="gsm8k",
    task="mathematics, word problems",
    path="openai/gsm8k",
    config="main",
    split="test",
    revision="cc7b047b6e5bb11b4f1af84efc572db110a51b3c",
    size=1319,
    fields={"question": "string", "answer": "string"},
    load=load,
    evaluators=("answer_quality", "math_equivalence"),
    metric="math_equiv",
    examples="train",
    licence="MIT",
    citation="Cobbe et al. 2021, arXiv:2110.14168",
    homepage="https://github.com/openai/grade-school-math",
    sources=(
        f"{INSPECT}/gsm8k/gsm8k.py: revision",
        f"{CARDS}/gsm8k/README.md: size, schema, licence",
    ),
)
