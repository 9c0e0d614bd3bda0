"""`EvalCase`: ringtrue's case of a suite, with multivon-eval's methods; `AgentStep` and `ToolCall` of its traces."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from ringtrue import EvalCase as NativeCase


@dataclass
class ToolCall:
    """One call of a tool."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    result: Any = None


@dataclass
class AgentStep:
    """One step of an agent: what it thought, called and said."""

    thought: str = ""
    tool_calls: list[ToolCall] = field(default_factory=list)
    output: str = ""


def trace_from(data: Sequence[Mapping[str, Any]] | None) -> list[AgentStep] | None:
    """The steps of an agent that plain values describe; a key that a step does not have is a ValueError."""
    try:
        steps = [(dict(step), step.get("tool_calls") or ()) for step in data or ()]
        found = [AgentStep(**{**step, "tool_calls": [ToolCall(**call) for call in calls]}) for step, calls in steps]
    except (TypeError, AttributeError) as error:
        raise ValueError(f"not a step of agent_trace: {error}") from error
    return None if data is None else found


class EvalCase(NativeCase):
    """One case of a suite."""

    def context_str(self) -> str:
        """The context as one text; several are joined by blank lines."""
        return self.context if isinstance(self.context, str) else "\n\n".join(self.context or ())

    def conversation_str(self) -> str:
        """The conversation, a line per message."""
        turns = self.conversation or ()
        return "\n".join(f"{turn.get('role', '').upper()}: {turn.get('content', '')}" for turn in turns)

    def identity(self) -> tuple[str, str]:
        """The case's id, and the SHA-256 of everything but its id and its reference output."""
        content = asdict(self)
        case_id = content.pop("case_id")
        del content["reference_output"]
        digest = sha256(canonical_json(content).encode()).hexdigest()
        return case_id or f"sha256:{digest}", digest


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and without blanks; NaN, infinity and keys that are not text are a ValueError."""
    _require_text_keys(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _require_text_keys(value: Any) -> None:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise ValueError(f"a key in JSON is text; got {key!r}")
            _require_text_keys(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _require_text_keys(item)
