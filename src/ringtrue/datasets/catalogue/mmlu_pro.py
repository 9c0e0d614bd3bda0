"""MMLU-Pro: MMLU's harder successor, up to ten options a question."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import HUB, INSPECT
from ringtrue.datasets.catalogue.prompts import letter, with_options
from ringtrue.datasets.worked_examples import RAW, ExampleFormat

AUTHORS = "github.com/TIGER-AI-Lab/MMLU-Pro@2a7ec7e4d36766256a1280e574c330d5537adfde"
THINKING = "Let's think step by step."
"""The first words of an answer, and all of it that an example without a solution has."""


def load(source: Source) -> Iterator[Case]:
    """A case per question, options in the authors' order."""
    for row in source.rows():
        options = list(row["options"])
        worked = str(row.get("cot_content") or "").removeprefix("A: ").strip()
        yield {
            "id": row["question_id"],
            "question": with_options(row["question"], options),
            "choices": options,
            "answer": [options[row["answer_index"]]],
            "correct_letter": letter(row["answer_index"]),
            "category": row["category"],
            RAW: {"question": row["question"], "solution": worked or THINKING},
        }


BENCHMARK = Benchmark(
    name="mmlu-pro",
    task="multiple choice, knowledge",
    path="TIGER-Lab/MMLU-Pro",
    split="test",
    revision="527feea0afed1de15a8c115abf7be4c912123315",
    size=12032,
    fields={
        "question_id": "integer",
        "question": "string",
        "options": ["string"],
        "answer_index": "integer",
        "category": "string",
    },
    load=load,
    evaluators=("answer_quality", "multiple_choice"),
    metric="mc_accuracy",
    proxy="A reply that names no letter is wrong; the authors' script takes a random letter for it.",
    examples="validation",
    example_format=ExampleFormat(
        header="The following are multiple choice questions (with answers) about {category}. Think step by step and "
        'then output the answer in the format of "The answer is (X)" at the end.\n\n',
        example="Question: {question}\nOptions: {options}\nAnswer: {solution}",
        question=f"Question: {{question}}\nOptions: {{options}}\nAnswer: {THINKING}\n\n",
    ),
    subject="category",
    licence="MIT",
    citation="Wang et al. 2024, arXiv:2406.01574",
    homepage="https://github.com/TIGER-AI-Lab/MMLU-Pro",
    sources=(
        f"{INSPECT}/mmlu_pro/mmlu_pro.py: revision",
        f"{INSPECT}/mmlu_pro/eval.yaml: size",
        f"{AUTHORS}/evaluate_from_api.py: examples",
        f"{HUB}/TIGER-Lab/MMLU-Pro/blob/58842e6067e21a9c092ba8783c8c27f721b497ee/README.md: schema, licence",
    ),
)
