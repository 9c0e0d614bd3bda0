"""InfiniteBench: tasks on texts of more than 100,000 tokens; `infinitebench:passkey` is one of them."""

from collections.abc import Iterator, Mapping

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import INSPECT
from ringtrue.datasets.catalogue.prompts import letter, with_options
from ringtrue.records import Json

NUMBER = "Answer with the number alone."
FORMS = {
    "longbook_qa_eng": "Answer the question about the book, with a few words alone.",
    "longbook_qa_chn": "请根据书的内容回答问题，只给出答案。",
    "longbook_choice_eng": "Answer the question about the book.",
    "longbook_sum_eng": "Summarize the book. Reply with the summary alone.",
    "longdialogue_qa_eng": "$$MASK$$ stands for one name in the dialogue. Which? Answer with the name alone.",
    "passkey": NUMBER,
    "number_string": NUMBER,
    "kv_retrieval": "Find the value of the key in the JSON object. Answer with the value alone.",
    "math_find": NUMBER,
    "math_calc": "Give the value after every step of the calculation, as a list of numbers alone.",
    "code_run": "What does the call return? Answer with the number alone.",
    "code_debug": "Which function has been changed to hold an obvious error?",
}


def load(source: Source) -> Iterator[Case]:
    """A case per example; every answer is a reference, and options are shown where there are any."""
    for row in source.rows():
        given = row["answer"]
        answers = [str(item) for item in given] if isinstance(given, list) else [str(given)]
        asked = f"{FORMS[str(source.config)]}\n\n{row['input']}".strip()
        yield {"id": row["id"], "context": row["context"], **with_answer(asked, answers, row)}


def with_answer(asked: str, answers: list[str], row: Mapping[str, Json]) -> Case:
    """Question and answer; of options, the correct one by its text and its letter."""
    options = list(row["options"] or ())
    if not options or answers[0] not in options:
        return {"question": asked, "answer": answers}
    correct = letter(options.index(answers[0]))
    return {
        "question": with_options(asked, options),
        "choices": options,
        "answer": answers[:1],
        "correct_letter": correct,
    }


BENCHMARK = Benchmark(
    name="infinitebench",
    task="long context",
    path="xinrongzhang2022/InfiniteBench",
    config="longbook_qa_eng",
    configs=tuple(FORMS),
    split="longbook_qa_eng",
    files="{config}.jsonl",
    revision="90f0394333616266d9fe85824ceaf505093cbaa5",
    fields={"id": "integer", "context": "string", "input": "string", "answer": "any", "options": "any"},
    load=load,
    metric="f1",
    licence="unknown",
    citation="Zhang et al. 2024, arXiv:2402.13718",
    homepage="https://github.com/OpenBMB/InfiniteBench",
    sources=(
        f"{INSPECT}/infinite_bench/infinite_bench.py: revision, files, schema",
        f"{INSPECT}/infinite_bench/README.md: configurations",
    ),
    note="F1 is the authors' metric for questions about books; the other tasks want exact_match or -e multiple_choice.",
)
