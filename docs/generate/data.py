"""The pages of data: datasets, file formats, fields of a row, environment variables."""

from __future__ import annotations

from generate.markdown import fill, meanings, table
from ringtrue.cli.shared.environment import VARIABLES
from ringtrue.cli.show_dataset import entries
from ringtrue.datasets.catalogue.loading import has_sample
from ringtrue.dialects.fields import ALIASES
from ringtrue.dialects.run_record import row_record
from ringtrue.records import Case, Output, Row, Score, Trial

ROW = {
    "id": "The case's own id, or its place.",
    "row": "Place of the case in its dataset, from 1; scored files are numbered through.",
    "dataset": "Dataset the case is from.",
    "system": "System that answered.",
    "repeat": "Which asking of the case, from 0.",
    "input": "The question.",
    "expected": "Acceptable answers; null if none is given.",
    "context": "Context given with the question.",
    "response": "The answer's text.",
    "error": "Why there is no answer: `model_error`, `system_error` or `timeout`, else null.",
    "problem": "What is wrong with the answer, in the endpoint's or the exception's own words.",
    "latency_seconds": "How long the system took.",
    "input_tokens": "Tokens the model received.",
    "output_tokens": "Tokens the model wrote.",
    "cost": "Dollars for the answer; null if the price is not known.",
    "calls": "Requests that were sent.",
    "reused": "True if an earlier run asked and paid for the answer.",
    "scores": "One object for each evaluator; see below.",
    "run": "On the first row of a file: how the run was made.",
    "tags": "The case's tags.",
    "messages": "The conversation that was sent.",
    "tools": "Tools the assistant could call.",
    "fields": "Further fields of the case.",
    "output_messages": "Messages the system produced.",
    "tool_calls": "Tool calls of the answer.",
    "output_fields": "Fields that the system changed in its example.",
    "traceback": "Where the user's code raised.",
    "answered_at": "When a reused answer was given, in seconds since 1970.",
    "answered_in": "The id of the run that got a reused answer.",
}
SCORE = {
    "value": "Number in [0, 1]; null unless `status` is `scored`.",
    "status": "`scored`, `skipped` or `error`.",
    "passed": "Whether the value reached the evaluator's threshold.",
    "reason": "Why, in words.",
    "parts": "Named sub-numbers, such as `f1` and `recall`.",
    "metadata": "What else the evaluator found.",
    "calls": "Requests to a judge.",
    "tokens": "Tokens of those requests.",
}


def row_fields_page() -> str:
    """The fields of a row, as `-o FILE` writes them."""
    filled = Row(
        Trial(
            Case(tags=("a",), messages=({"role": "user"},), tools=({"name": "t"},), fields={"other": 1}),
            Output(messages=({"a": 1},), tool_calls=({"a": 1},), fields={"a": 1}, traceback="t"),
        ),
        {"e": Score(1.0, reason="r", parts={"p": 1.0}, metadata={"m": 1}, calls=1, tokens=1)},
        answered_at=1.0,
        answered_in="e120ec92551a",
    )
    record = row_record(filled)
    assert {*record, "run"} == {*ROW}, {*record} ^ {*ROW}
    assert {*record["scores"]["e"]} == {*SCORE}
    heads = ("field", "meaning")
    return fill("row-fields.md", row=meanings(heads, ROW), score=meanings(heads, SCORE))


def file_formats_page() -> str:
    """What is read from files, and under which names."""
    names = {meaning: ", ".join(f"`{name}`" for name in fields) for meaning, fields in ALIASES.items()}
    return fill("file-formats.md", fields=meanings(("meaning", "fields that are read as it"), names))


def environment_page() -> str:
    """Every environment variable that is read."""
    return fill("environment.md", variables=meanings(("variable", "meaning"), VARIABLES))


def datasets_page() -> str:
    """Every benchmark of the catalogue."""
    rows = (
        (
            f"`{one['name']}`",
            one["task"],
            "unknown" if one["size"] is None else f"{one['size']:,}",
            f"`{one['metric']}`",
            one["licence"],
            "yes" if has_sample(one["name"]) else "",
        )
        for one in entries()
    )
    heads = ("name", "task", "cases", "headline metric", "licence", "sample")
    return fill("datasets.md", benchmarks=table(heads, rows))
