"""`LangChainTracer`: the steps of LangChain agents and chains."""

from __future__ import annotations

from typing import Any

from multivon_eval.integrations.recording import Recording, RecordingTracer
from multivon_eval.values import part


class AgentRecording(Recording):
    """A step is what an agent decides to do, the calls that follow, and what it says in the end."""

    def on_agent_action(self, action: Any, **kwargs: Any) -> None:
        """The agent has decided on something."""
        self.next_step(str(part(action, "log") or ""))

    def on_agent_finish(self, finish: Any, **kwargs: Any) -> None:
        """The agent has answered."""
        said = part(finish, "return_values")
        self.current().output = str(said.get("output", "")) if isinstance(said, dict) else ""
        self.close()

    def on_chain_end(self, outputs: Any, **kwargs: Any) -> None:
        """A chain has ended: one without an agent has no other sign that a step is over."""
        if self.open and self.open.tool_calls:
            self.close()


class LangChainTracer(RecordingTracer):
    """Steps by LangChain's callbacks; the agent takes `**kwargs` and passes `kwargs["callbacks"]` on in its config."""

    recording = AgentRecording
