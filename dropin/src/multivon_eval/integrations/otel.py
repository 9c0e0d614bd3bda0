"""OpenTelemetry: a recorded trace as the answer of a case, checked without asking anybody again.

The bytes that were exported stay with the trial. What they leave open, such as dropped attributes or tools that may not
have been recorded, is said, and is never read as nothing having happened.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ringtrue.reports.canonical import canonical_json, is_sealed, sealed
from ringtrue.scoring.json_values.strict_json import read_json

from multivon_eval.case import AgentStep, EvalCase, ToolCall
from multivon_eval.case_result import CaseResult
from multivon_eval.integrations.otel_json import hex_bytes, parse_otlp_json
from multivon_eval.report import EvalReport
from multivon_eval.trials import attach_trial, capture_case
from multivon_eval.values import required

if TYPE_CHECKING:
    from multivon_eval.suite import EvalSuite

__all__ = ["GENAI_CONVENTIONS_REVISION", "GENAI_PROFILE", "OtelTrace", "score_otel_trace"]

GENAI_CONVENTIONS_REVISION = "c88d504ab3d9879f8e50d3cc87e69775e11db234"
GENAI_PROFILE = "otel-genai-development-2026-09-17"
"""The names of attributes that are read: OpenTelemetry's for generative AI, as they were at that revision."""
SCHEMA = "multivon.otel-evidence/v1"
ENCODINGS = ("protobuf", "json")
_ERROR = 2
_LIMITS = (
    "that a trace is complete and true is taken at the word of whoever recorded it",
    "steps tell texts and tools alone; times, usage, media and errors are in the spans",
)


class Seen(NamedTuple):
    """A span with what stands around it."""

    span: Any
    resource: Any
    scope: Any
    schema_urls: tuple[str, ...]


@dataclass(frozen=True)
class OtelTrace:
    """Exported OTLP requests, and which span in them is the call that is to be checked.

    `tool_coverage_complete` is the caller's word that every call of a tool is in there.
    """

    payloads: tuple[bytes, ...]
    trace_id: str
    root_span_id: str
    profile: str
    tool_coverage_complete: bool = False
    encoding: str = "protobuf"

    def __post_init__(self) -> None:
        object.__setattr__(self, "payloads", tuple(self.payloads))
        if self.profile != GENAI_PROFILE:
            raise ValueError(f"the profile {self.profile!r} is not known; it is {GENAI_PROFILE!r}")
        if self.encoding not in ENCODINGS:
            raise ValueError(f"encoding is one of {', '.join(ENCODINGS)}; got {self.encoding!r}")
        if not isinstance(self.tool_coverage_complete, bool):
            raise ValueError(f"tool_coverage_complete is True or False; got {self.tool_coverage_complete!r}")
        if not self.payloads or not all(isinstance(payload, bytes) for payload in self.payloads):
            raise ValueError("payloads are the bytes of OTLP requests, one or more")
        for name, size in (("trace_id", 16), ("root_span_id", 8)):
            object.__setattr__(self, name, hex_bytes(getattr(self, name), size, name).hex())
        self.selected()

    def selected(self) -> tuple[list[Seen], list[str]]:
        """The root span and all below it, as they began, and what is missing or doubtful about them."""
        spans = self._spans()
        if self.root_span_id not in spans:
            raise ValueError(f"the trace {self.trace_id} has no span {self.root_span_id}")
        tops = {name: _top(name, spans, self.root_span_id) for name in spans}
        inside = [spans[name] for name, top in tops.items() if top == self.root_span_id]
        root = spans[self.root_span_id].span
        # A caller that is not in the export may have called others too; any other gap may hide a part of this call.
        beyond = _top(root.parent_span_id.hex(), spans) if root.parent_span_id else None
        lost = {top for top in tops.values() if top not in spans} - {beyond}
        issues = {"Disconnected spans: their parent was not exported, and may belong to this call"} if lost else set()
        for seen in inside:
            issues |= set(_doubts(seen, root))
        inside.sort(key=lambda seen: (seen.span.start_time_unix_nano, seen.span.span_id))
        return inside, sorted(issues)

    def to_dict(self) -> dict[str, Any]:
        """The trace as plain values, under a digest."""
        about = {name: getattr(self, name) for name in _FIELDS}
        texts = [base64.b64encode(payload).decode("ascii") for payload in self.payloads]
        hashes = [hashlib.sha256(payload).hexdigest() for payload in self.payloads]
        whole = {"schema": SCHEMA, "conventions_revision": GENAI_CONVENTIONS_REVISION, **about}
        return sealed({**whole, "payloads_base64": texts, "payloads_sha256": hashes})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> OtelTrace:
        """The trace that plain values describe, if nothing of them was changed."""
        if not is_sealed(dict(data)):
            raise ValueError("the record of the trace was changed: its digest is not that of what it says")
        payloads = tuple(base64.b64decode(text, validate=True) for text in data["payloads_base64"])
        made = cls(payloads, **{name: data[name] for name in _FIELDS})
        if canonical_json(made.to_dict()) != canonical_json(dict(data)):
            raise ValueError("the record of the trace was changed: it is not what its payloads say")
        return made

    def _spans(self) -> dict[str, Seen]:
        """The spans of the trace by id; an export may repeat one, and may not contradict itself."""
        found: dict[str, Seen] = {}
        wanted = bytes.fromhex(self.trace_id)
        for seen in (seen for payload in self.payloads for seen in _exported(payload, self.encoding)):
            if seen.span.trace_id != wanted:
                continue
            name = hex_bytes(seen.span.span_id.hex(), 8, "spanId").hex()
            if name in found and found[name] != seen:
                raise ValueError(f"Conflicting exports of the span {name}")
            found[name] = seen
        return found


_FIELDS = ("trace_id", "root_span_id", "profile", "tool_coverage_complete", "encoding")


def score_otel_trace(
    suite: EvalSuite, trace: OtelTrace, case: EvalCase, *, output_span_id: str | None = None
) -> EvalReport:
    """The checks of a suite on what a trace says was answered to a case.

    The input is the last message of the user in the root span, and must be that of the case. The output is the last
    message of the assistant there, or in the span below it that is named; where it is not there, nothing is measured.
    """
    inside, issues = trace.selected()
    by_id = {seen.span.span_id.hex(): seen.span for seen in inside}
    root = by_id[trace.root_span_id]
    name = trace.root_span_id if output_span_id is None else hex_bytes(output_span_id, 8, "output_span_id").hex()
    if name not in by_id:
        raise ValueError(f"the span {name} lies outside of the call {trace.root_span_id}")
    if _said(root, "gen_ai.input.messages", "user") != case.input:
        raise ValueError("the input of the trace is not that of the case")
    try:
        output = _said(by_id[name], "gen_ai.output.messages", "assistant")
    except ValueError as error:
        output, issues = None, [*issues, str(error)]
    steps, doubts = _steps(inside)
    issues = sorted({*issues, *doubts})
    observed = replace(case, agent_trace=steps if trace.tool_coverage_complete and not issues else None)
    if not trace.tool_coverage_complete:
        issues.append("whether every call of a tool was recorded is not known: tool_coverage_complete is not set")
    report, late = _checked(suite, observed, output, root, by_id[name])
    upstream = {
        "format": f"otlp/{trace.encoding}",
        "evidence": trace.to_dict(),
        "output_span_id": name,
        "schema_urls": sorted({url for seen in inside for url in seen.schema_urls if url}),
    }
    (result,) = report.case_results
    execution = result.trials[0].data["execution"] if result.trials else None
    about: dict[str, Any] = {"upstream": upstream, "gaps": [*issues, *_LIMITS], "execution": execution}
    seen_case = capture_case(observed)
    attach_trial(result, capture_case(case), origin="otel", evaluation_snapshot=seen_case, latency_known=late, **about)
    if not result.trials:
        raise ValueError(f"the case, or what the trace says of it, is no JSON: {result.evidence_error}")
    report.evidence_issues = sorted({*report.evidence_issues, *issues})
    return report


def _checked(suite: EvalSuite, case: EvalCase, output: str | None, root: Any, said: Any) -> tuple[EvalReport, bool]:
    """The report of an output, and whether its latency is known; none of a call that failed or said nothing."""
    late = (root.end_time_unix_nano - root.start_time_unix_nano) / 1e6 if _timed(root) else None
    failed = any(_failed(span) for span in (root, said))
    if output is not None and not failed:
        return suite.run_on_cases([(case, output)], latencies_ms=[late], verbose=False), late is not None
    result = CaseResult(case.input, output or "", [], late or 0.0, list(case.tags), agent_trace=case.agent_trace)
    if failed:
        result.model_error = "the trace says that the call failed"
    else:
        result.skipped = True
    return EvalReport(suite.name, [result], suite.model_id), late is not None


def _exported(payload: bytes, encoding: str) -> Iterator[Seen]:
    for resource in _request(payload, encoding).resource_spans:
        for scope in resource.scope_spans:
            urls = (resource.schema_url, scope.schema_url)
            yield from (Seen(span, resource.resource, scope.scope, urls) for span in scope.spans)


def _request(payload: bytes, encoding: str) -> Any:
    if encoding == "json":
        return parse_otlp_json(payload)
    service = required("opentelemetry.proto.collector.trace.v1.trace_service_pb2", "OTLP", "opentelemetry-proto")
    errors = required("google.protobuf.message", "OTLP", "opentelemetry-proto")
    try:
        return service.ExportTraceServiceRequest.FromString(payload)
    except errors.DecodeError as error:
        raise ValueError(f"a payload is no OTLP request: {error}") from error


def _top(name: str, spans: Mapping[str, Seen], root: str | None = None) -> str:
    """The root, or else the last ancestor that is known of: one without a parent, or one that was not exported."""
    passed = set()
    while name != root and name in spans:
        if name in passed:
            raise ValueError(f"Cyclic parents of the span {name}")
        passed.add(name)
        parent = spans[name].span.parent_span_id.hex()
        if not parent:
            return name
        name = parent
    return name


def _doubts(seen: Seen, root: Any) -> Iterator[str]:
    span = seen.span
    parts = (span, seen.resource, seen.scope, *span.events, *span.links)
    if any(getattr(part, f"dropped_{kind}_count", 0) for part in parts for kind in ("attributes", "events", "links")):
        yield "attributes, events or links were dropped before the export"
    if not _timed(span):
        yield "a span has no time, or ends before it starts"
    elif span.start_time_unix_nano < root.start_time_unix_nano or span.end_time_unix_nano > root.end_time_unix_nano:
        yield "a span reaches beyond the call that it belongs to"


def _timed(span: Any) -> bool:
    return bool(0 < span.start_time_unix_nano <= span.end_time_unix_nano)


def _failed(span: Any) -> bool:
    return span.status.code == _ERROR or bool(_attributes(span).get("error.type"))


def _attributes(span: Any) -> dict[str, Any]:
    return {item.key: _value(item.value) for item in span.attributes}


def _value(value: Any) -> Any:
    """A value of an attribute in plain values."""
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(item) for item in value.array_value.values]
    if kind == "kvlist_value":
        return {item.key: _value(item.value) for item in value.kvlist_value.values}
    found = None if kind is None else getattr(value, kind)
    return base64.b64encode(found).decode("ascii") if isinstance(found, bytes) else found


def _structured(value: Any) -> Any:
    """A structure, which some exporters write as JSON; other text is itself."""
    reading = read_json(value) if isinstance(value, str) else None
    return value if reading is None or reading.problem else reading.value


def _said(span: Any, attribute: str, role: str) -> str:
    """The text of the last message of a role."""
    messages = _structured(_attributes(span).get(attribute))
    spoken = [one for one in messages if _is(one, role=role)] if isinstance(messages, list) else []
    if not spoken or spoken[-1] is not messages[-1]:
        raise ValueError(f"{attribute} does not end with an input or output of the {role}: it may be redacted")
    parts = spoken[-1].get("parts")
    texts = [part.get("content") for part in parts if _is(part, type="text")] if isinstance(parts, list) else []
    if not texts or len(texts) != len(parts) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"the last input or output of the {role} in {attribute} is not text alone")
    return "".join(texts)


def _is(value: Any, **fields: str) -> bool:
    return isinstance(value, dict) and all(value.get(name) == wanted for name, wanted in fields.items())


def _steps(inside: Sequence[Seen]) -> tuple[list[AgentStep], list[str]]:
    """The calls of tools, one step each, and why they may not be what was done."""
    steps, issues, end = list[AgentStep](), list[str](), 0
    for seen in inside:
        told = _attributes(seen.span)
        if told.get("gen_ai.operation.name") != "execute_tool" and told.get("mcp.method.name") != "tools/call":
            continue
        name, given = told.get("gen_ai.tool.name"), _structured(told.get("gen_ai.tool.call.arguments"))
        if not isinstance(name, str) or not name or not isinstance(given, dict):
            issues.append("the name or the arguments of a tool's call were not recorded")
            continue
        if "gen_ai.tool.call.result" not in told:
            issues.append("the result of a tool's call was not recorded")
        if _failed(seen.span):
            issues.append("a tool's call failed, which a step cannot say")
        if seen.span.start_time_unix_nano < end:
            issues.append("calls of tools overlap, so that their order is not known")
        end = max(end, seen.span.end_time_unix_nano)
        steps.append(AgentStep(tool_calls=[ToolCall(name, given, _structured(told.get("gen_ai.tool.call.result")))]))
    return steps, issues
