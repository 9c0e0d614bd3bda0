"""HumanEval: Python functions to complete from their docstrings."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, INSPECT

ASKED = "Complete this Python function. Reply with the whole function, and what it needs, in one code block."


def load(source: Source) -> Iterator[Case]:
    """A case per function; the beginning of the function is the context its tests are run after."""
    for row in source.rows():
        yield {
            "id": row["task_id"],
            "question": f"{ASKED}\n\n{row['prompt']}",
            "context": row["prompt"],
            "answer": [row["canonical_solution"]],
            "test": row["test"],
            "entry_point": row["entry_point"],
        }


BENCHMARK = Benchmark(
    name="humaneval",
    task="code generation",
    path="openai/openai_humaneval",
    config="openai_humaneval",
    split="test",
    revision="7dce6050a7d6d172f3cc5c32aa97f52fa1a2e544",
    size=164,
    fields={
        "task_id": "string",
        "prompt": "string",
        "canonical_solution": "string",
        "test": "string",
        "entry_point": "string",
    },
    load=load,
    evaluators=("answer_quality", "code_execution"),
    metric="pass_at_1",
    licence="MIT",
    citation="Chen et al. 2021, arXiv:2107.03374",
    homepage="https://github.com/openai/human-eval",
    sources=(
        f"{INSPECT}/humaneval/humaneval.py: revision",
        f"{CARDS}/openai_humaneval/README.md: size, schema, licence",
    ),
)
