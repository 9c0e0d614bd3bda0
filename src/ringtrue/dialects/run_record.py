"""Runs as plain JSON values, and back: how a run was made, its rows with their scores, its summaries.

This is the shape of files of rows, of the store, and of what `--json` prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, TypeVar

from ringtrue.dialects.coercion import case_id
from ringtrue.dialects.fields import ALIASES, TRANSCRIPT
from ringtrue.errors import InputError
from ringtrue.records import (
    Case,
    DatasetInfo,
    ErrorCause,
    EvaluatorInfo,
    Json,
    Made,
    Output,
    Row,
    RunFacts,
    Score,
    Summaries,
    Summary,
    SystemInfo,
    Trial,
)

RUN = "run"
"""The key under which the first row of a file says how its run was made."""

AMOUNTS: dict[str, type[int] | type[float]] = {
    "latency_seconds": float,
    "input_tokens": int,
    "output_tokens": int,
    "cost": float,
    "calls": int,
}
"""The fields of `Output` that say what an answer took: files of rows, tables and data frames have each of them."""

_APART = frozenset({TRANSCRIPT, "tools", "tags", "dataset"})
_ROW_FIELDS = frozenset(name for names in ALIASES.values() for name in names) | _APART
"""The fields of a case that its row has under other names."""

_RECORD_KEYS = frozenset(
    {
        *("id", "row", "dataset", "system", "repeat", "input", "expected", "context", "response", "error", "problem"),
        *("reused", "scores", "tags", "messages", "tools", "fields", "output_messages", "tool_calls", "output_fields"),
        *("traceback", "answered_at", "answered_in", RUN, *AMOUNTS),
    }
)
"""The keys of `row_record`; any other of a row is a score's column of a table, or was added by a person."""

_Record = TypeVar("_Record", DatasetInfo, SystemInfo, EvaluatorInfo, Summary, ErrorCause, RunFacts)


def row_record(row: Row) -> dict[str, Json]:
    """A row as a JSON object: what was asked, expected and answered, what it took, and every score with its reason."""
    case, output = row.trial.case, row.trial.output
    found: dict[str, Json] = {
        "id": case.id,
        "row": row.position + 1,
        "dataset": row.dataset or None,
        "system": row.system,
        "repeat": row.repeat,
        "input": case.input,
        "expected": case.expected,
        "context": case.context,
        "response": output.text,
        "error": output.error or None,
        "problem": output.problem or None,
        **{name: getattr(output, name) for name in AMOUNTS},
        "reused": row.reused,
        "scores": {name: score_record(score) for name, score in row.scores.items()},
    }
    add_present(found, tags=case.tags, messages=case.messages, tools=case.tools)
    add_present(
        found,
        fields=other_fields(case.fields, found),
        output_messages=output.messages,
        tool_calls=output.tool_calls,
        output_fields=output.fields,
        traceback=output.traceback,
        answered_at=row.answered_at,
        answered_in=row.answered_in,
    )
    return found


def add_present(record: dict[str, Json], **values: Json) -> None:
    """Add what is there to a record."""
    record.update({name: value for name, value in values.items() if value})


def other_fields(fields: Mapping[str, Json], record: Mapping[str, Json]) -> dict[str, Json]:
    """The fields of a case that its record does not have already."""
    expected = record["expected"]
    held = [record["id"], record["input"], record["context"], record["response"]]
    if expected:
        held += expected[0], list(expected)
    return {
        name: value
        for name, value in fields.items()
        if name not in _ROW_FIELDS or not ((name in _APART and name in record) or value in held)
    }


def row_from(record: Mapping[str, Any], position: int = 0) -> Row:
    """The row that a JSON object describes."""
    try:
        return Row(
            trial=trial_of_record(record),
            scores={name: score_from(score) for name, score in record["scores"].items()},
            position=int(record.get("row") or position + 1) - 1,
            system=record.get("system") or "",
            repeat=record.get("repeat") or 0,
            reused=bool(record.get("reused")),
            answered_at=record.get("answered_at"),
            answered_in=record.get("answered_in") or "",
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else f"{type(error).__name__}: {error}"
        raise InputError(f"row {position + 1} is not a row that ringtrue wrote: {why}") from error


def trial_of_record(record: Mapping[str, Any]) -> Trial:
    """The trial in the JSON object of a row."""
    expected = record.get("expected")
    case = Case(
        id=case_id(record.get("id", "")),
        input=record.get("input") or "",
        expected=None if expected is None else tuple(expected),
        context=record.get("context") or "",
        messages=tuple(record.get("messages") or ()),
        tools=tuple(record.get("tools") or ()),
        tags=tuple(record.get("tags") or ()),
        fields=_fields(record),
    )
    return Trial(case, _output_from(record))


def _output_from(record: Mapping[str, Any]) -> Output:
    return Output(
        text=record.get("response") or "",
        problem=record.get("problem") or "",
        messages=tuple(record.get("output_messages") or ()),
        tool_calls=tuple(record.get("tool_calls") or ()),
        error=record.get("error") or "",
        traceback=record.get("traceback") or "",
        fields=record.get("output_fields") or {},
        **{name: record[name] for name in AMOUNTS if record.get(name) is not None},
    )


def _fields(record: Mapping[str, Any]) -> dict[str, Json]:
    """The fields of a case, and what a person added to its row, such as a label."""
    found = dict(record.get("fields") or {})
    if added := record.keys() - _RECORD_KEYS:
        scores = record.get("scores") or {}
        columns = {*scores, *(part for score in scores.values() for part in score.get("parts") or ())}
        found |= {name: record[name] for name in added if not columns & {name, name.partition(".")[0]}}
    if record.get("dataset"):
        found.setdefault("dataset", record["dataset"])
    return found


def score_record(score: Score) -> dict[str, Json]:
    """A score as a JSON object; what is empty is left out."""
    record: dict[str, Json] = {"value": score.value, "status": score.status, "passed": score.passed}
    if score.reason:
        record["reason"] = score.reason
    if score.parts:
        record["parts"] = score.parts
    if score.metadata:
        record["metadata"] = score.metadata
    if score.calls:
        record["calls"] = score.calls
    if score.tokens:
        record["tokens"] = score.tokens
    return record


def score_records(names: Sequence[str], columns: Sequence[Sequence[Score]]) -> Iterator[dict[str, Json]]:
    """The scores of each row by name, as records; rows whose scores are the same objects share theirs."""

    def keys() -> Iterator[tuple[int, ...]]:
        return zip(*(map(id, column) for column in columns), strict=True)

    rows = dict(zip(keys(), zip(*columns, strict=True), strict=True))
    records = {key: dict(zip(names, map(score_record, scores), strict=True)) for key, scores in rows.items()}
    return map(records.__getitem__, keys())


def score_from(record: Mapping[str, Any]) -> Score:
    """The score that a JSON object describes."""
    return Score(**record)


def made_record(made: Made) -> dict[str, Json]:
    """Write how a run was made as a JSON object."""
    return {
        "job": made.job,
        "name": made.name,
        "datasets": [asdict(one) for one in made.datasets],
        "systems": [asdict(one) for one in made.systems],
        "evaluators": [{**asdict(one), "keys": dict(one.keys)} for one in made.evaluators],
        "options": dict(made.options),
        "trials": made.trials,
        "started": made.started,
        "version": made.version,
    }


def made_from(record: Mapping[str, Any]) -> Made:
    """Read how a run was made from a JSON object."""
    try:
        return Made(
            job=record["job"],
            name=record.get("name") or "",
            datasets=tuple(_from_known_fields(DatasetInfo, one) for one in record["datasets"]),
            systems=tuple(_from_known_fields(SystemInfo, one) for one in record["systems"]),
            evaluators=tuple(_evaluator(one) for one in record["evaluators"]),
            options=record.get("options") or {},
            trials=record.get("trials") or 0,
            started=record.get("started") or 0.0,
            version=record.get("version") or "",
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"this does not say how a run was made: {type(error).__name__}: {error}") from error


def summaries_record(summaries: Summaries) -> dict[str, Json]:
    """Summaries as JSON objects: dataset -> system -> key -> summary."""
    return {
        dataset: {
            system: {key: summary_record(summary) for key, summary in found.items()}
            for system, found in systems.items()
        }
        for dataset, systems in summaries.items()
    }


def summaries_from(record: Mapping[str, Any]) -> dict[str, dict[str, dict[str, Summary]]]:
    """Summaries as JSON objects say them."""
    return {
        dataset: {
            system: {key: _summary(summary) for key, summary in found.items()} for system, found in systems.items()
        }
        for dataset, systems in record.items()
    }


def facts_record(facts: RunFacts | None) -> Json:
    """Facts as a JSON object."""
    return None if facts is None else asdict(facts)


def facts_from(record: Mapping[str, Any] | None) -> RunFacts | None:
    """Facts as a JSON object says them."""
    if record is None:
        return None
    causes = tuple(_from_known_fields(ErrorCause, one) for one in record.get("causes") or ())
    reused_from = tuple(record.get("reused_from") or ())
    return _from_known_fields(RunFacts, {**record, "causes": causes, "reused_from": reused_from})


def summary_record(summary: Summary) -> dict[str, Json]:
    """A summary as a JSON object."""
    return {item.name: getattr(summary, item.name) for item in fields(summary)}


def _summary(record: Mapping[str, Any]) -> Summary:
    pairs = {name: tuple(record[name]) for name in ("interval", "bounds") if record.get(name)}
    return _from_known_fields(Summary, {**record, **pairs})


def _evaluator(record: Mapping[str, Any]) -> EvaluatorInfo:
    return _from_known_fields(EvaluatorInfo, {**record, "counts": tuple(record.get("counts") or ())})


def _from_known_fields(kind: type[_Record], record: Mapping[str, Any]) -> _Record:
    """A record from the fields it knows: a newer ringtrue may have written more."""
    return kind(**{item.name: record[item.name] for item in fields(kind) if item.name in record})
