"""MBPP: short Python functions described in a sentence; `mbpp:full` is the set before its authors checked it."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import CARDS, INSPECT
from ringtrue.datasets.worked_examples import RAW, ExampleFormat

ASKED = "Your code should pass these tests:"
TASK = f"You are an expert Python programmer, and here is your task: {{question}} {ASKED}\n\n{{test_list}}\n[BEGIN]\n"
"""A task as the authors write it where worked examples are shown."""
FORM = "Reply with the code alone, in one code block."


def load(source: Source) -> Iterator[Case]:
    """A case per function; its tests are shown, as the authors do, for they alone say how it is called."""
    full = source.config == "full"
    for row in source.rows(fields=FULL if full else None):
        described = row["text"] if full else row["prompt"]
        tests = "\n".join(row["test_list"])
        yield {
            "id": row["task_id"],
            "question": f"{described}\n\n{ASKED}\n\n{tests}\n\n{FORM}",
            "answer": [row["code"]],
            "test_list": list(row["test_list"]),
            "test_imports": [row["test_setup_code"]] if full else list(row["test_imports"]),
            RAW: {"question": described},
        }


COMMON = {"task_id": "integer", "code": "string", "test_list": ["string"]}
FULL = {**COMMON, "text": "string", "test_setup_code": "string"}
BENCHMARK = Benchmark(
    name="mbpp",
    task="code generation",
    path="google-research-datasets/mbpp",
    config="sanitized",
    configs=("sanitized", "full"),
    split="test",
    revision="4bb6404fdc6cacfda99d4ac4205087b89d32030c",
    size=257,
    fields={**COMMON, "prompt": "string", "test_imports": ["string"]},
    load=load,
    evaluators=("answer_quality", "code_execution"),
    metric="pass_at_1",
    examples="prompt",
    example_format=ExampleFormat(example=f"{TASK}{{answer}}\n[DONE]", question=TASK),
    licence="CC BY 4.0",
    citation="Austin et al. 2021, arXiv:2108.07732",
    homepage="https://github.com/google-research/google-research/tree/master/mbpp",
    sources=(
        f"{CARDS}/mbpp/README.md: size, schema, configurations, licence",
        f"{INSPECT}/mbpp/mbpp.py: revision",
        "github.com/google-research/google-research@30adf0ec5f35f9609c2f1d896005e184195d9146/mbpp/README.md: examples",
    ),
)
