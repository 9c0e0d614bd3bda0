"""Cases as plain values and back without loss, and `CaseManifest`: a fixed set of cases with named splits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from ringtrue.reports.canonical import canonical_json, digest, sealed

from multivon_eval.case import AgentStep, EvalCase, ToolCall
from ringtrue.atomic_file import Where, write_whole

__all__ = ["CaseManifest", "canonical_json", "case_from_dict", "case_identity", "case_to_dict", "digest"]

CASE_MANIFEST_SCHEMA = "multivon.case-manifest/v1"

_FIELDS = {field.name for field in fields(EvalCase)}


def case_to_dict(case: EvalCase, *, include_reference: bool = True) -> dict[str, Any]:
    """A case as plain values of its own; what JSON cannot hold is refused."""
    content = {**vars(case), "agent_trace": trace_to_data(case.agent_trace)}
    if not include_reference:
        del content["reference_output"]
    elif callable(case.reference_output):
        raise ValueError(f"the case {case.input!r} has a Callable as reference_output, which no file can hold")
    _require_case(content)
    plain: dict[str, Any] = json.loads(canonical_json(content))
    return plain


def case_from_dict(data: Mapping[str, Any]) -> EvalCase:
    """The case that plain values describe; an unknown field or a value of the wrong kind is refused."""
    if not isinstance(data, Mapping):
        raise TypeError(f"a case is an object; got {type(data).__name__}")
    trace = _require_case(data)
    given = json.loads(canonical_json({name: value for name, value in data.items() if value is not None}))
    return EvalCase(**given | {"agent_trace": trace})


def _require_case(data: Mapping[str, Any]) -> list[AgentStep] | None:
    """Raise ValueError unless these are the values of a case; its trace."""
    if unknown := sorted(map(repr, data.keys() - _FIELDS)):
        raise ValueError(f"a case has no field {unknown[0]}; put it into metadata")
    for name, (kind, fits) in _KINDS.items():
        value = data.get(name)
        if not (fits(value) or (value is None and name != "input")):
            raise ValueError(f"{name} must be {kind}; got {value!r}")
    return trace_from_data(data.get("agent_trace"))


def case_identity(case: EvalCase) -> tuple[str, str]:
    """`case.identity()`, of a case that plain values describe."""
    case_to_dict(case, include_reference=False)
    return case.identity()


def trace_to_data(trace: Iterable[Any] | None) -> list[dict[str, Any]] | None:
    """A trace as plain values."""
    if trace is None:
        return None
    return [step if isinstance(step, dict) else asdict(step) for step in trace]


def trace_from_data(data: Any) -> list[AgentStep] | None:
    """The trace that plain values describe."""
    if data is None:
        return None
    return [_step(step) for step in data]


def _step(step: Any) -> AgentStep:
    calls = step.get("tool_calls", []) if isinstance(step, Mapping) else None
    if not isinstance(calls, list) or not all(isinstance(call, Mapping) for call in calls):
        raise ValueError(f"a step of agent_trace is an object with a list of tool_calls; got {step!r}")
    texts = [call.get("name") for call in calls] + [step.get(name, "") for name in ("thought", "output")]
    if not all(isinstance(text, str) for text in texts) or not all(_is_object(call.get("arguments")) for call in calls):
        raise ValueError("in agent_trace, thoughts, outputs and names of tools are text, arguments are objects")
    try:
        return AgentStep(**{**step, "tool_calls": [ToolCall(**call) for call in calls]})
    except TypeError as error:
        raise ValueError(f"agent_trace: {error}") from error


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_one_or_more(value: Any) -> bool:
    return _is_text(value) or _is_texts(value)


def _is_object(value: Any) -> bool:
    return value is None or isinstance(value, dict)


def _is_talk(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(turn, dict) and _is_text(turn.get("role")) and _is_text(turn.get("content")) for turn in value
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


_KINDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "input": ("text", _is_text),
    "expected_output": ("text, or a list of texts", _is_one_or_more),
    "context": ("text, or a list of texts", _is_one_or_more),
    "conversation": ("a list of messages with role and content", _is_talk),
    "agent_trace": ("a list", _is_list),
    "expected_tool_calls": ("a list of texts", _is_texts),
    "metadata": ("an object", _is_object),
    "tags": ("a list of texts", _is_texts),
    "reference_output": ("text", _is_text),
    "case_id": ("text that is not empty", _is_name),
    "revision": ("text that is not empty", _is_name),
    "source_id": ("text that is not empty", _is_name),
}
"""What each field of a case must be -> in words, and whether a value is."""


class CaseManifest:
    """A set of cases that does not change: every case has an id of its own, and lies in one split if there are any.

    Cases of one `source_id` may not lie in two splits: what is learned on one would be tested on the other.
    """

    def __init__(
        self,
        name: str,
        cases: Iterable[EvalCase],
        *,
        splits: Mapping[str, Iterable[str]] | None = None,
        provenance: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"a manifest needs a name; got {name!r}")
        rows: dict[str, dict[str, Any]] = {}
        for case in cases:
            named, found = case_identity(case)
            if named in rows:
                raise ValueError(f"Duplicate case {named!r}: give each its own case_id")
            rows[named] = {"id": named, "digest": found, "case": case_to_dict(case)}
        chosen = {split: sorted(ids) for split, ids in (splits or {}).items()}
        _require_splits(chosen, {named: row["case"].get("source_id") for named, row in rows.items()})
        content = {
            "schema": CASE_MANIFEST_SCHEMA,
            "name": name,
            "cases": [rows[named] for named in sorted(rows)],
            "splits": chosen,
            "provenance": dict(provenance or {}),
        }
        self._text = canonical_json(sealed(content))

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest as plain values, in a new object."""
        found: dict[str, Any] = json.loads(self._text)
        return found

    @property
    def digest(self) -> str:
        """The SHA-256 of all that it says; the order in which cases were given does not matter."""
        return str(self.manifest["digest"])

    @property
    def cases(self) -> list[EvalCase]:
        """The cases, by id."""
        return [case_from_dict(row["case"]) for row in self.manifest["cases"]]

    def split(self, name: str) -> list[EvalCase]:
        """The cases of a split, by id."""
        manifest = self.manifest
        return [case_from_dict(row["case"]) for row in manifest["cases"] if row["id"] in manifest["splits"][name]]

    def save(self, path: Where) -> None:
        """Write the manifest; missing folders are made."""
        write_whole(path, f"{self._text}\n".encode())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CaseManifest:
        """The manifest that plain values describe; one whose digest is not that of what it says is refused."""
        if data.get("schema") != CASE_MANIFEST_SCHEMA:
            raise ValueError(f"not a manifest: its schema is {data.get('schema')!r}, not {CASE_MANIFEST_SCHEMA!r}")
        cases = [case_from_dict(row["case"]) for row in data["cases"]]
        found = cls(data["name"], cases, splits=data["splits"], provenance=data.get("provenance"))
        if found.manifest != data:
            raise ValueError("the manifest's digest is not that of what it says")
        return found

    @classmethod
    def load(cls, path: Where) -> CaseManifest:
        """The manifest of a file."""
        return cls.from_dict(json.loads(Path(path).read_text("utf-8")))


def _require_splits(splits: Mapping[str, list[str]], sources: Mapping[str, str | None]) -> None:
    home: dict[str, str] = {}
    of_source: dict[str, str] = {}
    for split, ids in splits.items():
        if not isinstance(split, str) or not split:
            raise ValueError(f"a split has a name; got {split!r}")
        for named in ids:
            if named not in sources:
                raise ValueError(f"Unknown case {named!r} in the split {split!r}")
            if named in home:
                raise ValueError(f"the case {named!r} is in splits more than once")
            home[named] = split
            source = sources[named]
            if source is not None and of_source.setdefault(source, split) != split:
                raise ValueError(f"Source leakage: cases of {source!r} are in {of_source[source]!r} and in {split!r}")
    if splits and home.keys() != sources.keys():
        raise ValueError("splits hold every case; left out: " + ", ".join(sorted(sources.keys() - home.keys())))
