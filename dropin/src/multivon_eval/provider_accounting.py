"""`account_provider_events`: what captured requests took, and what of it is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import fsum
from typing import TYPE_CHECKING, Any, TypeAlias

from multivon_eval.costs import WHOLE_RUN, Costs, ProviderUsage
from multivon_eval.provider_evidence import require_event
from ringtrue.evaluators.check import is_number

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

Event: TypeAlias = dict[str, Any]
Estimator: TypeAlias = Callable[[Event, Event], Mapping[str, Any]]
_SCHEMA = "multivon.provider-accounting/v1"
_LIMITS = "what was observed of the providers' interfaces, without taxes, discounts and machines of one's own"
# What is sent and what is received, by provider: fields that are added up, the optional ones after the first.
_FIELDS: dict[str, list[tuple[tuple[str, ...], tuple[str, ...], str]]] = {
    "anthropic": [(("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"), ("output_tokens",), "")],
    "openai": [
        (("prompt_tokens",), ("completion_tokens",), "total_tokens"),
        (("input_tokens",), ("output_tokens",), "total_tokens"),
    ],
    "google": [
        (
            ("promptTokenCount", "toolUsePromptTokenCount"),
            ("candidatesTokenCount", "thoughtsTokenCount"),
            "totalTokenCount",
        )
    ],
}


def provider_events(report: EvalReport) -> list[Event]:
    """The events that a report and its trials hold, each once."""
    bundles = [report.provider_evidence, *_evidence(report)]
    return _unique(event for bundle in bundles if bundle is not None for event in bundle["events"])


def _evidence(report: EvalReport) -> list[Any]:
    return [trial.data.get("provider_evidence") for case in report.case_results for trial in case.trials]


def native_tokens(provider: str, usage: Any) -> tuple[int, int]:
    """Tokens sent and received, from what a provider says in its own words; what is missing is a ValueError."""
    if provider not in _FIELDS or not isinstance(usage, dict):
        raise ValueError(f"what {provider!r} says of tokens is missing or unknown")
    ways = [*_FIELDS[provider], *_FIELDS["openai"]]  # every one of them answers OpenAI's interface, too
    sent, received, total = next((way for way in ways if way[0][0] in usage), ways[0])
    both = tuple(
        _count(usage, names[0]) + sum(_count(usage, name) for name in names[1:] if name in usage)
        for names in (sent, received)
    )
    if total in usage and _count(usage, total) != sum(both):
        raise ValueError(f"{total} is inconsistent with its parts")
    return both[0], both[1]


def _count(usage: Mapping[str, Any], name: str) -> int:
    value = usage.get(name)
    if type(value) is not int or value < 0:
        raise ValueError(f"{name} is missing, or no count")
    return value


def account_provider_events(
    events: Iterable[Mapping[str, Any]],
    *,
    price_estimator: Estimator | None = None,
    coverage_declaration: str | None = None,
) -> Costs:
    """The costs of captured requests; complete where somebody says that these are all and nothing is missing in them.

    `price_estimator` makes `{"cost_usd": ..., "provenance": {...}}` of a request and its response.
    """
    found = _unique(events)
    asked = {one["request_id"]: one for one in found if one["kind"] == "http_request"}
    answered = {one["request_id"]: one for one in found if one["kind"] == "http_response"}
    rows = [_row(name, one, answered.get(name), price_estimator) for name, one in asked.items()]
    gaps = [
        *_gaps(found, asked, answered),
        *(f"request {row['request_id']}: {why}" for row in rows for why in row["issues"]),
    ]
    evidence = {
        "schema": _SCHEMA,
        "event_digests": [one["digest"] for one in found],
        "requests": rows,
        "limits": _LIMITS,
    }
    return Costs(_by_model(rows), WHOLE_RUN, coverage_declaration, gaps, evidence)


def _unique(events: Iterable[Mapping[str, Any]]) -> list[Event]:
    found: dict[str, Event] = {}
    for event in map(require_event, events):
        if found.setdefault(event["event_id"], event) != event:
            raise ValueError("two provider events have one name")
    return list(found.values())


def _gaps(events: list[Event], asked: Mapping[str, Event], answered: Mapping[str, Event]) -> list[str]:
    if not events:
        return ["no events were given"]
    named: dict[str, set[Any]] = {}
    for one in events:
        named.setdefault(one["kind"], set()).add(
            one["capture_id"] if "capture" in one["kind"] else one.get("operation_id")
        )
    captures, operations = {one["capture_id"] for one in events}, {one.get("operation_id") for one in asked.values()}
    started, ended = named.get("operation_started", set()), named.get("operation_finished", set())
    told = [
        ("capture {} has no start", captures - named.get("capture_started", set())),
        ("capture {} has no closure", captures - named.get("capture_finished", set())),
        ("the response to {} has no request", set(answered) - set(asked)),
        ("operation {} has no start", operations - {None} - started),
        ("operation {} has no observed request", started - operations),
        ("operation {} has no closure", started - ended),
    ]
    return [words.format(name) for words, names in told for name in sorted(names)]


def _row(name: str, asked: Event, answer: Event | None, estimator: Estimator | None) -> dict[str, Any]:
    sent = (asked["request"].get("body") or {}).get("value")
    model = sent.get("model") if isinstance(sent, dict) else None
    row: dict[str, Any] = {
        "request_id": name,
        "request_event": asked["digest"],
        "provider": asked["provider"],
        "model": model or asked["model"],
        "role": asked["role"],
        "input_tokens": None,
        "output_tokens": None,
        "cost_usd": None,
        "pricing": None,
        "issues": [],
    }
    if answer is None:
        return {**row, "issues": ["no whole response: whether it was charged is unknown"]}
    native = answer["response"]
    issues = [gap for gap in (asked["request"]["capture_gap"], native["capture_gap"]) if gap]
    if any(answer[part] != asked[part] for part in ("operation_id", "capture_id")):
        issues.append("the response belongs to another call")
    if not 200 <= native["status_code"] < 300:
        issues.append(f"answered {native['status_code']}: whether it was charged is unknown")
    row |= {"response_event": answer["digest"], "status_code": native["status_code"], "usage": native["usage"]}
    try:
        row["input_tokens"], row["output_tokens"] = native_tokens(asked["provider"], native["usage"])
    except ValueError as error:
        issues.append(str(error))
    row["issues"] = issues
    return row if issues or estimator is None else _priced(row, estimator, asked, answer)


def _priced(row: dict[str, Any], estimator: Estimator, asked: Event, answer: Event) -> dict[str, Any]:
    try:
        estimate = estimator(dict(asked), dict(answer))
        amount, source = estimate["cost_usd"], estimate["provenance"]
        number = is_number(amount) and amount >= 0
        if not number or not isinstance(source, Mapping) or not source:
            raise ValueError(
                "an estimate has cost_usd, a number of dollars, and provenance, which says whose price it is"
            )
    except Exception as error:  # an estimator is somebody's code; without it the tokens are still known
        return {**row, "pricing_error": f"{type(error).__name__}: {error}"}
    return {**row, "cost_usd": amount, "pricing": dict(source)}


def _by_model(rows: list[dict[str, Any]]) -> list[ProviderUsage]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["provider"], row["model"]), []).append(row)
    usages = []
    for (provider, model), own in sorted(found.items()):
        costs = [row["cost_usd"] for row in own]
        sent, received = (sum(row[name] or 0 for row in own) for name in ("input_tokens", "output_tokens"))
        usages.append(ProviderUsage(provider, model, sent, received, len(own), None if None in costs else fsum(costs)))
    return usages
