"""Berkeley Function-Calling Leaderboard: which functions to call, and with which arguments; one turn or several."""

from collections.abc import Iterator, Mapping

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.bfcl_conversations import conversations
from ringtrue.datasets.catalogue.bfcl_rules import ABSENT, CONFIGS, CONVERSATIONS, LOOSE, MATCHED, RULES, TOGETHER
from ringtrue.datasets.catalogue.cited import EVALSCOPE, HUB
from ringtrue.datasets.catalogue.function_calls import function_question, written_calls
from ringtrue.errors import InputError
from ringtrue.records import Json
from ringtrue.scoring.tool_calls.bfcl_services import INSTALL

ANSWERS = {"id": "string", "ground_truth": ["any"]}


def load(source: Source) -> Iterator[Case]:
    """A case per request of a category, or of all that are not live; irrelevant functions are not to be called."""
    if source.config in CONVERSATIONS:
        return conversations(source)
    names = {one: f"BFCL_v[0-9]_{one}.json*" for one in (TOGETHER if source.config == "all" else [str(source.config)])}
    found = {category: files[-1] for category, name in names.items() if (files := source.matching(name))}
    if not found:
        raise InputError(f"bfcl: {source.repository.source} has no file BFCL_v*_{source.config}.json")
    return (case for category, file in found.items() for case in requests(source, category, file, names[category]))


def requests(source: Source, category: str, questions: str, name: str) -> Iterator[Case]:
    """The cases of one file of questions and its file of possible answers."""
    gold: Mapping[str, Json] = {
        row["id"]: row["ground_truth"]
        for file in source.matching(f"possible_answer/{name}")[-1:]
        for row in source.rows(files=file, format="jsonl", fields=ANSWERS)
    }
    for row in source.rows(files=questions, format="jsonl"):
        if row["id"] not in gold and "relevance" not in category:
            raise InputError(f"bfcl: {row['id']} of {questions} has no possible answer")
        calls = gold.get(row["id"], [])
        request = "\n\n".join(message["content"] for message in row["question"][0])
        case = {"id": row["id"], "question": function_question(request, row["function"]), "tools": row["function"]}
        case |= {"category": category} | ({} if category == "live_relevance" else {"expected_calls": calls})
        yield {**case, "answer": [written_calls(calls)]} if calls else case


BENCHMARK = Benchmark(
    name="bfcl",
    task="function calling",
    path="gorilla-llm/Berkeley-Function-Calling-Leaderboard",
    config="all",
    configs=CONFIGS,
    split="train",
    size=1240,
    fields={"id": "string", "question": [[{"role": "string", "content": "string"}]], "function": [{"name": "string"}]},
    load=load,
    evaluators=MATCHED,
    metric="tool_call_match",
    proxy=LOOSE,
    by_config=RULES,
    absent=ABSENT,
    subject="category",
    licence="Apache-2.0",
    citation="Patil et al. 2025, https://gorilla.cs.berkeley.edu/leaderboard.html",
    homepage="https://gorilla.cs.berkeley.edu",
    sources=(
        "bfcl-eval 2026.3.23 on PyPI, bfcl_eval/data/BFCL_v4_simple_python.json: schema",
        "bfcl-eval 2026.3.23 on PyPI, bfcl_eval/eval_checker/ast_eval/ast_checker.py: rules",
        f"{EVALSCOPE}/_meta/bfcl_v3.json: size",
        "bfcl-eval 2026.3.23 on PyPI, bfcl_eval/eval_checker/multi_turn_eval/multi_turn_checker.py: rules",
        f"{HUB}/gorilla-llm/Berkeley-Function-Calling-Leaderboard/commits/main/BFCL_v3_simple.json: files, licence",
    ),
    note="Functions are shown in the prompt and calls read from the reply; multi_turn_* sends them as tools instead "
    f"(multi_turn_*_prompt does not) and needs: {INSTALL}. memory and web_search are not here.",
)  # fmt: skip
