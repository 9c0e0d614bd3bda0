"""The `output.json` of promptfoo: one result for each prompt, provider and test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ringtrue.dialects.fields import DEFAULT
from ringtrue.jsontext import json_text
from ringtrue.records import Case, Json, Output, Row, Score, Trial

VERDICT = "promptfoo"
"""What the verdict over all assertions of a test is called."""
_EXPECTING = (
    "equals", "iequals", "contains", "icontains", "contains-any", "icontains-any", "starts-with", "similar",
    "factuality", "model-graded-factuality", "levenshtein", "rouge-n", "bleu", "gleu", "meteor",
)  # fmt: skip
"""Assertions whose value is the expected answer, or a list of which any will do."""
_ERROR = 2
"""The failure reason of a result that has no answer to judge."""


def is_promptfoo_output(log: Json) -> bool:
    """Whether a value is an output of promptfoo."""
    results = log.get("results") if isinstance(log, Mapping) else None
    return isinstance(results, Mapping) and isinstance(results.get("results"), list)


def promptfoo_rows(log: Mapping[str, Json]) -> list[Row]:
    """The results as rows; a system is a provider with its prompt, where there are several prompts."""
    results = log["results"]["results"]
    systems = _system_names(results)
    name = str((log.get("config") or {}).get("description") or "promptfoo")
    asked: Counter[tuple[str, int]] = Counter()
    rows = []
    for one in results:
        system = systems[int(one["promptIdx"])]
        place = int(one["testIdx"])
        trial = Trial(_case(one, name, place), _output(one))
        rows.append(Row(trial, scores=_scores(one), position=place, system=system, repeat=asked[system, place]))
        asked[system, place] += 1
    return rows


def _system_names(results: Sequence[Mapping[str, Json]]) -> dict[int, str]:
    """The name of each column, which is a provider with a prompt; a number is that of the prompt, or of the column."""
    columns = {int(one["promptIdx"]): one for one in sorted(results, key=lambda one: int(one["promptIdx"]))}
    providers = {at: str(one["provider"].get("label") or one["provider"]["id"]) for at, one in columns.items()}
    prompts = {at: str(one.get("promptId") or (one.get("prompt") or {}).get("label")) for at, one in columns.items()}
    order = list(dict.fromkeys(prompts.values()))
    if len(columns) == 1:
        return providers
    named = {(providers[at], prompts[at]) for at in columns}
    if len(named) < len(columns):  # one provider twice, in settings that the log does not name
        return {at: f"{provider}, prompt {at + 1}" for at, provider in providers.items()}
    several = len(order) > 1
    return {at: f"{own}, prompt {order.index(prompts[at]) + 1}" if several else own for at, own in providers.items()}


def _case(one: Mapping[str, Json], dataset: str, place: int) -> Case:
    values = one.get("vars") or {}
    named = (one.get("testCase") or {}).get("description")
    return Case(
        id=str(named or place + 1),
        input=json_text(values),
        expected=DEFAULT.answers(values) or _expected(one),
        fields={**values, "dataset": dataset},
    )


def _expected(one: Mapping[str, Json]) -> tuple[str, ...] | None:
    """Return the answer that a test expects: the value of the one assertion that names it; None if two do."""
    asserted = (one.get("testCase") or {}).get("assert") or ()
    named = [own.get("value") for own in asserted if own.get("type") in _EXPECTING]
    if len(named) != 1:
        return None
    texts = named[0] if isinstance(named[0], list) else [named[0]]
    if not all(isinstance(text, (str, int, float)) for text in texts):
        return None
    plain = tuple(map(str, texts))
    return None if any("{{" in text or text.startswith("file://") for text in plain) else plain


def _output(one: Mapping[str, Json]) -> Output:
    response = one.get("response") or {}
    said, broken = response.get("output"), one.get("failureReason") == _ERROR or not one.get("response")
    usage, latency = response.get("tokenUsage") or {}, one.get("latencyMs")
    return Output(
        text=said if isinstance(said, str) else "" if said is None else json_text(said),
        problem=str(one.get("error") or "no answer") if broken else "",
        error="model_error" if broken else "",
        latency_seconds=None if latency is None or response.get("cached") else latency / 1_000,
        input_tokens=usage.get("prompt"),
        output_tokens=usage.get("completion"),
        cost=one.get("cost"),
    )


def _scores(one: Mapping[str, Json]) -> dict[str, Score]:
    """The verdict of the test first, then each assertion by its type; equal ones are numbered."""
    graded = one.get("gradingResult")
    if one.get("failureReason") == _ERROR or not graded:
        return {VERDICT: Score.error(str(one.get("error") or "promptfoo gave no verdict"))}
    scores = {VERDICT: _score(graded)}
    seen: Counter[str] = Counter()
    for part in graded.get("componentResults") or ():
        kind = str((part.get("assertion") or {}).get("type") or "assertion")
        seen[kind] += 1
        scores[kind if seen[kind] == 1 else f"{kind}-{seen[kind]}"] = _score(part)
    return scores


def _score(given: Mapping[str, Json]) -> Score:
    value = float(given.get("score") or 0.0)
    if not 0 <= value <= 1:
        return Score.skipped(f"promptfoo scored {value!r}, which is not a number in [0, 1]")
    return Score(value, passed=bool(given["pass"]), reason=str(given.get("reason") or ""))
