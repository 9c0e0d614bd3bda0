"""`LangGraphTracer`: the steps of LangGraph's graphs, one for each time a model is asked."""

from __future__ import annotations

from typing import Any

from multivon_eval.integrations.recording import Recording, RecordingTracer
from multivon_eval.values import arguments, part, shown, texts


class GraphRecording(Recording):
    """A step is one answer of a model and the calls it leads to, in whichever node they are made."""

    def begin(self) -> None:
        """Nothing is recorded yet."""
        super().begin()
        self.nodes: set[Any] = set()

    def on_chain_start(
        self, serialized: Any, inputs: Any, *, run_id: Any = None, metadata: Any = None, **kwargs: Any
    ) -> None:
        """A node begins; its end does not say that it is one."""
        if part(metadata, "langgraph_node"):
            self.nodes.add(run_id)

    def on_chain_end(self, outputs: Any, *, run_id: Any = None, **kwargs: Any) -> None:
        """A node ends: calls that no model asked for are a step of their own."""
        if run_id in self.nodes:
            self.nodes.discard(run_id)
            if self.open and not self.open.thought:
                self.close()

    def on_llm_start(self, serialized: Any, prompts: Any, **kwargs: Any) -> None:
        """A model is asked."""
        self.next_step()

    def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
        """A chat model is asked."""
        self.next_step()

    def on_llm_end(self, response: Any, **kwargs: Any) -> None:
        """The model has answered."""
        text = said_by_model(response)
        if text:
            step = self.current()
            step.thought = step.output = text

    def arguments(self, given: Any) -> dict[str, Any]:
        """The object that a tool was called with."""
        return arguments(given)


class LangGraphTracer(RecordingTracer):
    """Steps by LangGraph's callbacks; the agent passes `kwargs["callbacks"]` on in the config of its graph.

    Branches that run at once share the open step: give each a tracer of its own.
    """

    recording = GraphRecording


def said_by_model(response: Any) -> str:
    """The text of LangChain's model result; empty where there is none."""
    generations = part(response, "generations")
    try:
        first = generations[0][0]
    except (TypeError, LookupError):
        return ""
    message = part(first, "message")
    return " ".join(texts(part(message, "content"))) or shown(part(first, "text") or "")


_extract_llm_text = said_by_model
_parse_tool_args = arguments
_stringify_tool_result = shown
