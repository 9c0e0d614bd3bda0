"""`assess_input`: whether traces, a document or cases are enough to work with; it warns, and never refuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_gates import gate_well_formed
from ringtrue.authoring.case_gates import distinct_share
from ringtrue.evaluators.personal_data import PersonalData

__all__ = ["InputQualityReport", "SignalFinding", "assess_input"]

CALIBRATION_MIN_TRACES = 20
"""With fewer traces, a threshold that is found on them may be chance."""
_NEAR_DUP_SAMPLE_CAP = 400
_OUTPUTS, _CONTEXTS, _DISTINCT, _WELL_FORMED = 0.8, 0.5, 0.7, 0.8
_CHARS = 200
_BLIND_SPOTS = ("semantic correctness of labels", "factual accuracy of source")
_SIGNALS = {
    "bootstrap": ("trace_count", "field_completeness", "near_duplicate_ratio", "pii_secret_density"),
    "generate": ("document_length", "near_duplicate_ratio", "pii_secret_density"),
    "cases": ("case_count", "well_formed_rate"),
}


@dataclass
class SignalFinding:
    """One signal: what was measured, what would be enough, and what follows."""

    signal: str
    state: str
    tier: str
    measured: str
    threshold: str
    message: str


@dataclass
class InputQualityReport:
    """The signals of an input; `verdict` is PROCEED or WARN."""

    verdict: str
    kind: str
    findings: list[SignalFinding]
    measurable_total: int
    blind_spots: list[str] = field(default_factory=lambda: list(_BLIND_SPOTS))

    @property
    def flagged(self) -> list[SignalFinding]:
        """The signals that warn."""
        return [finding for finding in self.findings if finding.tier == "warn"]

    def render_text(self) -> str:
        """What warns, and what nobody looked at; nothing where all is well."""
        if self.verdict == "PROCEED":
            return ""
        lines = [f"input quality: WARN: {len(self.flagged)} of {self.measurable_total} signals flagged"]
        lines += [f"  {each.signal}={each.measured} ({each.threshold}): {each.message}" for each in self.flagged]
        return "\n".join([*lines, f"  not checked: {', '.join(self.blind_spots)}"])


def assess_input(
    source: Any = None,
    kind: str = "bootstrap",
    *,
    traces: Sequence[Mapping[str, Any]] | None = None,
    document: str | None = None,
    cases: Sequence[Any] | None = None,
    pii_policy: str = "redact",
) -> InputQualityReport:
    """What speaks against working with an input: traces (`bootstrap`), a document (`generate`) or `cases`.

    `source` stands for the one that belongs to the kind.
    """
    if kind not in _SIGNALS:
        raise ValueError(f"kind is one of {', '.join(_SIGNALS)}; got {kind!r}")
    if kind == "bootstrap":
        rows = list(traces if traces is not None else source or ())
        texts = [" ".join(str(row.get(name) or "") for name in ("input", "output", "context")) for row in rows]
        inputs = [str(row.get("input") or "") for row in rows]
        findings = [_traces(len(rows)), _fields(rows), _distinct(inputs), _personal(texts)]
    elif kind == "generate":
        text = document if document is not None else source or ""
        paragraphs = [part for part in text.split("\n\n") if part.strip()]
        findings = [_document(text), _distinct(paragraphs), _personal([text])]
    else:
        given = list(cases if cases is not None else source or ())
        findings = [_cases(len(given)), _well_formed(given)]
    verdict = "WARN" if any(finding.tier == "warn" for finding in findings) else "PROCEED"
    return InputQualityReport(verdict, kind, findings, len(_SIGNALS[kind]))


def _found(signal: str, enough: bool, measured: str, threshold: str, message: str) -> SignalFinding:
    return SignalFinding(signal, "MEASURED", "ok" if enough else "warn", measured, threshold, message)


def _skipped(signal: str) -> SignalFinding:
    return SignalFinding(signal, "SKIPPED", "ok", "-", "-", "not measured for this kind of input")


def _traces(count: int) -> SignalFinding:
    if not count:
        return _found("trace_count", False, "0 rows", "> 0", "no traces: nothing to bootstrap")
    enough = count >= CALIBRATION_MIN_TRACES
    message = (
        "enough traces" if enough else f"{count} traces are below {CALIBRATION_MIN_TRACES}: thresholds may be chance"
    )
    return _found("trace_count", enough, f"{count} rows", f">= {CALIBRATION_MIN_TRACES}", message)


def _fields(rows: Sequence[Mapping[str, Any]]) -> SignalFinding:
    names = ("input", "output", "context")
    shares = {name: _share([str(row.get(name) or "").strip() != "" for row in rows]) for name in names}
    measured = " ".join(f"{name}={share:.2f}" for name, share in shares.items())
    needed = f"output >= {_OUTPUTS}"
    if not shares["output"]:
        message = "no trace has an output: calibration has an early-return, and thresholds stay UNCALIBRATED"
        return _found("field_completeness", False, measured, needed, message)
    if shares["output"] < _OUTPUTS:
        message = f"{shares['output']:.0%} of traces have an output: thresholds rest on few"
        return _found("field_completeness", False, measured, needed, message)
    if any("context" in row for row in rows) and shares["context"] < _CONTEXTS:
        message = f"{shares['context']:.0%} of traces have a context: checks that need it measure few"
        return _found("field_completeness", False, measured, f"context >= {_CONTEXTS}", message)
    return _found("field_completeness", True, measured, needed, "the fields are there")


def _distinct(texts: Sequence[str]) -> SignalFinding:
    share, seen = _unique_fraction(texts)
    measured = f"{share:.2f} unique" + (f" (sampled {seen})" if seen < len(texts) else "")
    enough = share >= _DISTINCT
    message = "the inputs differ" if enough else f"{share:.0%} of inputs are distinct: the rest adds little"
    return _found("near_duplicate_ratio", enough, measured, f">= {_DISTINCT}", message)


def _unique_fraction(texts: Sequence[str]) -> tuple[float, int]:
    share, seen = distinct_share(texts, _NEAR_DUP_SAMPLE_CAP)
    return 1.0 if share is None else share, seen


def _personal(texts: Sequence[str]) -> SignalFinding:
    search = PersonalData()
    counts: dict[str, int] = {}
    for text in texts:
        for found in search.findings(text[: search.max_chars]):
            counts[found.kind] = counts.get(found.kind, 0) + 1
    measured = f"{sum(counts.values()) / max(1, len(texts)):.2f}/item"
    told = ", ".join(f"{kind}={count}" for kind, count in sorted(counts.items()))
    message = f"personal data ({told}): expected where that is what is tested" if counts else "no personal data"
    return _found("pii_secret_density", not counts, measured, "neutral", message)


def _document(text: str) -> SignalFinding:
    count = len(text.strip())
    message = (
        "the document is long enough" if count >= _CHARS else "the document is short: little can be asked about it"
    )
    message = message if count else "the document is empty"
    return _found("document_length", count >= _CHARS, f"{count} chars", f">= {_CHARS}", message)


def _cases(count: int) -> SignalFinding:
    return _found(
        "case_count", count > 0, f"{count} cases", "> 0", "there are cases" if count else "there are no cases"
    )


def _well_formed(cases: Sequence[Any]) -> SignalFinding:
    share = _share([gate_well_formed(_case(case)).passed for case in cases])
    message = "the cases can be scored" if share >= _WELL_FORMED else f"{share:.0%} of cases have input and expectation"
    return _found("well_formed_rate", share >= _WELL_FORMED, f"{share:.2f}", f">= {_WELL_FORMED}", message)


def _case(given: Any) -> EvalCase:
    if not isinstance(given, Mapping):
        return EvalCase(given.input, given.expected_output, metadata=given.metadata or {})
    return EvalCase(given.get("input") or "", given.get("expected_output"), metadata=given.get("metadata") or {})


def _share(held: Sequence[bool]) -> float:
    return sum(held) / len(held) if held else 0.0
