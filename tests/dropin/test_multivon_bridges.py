"""Bridges to packages that may be missing: each can be imported, and says what to install when it is used."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from multivon_eval import CaseManifest, EvalCase, EvalReport, ExactMatch, MediaArtifact
from multivon_eval.integrations import gymnasium, inspect, inspect_media, otel, otel_export
from multivon_eval.integrations.otel_json import parse_otlp_json
from multivon_eval.media_pdf import render_pdf_page

from support.media import wav

SOUND = MediaArtifact.capture(wav(seconds=0.1), "audio/wav")
EPISODE = {"case": EvalCase("q"), "environment_id": "e", "observer_id": "o", "observe": dict, "seed": 0, "max_steps": 1}


@pytest.mark.parametrize(
    ("module", "package", "use"),
    [
        ("inspect_ai.dataset", "inspect_ai", lambda: inspect.to_inspect_dataset(CaseManifest("m", [EvalCase("q")]))),
        ("inspect_ai.scorer", "inspect_ai", lambda: inspect.as_inspect_scorer(ExactMatch())),
        ("inspect_ai.log._log", "inspect_ai", lambda: inspect.from_inspect_log(None)),
        ("inspect_ai.model", "inspect_ai", lambda: inspect_media.to_inspect_content(SOUND, wav(seconds=0.1))),
        ("gymnasium", "gymnasium", lambda: gymnasium.capture_episode(dict, dict, **EPISODE)),  # type: ignore[arg-type]
        ("google.protobuf.json_format", "opentelemetry-proto", lambda: parse_otlp_json(b"{}")),
        (
            "opentelemetry.proto.collector.trace.v1.trace_service_pb2",
            "opentelemetry-proto",
            lambda: otel.OtelTrace((b"",), "1" * 32, "1" * 16, otel.GENAI_PROFILE),
        ),
        (
            "opentelemetry._logs",
            "opentelemetry-api",
            lambda: otel_export.emit_evaluation_events(EvalReport("s", []), None),
        ),
        ("pypdfium2", "pypdfium2", lambda: render_pdf_page(SOUND, b"", page=1)),
    ],
    ids=["dataset", "scorer", "log", "media", "episode", "otlp json", "otlp", "events", "page"],
)
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, module: str, package: str, use: Callable[[], Any]
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"pip install {package}$"):
        use()
