"""`LangSmithTracer`: LangChain's steps, kept in LangSmith as well; `LangSmithImporter`: its recorded runs as cases."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from multivon_eval.case import AgentStep, EvalCase, ToolCall
from multivon_eval.integrations.base import CaseImporter
from multivon_eval.integrations.langchain import LangChainTracer
from multivon_eval.values import part, required

_KEYS = ("input", "output", "question", "answer", "text", "content")
"""Where the text of a run is looked for, in this order; else its first value is the text."""


class LangSmithTracer(LangChainTracer):
    """A LangChainTracer whose runs LangSmith sees, too, where its client is installed."""

    def __init__(self, project_name: str | None = None, api_key: str | None = None) -> None:
        super().__init__()
        self._project, self._api_key = project_name, api_key

    def _build_handler(self) -> list[Any]:
        own = super()._build_handler()
        settings: dict[str, Any] = {"project_name": self._project} if self._project else {}
        try:
            if self._api_key:
                settings["client"] = import_module("langsmith").Client(api_key=self._api_key)
            return [own, import_module("langchain_core.tracers.langchain").LangChainTracer(**settings)]
        except ImportError:
            return [own]


class LangSmithImporter(CaseImporter):
    """The runs of a LangSmith project as cases."""

    def __init__(self, project_name: str, api_key: str | None = None) -> None:
        self._project, self._api_key = project_name, api_key

    def _client(self) -> Any:
        return required("langsmith", "LangSmithImporter", "langsmith").Client(api_key=self._api_key)

    def load(  # type: ignore[override]  # the options are LangSmith's
        self,
        *,
        limit: int = 100,
        filter: str | None = None,
        run_type: str = "chain",
        input_key: str | None = None,
        output_key: str | None = None,
    ) -> list[EvalCase]:
        """So many runs of a type, chosen by a filter in LangSmith's language."""
        client = self._client()
        found = client.list_runs(project_name=self._project, run_type=run_type, limit=limit, filter=filter)
        # A list of runs does not hold what happened inside them.
        whole = [client.read_run(run.id, load_child_runs=True) for run in found]
        return [self._run_to_case(run, input_key=input_key, output_key=output_key) for run in whole]

    def _run_to_case(self, run: Any, *, input_key: str | None, output_key: str | None) -> EvalCase:
        output, error = _text(run.outputs, output_key), part(run, "error")
        about = {
            "_run_id": str(run.id),
            "_output": output,
            "_project": self._project,
            "_error": str(error) if error else None,
            "_run_name": part(run, "name") or "",
        }
        return EvalCase(_text(run.inputs, input_key), agent_trace=_trace(run, output) or None, metadata=about)


def _text(values: Mapping[str, Any] | None, key: str | None = None) -> str:
    found = values or {}
    name = next((name for name in (key, *_KEYS) if name in found), next(iter(found), None))
    value = None if name is None else found[name]
    return "" if value is None else str(value)


def _trace(run: Any, output: str) -> list[AgentStep]:
    """Calls of tools, a step for each time a model was asked between them, and the output in the last."""
    steps = [AgentStep()]
    for child in sorted(part(run, "child_runs") or (), key=lambda child: part(child, "start_time") or 0):
        if child.run_type == "tool":
            error = part(child, "error")
            result = f"[ERROR: {error}]" if error else _text(part(child, "outputs"))
            steps[-1].tool_calls.append(ToolCall(child.name or "unknown_tool", dict(child.inputs or {}), result))
        elif child.run_type == "llm" and steps[-1].tool_calls:
            steps.append(AgentStep())
    told = [step for step in steps if step.tool_calls] or steps[:1]
    told[-1].output = output
    return told if output or told[-1].tool_calls else []
