"""`summarize_traces`: what traces hold, and the same traces without what should not leave the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from multivon_eval._pii_scan import Detection, redact, summarize

__all__ = ["PIIPolicy", "ProductShape", "TraceSummary", "infer_product_shape", "summarize_traces"]

ProductShape = Literal[
    "rag", "qa", "agent", "trajectory", "conversation", "multimodal", "structured_output", "bare"
]  # fmt: skip
PIIPolicy = Literal["redact", "strict", "allow"]

# A product is the first of these whose field more than so many percent of the traces have.
_SHAPES: tuple[tuple[ProductShape, str, float], ...] = (
    ("conversation", "has_conversation_pct", 30),
    ("agent", "has_expected_tool_calls_pct", 20),
    ("multimodal", "has_images_pct", 20),
    ("structured_output", "has_schema_pct", 20),
    ("rag", "has_context_pct", 40),
    ("qa", "has_input_pct", 0),
)
_HELD = ("input", "output", "context", "expected_output", "expected_tool_calls", "conversation")


@dataclass
class TraceSummary:
    """How many traces there are, what percentage of them has each field, and what was found in them by label."""

    count: int
    has_input_pct: float
    has_output_pct: float
    has_context_pct: float
    has_expected_output_pct: float
    has_expected_tool_calls_pct: float
    has_conversation_pct: float
    has_images_pct: float
    has_schema_pct: float
    avg_input_chars: int
    avg_output_chars: int
    pii_label_counts: dict[str, int] = field(default_factory=dict)


def summarize_traces(
    traces: Sequence[Mapping[str, Any]], *, pii_policy: PIIPolicy = "redact"
) -> tuple[TraceSummary, list[dict[str, Any]]]:
    """The summary of traces, and the traces as they may be shown to a judge.

    `redact` hides personal data and keys in every text of a trace, `strict` is a ValueError where there are any, and
    `allow` counts them and leaves them.
    """
    if pii_policy not in get_args(PIIPolicy):
        raise ValueError(f"pii_policy is one of {', '.join(get_args(PIIPolicy))}; got {pii_policy!r}")
    found: list[list[Detection]] = []
    shown = []
    for place, trace in enumerate(traces, 1):
        here: list[Detection] = []
        hidden = _hidden(dict(trace), here)
        if here and pii_policy == "strict":
            told = ", ".join(summarize([here]))
            raise ValueError(f"strict-pii: trace {place} has {told}; take them out, or redact with pii_policy='redact'")
        found.append(here)
        shown.append(dict(trace) if pii_policy == "allow" else hidden)
    count = max(1, len(traces))
    abouts = [metadata if isinstance(metadata := trace.get("metadata"), Mapping) else {} for trace in traces]
    held = {name: [trace.get(name) for trace in traces] for name in _HELD}
    held["images"] = [about.get("image_url") or about.get("images") for about in abouts]
    held["schema"] = [about.get("schema") for about in abouts]
    shares = {f"has_{name}_pct": 100 * sum(map(bool, values)) / count for name, values in held.items()}
    sizes = [sum(len(str(trace.get(name) or "")) for trace in traces) // count for name in ("input", "output")]
    summary = TraceSummary(
        len(traces), **shares, avg_input_chars=sizes[0], avg_output_chars=sizes[1], pii_label_counts=summarize(found)
    )
    return summary, shown


def _hidden(value: Any, found: list[Detection]) -> Any:
    """A value with what is found in its texts hidden, and put into a list."""
    if isinstance(value, str):
        text, here = redact(value)
        found += here
        return text
    if isinstance(value, Mapping):
        return {name: _hidden(item, found) for name, item in value.items()}
    return [_hidden(item, found) for item in value] if isinstance(value, list) else value


def infer_product_shape(summary: TraceSummary) -> ProductShape:
    """What the traces are of, by what most of them hold."""
    return next((shape for shape, name, least in _SHAPES if getattr(summary, name) > least), "bare")
