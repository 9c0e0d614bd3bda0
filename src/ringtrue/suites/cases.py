"""The cases of a suite, as a caller gives them and as the runner knows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ringtrue.dialects.coercion import output_text, seconds
from ringtrue.dialects.fields import Fields
from ringtrue.dialects.suite import AnyCase, case_of, is_case
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.by_case import Id
from ringtrue.records import Case, Output
from ringtrue.require import require_count
from ringtrue.suites.plan import WeightedCheck

FIELDS = Fields(blank_is_missing=True)
"""Reads cases that are dicts."""
Entries = list[tuple[Case, tuple[WeightedCheck, ...]]]


def records(given: Sequence[tuple[AnyCase, tuple[WeightedCheck, ...]]], *, repeated: bool = False) -> Entries:
    """Each case as a record, with its own checks; a case without an id is named by its place, as in `#3`."""
    entries: Entries = []
    known: set[Id] = set()
    for number, (case, checks) in enumerate(given, 1):
        record = _record(case, f"#{number}")
        if repeated and record.id in known:
            record = replace(record, id=f"{record.id} #{number}")
        if record.id in known:
            raise ConfigurationError(
                f"two cases of the suite have the id {record.id!r}", parameter="case_id", value=record.id
            )
        known.add(record.id)
        entries.append((record, checks))
    return entries


def _record(case: AnyCase, id: str) -> Case:
    if isinstance(case, Mapping):
        record = FIELDS.question(case, 0)
        tags = case.get("tags") or ()
        named = FIELDS.columns(case).id is not None
        record = replace(record, id=record.id if named else "", tags=tuple(map(str, tags)))
    else:
        record = case_of(case)
    return record if record.id != "" else replace(record, id=id)


def select(entries: Entries, tags: Sequence[str] | None, case_ids: Sequence[Id] | None, limit: int | None) -> Entries:
    """At most `limit` cases with one of these tags and one of these ids; a tag or id that no case has is refused."""
    if limit is not None:
        require_count("limit", limit)
    for name, word, wanted, known in (
        ("tags", "tag", tags, {tag for case, _ in entries for tag in case.tags}),
        ("case_ids", "id", case_ids, {case.id for case, _ in entries}),
    ):
        unknown = [item for item in several(wanted or (), name) if item not in known]
        if unknown:
            listed = ", ".join(sorted(map(str, known))[:20])
            there = f"there are {listed}" if listed else f"no case has a {word}"
            raise ConfigurationError(f"no case has the {word} {unknown[0]!r}; {there}", parameter=name, value=unknown)
    found = [
        (case, checks)
        for case, checks in entries
        if (tags is None or set(tags) & set(case.tags)) and (case_ids is None or case.id in case_ids)
    ]
    return found[:limit]


def latencies_of(given: Sequence[float | None] | None, count: int) -> list[float | None]:
    """Latencies in seconds, one for each output."""
    latencies = [None] * count if given is None else list(given)
    if len(latencies) != count:
        raise ConfigurationError(
            f"{len(latencies)} latencies for {count} outputs", parameter="latencies_ms", value=given
        )
    for value in latencies:
        if value is not None and seconds(value) is None:
            raise ConfigurationError(
                f"a latency is a number of milliseconds, at least 0, or None; got {value!r}",
                parameter="latencies_ms",
                value=value,
            )
    return [seconds(value, per_second=1_000.0) for value in latencies]


def output_of(value: Any, latency_seconds: float | None) -> Output:
    """Turn what a caller passed as an output into a record."""
    if isinstance(value, Output):
        return value if latency_seconds is None else replace(value, latency_seconds=latency_seconds)
    text, problem = output_text(value)
    return Output(text, problem, latency_seconds=latency_seconds)


def require_case(case: Any) -> None:
    """Raise a ConfigurationError unless something is a case."""
    if not isinstance(case, Mapping) and not is_case(case):
        raise ConfigurationError(
            f"a case is an EvalCase, a dict or an object with input and expected_output; got {type(case).__name__}",
            parameter="case",
            value=case,
        )


def several(given: Iterable[Any], parameter: str) -> Iterable[Any]:
    """The items of a list; a single thing in its place is refused."""
    if isinstance(given, (str, Mapping)) or not isinstance(given, Iterable):
        raise ConfigurationError(f"{parameter} must be a list; got {given!r}", parameter=parameter, value=given)
    return given
