"""InfiniteBench: tasks on texts of more than 100,000 tokens; `infinitebench:passkey` is one of them."""

from collections.abc import Iterator, Mapping

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, ScoringRule, Source
from ringtrue.datasets.catalogue.cited import HUB, INSPECT
from ringtrue.datasets.catalogue.prompts import letter
from ringtrue.records import Json

NUMBER = "Answer with the number alone."
LETTER = "Answer with one single letter, A, B, C or D, and nothing else."
FORMS = {
    "longbook_qa_eng": "Answer the question about the book, with a few words alone.",
    "longbook_qa_chn": "请根据书的内容回答问题，只给出答案。",
    "longbook_choice_eng": f"Answer the question about the book. {LETTER}",
    "longbook_sum_eng": "Summarize the book. Reply with the summary alone.",
    "longdialogue_qa_eng": "$$MASK$$ stands for one name in the dialogue. Which? Answer with the name alone.",
    "passkey": NUMBER,
    "number_string": NUMBER,
    "kv_retrieval": "Find the value of the key in the JSON object. Answer with the value alone.",
    "math_find": NUMBER,
    "math_calc": "Give the value after each operation, from the first operation on, as a list of numbers alone.",
    "code_run": "What does the call return? End your reply with the number.",
    "code_debug": f"Which function has been changed to hold an obvious error? {LETTER}",
}


def load(source: Source) -> Iterator[Case]:
    """A case per example; every answer is a reference, but the steps of a calculation are one."""
    task = str(source.config)
    for row in source.rows():
        given = row["answer"] if isinstance(row["answer"], list) else [row["answer"]]
        answers = [str(given)] if task == "math_calc" else [str(item) for item in given]
        case = {"id": row["id"], "context": row["context"], "subtask": task}
        yield case | with_answer(f"{FORMS[task]}\n\n{row['input']}".strip(), answers, row)


def with_answer(asked: str, answers: list[str], row: Mapping[str, Json]) -> Case:
    """Question and answer; of options, the correct one by its text and its letter."""
    options = list(row["options"] or ())
    if not options or answers[0] not in options:
        return {"question": asked, "answer": answers}
    listed = "\n".join(f"{letter(place)}. {option}" for place, option in enumerate(options))
    correct = letter(options.index(answers[0]))
    return {"question": f"{asked}\n\n{listed}", "choices": options, "answer": answers[:1], "correct_letter": correct}


AUTHORS = "github.com/OpenBMB/InfiniteBench"
BOTH = ("answer_quality", "infinitebench", "multiple_choice")
BENCHMARK = Benchmark(
    name="infinitebench",
    task="long context",
    path="xinrongzhang2022/InfiniteBench",
    config="longbook_qa_eng",
    configs=tuple(FORMS),
    split="longbook_qa_eng",
    files="{config}.jsonl",
    revision="90f0394333616266d9fe85824ceaf505093cbaa5",
    size=351,
    fields={"id": "integer", "context": "string", "input": "string", "answer": "any", "options": "any"},
    load=load,
    evaluators=("answer_quality", "infinitebench"),
    metric="infinitebench",
    by_config=dict.fromkeys(("longbook_choice_eng", "code_debug"), ScoringRule(BOTH, "infinitebench")),
    licence="Apache-2.0",
    citation="Zhang et al. 2024, arXiv:2402.13718",
    homepage=f"https://{AUTHORS}",
    sources=(
        f"{HUB}/xinrongzhang2022/InfiniteBench/blob/02d885f21b58eff35fba3dda268833a9890a8d00/README.md: licence",
        f"{INSPECT}/infinite_bench/infinite_bench.py: revision, files, schema",
        f"{INSPECT}/infinite_bench/README.md: configurations",
        f"{AUTHORS}@88b3daa6989da2fbe0077170d7a3c84c25d5ae58/src/compute_scores.py: rules",
        f"{AUTHORS}@00a13d7952ab431f12d0886bf439bf872e501c72/README.md: size",
    ),
)
