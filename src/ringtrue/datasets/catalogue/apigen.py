"""APIGen (xLAM): function-calling requests with the calls that answer them."""

from collections.abc import Iterator

from ringtrue.datasets.catalogue.benchmark import Benchmark, Case, Source
from ringtrue.datasets.catalogue.cited import HUB, UNITXT
from ringtrue.datasets.catalogue.function_calls import accepted_values, function_question, written_calls
from ringtrue.errors import InputError
from ringtrue.jsontext import parse_json


def load(source: Source) -> Iterator[Case]:
    """A case per request; tools and answers are JSON inside the row, and every argument has one accepted value."""
    for place, row in enumerate(source.rows()):
        try:
            tools, answers = parse_json(row["tools"]), parse_json(row["answers"])
            calls = [
                {call["name"]: {key: [accepted_values(value)] for key, value in call["arguments"].items()}}
                for call in answers
            ]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"apigen: row {place} has tools or answers that cannot be read: {error}") from error
        yield {
            "question": function_question(row["query"], tools),
            "tools": tools,
            "expected_calls": calls,
            "answer": [written_calls(calls)],
        }


BENCHMARK = Benchmark(
    name="apigen",
    task="function calling",
    path="Salesforce/xlam-function-calling-60k",
    split="train",
    size=60_000,
    gated=True,
    fields={"query": "string", "tools": "string", "answers": "string"},
    load=load,
    evaluators=("answer_quality", "tool_call_match"),
    metric="tool_call_match",
    licence="CC BY 4.0",
    citation="Liu et al. 2024, arXiv:2406.18518",
    homepage="https://apigen-pipeline.github.io",
    sources=(
        f"{UNITXT}/xlam_function_calling_60k.json: schema",
        f"{HUB}/Salesforce/xlam-function-calling-60k/discussions/1: licence",
        f"{HUB}/Salesforce/xlam-function-calling-60k: size",
    ),
    note="A training set by origin: what a model scores here may be memory.",
)
