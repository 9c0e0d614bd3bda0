"""Scores leave as OpenTelemetry events `gen_ai.evaluation.result`: through the user's provider, or as OTLP JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ringtrue import export_otel, open_run, score_file
from ringtrue.cli import invoke
from ringtrue.records import Run

EVENT = "gen_ai.evaluation.result"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    rows = [
        {"id": 1, "question": "2 + 2", "answer": "4", "response": "4", "response_id": "chatcmpl-1"},
        {"id": "b", "question": "2 + 3", "answer": "5", "response": "\ud800 six"},
        {"id": "c", "question": "2 + 4", "response": "6"},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    score_file(path, ["exact_match"], output=tmp_path / "run.jsonl")
    return open_run(tmp_path / "run.jsonl")


def test_events_go_through_a_provider(run: Run) -> None:
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor

    kept, provider = InMemoryLogRecordExporter(), LoggerProvider()
    provider.add_log_record_processor(SimpleLogRecordProcessor(kept))
    assert export_otel(run, provider) == 3
    right, wrong, skipped = (one.log_record for one in kept.get_finished_logs())
    assert {one.event_name for one in (right, wrong, skipped)} == {EVENT}
    assert right.attributes is not None
    assert {name: right.attributes[name] for name in right.attributes if name.startswith("gen_ai.")} == {
        "gen_ai.evaluation.name": "exact_match",
        "gen_ai.evaluation.score.value": 1.0,
        "gen_ai.evaluation.score.label": "pass",
        "gen_ai.response.id": "chatcmpl-1",
    }
    assert wrong.attributes is not None
    assert wrong.attributes["gen_ai.evaluation.score.label"] == "fail"
    assert skipped.attributes is not None
    assert "gen_ai.evaluation.score.value" not in skipped.attributes
    assert skipped.attributes["gen_ai.evaluation.explanation"]


def test_a_file_of_otlp_json(run: Run, tmp_path: Path) -> None:
    """The protobuf definition of OTLP reads every line."""
    json_format = pytest.importorskip("google.protobuf.json_format")
    service = pytest.importorskip("opentelemetry.proto.collector.logs.v1.logs_service_pb2")
    target = tmp_path / "events.json"
    assert invoke(["export", str(tmp_path / "run.jsonl"), "-f", "otel", "-o", str(target)]) == 0
    lines = target.read_text().splitlines()
    assert len(lines) == 3
    for line in lines:
        request = json_format.Parse(line, service.ExportLogsServiceRequest())
        (record,) = request.resource_logs[0].scope_logs[0].log_records
        assert record.event_name == EVENT
        assert record.attributes[0].value.string_value == "exact_match"


def test_without_the_extra() -> None:
    code = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "import ringtrue\n"
        "try: ringtrue.export_otel(None)\n"
        "except ringtrue.errors.MissingExtra as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'ringtrue[otel]'" in done.stdout
