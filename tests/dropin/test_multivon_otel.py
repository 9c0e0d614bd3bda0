"""Traces of OpenTelemetry as answers, and verdicts as its events, with its own packages."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from multivon_eval import (
    AcceptancePolicy,
    CheckRequirement,
    EvalCase,
    EvalReport,
    EvalSuite,
    ExactMatch,
    MaxLatency,
    ToolCallAccuracy,
    regrade,
)
from multivon_eval.integrations.otel import GENAI_PROFILE, OtelTrace, score_otel_trace
from multivon_eval.integrations.otel_export import emit_evaluation_events
from multivon_eval.integrations.otel_json import parse_otlp_json

pytest.importorskip("opentelemetry.proto")

TRACE, ROOT, TOOL = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00f067aa0ba902b7"
START = 1_700_000_000_000_000_000
Span = dict[str, Any]


def attribute(name: str, value: Any) -> dict[str, Any]:
    return {"key": name, "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)}}


def said(role: str, text: str) -> list[dict[str, Any]]:
    return [{"role": role, "parts": [{"type": "text", "content": text}]}]


def span(name: str, parent: str, start: int, end: int, attributes: dict[str, Any], **more: Any) -> Span:
    told = [attribute(key, value) for key, value in attributes.items()]
    times = {"startTimeUnixNano": str(START + start), "endTimeUnixNano": str(START + end)}
    above = {"parentSpanId": parent} if parent else {}
    return {"traceId": TRACE, "spanId": name, **above, "name": "n", "kind": 1, **times, "attributes": told, **more}


def spans() -> list[Span]:
    asked = {
        "gen_ai.input.messages": said("user", "Where is A-17?"),
        "gen_ai.output.messages": said("assistant", "on its way"),
    }
    called = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find_order",
        "gen_ai.tool.call.arguments": {"number": "A-17"},
        "gen_ai.tool.call.result": "on its way",
    }
    return [span(ROOT, "", 0, 9_000_000, asked), span(TOOL, ROOT, 1_000_000, 2_000_000, called)]


def payload(found: list[Span], **scope: Any) -> bytes:
    scopes = [{"scope": {"name": "app", **scope}, "schemaUrl": "https://example.org/schema", "spans": found}]
    return json.dumps({"resourceSpans": [{"resource": {}, "scopeSpans": scopes}]}).encode()


def trace(found: list[Span] | None = None, complete: bool = True, **scope: Any) -> OtelTrace:
    return OtelTrace((payload(found or spans(), **scope),), TRACE, ROOT, GENAI_PROFILE, complete, "json")


def scored(given: OtelTrace, **changes: Any) -> EvalReport:
    case = EvalCase("Where is A-17?", "on its way", expected_tool_calls=["find_order"], case_id="a17", **changes)
    return score_otel_trace(
        EvalSuite("orders").add_evaluators(ExactMatch(), ToolCallAccuracy(), MaxLatency(20)), given, case
    )


def decided(report: EvalReport) -> str:
    return AcceptancePolicy([CheckRequirement("exact_match")]).evaluate(report).decision


def test_a_trace_is_checked_without_asking() -> None:
    report = scored(trace())
    (result,) = report.case_results
    assert (report.passed, report.evidence_issues, decided(report)) == (1, [], "accept")
    (call,) = result.agent_trace[0].tool_calls  # type: ignore[index]
    assert (call.name, call.arguments, call.result) == ("find_order", {"number": "A-17"}, "on its way")
    data = result.trials[0].data
    assert (data["latency_ms"], data["upstream"]["schema_urls"]) == (9.0, ["https://example.org/schema"])
    again = OtelTrace.from_dict(
        EvalReport.from_dict(json.loads(report.to_json())).case_results[0].trials[0].data["upstream"]["evidence"]
    )
    assert again.payloads == trace().payloads


def test_protobuf_says_the_same() -> None:
    binary = parse_otlp_json(payload(spans())).SerializeToString()
    report = scored(OtelTrace((binary, binary), TRACE, ROOT, GENAI_PROFILE, True))
    assert (report.passed, report.case_results[0].trials[0].data["upstream"]["format"]) == (1, "otlp/protobuf")
    with pytest.raises(ValueError, match="no OTLP request"):
        OtelTrace((b"\xff\xff\xff",), TRACE, ROOT, GENAI_PROFILE)


def _failed(found: list[Span]) -> None:
    found[0]["status"] = {"code": 2}


def _silent(found: list[Span]) -> None:
    found[0]["attributes"].pop()


def test_a_call_that_failed_or_said_nothing_is_no_answer() -> None:
    for change, status in ((_failed, "model_error"), (_silent, "skipped")):
        found = spans()
        change(found)
        (result,) = scored(trace(found)).case_results
        assert (result.status, result.results) == (status, [])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda found: found[0].update(droppedEventsCount=1), "dropped"),
        (lambda found: found[1].update(parentSpanId="1" * 16), "Disconnected"),
        (lambda found: found[1]["attributes"].pop(2), "arguments"),
        (lambda found: found[1]["attributes"].pop(), "result"),
        (lambda found: found[1].update(status={"code": 2}), "failed"),
        (lambda found: found[1].update(endTimeUnixNano=str(START + 10**9)), "beyond"),
        (lambda found: found[1].update(startTimeUnixNano="0"), "no time"),
        (lambda found: found.append({**found[1], "spanId": "2" * 16}), "overlap"),
    ],
    ids=["dropped", "lost", "arguments", "result", "error", "late", "timeless", "overlap"],
)
def test_what_is_not_known_of_tools_is_not_checked(change: Callable[[list[Span]], Any], words: str) -> None:
    found = spans()
    change(found)
    report = scored(trace(found))
    (result,) = report.case_results
    assert words in " ".join(report.evidence_issues)
    assert (result.agent_trace, result.results[1].metadata.get("skipped"), decided(report)) == (
        None,
        True,
        "indeterminate",
    )
    again = regrade(report, EvalSuite("again").add_evaluator(ExactMatch()))
    assert (again.evidence_issues, decided(again)) == (report.evidence_issues, "indeterminate")
    assert again.case_results[0].trials[0].data["upstream"] == result.trials[0].data["upstream"]


def test_without_a_word_on_coverage_no_tool_is_ruled_out() -> None:
    report = scored(trace(complete=False))
    assert report.case_results[0].agent_trace is None
    assert decided(report) == "indeterminate"


def built(
    *payloads: bytes, trace_id: str = TRACE, root: str = ROOT, profile: str = GENAI_PROFILE, to: str = "json"
) -> Any:
    return OtelTrace(payloads, trace_id, root, profile, encoding=to)


def asked(question: str, **where: str) -> Any:
    return score_otel_trace(EvalSuite("s").add_evaluator(ExactMatch()), trace(), EvalCase(question), **where)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: asked("Other?"), "input"),
        (lambda: asked("Where is A-17?", output_span_id="3" * 16), "outside"),
        (lambda: built(payload(spans()), root="3" * 16), "no span"),
        (lambda: built(payload(spans()), trace_id="x"), "hexadecimal"),
        (lambda: built(payload(spans()), profile="other"), "profile"),
        (lambda: built(payload(spans()), to="xml"), "encoding"),
        (lambda: built(), "payloads"),
        (lambda: trace([spans()[0] | {"parentSpanId": TOOL}, spans()[1]]), "Cyclic"),
        (lambda: built(payload(spans()), payload([spans()[0] | {"name": "m"}])), "Conflicting"),
        (lambda: OtelTrace.from_dict({**trace().to_dict(), "tool_coverage_complete": False}), "changed"),
    ],
    ids=["input", "outside", "root", "id", "profile", "encoding", "nothing", "cycle", "conflict", "changed"],
)
def test_what_is_wrong_is_refused(make: Callable[[], Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"[]", "object"),
        (b'{"resourceSpans":null}', "list"),
        (b'{"resourceSpans":[null]}', "list"),
        (b'{"resourceSpans":[],"resourceSpans":[]}', "twice"),
        (b'{"x":NaN}', "NaN"),
        (b"[" * 100_000, "deep|JSON|Expecting"),
        (payload([spans()[0] | {"kind": "SPAN_KIND_CLIENT"}]), "integer"),
        (payload([spans()[0] | {"traceId": "CvdlGRbNQ92ESOshHIAxnA=="}]), "hexadecimal"),
        (payload([spans()[0] | {"status": []}]), "status"),
        (payload([spans()[0] | {"attributes": 7}]), "not OTLP"),
    ],
    ids=["list", "null", "nulls", "twice", "nan", "deep", "enum", "base64", "status", "attributes"],
)
def test_what_is_no_otlp_is_refused(text: bytes, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_otlp_json(text)


def test_verdicts_are_events_below_the_span_they_judge() -> None:
    logs = pytest.importorskip("opentelemetry.sdk._logs")
    export = pytest.importorskip("opentelemetry.sdk._logs.export")
    kept, provider = export.InMemoryLogRecordExporter(), logs.LoggerProvider()
    provider.add_log_record_processor(export.SimpleLogRecordProcessor(kept))
    logger = provider.get_logger("tests")
    assert emit_evaluation_events(scored(trace()), logger) == 4
    assert emit_evaluation_events(scored(trace(complete=False)), logger, include_explanations=True) == 4
    found = [one.log_record for one in kept.get_finished_logs()]
    assert {(one.trace_id, one.span_id) for one in found} == {(int(TRACE, 16), int(ROOT, 16))}
    first, open_one = found[1].attributes, found[6].attributes
    assert (first["gen_ai.evaluation.name"], first["gen_ai.evaluation.score.value"]) == ("exact_match", 1.0)
    assert "gen_ai.evaluation.explanation" not in first
    assert open_one["gen_ai.evaluation.score.label"] == "unmeasured"
    assert "gen_ai.evaluation.score.value" not in open_one
    assert "gen_ai.evaluation.explanation" in open_one
    plain = EvalSuite("s").add_case(EvalCase("q", "a")).add_evaluator(ExactMatch()).run(lambda q: "b", verbose=False)
    assert emit_evaluation_events(plain, logger) == 2
    last = kept.get_finished_logs()[-1].log_record
    assert (last.trace_id or 0, last.attributes["gen_ai.evaluation.score.label"]) == (0, "fail")
    plain.case_results[0].trials = ()
    with pytest.raises(ValueError, match="intact"):
        emit_evaluation_events(plain, logger)
    provider.shutdown()
