"""`EvalCase`: ringtrue's case of a suite, with multivon-eval's methods; `AgentStep` and `ToolCall` of its traces."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ringtrue.reports.canonical import digest

from ringtrue.dialects import suite
from ringtrue.dialects.coercion import joined


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
        found = digest(content)
        return named or f"sha256:{found}", found
