"""LongMemEval: questions about what was said in many chats; `longmemeval:oracle` shows only those that matter."""

from collections.abc import Iterator, Mapping

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import EVALSCOPE
from ringtrue.datasets.catalogue.prompts import OWN_WORDS
from ringtrue.records import Json

FILES = {"s": "longmemeval_s_cleaned.json", "m": "longmemeval_m_cleaned.json", "oracle": "longmemeval_oracle.json"}
WHOLE = "The response is correct only if it holds all that the reference holds, or all steps that lead to it."
NOTES = {
    "temporal-reasoning": f"{WHOLE} A count of days, weeks or months that is off by one is correct.",
    "knowledge-update": "A response that tells older facts, too, is correct if it settles on the reference.",
    "single-session-preference": "The reference describes a reply that suits this user. The response is correct if it "
    "recalls and uses what the user told; it need not meet every point.",
}
UNANSWERABLE = (
    "The chats do not answer the question; the reference says why. The response is correct if it says that the "
    "information is missing, even if it tells something related; that counts as correct, not as not attempted."
)


def load(source: Source) -> Iterator[Case]:
    """A case per question; the chats in order of date are the context."""
    for row in source.rows(files=FILES[str(source.config)]):
        absent = "_abs" in row["question_id"]
        yield {
            "id": row["question_id"],
            "question": f"Today is {row['question_date']}. {row['question']}",
            "bare_question": row["question"],
            "context": history(row),
            "answer": [str(row["answer"])],
            "question_type": row["question_type"],
            "grading_notes": UNANSWERABLE if absent else NOTES.get(row["question_type"], WHOLE),
        }


def history(row: Mapping[str, Json]) -> str:
    """The chats, each under its date."""
    chats = sorted(zip(row["haystack_dates"], row["haystack_sessions"], strict=True), key=lambda chat: chat[0])
    return "\n\n".join(
        f"Chat of {date}\n" + "\n".join(f"{turn['role']}: {turn['content']}" for turn in turns) for date, turns in chats
    )


TEXTS = dict.fromkeys(("question_id", "question_type", "question", "question_date"), "string")
BENCHMARK = Benchmark(
    name="longmemeval",
    task="memory of conversations",
    path="xiaowu0162/longmemeval-cleaned",
    config="s",
    configs=tuple(FILES),
    split="test",
    size=500,
    fields=TEXTS | {"answer": "any", "haystack_dates": ["string"], "haystack_sessions": [["any"]]},
    load=load,
    metric="contains",
    proxy="Whether the reply contains the answer, letter by letter; the authors let a model decide: add a judge.",
    judged=("short_answer_judge",),
    judged_metric="correct",
    judged_proxy=OWN_WORDS,
    subject="question_type",
    licence="MIT",
    citation="Wu et al. 2024, arXiv:2410.10813",
    homepage="https://github.com/xiaowu0162/LongMemEval",
    sources=("github.com/xiaowu0162/LongMemEval@24cdd24b3f67843016cb779d7e7e4dba9be65042/LICENSE: licence",
             f"{EVALSCOPE}/longmemeval/utils.py: files, schema, configurations, rules",
             f"{EVALSCOPE}/_meta/longmemeval.json: size"),
)  # fmt: skip
