"""The scores of a run as OpenTelemetry events: sent through a logger provider (extra `otel`), or as OTLP JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ringtrue._version import __version__
from ringtrue.errors import MissingExtra
from ringtrue.jsontext import json_text
from ringtrue.records import Json, Row, Run, Score

if TYPE_CHECKING:
    from opentelemetry._logs import LoggerProvider

EVENT = "gen_ai.evaluation.result"
SCOPE = "ringtrue"
RESPONSE_ID = "response_id"
"""The field of an answer or a case that names the model's response."""


def export_otel(run: Run, provider: LoggerProvider | None = None) -> int:
    """Send one event for each score of a run, and return how many there were.

    They go to `provider`, by default to the global one, and from there to its exporters. Flushing is up to the
    provider.
    """
    try:
        from opentelemetry._logs import LogRecord, get_logger_provider
    except ImportError as error:
        raise MissingExtra("sending OpenTelemetry events", "otel") from error
    logger = (provider or get_logger_provider()).get_logger(SCOPE, __version__)
    sent = 0
    for row in run.rows:
        for name, score in row.scores.items():
            attributes = event_attributes(run, row, name, score)
            logger.emit(LogRecord(event_name=EVENT, timestamp=_nanoseconds(run, row), attributes=attributes))
            sent += 1
    return sent


def otel_lines(run: Run) -> Iterator[str]:
    """The events as the OpenTelemetry Collector reads them from a file: one OTLP JSON object for each row."""
    service = {"attributes": [_key_value("service.name", SCOPE)]}
    for row in run.rows:
        records = [
            {
                "eventName": EVENT,
                "attributes": [_key_value(*pair) for pair in event_attributes(run, row, name, score).items()],
                **({"timeUnixNano": str(time)} if (time := _nanoseconds(run, row)) else {}),
            }
            for name, score in row.scores.items()
        ]
        scope = {"scope": {"name": SCOPE, "version": __version__}, "logRecords": records}
        yield json_text({"resourceLogs": [{"resource": service, "scopeLogs": [scope]}]})


def _key_value(key: str, value: str | float) -> dict[str, Json]:
    return {"key": key, "value": {"stringValue" if isinstance(value, str) else "doubleValue": value}}


def _nanoseconds(run: Run, row: Row) -> int | None:
    """Return the time of the answer, else of the run's beginning."""
    return int((row.answered_at or run.made.started) * 1e9) or None


def event_attributes(run: Run, row: Row, name: str, score: Score) -> dict[str, str | float]:
    """Return the attributes of one score's event; unknown ones are left out, and an error has no value and no label."""
    found = dict(_attributes(row, name, score)) | ({"ringtrue.run.id": run.id} if run.id else {})
    return {
        key: value.encode(errors="replace").decode() if isinstance(value, str) else value
        for key, value in found.items()
    }


def _attributes(row: Row, name: str, score: Score) -> Iterator[tuple[str, str | float]]:
    yield "gen_ai.evaluation.name", name
    if score.value is not None:
        yield "gen_ai.evaluation.score.value", score.value
    if score.passed is not None:
        yield "gen_ai.evaluation.score.label", "pass" if score.passed else "fail"
    if score.status == "error":
        yield "error.type", row.trial.output.error or "evaluation_error"
    if score.reason:
        yield "gen_ai.evaluation.explanation", score.reason
    if response := _response_id(row):
        yield "gen_ai.response.id", str(response)
    yield "ringtrue.case.id", str(row.trial.case.id)
    yield "ringtrue.system.name", row.system
    yield "ringtrue.dataset.name", row.dataset


def _response_id(row: Row) -> Json:
    return row.trial.output.fields.get(RESPONSE_ID) or row.trial.case.fields.get(RESPONSE_ID)
