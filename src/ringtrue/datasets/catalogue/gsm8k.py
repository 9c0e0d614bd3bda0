"""GSM8K: grade-school word problems of two to eight steps."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, INSPECT, LM_EVAL
from ringtrue.datasets.catalogue.prompts import asking
from ringtrue.datasets.worked_examples import RAW, ExampleFormat
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
            RAW: {"question": row["question"], "answer": row["answer"]},
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
    example_format=ExampleFormat(
        example="Question: {question}\nAnswer: {answer}", question="Question: {question}\nAnswer:"
    ),
    licence="MIT",
    citation="Cobbe et al. 2021, arXiv:2110.14168",
    homepage="https://github.com/openai/grade-school-math",
    sources=(
        f"{INSPECT}/gsm8k/gsm8k.py: revision",
        f"{CARDS}/gsm8k/README.md: size, schema, licence",
        f"{LM_EVAL}/gsm8k/gsm8k.yaml: examples",
    ),
)
