"""Long texts: LongBench, InfiniteBench, NoLiMa, meetings and reports; and BBH, which is short."""

from __future__ import annotations

import json
import random

from context_bench.datasets._reading import Example, Row, asked, examples, first, lettered
from context_bench.datasets._reading import require as _require_datasets
from context_bench.datasets.summarization import summary
from ringtrue.datasets import Origin, Source, find


def longbench(n: int | None = None, config: str = "hotpotqa", split: str = "test") -> list[Example]:
    """Tasks on long texts; `config` is one task."""
    rows = _require_datasets("longbench").load_dataset("THUDM/LongBench", config, split=split)
    return examples(rows, n, lambda place, row: summary(place, row["context"], row["input"], first(row["answers"])))


def longbench_v2(n: int | None = None, split: str = "train") -> list[Example]:
    """Questions with four options, which are shown; the answer is the text of the correct one."""

    def shape(place: int, row: Row) -> Example:
        choices = [row[name] for name in map("choice_{}".format, "ABCD") if name in row]
        answer = row.get(f"choice_{row['answer']}", row["answer"])
        asks = lettered(row["question"], choices) if choices else row["question"]
        return {**summary(place, row["context"], asks, answer), "choices": choices}

    return examples(_require_datasets("longbench-v2").load_dataset("THUDM/LongBench-v2", split=split), n, shape)


def infinitebench(n: int | None = None, split: str = "longbook_qa_eng", config: str | None = None) -> list[Example]:
    """Tasks on whole books; `config`, or `split`, is one task."""
    task, hub = config or split, _require_datasets("infinitebench")
    columns = hub.Features({"context": "string", "input": "string", "answer": "any"})
    rows = hub.load_dataset("xinrongzhang2022/InfiniteBench", task, split=task, features=columns)

    def shape(place: int, row: Row) -> Example:
        given = row["answer"]
        return summary(place, row["context"], row["input"], first(given if isinstance(given, list) else [given]))

    return examples(rows, n, shape)


def bbh(n: int | None = None, config: str = "boolean_expressions", split: str = "test") -> list[Example]:
    """Reasoning tasks; `config` is one."""
    rows = _require_datasets("bbh").load_dataset("lukaemon/bbh", config, split=split)
    return examples(rows, n, lambda place, row: asked(place, row["input"], row["target"]))


def meetingbank(n: int | None = None, split: str = "test") -> list[Example]:
    """Meetings of city councils."""
    question = "Summarize the meeting transcript."
    rows = _require_datasets("meetingbank").load_dataset("huuuyeah/meetingbank", split=split)
    return examples(rows, n, lambda place, row: summary(place, row["transcript"], question, row["summary"]))


def govreport(n: int | None = None, split: str = "test") -> list[Example]:
    """Reports of the government."""
    question = "Summarize the government report."
    rows = _require_datasets("govreport").load_dataset("ccdv/govreport-summarization", split=split)
    return examples(rows, n, lambda place, row: summary(place, row["report"], question, row["summary"]))


def nolima(n: int | None = None, needle_set: str = "needle_set.json") -> list[Example]:
    """A needle in a book; its place is the same in every process."""
    source = Source(find("nolima"), None, Origin.from_env())
    books = source.matching("haystack/rand_shuffle/*.txt")
    for wanted, found in (("haystack", books), (f"needle set {needle_set!r}", source.matching(f"*/{needle_set}"))):
        if not found:
            raise FileNotFoundError(f"{wanted} not found in {source.repository.source}")
    lines = source.text(sorted(books)[0]).split("\n")

    def shape(place: int, row: Row) -> Example:
        name = f"{row['id']}_{row['test']}"
        values = {"CHAR": row["character"]}
        values |= {str(number): value for number, value in enumerate(row["arguments"], 1)}
        at = random.Random(name).randint(0, len(lines))
        context = "\n".join([*lines[:at], _filled(row["needle"], values), *lines[at:]])
        return summary(name, context, _filled(row["question"], values), row["character"])

    return examples(_tests(json.loads(source.text(f"needlesets/{needle_set}"))), n, shape)


def _filled(template: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        template = template.replace("{" + name + "}", value)
    return template


def _tests(needles: list[Row]) -> list[Row]:
    return [
        {
            "id": needle["id"],
            "test": test,
            "needle": needle["needle"],
            "question": needle["questions"].get("onehop") or needle["questions"]["twohop"],
            "character": needle["character_set"][0],
            "arguments": given["input_args"],
        }
        for needle in needles
        for test, given in needle["tests"].items()
    ]
