"""Tracers, which tell what an agent did, and importers, which fetch what it did elsewhere."""

from multivon_eval.integrations.base import AgentTracer, CallbackTracer, CaseImporter
from multivon_eval.integrations.langchain import LangChainTracer
from multivon_eval.integrations.langgraph import LangGraphTracer
from multivon_eval.integrations.langsmith import LangSmithImporter, LangSmithTracer
from multivon_eval.integrations.manual import ManualTracer
from multivon_eval.integrations.openai_agents import OpenAIAgentsTracer

__all__ = [
    "AgentTracer",
    "CallbackTracer",
    "CaseImporter",
    "LangChainTracer",
    "LangGraphTracer",
    "LangSmithImporter",
    "LangSmithTracer",
    "ManualTracer",
    "OpenAIAgentsTracer",
]
