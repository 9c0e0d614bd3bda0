"""`EvalCase`: ringtrue's case of a suite, with multivon-eval's methods; `AgentStep` and `ToolCall` of its traces."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any

from ringtrue.dialects import suite
from ringtrue.dialects.texts import joined


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


class EvalCase(suite.EvalCase):
    """One case of a suite."""

    def context_str(self) -> str:
        """The context as one text; several are joined by blank lines."""
        return joined(self.context)

    def conversation_str(self) -> str:
        """The conversation, a line per message."""
        turns = self.conversation or ()
        return "\n".join(f"{turn.get('role', '').upper()}: {turn.get('content', '')}" for turn in turns)

    def identity(self) -> tuple[str, str]:
        """The case's id, and the SHA-256 of everything but its id and its reference output."""
        content = asdict(self)
        named = content.pop("case_id")
        del content["reference_output"]
        _require_text_keys(content)
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        digest = hashlib.sha256(text.encode()).hexdigest()
        return named or f"sha256:{digest}", digest


def _require_text_keys(value: Any) -> None:
    if isinstance(value, dict):
        odd = next((key for key in value if not isinstance(key, str)), None)
        if odd is not None:
            raise ValueError(f"a case with an identity has text as keys; got {odd!r}")
    if isinstance(value, (dict, list, tuple)):
        for item in value.values() if isinstance(value, dict) else value:
            _require_text_keys(item)
